"""Jumps that lead where control goes anyway: compilers write them, and decompilers trip over them."""

from __future__ import annotations

from core.code.edit import EditKind
from core.edits.bodies.editor import Editor
from tests.support.assembled import Maker
from tests.support.body_program import code_of

CONDITION, GOTO, SUM = b"\x1a\x99\0\3", b"\xa7\0\3", b"\x1a\4\x60\xac"
"""``iload_0, ifeq`` and ``goto``, both to what comes next; then ``return variable 0 + 1``."""


def editor() -> Editor:
    maker = Maker(major=49)
    maker.method("(I)I", CONDITION + GOTO + SUM)
    return Editor(maker.build())


def code(kinds_and_offsets: set[tuple[EditKind, int]]) -> bytes:
    """Return the code after the edits of these kinds and offsets."""
    changed = editor()
    chosen = [edit for edit in changed.edits if (edit.kind, edit.offset) in kinds_and_offsets]
    assert len(chosen) == len(kinds_and_offsets)
    return code_of(changed.write(map(changed.edits.index, chosen)), "m")[2]


def test_they_stay_where_an_edit_changes_other_code() -> None:
    assert code({(EditKind.VALUE, 9)}) == CONDITION + GOTO + b"\3\xac"


def test_each_goes_by_an_edit_of_its_own() -> None:
    assert code({(EditKind.FALL, 1)}) == GOTO + SUM
    assert code({(EditKind.FALL, 4)}) == CONDITION + SUM
    assert code({(EditKind.FALL, 1), (EditKind.FALL, 4)}) == SUM
    assert not any(edit.kind is EditKind.JUMP for edit in editor().edits)
