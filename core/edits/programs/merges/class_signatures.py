"""The generic signatures of classes that become part of another class, which keeps its own signature."""

from __future__ import annotations

from core.classfile.format_error import ClassFormatError
from core.classfile.generics.signatures import type_parameters
from core.classfile.symbolic.symbolic_class import SymbolicClass
from core.edits.programs.raw_types import is_generic

_SIGNATURE = "Signature"


def applied_supertypes(tree: SymbolicClass) -> str | None:
    """Return the part of the signature of a class that names its supertypes; empty without a signature, None if nobody
    can read it.
    """
    signature = _signature(tree)
    try:
        return signature[type_parameters(signature)[1] :]
    except ClassFormatError:
        return None


def have_equal_parameters(tree: SymbolicClass, head: SymbolicClass) -> bool:
    """Return True if two classes declare the same type parameters, with names and bounds, and at least one."""
    own = declared_parameters(tree)
    return bool(own) and own == declared_parameters(head)


def declared_parameters(tree: SymbolicClass) -> str:
    """Return the part of the signature of a class that declares its type parameters; empty if nobody can read it."""
    signature = _signature(tree)
    try:
        return signature[: type_parameters(signature)[1]]
    except ClassFormatError:
        return ""


def without_signature(tree: SymbolicClass, head: SymbolicClass) -> SymbolicClass:
    """Return a class without its generic signature, and without all that its type parameters may stand in, unless those
    of the class of which it becomes part stand for them.

    Type annotations of a class tell the place of the type by its number among the supertypes.
    """
    signature = _signature(tree)
    if signature.startswith("<") and not have_equal_parameters(tree, head):
        return tree.without(is_generic)
    if not signature:
        return tree
    return tree._replace(attributes=tuple([each for each in tree.attributes if not is_generic(each)]))


def _signature(tree: SymbolicClass) -> str:
    found = tree.attribute(_SIGNATURE)
    return "" if found is None else str(next(found.symbols).content[0])
