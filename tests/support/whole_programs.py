"""Programs of compiled Java for edits of the whole program, and what such a program prints."""

from __future__ import annotations

from pathlib import Path

from core.classfile.symbolic.symbolic_class import read
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from core.library.library import open_library
from tests.support.java import compiler

MAIN = "public class Main {{ public static void main(String[] a) {{ System.out.println({}); }} }}"
"""A class Main that prints the value of an expression."""


def whole_program(folder: Path) -> WholeProgram:
    """Return the program of the class files in a folder."""
    trees = [read(path.read_bytes()) for path in sorted(folder.rglob("*.class"))]
    return WholeProgram(tuple(trees), open_library().get)


def output_of(program: WholeProgram, folder: Path) -> str:
    """Write a program into a folder, run its class Main with all classes verified, and return what it prints."""
    for tree in program.classes:
        path = folder / f"{tree.name}.class"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(tree.written())
    return compiler().run("run", str(folder), "Main")


def edits(program: WholeProgram, kind: str = "merging") -> dict[str, str]:
    """Return the edits of a kind that a program offers: what goes, and where it goes."""
    return {edit.what[0]: edit.what[1] for edit in KINDS[kind].find(program)}


def made(program: WholeProgram, kind: str = "merging") -> WholeProgram:
    """Return a program after all edits of a kind."""
    return KINDS[kind].make(program, KINDS[kind].find(program))
