"""Opened jars that command and failure name: the search begins at them where no class is named."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.item_finder import ByClasses
from core.evidence.mentions import ClassNames
from core.evidence.suggestions import around_mentions
from core.model import class_model
from core.model.class_model import ClassModel
from core.sets import members, union


@pytest.fixture(scope="module")
def model(compile_java: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> ClassModel:
    outer = tmp_path_factory.mktemp("jars") / "all.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        for name in "abcde":
            folder = compile_java({f"{name}/C.java": f"package {name}; public class C {{ }}"})
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as jar:
                jar.write(folder / name / "C.class", f"{name}/C.class")
                jar.writestr("META-INF/services/x.Y", name)
            archive.writestr(f"lib/{name}-1.0.jar", inner.getvalue())
    return class_model.build(read_jar([outer], nested=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("java.util.zip.ZipException: /x/lib/b-1.0.jar: bad entry", "b"),
        ("duplicate: 'd-1.0.jar' and file:///x/b-1.0.jar!/META-INF/services/x.Y", "bd"),
        ("b-1.0.jarred, ab-1.0.jar, b-1.0", ""),
        ("java -cp a-1.0.jar:b-1.0.jar:c-1.0.jar:d-1.0.jar:e-1.0.jar", ""),
    ],
)
def test_a_text_names_opened_jars_by_their_files_unless_it_lists_most(model: ClassModel, text: str, found: str) -> None:
    assert ClassNames(model).jars(text) == [f"lib/{name}-1.0.jar" for name in found]


def test_each_named_jar_is_tried_with_its_resources_then_all_of_them(model: ClassModel) -> None:
    def least(wanted):
        return union(model.closures[number] for number in wanted)

    jars = ["lib/b-1.0.jar", "lib/d-1.0.jar"]
    tried = around_mentions(ByClasses(model), least, (), jars=jars)
    entries = [[model.jar.entries[model.items[each].entry].name for each in members(one.items)] for one in tried]
    of = {name: {f"lib/{name}-1.0.jar!/{name}/C.class", f"lib/{name}-1.0.jar!/META-INF/services/x.Y"} for name in "bd"}
    assert list(map(set, entries)) == [of["b"], of["d"], of["b"] | of["d"]]
