"""StackMapTable (JVMS 4.7.4) read type by type, and written again with some frames left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from core.classfile.code_content import CHOPPED, FULL, OBJECT, SAME_FAR, UNINITIALIZED, frame_rows, number_of
from core.classfile.descriptors import method_types
from core.code.types.stack_types import type_of

Type = int | str | tuple[int]
"""A verification type: a tag without further data (0 to 6), the name in the Class constant, or, alone in a tuple, the
offset of the ``new`` of an uninitialised object."""

_NULL, _THIS = 5, 6
_PRIMITIVES = {"F": 2, "D": 3, "J": 4} | dict.fromkeys("BCISZ", 1)


class Types(NamedTuple):
    """A frame: local variables and stack, value by value."""

    variables: tuple[Type, ...]
    stack: tuple[Type, ...]


def at_start(descriptor: str, receiver: str | None, uninitialised: bool) -> tuple[Type, ...]:
    """Return the local variables at the start of a method; ``receiver`` is the class, None for a static method."""
    types: list[Type] = [] if receiver is None else [_THIS if uninitialised else receiver]
    types += [type_of(parameter) or _PRIMITIVES[parameter] for parameter in method_types(descriptor)[0]]
    return tuple(types)


def read_frames(data: bytes, initial: tuple[Type, ...], name: Callable[[int], str]) -> dict[int, Types]:
    """Return the frames by offset. ``name``: of the Class constant at an index. Raise :class:`ClassFormatError`."""

    def types(found: list[int]) -> tuple[Type, ...]:
        return tuple([_type(type_, data, name) for type_ in found])

    frames: dict[int, Types] = {}
    variables = initial
    for row in frame_rows(data):
        if row.kind > SAME_FAR:
            variables = types(row.variables) if row.kind == FULL else variables + types(row.variables)
        elif CHOPPED <= row.kind < SAME_FAR:
            variables = variables[: len(variables) - (SAME_FAR - row.kind)]
        frames[row.offset] = Types(variables, types(row.stack))
    return frames


def _type(type_: int, data: bytes, name: Callable[[int], str]) -> Type:
    if type_ < OBJECT:
        return type_
    number = number_of(data, type_)
    return name(number) if type_ & 15 == OBJECT else (number,)


def types_in(frames: Iterable[Types]) -> Iterator[Type]:
    """Yield all types in ``frames``."""
    return (type_ for types in frames for group in types for type_ in group)


def moved(types: Types, nulls: Iterable[int], places: Mapping[int, int]) -> Types:
    """Return ``types`` after each ``new`` went to its place in ``places``; those at ``nulls`` make null instead."""
    return Types(*(tuple(_moved(type_, nulls, places) for type_ in group) for group in types))


def _moved(type_: Type, nulls: Iterable[int], places: Mapping[int, int]) -> Type:
    if not isinstance(type_, tuple):
        return type_
    return _NULL if type_[0] in nulls else (places[type_[0]],)


def slots_of(type_: Type) -> int:
    """Return the slots of a value of a type."""
    return 2 if type_ in (3, 4) else 1


def slots(types: Types) -> int:
    """Return the number of slots of local variables in the frame."""
    return sum(map(slots_of, types.variables))


def placed(variables: Iterable[Type]) -> Iterator[tuple[int, Type]]:
    """Yield the types of local variables, each with its slot."""
    slot = 0
    for type_ in variables:
        yield slot, type_
        slot += slots_of(type_)


def in_slots(known: Mapping[int, Type], stack: tuple[Type, ...]) -> Types:
    """Return the frame with the ``known`` types of local variables by slot: top in all other slots."""
    found: list[Type] = []
    place = 0
    for slot, type_ in sorted(known.items(), key=itemgetter(0)):
        found += [0] * (slot - place)
        found.append(type_)
        place = slot + slots_of(type_)
    return Types(tuple(found), stack)


def renumbered_slots(types: Types, numbers: Mapping[int, int]) -> Types:
    """Return ``types`` with variables in the slots that ``numbers`` gives for theirs, in the same order, without
    others."""
    left = {numbers[slot]: type_ for slot, type_ in placed(types.variables) if slot in numbers and type_ != 0}
    return in_slots(left, types.stack)


class FrameWriter:
    """A writer of frames, one after the other."""

    def __init__(self, initial: tuple[Type, ...]) -> None:
        self.data = bytearray(b"\0\0")
        self.classes: list[tuple[int, str]] = []
        """Places in ``data`` for the index of a Class constant, each with the name of the class."""
        self._variables = initial
        self._at = -1
        self._count = 0

    def add(self, at: int, types: Types) -> None:
        """Add the frame at offset ``at``, which is behind those of all frames before."""
        delta = at - self._at - 1
        variables, stack = types
        before = self._variables
        more = len(variables) - len(before)
        data = self.data
        if variables == before and len(stack) <= 1:
            if delta < 64:
                data.append(delta + 64 * len(stack))
            else:
                data += bytes([247 if stack else 251]) + delta.to_bytes(2, "big")
            self._types(stack)
        elif not stack and 0 < abs(more) <= 3 and variables[: len(before)] == before[: len(variables)]:
            data += bytes([251 + more]) + delta.to_bytes(2, "big")
            self._types(variables[len(before) :])
        else:
            data.append(255)
            data += delta.to_bytes(2, "big")
            for group in types:
                data += len(group).to_bytes(2, "big")
                self._types(group)
        self._at, self._variables = at, variables
        self._count += 1
        data[:2] = self._count.to_bytes(2, "big")

    def _types(self, types: Iterable[Type]) -> None:
        for type_ in types:
            if isinstance(type_, int):
                self.data.append(type_)
            elif isinstance(type_, str):
                self.data.append(OBJECT)
                self.classes.append((len(self.data), type_))
                self.data += b"\0\0"
            else:
                self.data += bytes([UNINITIALIZED]) + type_[0].to_bytes(2, "big")
