"""A class file as jcod, the other text of OpenJDK's asmtools: constant by constant and byte by byte.

Nothing is lost. Attributes stand as numbers behind their names: jcod is for class files that jasm cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.assembler.words import class_word, quoted
from core.classfile import pool as kinds
from core.classfile.class_file import Attributes, ClassFile, Member, parse

_NAMED = {
    kinds.CLASS: "class", kinds.STRING: "String", kinds.FIELD_REF: "Field", kinds.METHOD_REF: "Method",
    kinds.INTERFACE_METHOD_REF: "InterfaceMethod", kinds.NAME_AND_TYPE: "NameAndType",
    kinds.METHOD_TYPE: "MethodType", kinds.MODULE: "Module", kinds.PACKAGE: "Package",
}  # fmt: skip
_NUMBERS = {kinds.INTEGER: "int", kinds.FLOAT: "float", kinds.LONG: "long", kinds.DOUBLE: "double"}
_LINE = 16
"""Bytes in a line of an attribute."""


def jcod(data: bytes) -> str:
    """Return a class file as text. Raises ClassFormatError for a damaged one."""
    return "\n".join(_lines(parse(data))) + "\n"


def _lines(file: ClassFile) -> Iterator[str]:
    name = class_word(file.name)  # asmtools give no ending to the file of a class whose name is quoted
    yield f"class {name} {{" if name == file.name else f"file {quoted(f'{file.name}.class')} {{"
    yield "  0xCAFEBABE;"
    yield f"  {file.version.minor}; // minor version"
    yield f"  {file.version.major}; // version"
    yield "  [] { // Constant Pool"
    yield "    ; // first element is empty"
    for index, value in file.constants.rows():
        yield f"    {_constant(value)} // #{index}"
    yield "  } // Constant Pool"
    yield f"  0x{file.access:04X}; // access"
    yield f"  #{file._this}; // this: {file.name}"
    yield f"  #{file._super}; // super: {file.superclass}"
    yield "  [] { // Interfaces"
    yield from (f"    #{index}; // {file.constants.class_name(index)}" for index in file._interfaces)
    yield "  } // Interfaces"
    for title, members in (("Fields", file.fields), ("Methods", file.methods)):
        yield f"  [] {{ // {title}"
        for member in members:
            yield from _member(member)
        yield f"  }} // {title}"
    yield from _attributes(file.attributes, "  ")
    yield "}"


def _constant(value: kinds.Constant) -> str:
    tag = value[0]
    if tag == kinds.UTF8:
        return f"Utf8 {quoted(value[1])};"
    if tag in _NUMBERS:
        ends = ";;" if tag in (kinds.LONG, kinds.DOUBLE) else ";"
        return f"{_NUMBERS[tag]} 0x{kinds.write_constant(value)[1:].hex().upper()}{ends}"
    if tag == kinds.METHOD_HANDLE:
        return f"MethodHandle {value[1]}b #{value[2]};"
    if tag in kinds.DYNAMICS:
        return f"{'InvokeDynamic' if tag == kinds.INVOKE_DYNAMIC else 'Dynamic'} {value[1]}s #{value[2]};"
    return f"{_NAMED[tag]} {' '.join(f'#{index}' for index in value[1:])};"


def _member(member: Member) -> Iterator[str]:
    yield f"    {{ // {member.name_text} {member.descriptor_text}"
    yield f"      0x{member.access:04X}; // access"
    yield f"      #{member._name_index};"
    yield f"      #{member._descriptor_index};"
    yield from _attributes(member.attributes, "      ")
    yield "    };"


def _attributes(table: Attributes, margin: str) -> Iterator[str]:
    yield f"{margin}[] {{ // Attributes"
    for (index, data), (name, _) in zip(table.indexed_rows(), table.rows(), strict=True):
        yield f"{margin}  Attr(#{index}) {{ // {name}"
        for start in range(0, len(data), _LINE):
            part = data[start : start + _LINE]
            words = [part[at : at + 4] for at in range(0, len(part) - 3, 4)]
            rest = part[4 * len(words) :]
            numbers = [*(f"0x{word.hex().upper()};" for word in words), *(f"0x{byte:02X};" for byte in rest)]
            yield f"{margin}    {' '.join(numbers)}"
        yield f"{margin}  }};"
    yield f"{margin}}} // Attributes"
