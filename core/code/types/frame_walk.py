"""One pass over a method with frames at all joins of control flow, as the JVM's type checker does it (JVMS 4.10.1)."""

from __future__ import annotations

from core.classfile.format_error import ClassFormatError
from core.code.types.findings import NoFrameError
from core.code.types.interpreter import Interpreter
from core.code.types.method_body import Body
from core.code.types.stack_types import Frame, Slots
from core.code.types.symbols import MERGE, Symbols

BUDGET = 10_000_000
"""Slots handled before a method is given up (about a second); of 150,000 real methods none needs 30,000."""


class FrameWalk(Interpreter):
    """An interpreter of each piece of code, once, from the frame before the piece.

    Code that nothing reaches is interpreted too if it has a frame, since the verifier does so.
    """

    def __init__(self, symbols: Symbols, body: Body, frames: dict[int, Frame]) -> None:
        super().__init__(symbols, body, BUDGET)
        self.frames = frames

    def interpret(self) -> None:
        """Interpret the whole method. IndexError: the code is malformed."""
        body, frames = self.body, self.frames
        handlers, max_locals, size = body.handlers, body.max_locals, len(body.code)
        stops = [*frames, size]
        if handlers:
            stops = self._with_handlers(size)
        elif len(stops) > 1 and stops[-2] >= size:
            raise ClassFormatError("a frame is outside of the code")
        variables = [*body.initial, *(None,) * (max_locals - len(body.initial))]
        stack: Slots = []
        at, live = 0, True
        for stop in stops:
            if at < stop:
                if not live:
                    raise NoFrameError
                if handlers:
                    self.spend(len(handlers))
                    self.active = [handler for handler in handlers if handler.start <= at < handler.end]
                    self.changed(at, variables)
                at = self.run(at, stop, variables, stack)
                if at < 0:
                    at, live = -at, False
                if at > stop:
                    raise ClassFormatError(f"an instruction reaches over offset {stop}")
                if at < stop:
                    raise NoFrameError
            frame = frames.get(stop)
            if frame is not None:
                if live:
                    self.meets(frame, variables, stack)
                self.spend(max_locals >> 4)
                variables = frame[0] + [None] * (max_locals - len(frame[0]))
                stack = frame[1][:]
                live = True
        if live:
            raise ClassFormatError("control falls off the end of the code")

    def _with_handlers(self, size: int) -> list[int]:
        """Return the ends of pieces, the borders of the protected ranges included. Check the types that the handlers
        are told.
        """
        stops = {*self.frames, size}
        for start, end, target, catches in self.body.handlers:
            stops.add(start)
            stops.add(end)
            stack = self.frame(target)[1]
            if len(stack) != 1:
                raise ClassFormatError(f"the handler at {target} has {len(stack)} values on its stack")
            if catches != stack[0] and stack[0]:
                self.relations[catches, stack[0], MERGE] = None
        if max(stops) > size or max(self.frames) >= size:
            raise ClassFormatError("a frame is outside of the code")
        return sorted(stops)

    def frame(self, target: int) -> Frame:
        """Return the frame at a join of control flow."""
        frame = self.frames.get(target)
        if frame is None:
            raise NoFrameError
        return frame

    def edge(self, target: int, variables: Slots, stack: Slots) -> None:
        """Compare with the frame at ``target``."""
        frame = self.frames.get(target)
        if frame is None:
            raise NoFrameError
        wanted, caught = frame
        size = len(wanted)
        self.budget -= size
        # most states are just what their frame says
        if variables[:size] != wanted or stack or caught or self.budget < 0:
            self.meets(frame, variables, stack)

    def changed(self, after: int, variables: Slots) -> None:
        """Compare with the frames of the handlers in whose range ``after`` still is."""
        self.spend(len(self.active))
        targets = {handler.target: None for handler in self.active if after < handler.end}
        for target in targets:
            wanted, caught = self.frames[target]
            self.meets((wanted, caught), variables, caught)
