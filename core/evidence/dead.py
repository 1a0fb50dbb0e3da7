"""Unreached instructions in executed methods, and jumps that always went one way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from core.classfile.class_file import Method as Coded
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import Instruction, instructions
from core.classfile.tables import code_of
from core.code.edit import Edit, EditKind
from core.code.halting import BODY
from core.evidence.clues import Method, Ran, Spans
from core.model.class_model import ClassModel, Kind
from core.sets import listed_by

_THREAD = ("run", "()V")
"""Name and descriptor of the method in which a thread begins. Unreached code there tells other threads about the
failure of this one. See decisions/003-code-that-never-ran.md."""


class DeadCode:
    """The unreached instructions of an input, except in methods in which a thread may begin: there a handler wakes the
    threads waiting for a failing one. Offsets are those of the input, and hold for every method with code of the same
    number of bytes.
    """

    def __init__(self, model: ClassModel, ran: Ran) -> None:
        self._spans: dict[Method, tuple[int, Spans]] = {}
        by_class = listed_by(itemgetter(0), (method for method in ran.dead if method[1:] != _THREAD))
        for item in model.items:
            if item.kind is Kind.CLASS and item.name in by_class:
                self._read(model.jar.entries[item.entry].data, by_class[item.name], ran)

    @cached_property
    def classes(self) -> frozenset[str]:
        """The names of the classes with such methods."""
        return frozenset(method[0] for method in self._spans)

    @property
    def methods(self) -> int:
        """Number of methods with such instructions."""
        return len(self._spans)

    def of(self, data: bytes, edits: list[Edit]) -> list[int]:
        """Return the indices of those ``edits`` of a class file that remove only unreached instructions."""
        cf = parse(data)
        methods = list(cf.methods)
        known = {number: self._unreached(cf.name, methods[number]) for number in {edit.method for edit in edits}}
        found = []
        for place, edit in enumerate(edits):
            code = known[edit.method]
            if code is not None and code.makes_moot(edit):
                found.append(place)
        return found

    def ends(self, data: bytes, edits: list[Edit]) -> list[int]:
        """Return the indices of those ``edits`` that end the code at unreached instructions, and save more than the
        code in their place takes."""
        cuts = [place for place in self.of(data, edits) if edits[place].kind is EditKind.CUT]
        return [place for place in cuts if edits[place].saved > 2 * len(BODY)]

    def _unreached(self, name: str, method: Coded) -> _Unreached | None:
        """Return the instructions of a method that never ran; None if they are unknown."""
        size, spans = self._spans.get((name, method.name_text, method.descriptor_text), (0, ()))
        code = code_of(method) if spans else b""
        if not code or len(code) != size:
            return None
        return _Unreached(spans, {each.offset: each for each in instructions(code)})

    def _read(self, data: bytes, wanted: list[Method], ran: Ran) -> None:
        try:
            cf = parse(data)
            for method in cf.methods:
                key = cf.name, method.name_text, method.descriptor_text
                code = code_of(method) if key in wanted else b""
                if code:
                    self._spans[key] = len(code), ran.dead[key]
        except ClassFormatError:
            return


@dataclass(frozen=True)
class _Unreached:
    """The instructions of a method that never ran, and all its instructions by offset."""

    spans: Spans
    instructions: Mapping[int, Instruction]

    def makes_moot(self, edit: Edit) -> bool:
        """Return True if the edit removes only instructions that never ran."""
        match edit.kind:
            case EditKind.CUT | EditKind.HANDLER:
                return self._holds(edit.offset)
            case EditKind.FALL | EditKind.JUMP | EditKind.ARM | EditKind.CASE:
                jump = self.instructions[edit.offset]
                if edit.kind is EditKind.FALL:
                    return self._holds(jump.operand)
                if edit.kind is EditKind.JUMP:
                    return self._holds(jump.offset + jump.length)
                targets = (jump.operand, *jump.extra)
                if edit.kind is EditKind.ARM:
                    return self._holds(targets[edit.index + 1])
                return all(self._holds(target) for target in targets if target != targets[edit.index])
            case _:
                return False

    def _holds(self, offset: int) -> bool:
        return any(low <= offset < high for low, high in self.spans)
