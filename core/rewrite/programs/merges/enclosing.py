"""Nested classes that become part of the class around them, and so stay in its source file.

Where a nested class becomes a plain one, its source gets a file of its own. A command that compares names of files says
no to that, and then the class around the nested one stays, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.rewrite.around import outer_class, top_levels
from core.rewrite.programs.merges.merging import MERGING, merges
from core.rewrite.programs.nesting import NESTING
from core.rewrite.programs.program import ProgramEdit, WholeProgram, kind, shown


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for each class that is nested, has none inside, and can become part of the class around it."""
    around, outer = top_levels(program.classes), {outer_class(tree) for tree in program.classes}
    edits = [edit for edit in NESTING.find(program) if edit.what not in outer]
    if not edits:
        return ()
    inner = {edit.what for edit in edits}
    tops = {around[name] for name in inner}
    found = merges(NESTING.make(program, edits), lambda old, new: old in inner and around[old] == new, heads=tops)
    return [
        ProgramEdit(f"{shown(merge.old)} is part of {shown(merge.new)} around it", (merge.old, merge.new), merge)
        for merge in found
    ]


@kind("enclosing", "nested classes become part of the class around them", _find, last=True)
def ENCLOSING(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Make plain classes of the nested ones, and merge each into the class around it."""
    names = {edit.what.old for edit in edits}
    plain = NESTING.make(program, [edit for edit in NESTING.find(program) if edit.what in names])
    return MERGING.make(plain, edits)
