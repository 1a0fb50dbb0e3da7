"""Words of jasm: names, strings, numbers, constants and modifiers."""

from __future__ import annotations

import math
import re

from core.classfile.class_file import ClassFile
from core.classfile.flags import (
    ABSTRACT,
    ANNOTATION,
    BRIDGE,
    ENUM,
    FINAL,
    INTERFACE,
    NATIVE,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    STATIC,
    STRICT,
    SUPER,
    SYNCHRONIZED,
    SYNTHETIC,
    TRANSIENT,
    VARARGS,
    VOLATILE,
)
from core.classfile.pool import (
    CLASS,
    DOUBLE,
    DYNAMICS,
    FIELD_REF,
    FLOAT,
    INTEGER,
    INTERFACE_METHOD_REF,
    INVOKE_DYNAMIC,
    LONG,
    METHOD_HANDLE,
    METHOD_REF,
    METHOD_TYPE,
    STRING,
)
from core.classfile.tables import bootstraps

_PLAIN = re.compile(r"[A-Za-z_$][\w$]*(?:/[A-Za-z_$][\w$]*)*", re.ASCII)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_REFERENCES = {FIELD_REF: "Field", METHOD_REF: "Method", INTERFACE_METHOD_REF: "InterfaceMethod"}
_HANDLES = (
    "", "getField", "getStatic", "putField", "putStatic", "invokeVirtual", "invokeStatic", "invokeSpecial",
    "newInvokeSpecial", "invokeInterface",
)  # fmt: skip
"""Names of the kinds of method handles (JVMS 5.4.3.5)."""
_LAST_OF_FIELDS = 4

_OF_ALL = {PUBLIC: "public", PRIVATE: "private", PROTECTED: "protected", STATIC: "static", FINAL: "final"}
FLAGS = {
    "class": _OF_ALL
    | {SUPER: "super", INTERFACE: "interface", ABSTRACT: "abstract", SYNTHETIC: "synthetic"}
    | {ANNOTATION: "annotation", ENUM: "enum"},
    "field": _OF_ALL | {VOLATILE: "volatile", TRANSIENT: "transient", SYNTHETIC: "synthetic", ENUM: "enum"},
    "method": _OF_ALL
    | {SYNCHRONIZED: "synchronized", BRIDGE: "bridge", VARARGS: "varargs", NATIVE: "native", ABSTRACT: "abstract"}
    | {STRICT: "strict", SYNTHETIC: "synthetic"},
}


def modifiers(access: int, kind: str) -> str:
    """Return access flags as words, each with a space behind it."""
    return "".join(f"{word} " for flag, word in FLAGS[kind].items() if access & flag)


def quoted(text: str) -> str:
    """Return a text between quotes."""
    return '"' + "".join(map(_escaped, text)) + '"'


def class_word(name: str) -> str:
    """Return the name of a class or of an array class."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def constant(file: ClassFile, index: int) -> str:
    """Return a constant with its kind, as an instruction has it: ``Method a/B."m":"()V"``, ``int 5``."""
    value = file.constants.raw(index)
    tag = value[0]
    if tag in _REFERENCES:
        return f"{_REFERENCES[tag]} {_reference(file, index)}"
    if tag == CLASS:
        return f"class {class_word(file.constants.text(value[1]))}"
    if tag == STRING:
        return f"String {quoted(file.constants.text(value[1]))}"
    if tag == METHOD_TYPE:
        return f"MethodType {quoted(file.constants.text(value[1]))}"
    if tag == METHOD_HANDLE:
        return f"MethodHandle {_handle(file, index)}"
    if tag in DYNAMICS:
        return _dynamic(file, value)
    return number(tag, value[1])


def number(tag: int, value: float) -> str:
    """Return a number with its kind."""
    if tag == INTEGER:
        return f"int {value}"
    if tag == LONG:
        return f"long {value}l"
    kind, letter = {FLOAT: ("float", "f"), DOUBLE: ("double", "d")}[tag]
    if math.isnan(value):
        return f"{kind} NaN"
    if math.isinf(value):
        return f"{kind} {'-' if value < 0 else ''}Infinity"
    return f"{kind} {value!r}{letter}"


def _reference(file: ClassFile, index: int) -> str:
    owner, name, descriptor = file.constants.member(index)
    return f"{class_word(owner)}.{quoted(name)}:{quoted(descriptor)}"


def _handle(file: ClassFile, index: int) -> str:
    _, kind, target = file.constants.raw(index)
    of_field = kind <= _LAST_OF_FIELDS
    return f"REF_{_HANDLES[kind]}:{_reference(file, target) if of_field else constant(file, target)}"


def _dynamic(file: ClassFile, value: tuple[int, ...]) -> str:
    row = bootstraps(file)[value[1]]
    name, descriptor = file.constants.named(value[2])
    kind = "InvokeDynamic" if value[0] == INVOKE_DYNAMIC else "Dynamic"
    given = ",".join(f"\n\t\t\t{_argument(file, argument)}" for argument in row.arguments)
    return f"{kind} {_handle(file, row.handle)}:{quoted(name)}:{quoted(descriptor)}{given}"


def handle_lines(file: ClassFile) -> list[str]:
    """Return declarations of the method handles among the arguments of bootstrap methods: asmtools 7 accept no comma
    behind a handle among the arguments."""
    indexes = dict.fromkeys(index for row in bootstraps(file) for index in row.arguments)
    return [f"const #{each} = {constant(file, each)};" for each in indexes if _is_handle(file, each)]


def _argument(file: ClassFile, index: int) -> str:
    return f"#{index}" if _is_handle(file, index) else constant(file, index)


def _is_handle(file: ClassFile, index: int) -> bool:
    return bool(file.constants.raw(index)[0] == METHOD_HANDLE)


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return letter if " " <= letter <= "~" else "".join(f"\\u{unit:04x}" for unit in _units(letter))


def _units(letter: str) -> list[int]:
    data = letter.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
