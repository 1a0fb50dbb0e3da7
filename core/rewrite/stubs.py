"""The least method body (core/model/rules/README.md): returns the default value of its type.

A constructor calls a constructor of the superclass with default values first. There is
no branch, so no class-file version wants a StackMapTable.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache

from core.classfile.descriptors import method_types

_DEFAULTS = {"J": b"\x09", "F": b"\x0b", "D": b"\x0e"} | dict.fromkeys("BCISZ", b"\x03")
_NULL = b"\x01"
_RETURNS = {"V": b"\xb1", "J": b"\xad", "F": b"\xae", "D": b"\xaf"} | dict.fromkeys("BCISZ", b"\xac")
_REFERENCE_RETURN = b"\xb0"
_ALOAD_0, _INVOKESPECIAL = b"\x2a", b"\xb7"


@dataclass(frozen=True, slots=True)
class Stub:
    """The content of a Code attribute without its attribute table."""

    content: bytes
    call: int
    """Offset in ``content`` of the pool index of the constructor that is called; 0 where none is."""


@lru_cache(maxsize=1 << 12)
def stub(descriptor: str, static: bool, constructor: str | None = None) -> Stub:
    """The stub of a method with *descriptor*; *constructor* is that of the superclass's constructor to call."""
    parameters, result = method_types(descriptor)
    stack, code, call = 0, b"", 0
    if constructor is not None:
        values = method_types(constructor)[0]
        code = _ALOAD_0 + b"".join([_DEFAULTS.get(value, _NULL) for value in values]) + _INVOKESPECIAL
        stack = 1 + _slots(values)
        call = 8 + len(code)
        code += b"\0\0"
    if result != "V":
        stack = _slots((result,))
        code += _DEFAULTS.get(result, _NULL)
    code += _RETURNS.get(result, _REFERENCE_RETURN)
    local = _slots(parameters) + (not static)
    # Behind the code an empty exception table.
    return Stub(struct.pack(">HHI", stack, local, len(code)) + code + b"\0\0", call)


def _slots(types: tuple[str, ...]) -> int:
    return len(types) + sum(type_ in "JD" for type_ in types)
