"""The kinds of edits that make the body of a method smaller, and one edit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class EditKind(Enum):
    """Kinds of edits, in the order in which those of one offset are listed."""

    CUT = "cut"
    """The body ends before the instruction: from there it returns the default value of its type."""
    CALL = "call"
    """A call (not of a constructor) goes: its arguments are dropped, the default value is its result."""
    NEW = "new"
    """An object is not made: null stands in its place, the calls of its constructor go."""
    STORE = "store"
    """A store to a field or an array element goes."""
    READ = "read"
    """A field is not read: the default value of its type stands in its place."""
    FALL = "fall"
    """A conditional jump never jumps, or an idle jump goes."""
    JUMP = "jump"
    """A conditional jump always jumps."""
    ARM = "arm"
    """The cases of a switch that share a target go to the default."""
    HANDLER = "handler"
    """A row of the exception table goes."""
    VALUE = "value"
    """A computation without other effect goes: the default value of the result's type stands in its place."""
    VARIABLE = "variable"
    """A local variable goes: it is not written, and where it was read the default value of its type stands."""
    CASE = "case"
    """A switch always goes to one of its targets."""
    MONITOR = "monitor"
    """No monitors are entered or left in the method."""
    PASS = "pass"
    """The first operand of a call or a computation replaces the result, if the operand has the result's type and lies
    lowest on the stack."""
    PARAMETER = "parameter"
    """An unwritten parameter of the same type stands in place of a call's result or a field's value."""
    ASK = "ask"
    """A conditional jump only compares an unwritten parameter with null or 0; calls and reads for its operands go."""
    NAME = "name"
    """A row of LocalVariableTable goes, and with it the variable's row of LocalVariableTypeTable (JVMS 4.7.14: a JVM
    refuses that one alone)."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of one method."""

    method: int
    """Number of the method in the class."""
    kind: EditKind
    offset: int
    """Of the instruction; for HANDLER of the handler's first one, for VARIABLE of its first use, for NAME of the first
    in its range."""
    index: int
    """HANDLER, NAME: number of the row. ARM: number of the first of the cases. CASE: that and one, 0 for the default.
    VARIABLE: number of the web. Otherwise 0."""
    description: str
    """A few words for people."""
    saved: int
    """Estimate of the bytes of removed and unreachable code; constants are not counted."""
