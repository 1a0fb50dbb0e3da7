"""Edits of where control goes keep their names while other edits change the code around them."""

from __future__ import annotations

import zipfile
from pathlib import Path

from core.archive.jar import read_jar
from core.reduction.edit_elements import EditElements
from core.reduction.elements import jar_of
from tests.support.java import CompileJava

PROGRAM = {
    "p/A.java": """
package p;
public class A {
    static void one() { }
    static void two() { }
    static void three() { }
    static void run(int n) {
        one();
        if (n > 1) two();
        switch (n) { case 1: one(); break; case 5: two(); break; default: }
        three();
    }
    static void other() { one(); two(); }
}
"""
}


def _elements(
    compile_java: CompileJava, tmp_path: Path, text: str = PROGRAM["p/A.java"], earlier: EditElements | None = None
) -> EditElements:
    path = tmp_path / "a.jar"
    with zipfile.ZipFile(path, "w") as jar:
        jar.write(compile_java({"p/A.java": text}) / "p" / "A.class", "p/A.class")
    return EditElements(read_jar([path]), {}, earlier=earlier)


def _names(elements: EditElements) -> set[str]:
    names = [elements.problem.names(number) for number in range(elements.count)]
    assert len(set(names)) == len(names)
    return set(names)


def _named(elements: EditElements) -> dict[str, str]:
    """The names by what the edits do."""
    names = elements.problem.names
    rows = [(edit, names(first + place)) for _, first, edits in elements.edits() for place, edit in enumerate(edits)]
    return {f"{name.split('#')[0]} {edit.kind.name} {edit.description}": name for edit, name in rows}


def test_what_other_edits_have_moved_keeps_its_name(compile_java: CompileJava, tmp_path: Path) -> None:
    before = _elements(compile_java, tmp_path)
    ((_, first, edits),) = before.edits()
    gone = next(
        first + place
        for place, edit in enumerate(edits)
        if edit.description == "drop the call of p.A.one" and edit.offset == 0 and len(edits) - place > 8
    )
    now = EditElements(jar_of(before.entries(before.full & ~(1 << gone)), before._jar), {}, earlier=before)
    old, new = _named(before), _named(now)
    run = "p/A.run:(I)V"
    for does in ("FALL never jump if <=", "ARM no case 5", "CASE always case 1"):
        assert new[f"{run} {does}"] == old[f"{run} {does}"]
    does = "CALL drop the call of p.A.three"
    assert new[f"{run} {does}"] != old[f"{run} {does}"]  # what is done with values is another question now
    assert all("run" in name for name in _names(now) - _names(before))


def test_what_is_new_has_a_name_of_its_own(compile_java: CompileJava, tmp_path: Path) -> None:
    now = _elements(compile_java, tmp_path)
    ((_, first, edits),) = now.edits()
    part = next(first + place for place, edit in enumerate(edits) if edit.kind.name == "ARM")
    before = EditElements(jar_of(now.entries(now.full & ~(1 << part)), now._jar), {})
    again = EditElements(now._jar, {}, earlier=before)
    assert _names(again) & _names(before)
    assert _names(again) - _names(before)


def test_a_method_with_another_name_or_descriptor_keeps_the_names_of_its_edits(
    compile_java: CompileJava, tmp_path: Path
) -> None:
    method = "static int half(String gone, int n) { int m = n / 2; if (m > 1) one(); return m; } static void other()"
    text = PROGRAM["p/A.java"].replace("static void other()", method)
    before = _elements(compile_java, tmp_path, text)
    for old, new in (("String", "Object"), ("half", "moved")):
        assert _names(_elements(compile_java, tmp_path, text.replace(old, new), before)) == _names(before)
    now = _elements(compile_java, tmp_path, text.replace("String gone, ", ""), before)
    flow = {name for name in _names(before) if "half" in name and ("!FALL" in name or "!CUT" in name)}
    assert flow
    assert flow <= _names(now)
