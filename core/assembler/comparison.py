"""Two versions of a program as assembler text: the lines that differ, and a listing with notes at its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from core.assembler.jasm import is_module, jasm
from core.assembler.jcod import jcod
from core.classfile.format_error import ClassFormatError
from core.entries import Entries

_FRAME = re.compile(r"\s*(stack_frame_type|locals_map|stack_map)\b")
"""A line of a stack map frame, which follows from the code."""
_LABEL = re.compile(r'\bL\d+\b(?=[;:]| })(?![^"]*"[^"]*$)')
"""A label, whose number is an offset in the code."""
_AROUND = 3
"""Number of equal lines around a difference."""


def listing(entries: Entries) -> list[str]:
    """Return the lines of all classes in the order of their names, without stack map frames."""
    classes = sorted((name, data) for name, data in entries if name.endswith(".class"))
    return [line for _, data in classes for line in _text(data).splitlines() if not _FRAME.match(line)]


def difference(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Return the lines of two listings that differ, with some equal ones around: gone ones begin with ``-``, new ones
    with ``+``."""
    found = []
    for group in _compared(before, after).get_grouped_opcodes(_AROUND):
        found.append("@@")
        for kind, start, end, new, last in group:
            mark = " " if kind == "equal" else "-"
            found += [f"{mark}{line}" for line in before[start:end]]
            found += [] if kind == "equal" else [f"+{line}" for line in after[new:last]]
    return found


def annotated(lines: Sequence[str], others: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a listing with comments: each line that is gone or another one in one of the other listings has the names
    of these."""
    notes: dict[int, list[str]] = {}
    for name, other in others.items():
        for number in _changed(lines, other):
            notes.setdefault(number, []).append(name)
    return [f"{line}  // {', '.join(notes[at])}" if at in notes else line for at, line in enumerate(lines)]


def _changed(before: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of the removed or changed lines; for lines only added, the number before these."""
    for kind, start, end, _, _ in _compared(before, after).get_opcodes():
        if kind != "equal":
            yield from (at for at in (range(start, end) or [max(0, start - 1)]) if before[at].strip())


def _compared(before: Sequence[str], after: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, list(map(_unnumbered, before)), list(map(_unnumbered, after)), autojunk=False)


def _unnumbered(line: str) -> str:
    return _LABEL.sub("L", line)


def _text(data: bytes) -> str:
    try:
        return jcod(data) if is_module(data) else jasm(data)
    except ClassFormatError as error:
        return f"// a damaged class file: {error}"
