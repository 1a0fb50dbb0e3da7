"""StackMapTable: the types that a compiler promises at jump targets (JVMS 4.7.4)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from core.classfile.format_error import ClassFormatError
from core.code.types.stack_types import NULL, UNINITIALIZED_THIS, Slot

Frame = tuple[list[Slot], list[Slot]]
"""Local variables (as many as the frame tells of) and stack, slot by slot. Frames share lists: copy before a change."""

_FIXED: tuple[tuple[Slot, ...], ...] = ((None,), (0,), (0,), (0, False), (0, False), (NULL,), (UNINITIALIZED_THIS,))
"""Slots of the verification types 0 to 6: top, int, float, double, long, null, uninitializedThis."""
_LIMIT = 5_000_000
"""Most slots that the frames of a method may have together, before they are taken for an attack on memory."""
_OBJECT, _UNINITIALIZED = 7, 8
_U2 = struct.Struct(">H").unpack_from


def frames(
    data: bytes, initial: Sequence[Slot], names: Mapping[int, str], mentioned: dict[int, None]
) -> dict[int, Frame]:
    """Return the frames in the attribute's content ``data`` by their offsets, ascending.

    ``initial``: the local variables at the start of the method, receiver and parameters, with which the first frame
    is compared. ``names``: the type for the place of a Class constant. The places that frames use go to ``mentioned``.
    Raises :class:`ClassFormatError`.
    """
    try:
        return _Decoder(data, names, mentioned).frames(list(initial))
    except (struct.error, IndexError):
        raise ClassFormatError("a StackMapTable is cut off") from None


class _Decoder:
    def __init__(self, data: bytes, names: Mapping[int, str], mentioned: dict[int, None]) -> None:
        self.data = data
        self.names = names
        self.mentioned = mentioned
        self.at = 2

    def frames(self, variables: list[Slot]) -> dict[int, Frame]:
        """Return all frames; ``variables`` is what the first one starts from."""
        data = self.data
        (count,) = _U2(data)
        found: dict[int, Frame] = {}
        offset, left = -1, _LIMIT
        nothing: list[Slot] = []
        for _ in range(count):
            stack = nothing
            kind = data[self.at]
            self.at += 1
            if kind < 64:  # same_frame
                offset += kind + 1
            elif kind < 128:  # same_locals_1_stack_item_frame
                offset += kind - 63
                stack = self.types(1)
            elif kind < 247:
                raise ClassFormatError(f"unknown kind of frame {kind}")
            else:
                offset += _U2(data, self.at)[0] + 1
                self.at += 2
                if kind == 255:  # full_frame
                    variables, stack = self.types(self.u2()), self.types(self.u2())
                elif kind > 251:  # append_frame
                    variables = variables + self.types(kind - 251)
                elif kind == 247:  # same_locals_1_stack_item_frame_extended
                    stack = self.types(1)
                elif kind < 251:  # chop_frame
                    variables = _chopped(variables, 251 - kind)
                left -= len(variables)
                if left < 0:
                    raise ClassFormatError("the frames of a method are too complex")
            found[offset] = variables, stack
        if self.at != len(data):
            raise ClassFormatError("a StackMapTable is longer than its frames")
        return found

    def u2(self) -> int:
        """Return the number of two bytes at the reading position."""
        self.at += 2
        return int(_U2(self.data, self.at - 2)[0])

    def types(self, count: int) -> list[Slot]:
        """Return the slots of the next ``count`` verification types."""
        data, at = self.data, self.at
        slots: list[Slot] = []
        for _ in range(count):
            tag = data[at]
            if tag == _OBJECT:
                index = data[at + 1] << 8 | data[at + 2]
                self.mentioned[index] = None
                slots.append(self.names[index])
                at += 3
            elif tag < _OBJECT:
                slots += _FIXED[tag]
                at += 1
            elif tag == _UNINITIALIZED:
                slots.append((data[at + 1] << 8 | data[at + 2]) + 1)
                at += 3
            else:
                raise ClassFormatError(f"unknown verification type {tag}")
        self.at = at
        return slots


def _chopped(variables: list[Slot], count: int) -> list[Slot]:
    """Return the variables without the last ``count`` values; a long or double is one value in two slots."""
    left = len(variables)
    for _ in range(count):
        if left == 0:
            raise ClassFormatError("a frame chops more variables than there are")
        left -= 2 if variables[left - 1] is False else 1
    return variables[:left]
