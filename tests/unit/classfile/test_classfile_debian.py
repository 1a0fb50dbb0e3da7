"""Real jars, as far as Debian packages have put them into /usr/share/java."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.archive.entry_names import class_path
from core.archive.jar import EntryKind, read_jar
from core.classfile.class_file import parse
from core.classfile.instructions import instructions
from core.classfile.outline import references
from core.classfile.tables import code_attributes
from core.errors import InputError
from core.model.class_graph import build
from tests.support.rebuilt_class import rebuilt

pytestmark = pytest.mark.slow

JARS = sorted(path for path in Path("/usr/share/java").glob("*.jar") if not path.is_symlink())
if not JARS:
    pytest.skip("no jars in /usr/share/java", allow_module_level=True)


def has_classes(path: Path) -> bool:
    try:
        read_jar([path])
    except InputError:
        return False
    return True


def written_back(data: bytes) -> bytes:
    """Return the class file after all constants and all code in it have been read."""
    cf = parse(data)
    references(rebuilt(cf))
    for index, place in enumerate(cf.constants.tuples()):
        if place is not None:
            cf.constants.raw(index)
    for method in cf.methods:
        if method.code is not None:
            list(instructions(method.code.code))
            code_attributes(cf, method.attributes.raw("Code"))
    return rebuilt(cf)


def test_every_class_comes_back_byte_for_byte() -> None:
    classes = 0
    for path in filter(has_classes, JARS):
        jar = read_jar([path])
        for index in jar.classes():
            assert written_back(jar.entries[index].data) == jar.entries[index].data, (path, jar.entries[index].name)
            classes += 1
    assert classes > 1000


def test_all_that_jdeps_finds_is_found(jdeps) -> None:
    """Of some jars that hold plain classes alone: jdeps wants a release for multi-release jars."""
    checked = 0
    for path in JARS:
        if checked > 3000:
            break
        if not has_classes(path) or not 50_000 < path.stat().st_size < 1_000_000:
            continue
        jar = read_jar([path])
        names = [entry.name for entry in jar.entries if entry.kind is EntryKind.CLASS]
        if any(class_path(name) != name or name.endswith("module-info.class") for name in names):
            continue
        graph = build(jar)
        assert graph.problems == ()
        known = {
            node.name: {graph.nodes[other].name for other in graph.graph[position]}
            for position, node in enumerate(graph.nodes)
        }
        for name, others in jdeps(path).items():
            inside = {other for other in others if other in known} - {name}
            assert inside <= known[name], (path, name)
            checked += len(inside)
    assert checked > 1000


def test_no_class_of_a_jar_is_unresolved_that_is_in_it() -> None:
    for path in filter(has_classes, JARS):
        graph = build(read_jar([path]))
        assert not set(graph.unresolved) & set(graph.index)
        assert not [name for name in graph.unresolved if re.search(r"[;\[<]", name)]
