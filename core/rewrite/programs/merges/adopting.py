"""Classes that become one class, which takes the name of one of those that go, and so keeps that class's source file.

A merged class has the name of the class that takes the others in. A command that compares names of files says no where
its failure shows in one of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.rewrite.names.class_names import OtherClassNames
from core.rewrite.names.name_map import NamedAnew
from core.rewrite.programs.class_relations import ClassRelations
from core.rewrite.programs.merges.merging import MERGING
from core.rewrite.programs.program import ProgramEdit, WholeProgram, kind, shown


def _find(program: WholeProgram) -> Sequence[ProgramEdit]:
    """Return an edit for each class that can become part of a class that may have another name."""
    stay = program.fixed | ClassRelations(program).in_rows
    return [
        replace(edit, says=f"{shown(edit.what.old)} takes in {shown(edit.what.new)}")
        for edit in MERGING.find(program)
        if edit.what.new not in stay
    ]


@kind("adopting", "classes become one class, with the name of the one that would go", _find, last=True)
def ADOPTING(program: WholeProgram, edits: Sequence[ProgramEdit]) -> WholeProgram:
    """Merge some classes, and give each merged class the name of the first class that became part of it."""
    names = {edit.what.new: edit.what.old for edit in reversed(edits)}
    merged, copy = MERGING.make(program, edits), NamedAnew(OtherClassNames(names))
    return replace(merged.mapped(copy.tree), renaming=merged.renaming.then(names))
