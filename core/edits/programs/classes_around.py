"""The classes and methods around nested classes.

Attributes tell the declarations around a class: a name with a ``$`` tells nothing after an obfuscator, and other
compilers use such names for classes of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.classfile.descriptors import outermost
from core.classfile.symbolic.contents import ENCLOSING, inner_classes, inner_of, outer_of
from core.classfile.symbolic.symbol_pool import Symbol
from core.classfile.symbolic.symbolic_class import SymbolicClass

_HOST = "NestHost"


def outer_class(tree: SymbolicClass) -> str:
    """Return the name of the class around a class; empty if no attribute of the class names one."""
    enclosing = tree.attribute(ENCLOSING)
    if enclosing is not None:
        return enclosing.text
    for row in inner_classes(tree):
        if inner_of(row) == tree.name and outer_of(row):
            return outer_of(row)
    return ""


def enclosing_method(tree: SymbolicClass) -> tuple[str, str, str] | None:
    """Return class, name and descriptor of the method around a class; None if no attribute names a method."""
    enclosing = tree.attribute(ENCLOSING)
    if enclosing is None or len(enclosing.content.keys) < 2:
        return None
    method = enclosing.content.keys[1]
    assert isinstance(method, Symbol)
    name, descriptor = method.content
    return enclosing.text, str(name), str(descriptor)


def top_levels(classes: Iterable[SymbolicClass]) -> dict[str, str]:
    """Return for each class the top-level class around it, by attributes or else by its name."""
    known = {tree.name: tree for tree in classes}
    above = {name: _next(tree) for name, tree in known.items()}

    def top(name: str) -> str:
        seen = {name}
        while (outer := above.get(name, name)) not in seen:
            seen.add(outer)
            name = outer
        return name

    return {name: top(name) for name in known}


def _next(tree: SymbolicClass) -> str:
    """Return the class around a class, or one that is nearer to the top."""
    host = tree.attribute(_HOST)
    return outer_class(tree) or (host.text if host is not None else outermost(tree.name))
