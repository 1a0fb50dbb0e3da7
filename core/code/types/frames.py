"""StackMapTable: the types that a compiler promises at jump targets (JVMS 4.7.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.classfile.code_content import CHOPPED, FULL, OBJECT, ONE_TYPE_FAR, SAME_FAR, frame_rows, number_of
from core.classfile.format_error import ClassFormatError
from core.code.types.stack_types import NULL, UNINITIALIZED_THIS, Slot

Frame = tuple[list[Slot], list[Slot]]
"""Local variables (as many as the frame tells of) and stack, slot by slot. Frames share lists: copy before a change."""

_FIXED: tuple[tuple[Slot, ...], ...] = ((None,), (0,), (0,), (0, False), (0, False), (NULL,), (UNINITIALIZED_THIS,))
"""Slots of the verification types 0 to 6: top, int, float, double, long, null, uninitializedThis."""
FIRST_FRAMES = 50
"""The first version of class files with StackMapTable; verified the old way if that fails."""
_LIMIT = 5_000_000
"""Most slots that the frames of a method may have together, before they are taken for an attack on memory."""


def frames(
    data: bytes, initial: Sequence[Slot], names: Mapping[int, str], mentioned: dict[int, None]
) -> dict[int, Frame]:
    """Return the frames in the attribute's content ``data`` by their offsets, ascending.

    ``initial``: the local variables at the start of the method, receiver and parameters, with which the first frame
    is compared. ``names``: the type for the place of a Class constant. The places that frames use go to ``mentioned``.
    Raises :class:`ClassFormatError`.
    """
    variables, left = list(initial), _LIMIT
    found: dict[int, Frame] = {}
    nothing: list[Slot] = []

    def slots(types: list[int]) -> list[Slot]:
        told: list[Slot] = []
        for type_ in types:
            if type_ < OBJECT:
                told += _FIXED[type_]
            elif type_ & 15 == OBJECT:
                index = number_of(data, type_)
                mentioned[index] = None
                told.append(names[index])
            else:
                told.append(number_of(data, type_) + 1)
        return told

    for offset, kind, more, stack, _, _ in frame_rows(data):
        if kind >= ONE_TYPE_FAR:
            if kind > SAME_FAR:
                variables = slots(more) if kind == FULL else variables + slots(more)
            elif CHOPPED <= kind < SAME_FAR:
                variables = _chopped(variables, SAME_FAR - kind)
            left -= len(variables)
            if left < 0:
                raise ClassFormatError("the frames of a method are too complex")
        found[offset] = variables, slots(stack) if stack else nothing
    return found


def _chopped(variables: list[Slot], count: int) -> list[Slot]:
    """Return the variables without the last ``count`` values; a long or double is one value in two slots."""
    left = len(variables)
    for _ in range(count):
        if left == 0:
            raise ClassFormatError("a frame chops more variables than there are")
        left -= 2 if variables[left - 1] is False else 1
    return variables[:left]
