"""Code in the place of removed code: it prints a stack trace and ends the virtual machine with exit code 70.

No handler of the program can hide this, as one could hide an exception. Only java.base is used.
"""

from __future__ import annotations

from core.classfile.pool import CLASS, METHOD_REF, STRING
from core.classfile.symbolic.pieces import Piece
from core.classfile.symbolic.symbol_pool import Symbol
from core.code.blocks import joined
from core.code.ops import NOP, Op

TAKEN_AWAY = "taken away by Jarlet"
"""Message of the error that is printed; its stack trace names the method."""

_ERROR, _RUNTIME = "java/lang/Error", "java/lang/Runtime"


_STEPS = (
    (b"\xbb\0\0\x59", Symbol(CLASS, (_ERROR,)), 0, 2),  # new, dup
    (b"\x13\0\0", Symbol(STRING, (TAKEN_AWAY,)), 0, 1),
    (b"\xb7\0\0", Symbol(METHOD_REF, (_ERROR, "<init>", "(Ljava/lang/String;)V")), 2, 0),
    (b"\xb6\0\0", Symbol(METHOD_REF, (_ERROR, "printStackTrace", "()V")), 1, 0),
    (b"\xb8\0\0\x10\x46", Symbol(METHOD_REF, (_RUNTIME, "getRuntime", f"()L{_RUNTIME};")), 0, 2),  # bipush 70
    (b"\xb6\0\0\x01", Symbol(METHOD_REF, (_RUNTIME, "halt", "(I)V")), 2, 1),  # aconst_null
    (b"\xbf", 0, 1, 0),
)
"""Bytes of instructions with one index of a constant behind the first, and the slots that they take and push."""

HEIGHT = 3
"""Stack slots of the code."""


def halting(offset: int) -> list[Op]:
    """Return the code. Its ops are nop to all readers: no row of an exception table protects them."""
    return [Op(offset, NOP, data, key, pops, pushes, None, True) for data, key, pops, pushes in _STEPS]


_DATA, _HOLES = joined(halting(0))
BODY = Piece(_DATA, [at for at, _ in _HOLES], [key for _, key in _HOLES])
"""The bytes of the code."""
