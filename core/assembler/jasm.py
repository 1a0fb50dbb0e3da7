"""A class file as jasm, the assembler text of OpenJDK's asmtools.

asmtools 7 read no generic signatures of classes and methods, no names of local variables and no annotations written
here, and handlers in the order of their offsets. :func:`lost` names the losses of a text, and :func:`without_lost`
makes the class file of such a text. Descriptions of modules are no classes: jcod has them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from core.assembler.words import class_word, constant, handle_lines, modifiers, quoted
from core.classfile.class_file import ClassFile, Field, Method, parse
from core.classfile.code_content import CodeHead
from core.classfile.flags import INTERFACE, MODULE, STATIC, SUPER
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
    switch_keys,
)
from core.classfile.opcodes import MNEMONICS
from core.classfile.symbolic.contents import handlers, with_handlers
from core.classfile.symbolic.symbolic_class import AttributeTree, read
from core.classfile.tables import code_attributes, inner_classes, nest_host, permitted_subclasses, thrown
from core.code.stackmap import Type, Types, at_start, read_frames
from core.code.types.effects import ARRAYS
from core.entries import Entries
from core.protocol.java_names import type_name

_SAID = frozenset((
    "Code", "ConstantValue", "Exceptions", "InnerClasses", "NestHost", "NestMembers", "PermittedSubclasses",
    "BootstrapMethods", "StackMapTable",
))  # fmt: skip
"""Attributes that the text has."""
_NO_MATTER = frozenset(("SourceFile", "LineNumberTable", "Deprecated", "Synthetic"))
"""Attributes that asmtools make of their own, or with no more facts than the flags."""

_HANDLER = 4
"""Place of the handler's offset in a row of an exception table, in bytes."""

ORDER = "the order of exception handlers"
"""Name in :func:`lost` of exception handlers that do not stand in the order of their offsets."""


def is_module(data: bytes) -> bool:
    """Return True if a class file describes a module. Raises ClassFormatError for a damaged one."""
    return bool(parse(data).access & MODULE)


def jasm(data: bytes) -> str:
    """Return a class file as text. Raises ClassFormatError for a damaged one."""
    try:
        return "\n".join(_lines(parse(data))) + "\n"
    except LookupError as error:  # the kind of a constant, the number of a bootstrap method, and the like
        raise ClassFormatError("a number in it stands for nothing") from error


def lost(data: bytes) -> list[str]:
    """Return the names of the attributes that the text of a class file cannot say, sorted; ``ORDER`` among them."""
    file = parse(data)
    if file.access & MODULE:
        return []
    names = {name for rows, field in _tables(file) for name, _ in rows if not _kept(name, field)}
    moved = any(rows != sorted(rows) for rows in _handlers(file))
    return sorted(names - _NO_MATTER) + [ORDER] * moved


def without_lost(data: bytes) -> bytes:
    """Return the class file without the attributes that its text cannot say."""
    tree = read(data)
    if tree.access & MODULE:
        return data

    def said(attributes: Iterable[AttributeTree], field: bool = False) -> tuple[AttributeTree, ...]:
        kept = [each for each in attributes if _kept(each.name, field)]
        return tuple([_in_order(each._replace(inside=said(each.inside))) for each in kept])

    return tree._replace(
        fields=tuple([each._replace(attributes=said(each.attributes, True)) for each in tree.fields]),
        methods=tuple([each._replace(attributes=said(each.attributes)) for each in tree.methods]),
        attributes=said(tree.attributes),
    ).written()


def _in_order(attribute: AttributeTree) -> AttributeTree:
    """Return code with its handlers in the order in which the text has them."""
    if attribute.name != "Code":
        return attribute
    return with_handlers(attribute, sorted(handlers(attribute), key=lambda row: row[0][_HANDLER:]))


def all_without_lost(entries: Entries) -> Entries:
    """Return entries with class files as their texts have them."""
    return [(name, without_lost(data) if name.endswith(".class") else data) for name, data in entries]


def _handlers(file: ClassFile) -> Iterator[list[int]]:
    """Yield the offsets of the handlers of each method."""
    for method in file.methods:
        code = method.code
        if code is not None:
            yield [handler for _, _, handler, _ in code.handlers]


def _kept(name: str, field: bool) -> bool:
    return name in _SAID or (field and name == "Signature")


def _tables(file: ClassFile) -> Iterator[tuple[list[tuple[str, bytes]], bool]]:
    """Yield the attributes of the class and of all in it, each with True if they are a field's."""
    for method in file.methods:
        yield _inside_code(file, method), False
        yield method.attributes.rows(), False
    for field in file.fields:
        yield field.attributes.rows(), True
    yield file.attributes.rows(), False


def _inside_code(file: ClassFile, method: Method) -> list[tuple[str, bytes]]:
    """Return the attributes within the code of a method; none without code."""
    raw = method.attributes.raw("Code")
    return [] if raw is None else code_attributes(file, raw)


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
    if code is None:
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


_TYPES = ("bogus", "int", "float", "double", "long", "null", "this")


def code_lines(file: ClassFile, method: Method, code: CodeHead) -> Iterator[str]:
    """Yield the lines of a method's code, without the braces around it. Raises ClassFormatError if a branch leads to no
    instruction."""
    frames = _frames(file, method)
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


def _handler_lines(file: ClassFile, code: CodeHead, at: int) -> Iterator[str]:
    """Yield the begins and ends of handlers' ranges at an offset, and the handlers."""
    for number, (start, end, handler, kind) in enumerate(code.handlers):
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


def _frames(file: ClassFile, method: Method) -> dict[int, Types]:
    data = dict(_inside_code(file, method)).get("StackMapTable")
    if data is None:
        return {}
    receiver = None if method.access & STATIC else file.name
    initial = at_start(method.descriptor_text, receiver, method.name_text == "<init>")
    return read_frames(data, initial, file.constants.class_name)


def _line(file: ClassFile, each: Instruction, code: bytes) -> str:
    name, opcode = MNEMONICS[each.opcode], each.opcode
    if opcode in (TABLESWITCH, LOOKUPSWITCH):
        cases = "".join(f"\n\t\t\t{key}: L{to};" for key, to in zip(switch_keys(each, code), each.extra, strict=True))
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
        return f"{name} {type_name(ARRAYS[each.operand][1:])}"
    return f"{name} {each.operand}" if name in ("bipush", "sipush") else name
