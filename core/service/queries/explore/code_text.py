"""The instructions of a class as lines of text with names as Java writes them, and the strings in it."""

from __future__ import annotations

from collections.abc import Iterator

from core.classfile.class_file import ClassFile, LazyConstantPool, Method
from core.classfile.instructions import BRANCH, IINC, LOCAL, POOL, Instruction, instructions
from core.classfile.opcodes import MNEMONICS
from core.classfile.pool import (
    CLASS,
    DYNAMIC,
    FIELD_REF,
    INTERFACE_METHOD_REF,
    INVOKE_DYNAMIC,
    METHOD_HANDLE,
    METHOD_REF,
    METHOD_TYPE,
    STRING,
)
from core.protocol.java_names import item_title, java_name, type_name

_LDC = frozenset((0x12, 0x13, 0x14))
_MEMBERS = (FIELD_REF, METHOD_REF, INTERFACE_METHOD_REF)
_DYNAMICS = (DYNAMIC, INVOKE_DYNAMIC)


def method_name(cf: ClassFile, method: Method) -> str:
    """Return the name of a method as the engine's items have it."""
    return f"{cf.name}.{method.name_text}:{method.descriptor_text}"


def code_lines(cf: ClassFile) -> Iterator[tuple[str, str]]:
    """Yield the name of a method and one line of its code, as ``12: invokevirtual a.B.run(int)``, for all methods.

    Raises ClassFormatError.
    """
    for method in cf.methods:
        if method.code is not None:
            name = method_name(cf, method)
            for one in instructions(method.code.code):
                yield name, f"{one.offset}: {_line(cf.constants, one)}"


def strings(cf: ClassFile) -> Iterator[tuple[str, str]]:
    """Yield each string constant with its method or field, or its class if neither is known. Raises
    ClassFormatError."""
    texts = {at: cf.constants.text(one[1]) for at, one in enumerate(cf.constants.tuples()) if one and one[0] == STRING}
    seen: set[int] = set()
    for method in cf.methods if texts else ():
        if method.code is not None:
            name = method_name(cf, method)
            for one in instructions(method.code.code):
                if one.opcode in _LDC and one.operand in texts:
                    seen.add(one.operand)
                    yield name, texts[one.operand]
    for field in cf.fields if texts else ():
        value = field.attributes.raw("ConstantValue")
        if value and (at := int.from_bytes(value[:2], "big")) in texts:
            seen.add(at)
            yield f"{cf.name}.{field.name_text}:{field.descriptor_text}", texts[at]
    yield from ((cf.name, words) for at, words in texts.items() if at not in seen)


def _line(pool: LazyConstantPool, one: Instruction) -> str:
    words = MNEMONICS.get(one.opcode, f"opcode {one.opcode}")
    if one.opcode in POOL:
        return f"{words} {_constant(pool, one.operand)}"
    if one.opcode in BRANCH or one.opcode in LOCAL:
        step = f", {one.extra[0]}" if one.opcode == IINC else ""
        return f"{words} {one.operand}{step}"
    return f"{words} {one.operand}" if one.operand else words


def _constant(pool: LazyConstantPool, at: int) -> str:
    tag, *rest = pool.raw(at)
    if tag in _MEMBERS:
        return item_title("{}.{}:{}".format(*pool.member(at)))
    if tag in _DYNAMICS:
        return "".join(pool.named(rest[1]))
    if tag == CLASS:
        name = pool.text(rest[0])
        return type_name(name, short=False) if name.startswith("[") else java_name(name)
    if tag == STRING:
        return '"' + pool.text(rest[0]) + '"'
    if tag == METHOD_TYPE:
        return pool.text(rest[0])
    if tag == METHOD_HANDLE:
        return _constant(pool, rest[1])
    return str(rest[0])
