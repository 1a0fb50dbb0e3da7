"""A class file as jasm, the assembler text of OpenJDK's asmtools.

asmtools 7 read no generic signatures of classes and methods, no names of local variables and no annotations written
here, and handlers in the order of their offsets: :func:`lost` tells what a text cannot say, and :func:`without_lost`
makes the class file that the text stands for. Descriptions of modules are no classes: jcod has them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from core.assembler.jasm_code import code_lines
from core.assembler.words import class_word, constant, handle_lines, modifiers, quoted
from core.classfile.attribute_table import Attributes, Code
from core.classfile.class_file import ClassFile, Field, Method, parse
from core.classfile.flags import INTERFACE, MODULE, SUPER
from core.classfile.jawa_classes import CodeException
from core.classfile.tables import inner_classes, nest_host, permitted_subclasses, thrown
from core.entries import Entries

_SAID = frozenset((
    "Code", "ConstantValue", "Exceptions", "InnerClasses", "NestHost", "NestMembers", "PermittedSubclasses",
    "BootstrapMethods", "StackMapTable",
))  # fmt: skip
"""Attributes that the text has."""
_NO_MATTER = frozenset(("SourceFile", "LineNumberTable", "Deprecated", "Synthetic"))
"""Attributes that asmtools make of their own, or that tell nothing but what the flags tell."""


ORDER = "the order of exception handlers"
"""Name in :func:`lost` of exception handlers that do not stand in the order of their offsets."""


def is_module(data: bytes) -> bool:
    """Return True if a class file describes a module. Raises ClassFormatError for a damaged one."""
    return bool(parse(data).access & MODULE)


def jasm(data: bytes) -> str:
    """Return a class file as text. Raises ClassFormatError for a damaged one."""
    return "\n".join(_lines(parse(data))) + "\n"


def lost(data: bytes) -> list[str]:
    """Return the names of the attributes that the text of a class file cannot say, sorted; ``ORDER`` among them."""
    file = parse(data)
    if file.access & MODULE:
        return []
    names = {name for table, field in _tables(file) for name, _ in table.rows() if not _kept(name, field)}
    moved = any(code.exception_table != _by_offset(code) for code in _codes(file))
    return sorted(names - _NO_MATTER) + [ORDER] * moved


def without_lost(data: bytes) -> bytes:
    """Return the class file without the attributes that its text cannot say."""
    file = parse(data)
    if file.access & MODULE:
        return data
    for code in _codes(file):
        code.exception_table = _by_offset(code)
    for table, field in _tables(file):
        names = [name for name, _ in table.rows()]
        table._table = [row for row, name in zip(table._table, names, strict=True) if _kept(name, field)]
    return file.to_bytes()


def all_without_lost(entries: Entries) -> list[tuple[str, bytes]]:
    """Return entries with class files as their texts have them."""
    return [(name, without_lost(data) if name.endswith(".class") else data) for name, data in entries]


def _codes(file: ClassFile) -> list[Code]:
    return [method.code for method in file.methods if isinstance(method.code, Code)]


def _by_offset(code: Code) -> list[CodeException]:
    """Return the rows of the exception table in the order in which the text has their handlers."""
    return sorted(code.exception_table, key=lambda row: row.handler_pc)


def _kept(name: str, field: bool) -> bool:
    return name in _SAID or (field and name == "Signature")


def _tables(file: ClassFile) -> Iterator[tuple[Attributes, bool]]:
    """Yield the attributes of the class and of all in it, each with True if they are a field's."""
    for method in file.methods:
        if method.code is not None:
            yield method.code.attributes, False
        yield method.attributes, False
    for field in file.fields:
        yield field.attributes, True
    yield file.attributes, False


def _lines(file: ClassFile) -> Iterator[str]:
    kind = "" if file.access & INTERFACE else "class "
    yield f"{modifiers(file.access, 'class')}{kind}{class_word(file.name)}"
    if file.superclass not in (None, "java/lang/Object"):
        yield f"\textends {class_word(str(file.superclass))}"
    if file.interface_names:  # for interfaces too: extends names the superclass
        yield f"\timplements {', '.join(map(class_word, file.interface_names))}"
    yield f"\tversion {file.version.major}:{file.version.minor}"
    yield "{"
    yield from (f"\t{line}" for line in handle_lines(file))
    for field in file.fields:
        yield _field(file, field)
    for method in file.methods:
        yield ""
        yield from _method(file, method)
    yield ""
    yield from _rows(file)
    yield "}"


def _field(file: ClassFile, field: Field) -> str:
    text = f"\t{modifiers(field.access, 'field')}Field {quoted(field.name_text)}:{quoted(field.descriptor_text)}"
    signature, value = field.attributes.raw("Signature"), field.attributes.raw("ConstantValue")
    if signature is not None:
        text += f":{quoted(file.constants.text(*struct.unpack('>H', signature)))}"
    return text + (f" = {constant(file, *struct.unpack('>H', value))}" if value is not None else "") + ";"


def _method(file: ClassFile, method: Method) -> Iterator[str]:
    head = f"\t{modifiers(method.access, 'method')}Method {quoted(method.name_text)}:{quoted(method.descriptor_text)}"
    throws = thrown(file, method)
    head += f" throws {', '.join(map(class_word, throws))}" if throws else ""
    code = method.code
    if not isinstance(code, Code):
        yield f"{head};"
        return
    yield head
    yield f"\t\tstack {code.max_stack} locals {code.max_locals}"
    yield "\t{"
    yield from code_lines(file, method, code)
    yield "\t}"


def _rows(file: ClassFile) -> Iterator[str]:
    host, members = nest_host(file), file.attributes.raw("NestMembers")
    permitted = permitted_subclasses(file)
    if permitted:  # before the members of the nest, which asmtools take for permitted ones behind them
        yield f"\tPermittedSubclasses {', '.join(map(class_word, permitted))};"
    if host is not None:
        yield f"\tNestHost {class_word(host)};"
    if members is not None:
        names = [file.constants.class_name(index) for index in struct.unpack(f">{len(members) // 2}H", members)[1:]]
        yield f"\tNestMembers {', '.join(map(class_word, names))};"
    for row in inner_classes(file):
        name = f"{class_word(row.name)} = " if row.name else ""
        outer = f" of class {class_word(row.outer)}" if row.outer else ""
        flags = modifiers(row.access & ~SUPER, "class")
        yield f"\t{flags}InnerClass {name}class {class_word(row.inner)}{outer};"
