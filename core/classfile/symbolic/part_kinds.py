"""The removable parts of a class file, by kind (see core/model/rules/README.md)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class PartKind(Enum):
    """Kinds 4 to 11 of the dependency model, and from THROWS on those that go beyond the paper's."""

    SUPERCLASS = "superclass"
    INTERFACE = "interface"
    FIELD = "field"
    FINAL = "final flag"
    METHOD = "method"
    CODE = "code"
    INNER = "inner-class entry"
    BOOTSTRAP = "bootstrap entry"
    THROWS = "throws entry"
    ANNOTATION = "annotation"
    SIGNATURE = "generic signature"
    ENCLOSING = "enclosing method"
    NEST = "nest membership"
    COMPONENT = "record component"
    SEALED = "sealed"
    LINES = "line numbers"
    VARIABLES = "variable names"

    # by identity: kinds are parts of the keys of large tables, and Enum's own hash runs in Python
    __hash__ = object.__hash__


class Part(NamedTuple):
    """One removable part of a class. Its number is its place among the class's parts."""

    kind: PartKind
    name: str
    """As the dependency model writes it, unique in the class: ``a/C.m:(I)V!code``."""
    parent: int
    """Number of the part that it belongs to; -1 for the class itself."""
    element: int
    """Index of the field or method that it belongs to or is; -1 otherwise."""
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody needs here
    """Place among the parts of this kind under this parent in the class file, counted from 0: the row of its
    table. Annotations are counted through all annotation attributes of their parent, in the order of the file."""
    target: str
    """Internal name of the named class; empty for a part that names none."""
    bytes: int
    """Bytes in the class file, without the parts below and without the used constants: the rows of the tables, or an
    attribute with name and length. 0 for a mere flag or index."""
