"""Which object each constructor call in a method initialises: asked of the interpreter of code."""

from __future__ import annotations

from core.code.types.fixpoint import Fixpoint
from core.code.types.frame_walk import FrameWalk, NoFrameError
from core.code.types.frames import Frame, frames
from core.code.types.method_body import Body
from core.code.types.stack_types import UNINITIALIZED_THIS, Slot
from core.code.types.symbols import Symbols

THIS = -1
"""In place of the offset of a ``new``: the object itself, by ``super(...)`` or ``this(...)``."""
_FRAMES = 50  # the first class-file version with StackMapTable


class _Framed(FrameWalk):
    def __init__(self, symbols: Symbols, body: Body, table: dict[int, Frame]) -> None:
        super().__init__(symbols, body, table)
        self.found: dict[int, int] = {}

    def special(self, at: int, variables: list[Slot], stack: list[Slot]) -> None:
        _note(self.found, self.symbols, self.body.code, at, stack)
        super().special(at, variables, stack)


class _Frameless(Fixpoint):
    def __init__(self, symbols: Symbols, body: Body) -> None:
        super().__init__(symbols, body, {})
        self.found: dict[int, int] = {}

    def special(self, at: int, variables: list[Slot], stack: list[Slot]) -> None:
        _note(self.found, self.symbols, self.body.code, at, stack)
        super().special(at, variables, stack)


def initialised(symbols: Symbols, body: Body, major: int) -> dict[int, int]:
    """Return the offset of each constructor call that is reached -> offset of the ``new`` that made the object, or
    ``THIS``.

    ``major``: version of the class file. Raises :class:`ClassFormatError` or ``IndexError`` for code that no
    verifier would accept.
    """
    if body.stack_map is not None and major >= _FRAMES:
        framed = _Framed(symbols, body, frames(body.stack_map, body.initial, symbols.frame_types, {}))
        try:
            framed.interpret()
            return framed.found
        except NoFrameError:
            pass
    frameless = _Frameless(symbols, body)
    frameless.interpret()
    return frameless.found


def _note(found: dict[int, int], symbols: Symbols, code: bytes, at: int, stack: list[Slot]) -> None:
    pops = symbols[0xB70000 | code[at + 1] << 8 | code[at + 2]][1]
    receiver = stack[-pops]  # IndexError is what the walk raises too
    if receiver == UNINITIALIZED_THIS:
        found[at] = THIS
    elif type(receiver) is int and receiver > 0:
        found[at] = receiver - 1
