"""Edits of one body that depend on each other."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from core.code.edit import EditKind
from core.edits.bodies.editor import Editor
from tests.support.body_program import written
from tests.support.java import CompileJava, compiler

PROGRAM = """
public class Main {
    static int sum(int most) {
        int sum = 0;
        {
            int first = most + 2;
            if (most > 3) sum = 1;
            sum += first;
        }
        {
            int second = 5;
            while (second < most) second++;
            sum += second;
        }
        return sum;
    }
    public static void main(String[] words) { }
}
"""


def test_who_goes_round_a_region_needs_no_variable_that_went(compile_java: CompileJava, tmp_path: Path) -> None:
    """``second`` is in the slot of ``first``, so a region that gives it its first value may leave that of ``first``."""
    data = (compile_java({"Main.java": PROGRAM}) / "Main.class").read_bytes()
    editor = Editor(data)
    kinds = {kind: [edit for edit in editor.edits if edit.kind is kind] for kind in (EditKind.VARIABLE, EditKind.SKIP)}
    pairs = list(product(kinds[EditKind.VARIABLE], kinds[EditKind.SKIP]))
    assert len(pairs) > 5
    for number, pair in enumerate(pairs):
        folder = tmp_path / str(number)
        written(folder, "Main", editor.write(map(editor.edits.index, pair)))
        compiler().run("run", str(folder), "Main")  # says what the verifier refuses
