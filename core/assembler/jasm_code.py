"""The code of a method in jasm: instructions with labels, handlers and stack map frames."""

from __future__ import annotations

from collections.abc import Iterator

from core.assembler.words import class_word, constant
from core.classfile.attribute_table import Code
from core.classfile.class_file import ClassFile, Method
from core.classfile.flags import STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import (
    BRANCH,
    IINC,
    INVOKEINTERFACE,
    LOCAL,
    LOOKUPSWITCH,
    MULTIANEWARRAY,
    POOL,
    TABLESWITCH,
    Instruction,
    instructions,
)
from core.classfile.opcodes import MNEMONICS
from core.code.stackmap import Type, Types, at_start, read_frames

_ARRAYS = {4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long"}
_TYPES = ("bogus", "int", "float", "double", "long", "null", "this")


def code_lines(file: ClassFile, method: Method, code: Code) -> Iterator[str]:
    """Yield the lines of a method's code, without the braces around it. Raises ClassFormatError where a branch leads to
    no instruction."""
    frames = _frames(file, method, code)
    found = list(instructions(code.code))
    places = {target for each in found for target in _targets(each)}
    places |= {at for types in frames.values() for at in _news(types)}
    astray = places - {each.offset for each in found}
    if astray:
        raise ClassFormatError(f"a branch leads to offset {min(astray)}, where no instruction begins")
    for each in found:
        if each.offset in places:
            yield f"\tL{each.offset}:"
        yield from _handler_lines(file, code, each.offset)
        if each.offset in frames:
            yield from _frame_lines(frames[each.offset])
        yield f"\t\t{_line(file, each, code.code)};"
    yield from _handler_lines(file, code, len(code.code))


def _targets(each: Instruction) -> tuple[int, ...]:
    if each.opcode in (TABLESWITCH, LOOKUPSWITCH):
        return (each.operand, *each.extra)
    return (each.operand,) if each.opcode in BRANCH else ()


def _news(types: Types) -> list[int]:
    return [each[0] for each in (*types[0], *types[1]) if isinstance(each, tuple)]


def _handler_lines(file: ClassFile, code: Code, at: int) -> Iterator[str]:
    """Yield the begins and ends of handlers' ranges at an offset, and the handlers."""
    for number, (start, end, handler, kind) in enumerate(code.exception_table):
        if end == at:
            yield f"\t\tendtry t{number};"
        if handler == at:
            yield f"\t\tcatch t{number} {class_word(file.constants.class_name(kind)) if kind else '#0'};"
        if start == at:
            yield f"\t\ttry t{number};"


def _frame_lines(types: Types) -> Iterator[str]:
    yield "\t\tstack_frame_type full;"
    for word, values in (("locals_map", types[0]), ("stack_map", types[1])):
        if values:
            yield f"\t\t{word} {', '.join(map(_type_word, values))};"


def _type_word(type_: Type) -> str:
    if isinstance(type_, tuple):
        return f"at L{type_[0]}"
    return _TYPES[type_] if isinstance(type_, int) else f"class {class_word(type_)}"


def _frames(file: ClassFile, method: Method, code: Code) -> dict[int, Types]:
    data = code.attributes.raw("StackMapTable")
    if data is None:
        return {}
    receiver = None if method.access & STATIC else file.name
    initial = at_start(method.descriptor_text, receiver, method.name_text == "<init>")
    return read_frames(data, initial, file.constants.class_name)


def _line(file: ClassFile, each: Instruction, code: bytes) -> str:
    name, opcode = MNEMONICS[each.opcode], each.opcode
    if opcode in (TABLESWITCH, LOOKUPSWITCH):
        cases = "".join(f"\n\t\t\t{key}: L{to};" for key, to in zip(_keys(each, code), each.extra, strict=True))
        return f"{name}{{{cases}\n\t\t\tdefault: L{each.operand} }}"
    if opcode in BRANCH:
        return f"{name} L{each.operand}"
    if opcode in LOCAL:
        wide = "_w" if code[each.offset] != opcode else ""
        return f"{name}{wide} {each.operand}" + (f", {each.extra[0]}" if opcode == IINC else "")
    if opcode in POOL:
        more = f", {each.extra[0]}" if opcode in (INVOKEINTERFACE, MULTIANEWARRAY) else ""
        return f"{name} {constant(file, each.operand)}{more}"
    if name == "newarray":
        return f"{name} {_ARRAYS[each.operand]}"
    return f"{name} {each.operand}" if name in ("bipush", "sipush") else name


def _keys(each: Instruction, code: bytes) -> list[int]:
    start = each.offset + 4 - each.offset % 4
    if each.opcode == TABLESWITCH:
        low = int.from_bytes(code[start + 4 : start + 8], "big", signed=True)
        return list(range(low, low + len(each.extra)))
    first = start + 8
    return [
        int.from_bytes(code[first + 8 * number : first + 8 * number + 4], "big", signed=True)
        for number in range(len(each.extra))
    ]
