"""What code uses in real jars, as far as Debian packages have put them into /usr/share/java."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.code.types.code_facts import CodeReader
from tests.support.old_classes import made_old, without_merges

pytestmark = pytest.mark.slow

JARS = [
    path
    for path in sorted(Path("/usr/share/java").glob("*.jar"))
    if not path.is_symlink() and path.stat().st_size > 200_000
]
FRAMES = 50
"""First version of class files whose methods have frames. Without frames, whatever meets takes sets of types."""

if not JARS:
    pytest.skip("no jars in /usr/share/java", allow_module_level=True)


OBJECT = "java/lang/Object"


class Hierarchy:
    """Who is above whom, as far as the classes at hand tell."""

    def __init__(self, classes: list[ClassFile]) -> None:
        self.above: dict[str, set[str]] = {}
        for cf in classes:
            self.above.setdefault(cf.name, {*filter(None, [cf.superclass]), *cf.interface_names})

    def holds(self, source: str, target: str) -> bool | None:
        """Return True if *source* is a *target*; None if some class on the way is not at hand."""
        seen: set[str] = set()
        todo, known = [source], True
        while todo:
            name = todo.pop()
            if name == target:
                return True
            if name in seen or name == OBJECT:
                continue
            seen.add(name)
            known = known and name in self.above
            todo += self.above.get(name, ())
        # What lies outside knows nothing of the classes in the jar.
        return False if known or (target in self.above and source in self.above) else None


@pytest.mark.parametrize("path", JARS, ids=lambda path: path.stem)
def test_all_code_is_read_and_every_fact_holds(path: Path) -> None:
    jar = read_jar([path])
    classes = [parse(jar.entries[entry].data) for entry in jar.classes()]
    hierarchy, methods, merged = Hierarchy(classes), 0, 0
    for cf in classes:
        reader = CodeReader(cf)
        for method in cf.methods:
            facts = reader.facts(method)
            methods += 1
            merged += facts.merged
            if any(hierarchy.holds(fact[0], fact[1]) is False for fact in facts.subtypes):
                # Frames said less than there is to know. Of several arrays only the JVM knows, when it runs, into which
                # one a value goes.
                again = [fact for fact in reader.facts(method, sets=True).subtypes if fact[2] != "element"]
                assert [fact for fact in again if hierarchy.holds(fact[0], fact[1]) is False] == [], cf.name
    if all(cf.version.major >= FRAMES for cf in classes):
        assert merged < methods / 20 or methods < 100


@pytest.mark.parametrize("path", [path for path in JARS if "lang3" in path.name or "codec" in path.name])
def test_with_and_without_frames_the_same_is_found(path: Path) -> None:
    jar = read_jar([path])
    compared = 0
    for entry in jar.classes():
        cf = parse(jar.entries[entry].data)
        old = parse(made_old(parse(jar.entries[entry].data)))
        reader, old_reader = CodeReader(cf), CodeReader(old)
        for method, old_method in zip(cf.methods, old.methods, strict=True):
            framed, unframed = reader.facts(method, sets=True), old_reader.facts(old_method)
            assert without_merges(framed) == without_merges(unframed), (cf.name, method.name_text)
            assert set(framed.methods) == set(unframed.methods), (cf.name, method.name_text)
            compared += unframed.merged
    assert compared > 100


def test_code_with_one_byte_changed_is_read_or_refused() -> None:
    jar = read_jar([JARS[0]])
    entry = max(jar.classes(), key=lambda each: len(jar.entries[each].data))
    data = jar.entries[entry].data
    read = refused = 0
    for place in range(len(data) // 3, len(data), max(1, len(data) // 400)):
        for value in (0, 0xFF, data[place] ^ 1):
            changed = data[:place] + bytes([value]) + data[place + 1 :]
            try:
                for _ in CodeReader(parse(changed)).all():
                    read += 1
            except ClassFormatError:
                refused += 1
    assert read
    assert refused
