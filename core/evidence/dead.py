"""Code that did not run although its method did."""

from __future__ import annotations

import struct

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.evidence.clues import Method, Ran, Spans
from core.model.class_model import ClassModel, Kind
from core.rewrite.bodies import Edit, EditKind

_SAFE = (EditKind.CUT, EditKind.HANDLER)
"""Edits that change nothing where their offset is never reached."""


class DeadCode:
    """Where code of an input never ran. Offsets are those of the input, and hold for every method that still has as
    many bytes of code."""

    def __init__(self, model: ClassModel, ran: Ran) -> None:
        self._spans: dict[Method, tuple[int, Spans]] = {}
        by_class: dict[str, list[Method]] = {}
        for method in ran.dead:
            by_class.setdefault(method[0], []).append(method)
        for item in model.items:
            if item.kind is Kind.CLASS and item.name in by_class:
                self._read(model.jar.entries[item.entry].data, by_class[item.name], ran)

    @property
    def methods(self) -> int:
        """Number of methods with such code."""
        return len(self._spans)

    def of(self, data: bytes, edits: list[Edit]) -> list[int]:
        """Places in ``edits``, edits of a class file, of those that only take away what never ran."""
        cf = parse(data)
        methods = list(cf.methods)
        found = []
        for place, edit in enumerate(edits):
            method = methods[edit.method]
            size, spans = self._spans.get((cf.name, method.name_text, method.descriptor_text), (0, ()))
            raw = method.attributes.raw("Code") if spans and edit.kind in _SAFE else None
            if raw is not None and _size(raw) == size and any(low <= edit.offset < high for low, high in spans):
                found.append(place)
        return found

    def _read(self, data: bytes, wanted: list[Method], ran: Ran) -> None:
        try:
            cf = parse(data)
            for method in cf.methods:
                key = cf.name, method.name_text, method.descriptor_text
                raw = method.attributes.raw("Code") if key in wanted else None
                if raw is not None:
                    self._spans[key] = _size(raw), ran.dead[key]
        except ClassFormatError:
            return


def _size(code: bytes) -> int:
    """Bytes of instructions in a Code attribute."""
    try:
        return int(struct.unpack_from(">I", code, 4)[0])
    except struct.error as error:
        raise ClassFormatError("a Code attribute is cut off") from error
