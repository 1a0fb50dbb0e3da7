"""The role of each text that stands in an attribute: a name, a type, a string."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from core.classfile.annotations import ATTRIBUTES, text_places
from core.classfile.symbolic.symbolic_class import AttributeTree, Symbol

_ROWS = {"LocalVariableTable": (10, 4, 6), "LocalVariableTypeTable": (10, 4, 6)}
"""Tables with a counted row of so many bytes, the offset of a variable's name in it, and that of its type."""
_VERSION = 4
"""Offset of the version of the module that is described."""
_INNER_ROW, _INNER_NAME = 8, 4
"""Bytes of a row of InnerClasses, and the offset of the simple name."""


class TextRole(Enum):
    """The roles of texts in attributes."""

    VARIABLE = auto()
    """Name of a parameter or local variable."""
    MEMBER = auto()
    """Name of a field, method, element or constant."""
    SIMPLE = auto()
    """Simple name of a nested class."""
    TYPE = auto()
    """Descriptor or generic signature."""
    FILE = auto()
    """Name of the source file."""
    STRING = auto()


class RoleOfText(NamedTuple):
    """A role, and the offset of the type that declares the member, or of the class with that simple name; else -1."""

    role: TextRole
    owner: int = -1


def text_roles(attribute: AttributeTree) -> dict[int, RoleOfText]:
    """Return the roles by offset; no role where a text is no name, as the version of another module is.

    Raises :class:`~core.classfile.format_error.ClassFormatError`.
    """
    name, data = attribute.name, attribute.content.data
    if name in ATTRIBUTES:
        return _of_annotations(name, data, 0)
    if name in _ROWS:
        size, variable, type_ = _ROWS[name]
        rows = range(2, len(data), size)
        return {row + variable: RoleOfText(TextRole.VARIABLE) for row in rows} | {
            row + type_: RoleOfText(TextRole.TYPE) for row in rows
        }
    if name == "InnerClasses":
        rows = range(2, len(data), _INNER_ROW)
        return {row + _INNER_NAME: RoleOfText(TextRole.SIMPLE, row) for row in rows}
    if name == "MethodParameters":
        return {at: RoleOfText(TextRole.VARIABLE) for at in range(1, len(data), 4)}
    if name == "Record":
        return _of_record(attribute)
    if name == "Module":
        return {_VERSION: RoleOfText(TextRole.STRING)}
    role = {"Signature": TextRole.TYPE, "SourceFile": TextRole.FILE}.get(name)
    return {} if role is None else {0: RoleOfText(role)}


def _of_annotations(name: str, data: bytes, start: int) -> dict[int, RoleOfText]:
    found = text_places(name, data)
    roles = {start + at: RoleOfText(TextRole.TYPE) for at in found.types}
    roles |= {start + at: RoleOfText(TextRole.STRING) for at in found.strings}
    for at, owner in (*found.elements.items(), *found.constants.items()):
        roles[start + at] = RoleOfText(TextRole.MEMBER, start + owner)
    return roles


def _of_record(attribute: AttributeTree) -> dict[int, RoleOfText]:
    """Return the roles in a Record: of the components, and of their attributes."""
    content = attribute.content
    texts = dict(zip(content.offsets, content.keys, strict=True))
    data, at = content.data, 2
    roles: dict[int, RoleOfText] = {}
    for _ in range(int.from_bytes(data[:2], "big")):
        roles[at], roles[at + 2] = RoleOfText(TextRole.MEMBER), RoleOfText(TextRole.TYPE)
        count, at = int.from_bytes(data[at + 4 : at + 6], "big"), at + 6
        for _ in range(count):
            symbol = texts[at]
            assert isinstance(symbol, Symbol)
            name, start = str(symbol.content[0]), at + 6
            at = start + int.from_bytes(data[at + 2 : start], "big")
            if name in ATTRIBUTES:
                roles |= _of_annotations(name, data[start:at], start)
            elif name == "Signature":
                roles[start] = RoleOfText(TextRole.TYPE)
    return roles
