"""Values that code pushes and only pops."""

from __future__ import annotations

import pytest

from core.code.edit import EditKind
from core.edits.bodies.editor import Editor
from tests.support.assembled import Maker
from tests.support.body_program import code_of

POP, POP2, RETURN = b"\x57", b"\x58", b"\xb1"
NULL, LONG, LOAD, LONG_LOAD = b"\1", b"\x0a", b"\x15\0", b"\x16\1"


def editor(code: bytes) -> Editor:
    maker = Maker(major=49)
    maker.method("(IJ)V", code)
    return Editor(maker.build())


def values(changed: Editor) -> list[int]:
    return [edit.offset for edit in changed.edits if edit.kind is EditKind.VALUE]


@pytest.mark.parametrize("code", [NULL + POP, LONG + POP2, LOAD + POP, LONG_LOAD + POP2], ids=bytes.hex)
def test_go_with_what_pops_them(code: bytes) -> None:
    changed = editor(code + RETURN)
    (edit,) = [edit for edit in changed.edits if edit.kind is EditKind.VALUE]
    assert edit.saved == len(code)
    assert code_of(changed.write([changed.edits.index(edit)]), "m")[2] == RETURN


def test_go_from_below_a_value_that_is_popped_before() -> None:
    changed = editor(NULL + LONG + POP2 + POP + RETURN)
    assert values(changed) == [0, 1]
    assert code_of(changed.write(range(len(changed.edits))), "m")[2] == RETURN


def test_a_value_that_is_used_stays_and_so_does_half_of_what_is_popped() -> None:
    assert values(editor(NULL + b"\xbf")) == []
    assert values(editor(NULL + NULL + POP2 + RETURN)) == []
