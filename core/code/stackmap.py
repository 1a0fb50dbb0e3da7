"""StackMapTable (JVMS 4.7.4) read type by type, and written again with some frames left out."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.format_error import ClassFormatError
from core.code.types.stack_types import type_of

Type = int | str | tuple[int]
"""A verification type: its tag where that is all (0 to 6), the name in the Class constant, or the offset of the
``new`` that made the uninitialised object, alone in a tuple."""

_NULL, _THIS, _OBJECT, _UNINITIALIZED = 5, 6, 7, 8
_PRIMITIVES = {"F": 2, "D": 3, "J": 4} | dict.fromkeys("BCISZ", 1)
_U2 = struct.Struct(">H").unpack_from


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
    try:
        return _read(data, initial, name)
    except (struct.error, IndexError):
        raise ClassFormatError("a StackMapTable is cut off") from None


def _read(data: bytes, variables: tuple[Type, ...], name: Callable[[int], str]) -> dict[int, Types]:
    found: dict[int, Types] = {}
    at, offset = 2, -1
    for _ in range(_U2(data)[0]):
        kind = data[at]
        at += 1
        stack: tuple[Type, ...] = ()
        if kind < 128:
            offset += (kind & 63) + 1
            if kind >= 64:
                stack, at = _types(data, at, 1, name)
        elif kind < 247:
            raise ClassFormatError(f"unknown kind of frame {kind}")
        else:
            offset += _U2(data, at)[0] + 1
            at += 2
            if kind == 255:
                variables, at = _types(data, at + 2, _U2(data, at)[0], name)
                stack, at = _types(data, at + 2, _U2(data, at)[0], name)
            elif kind > 251:
                more, at = _types(data, at, kind - 251, name)
                variables += more
            elif kind == 247:
                stack, at = _types(data, at, 1, name)
            else:
                variables = variables[: len(variables) - (251 - kind)]
        found[offset] = Types(variables, stack)
    return found


def _types(data: bytes, at: int, count: int, name: Callable[[int], str]) -> tuple[tuple[Type, ...], int]:
    found: list[Type] = []
    for _ in range(count):
        tag = data[at]
        at += 1
        if tag < _OBJECT:
            found.append(tag)
            continue
        number = int(_U2(data, at)[0])
        at += 2
        if tag == _OBJECT:
            found.append(name(number))
        elif tag == _UNINITIALIZED:
            found.append((number,))
        else:
            raise ClassFormatError(f"unknown verification type {tag}")
    return tuple(found), at


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


def slots(types: Types) -> int:
    """Return the number of slots of local variables in the frame."""
    return sum(2 if type_ in (3, 4) else 1 for type_ in types.variables)


def renumbered_slots(types: Types, numbers: Mapping[int, int]) -> Types:
    """Return ``types`` with variables in the slots that ``numbers`` gives for theirs, in the same order, without
    others."""
    found: list[Type] = []
    at = place = 0
    for type_ in types.variables:
        width = 2 if type_ in (3, 4) else 1
        if at in numbers and type_ != 0:
            found += [0] * (numbers[at] - place)
            found.append(type_)
            place = numbers[at] + width
        at += width
    return Types(tuple(found), types.stack)


def type_at(types: Types, slot: int) -> Type:
    """Return the type of the variable in a slot: top where the frame says nothing of it."""
    at = 0
    for type_ in types.variables:
        if at == slot:
            return type_
        at += 2 if type_ in (3, 4) else 1
    return 0


class FrameWriter:
    """A writer of frames, one after the other."""

    def __init__(self, initial: tuple[Type, ...]) -> None:
        self.data = bytearray(b"\0\0")
        self.classes: list[tuple[int, str]] = []
        """Where the index of a Class constant is to stand in ``data``, and the name of that class."""
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
                self.data.append(_OBJECT)
                self.classes.append((len(self.data), type_))
                self.data += b"\0\0"
            else:
                self.data += bytes([_UNINITIALIZED]) + type_[0].to_bytes(2, "big")
