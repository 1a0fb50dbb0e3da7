"""The least method body (see core/model/rules/README.md): returns the default value of its type.

A constructor calls a constructor of the superclass with default values first; that of an enum, or of the body of one
of its constants, hands on its name and number, without which it is no enum to a decompiler, nor to ``valueOf``. There
is no branch, so no class-file version wants a StackMapTable.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from core.classfile.descriptors import method_types
from core.code.ops import default, default_return, width_of

_ALOAD_0, _INVOKESPECIAL = b"\x2a", b"\xb7"
_ENUM = "(Ljava/lang/String;I"
"""Prefix of the descriptor of an enum's constructor."""
_NAME_AND_NUMBER = b"\x2b\x1c"


@dataclass(frozen=True, slots=True)
class Stub:
    """The content of a Code attribute without its attribute table."""

    content: bytes
    call: int
    """Offset in ``content`` of the pool index of the constructor that is called; 0 where none is."""


@lru_cache(maxsize=1 << 12)
def stub(descriptor: str, static: bool, constructor: str | None = None, *, enum: bool = False) -> Stub:
    """Return the stub of a method with ``descriptor``; ``constructor`` is that of the superclass's constructor to call.

    ``enum``: of an enum or a constant of one, as its flags say.
    """
    parameters, result = method_types(descriptor)
    stack, code, call = 0, b"", 0
    if constructor is not None:
        values = method_types(constructor)[0]
        handed = 2 if enum and descriptor.startswith(_ENUM) and constructor.startswith(_ENUM) else 0
        code = _ALOAD_0 + (_NAME_AND_NUMBER if handed else b"")
        code += b"".join([op.data for value in values[handed:] for op in default(0, value)]) + _INVOKESPECIAL
        stack = 1 + _slots(values)
        call = 8 + len(code)
        code += b"\0\0"
    if result != "V":
        stack = _slots((result,))
    code += b"".join([op.data for op in default_return(0, result)])
    local = _slots(parameters) + (not static)
    # Behind the code an empty exception table.
    return Stub(struct.pack(">HHI", stack, local, len(code)) + code + b"\0\0", call)


def told_apart(constructor: str, all_: Iterable[str]) -> bool:
    """Return True if a source call of the constructor with default values can mean no other constructor in ``all_``.
    For javac null fits any class (JLS 15.12.2)."""
    kinds = _kinds(constructor)
    return not any(_kinds(other) == kinds for other in all_ if other != constructor)


def _kinds(constructor: str) -> list[str]:
    """Return the types of the parameters, where one class or array is like another."""
    return ["L" if type_[0] in "L[" else type_ for type_ in method_types(constructor)[0]]


def _slots(types: tuple[str, ...]) -> int:
    return sum(map(width_of, types))
