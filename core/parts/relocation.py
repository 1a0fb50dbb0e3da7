"""A Code attribute with other bytes in some places: jumps, ranges, lines, variables and frames move with the code."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple

from core.classfile import annotations as kinds
from core.classfile.class_file import ClassFile
from core.classfile.code_content import (
    ONE_TYPE,
    ONE_TYPE_FAR,
    SAME,
    SAME_FAR,
    UNINITIALIZED,
    code_head,
    frame_rows,
    number_of,
)
from core.classfile.instructions import BRANCH, LOOKUPSWITCH, TABLESWITCH, Instruction, instructions
from core.classfile.tables import attribute_rows

_VARIABLES = frozenset(("LocalVariableTable", "LocalVariableTypeTable"))
_OF_VARIABLE, _OF_OFFSET = (0x40, 0x41), range(0x43, 0x4C)
_UNMOVED = "CharacterRangeTable"
"""The attribute that is left out because only ``javac -Xjcov`` writes it."""


class Patch(NamedTuple):
    """Bytes in the place of whole instructions, which nothing jumps to but the first. Empty ranges put them in."""

    start: int
    stop: int
    content: bytes


def relocated(cf: ClassFile, data: bytes, patches: list[Patch]) -> tuple[bytes, list[int]]:
    """Return the content ``data`` of a Code attribute with ordered ``patches``, and the new offset in the code behind
    each patch. Pool indexes stay. Damaged content raises struct.error, IndexError,
    :class:`ClassFormatError`."""
    head = code_head(data)
    code, places, behind = _code(head.code, {patch.start: patch for patch in patches})
    out = bytearray(struct.pack(">HHI", head.max_stack, head.max_locals, len(code)) + code)
    out += len(head.handlers).to_bytes(2, "big")
    for start, end, target, caught in head.handlers:
        out += struct.pack(">HHHH", places[start], places[end], places[target], caught)
    tables = []
    for name, content in attribute_rows(cf.constants.text, data, head.end)[0]:
        title = cf.constants.text(name)
        if title != _UNMOVED:
            tables.append((name, _table(title, content, places)))
    out += len(tables).to_bytes(2, "big")
    for name, content in tables:
        out += struct.pack(">HI", name, len(content)) + content
    return bytes(out), [behind[patch.start] for patch in patches]


def _code(code: bytes, patches: Mapping[int, Patch]) -> tuple[bytes, list[int], dict[int, int]]:
    """Return the new code; for each old offset the new one; for each patch its end."""
    lines: list[tuple[int, Instruction]] = []
    places = [0] * (len(code) + 1)
    behind: dict[int, int] = {}
    at = gone = 0
    for each in instructions(code):
        start = at
        patch = patches.get(each.offset)
        if patch is not None:
            gone = patch.stop
            at += len(patch.content)
            behind[patch.start] = at
        if each.offset >= gone:
            lines.append((at, each))
            at += _length(each, at)
        places[each.offset : each.offset + each.length] = [start] * each.length
    places[len(code)] = at
    out = bytearray()
    contents = {behind[start]: patch.content for start, patch in patches.items()}
    for at, each in lines:
        out += contents.get(at, b"")
        out += _moved(code, each, at, places)
    return bytes(out), places, behind


def _length(each: Instruction, at: int) -> int:
    if each.opcode in (TABLESWITCH, LOOKUPSWITCH):
        return each.length - (3 - each.offset % 4) + 3 - at % 4
    return each.length


def _moved(code: bytes, each: Instruction, at: int, places: list[int]) -> bytes:
    """Return the bytes of an instruction that now stands at ``at``."""
    old = code[each.offset : each.offset + each.length]
    if each.opcode in BRANCH:
        return old[:1] + (places[each.operand] - at).to_bytes(each.length - 1, "big", signed=True)
    if each.opcode not in (TABLESWITCH, LOOKUPSWITCH):
        return old
    words = bytearray(old[4 - each.offset % 4 :])
    is_table = each.opcode == TABLESWITCH
    words[:4] = (places[each.operand] - at).to_bytes(4, "big", signed=True)
    for number, target in enumerate(each.extra):
        place = 12 + 4 * number if is_table else 12 + 8 * number
        words[place : place + 4] = (places[target] - at).to_bytes(4, "big", signed=True)
    return old[:1] + bytes(3 - at % 4) + bytes(words)


def _table(title: str, data: bytes, places: list[int]) -> bytes:
    """Return an attribute of the code with other offsets."""
    if title == "StackMapTable":
        return _frames(data, places)
    if title == "LineNumberTable":
        return data[:2] + b"".join(
            [struct.pack(">HH", places[start], line) for start, line in struct.iter_unpack(">HH", data[2:])]
        )
    if title in _VARIABLES:
        rows = struct.iter_unpack(">HHHHH", data[2:])
        return data[:2] + b"".join(
            [struct.pack(">HHHHH", *_range(start, length, places), *rest) for start, length, *rest in rows]
        )
    return _annotations(title, data, places) if title in kinds.TYPE else data


def _range(start: int, length: int, places: list[int]) -> tuple[int, int]:
    begin = _place(start, places)
    return begin, _place(start + length, places) - begin


def _place(offset: int, places: list[int]) -> int:
    """Return the new one of an offset that no verifier looks at: one behind the code becomes its end."""
    return places[min(offset, len(places) - 1)]


def _frames(data: bytes, places: list[int]) -> bytes:
    out = bytearray(data[:2])
    last = -1
    for row in frame_rows(data):
        distance = places[row.offset] - last - 1
        last = places[row.offset]
        far = distance.to_bytes(2, "big")
        if row.kind < SAME:
            out += bytes([distance]) if distance < SAME else bytes([SAME_FAR]) + far
        elif row.kind < ONE_TYPE:
            out += bytes([SAME + distance]) if distance < SAME else bytes([ONE_TYPE_FAR]) + far
        else:
            out += bytes([row.kind]) + far
        rest = bytearray(data[row.start : row.stop])
        for type_ in (*row.variables, *row.stack):
            if type_ & 15 == UNINITIALIZED:
                at = (type_ >> 4) - row.start
                rest[at : at + 2] = places[number_of(data, type_)].to_bytes(2, "big")
        out += rest
    return bytes(out)


def _annotations(title: str, data: bytes, places: list[int]) -> bytes:
    out = bytearray(data)
    for annotation in kinds.read(title, data)[0]:
        target = annotation.target
        assert target is not None  # they are type annotations
        if target.kind in _OF_OFFSET:
            out[target.at : target.at + 2] = _place(target.number, places).to_bytes(2, "big")
        elif target.kind in _OF_VARIABLE:
            start = target.at + 2
            stop = start + 6 * int.from_bytes(data[target.at : start], "big")
            for at in range(start, stop, 6):
                first, length = struct.unpack_from(">HH", data, at)
                out[at : at + 4] = struct.pack(">HH", *_range(first, length, places))
    return bytes(out)
