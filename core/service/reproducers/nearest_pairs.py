"""A result beside the nearest inputs that do not fail: pairs of jars, both run, and the change between them as text."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.zips import Archive
from core.assembler.jasm import is_module, jasm
from core.assembler.jcod import jcod
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.errors import JarletError
from core.predicate.aim import Aim
from core.predicate.verdict import Verdict
from core.report.bug_report import change_of, ends_a_failure
from core.report.private_places import told_elsewhere
from core.report.reproduction import SMALL
from core.service.reproducers.failing_result import FailingResult

FOLDER = "nearest"
"""Folder of the jars that do not fail, in a bug folder."""

_SECONDS = 60.0
"""Seconds after which no further run of a pair begins."""

_ABOUT = f"""\
# The nearest inputs that do not fail

Each jar is `../{SMALL}` with one change. All were run again: {SMALL} shows the failure, these do not.
"""
_LISTING = """
## Where the changes are

The classes of `../{small}` as assembler text. A line with numbers behind it is gone or another one in the jars of these
numbers. What assembler text cannot say (generic signatures of methods, annotations) has no line.
"""


@dataclass(frozen=True)
class NearestPair:
    """A jar that does not fail, and its difference from the result."""

    place: int
    """Place of the neighbour in the report."""
    change: str
    detail: str
    """Reason for which its run is not interesting."""
    jar: bytes
    lines: tuple[str, ...]
    """Its classes as assembler text."""


def nearest_pairs(entries: Entries, aim: Aim, near: Sequence[Mapping[str, Any]], cancel: Flag) -> list[NearestPair]:
    """Return the neighbours with jars whose run, repeated now, lacks the failure of a run of the result. If the result
    shows no failure now, there are no pairs."""
    jars = [(at, base64.b64decode(each["base64"])) for at, each in enumerate(near) if each.get("base64")]
    if not jars or cancel.is_set():
        return []
    found: list[NearestPair] = []
    with suppress(JarletError), closing(FailingResult(entries, aim, cancel)) as result:  # the pairs so far are good
        end = time.monotonic() + _SECONDS
        for at, jar in jars:
            if time.monotonic() > end or cancel.is_set():
                break
            inside = unpacked(jar)
            outcome = result.confirm(inside)
            gone = ends_a_failure(outcome.failures, result.outcome.failures)
            if outcome.verdict is Verdict.NOT_INTERESTING and gone:
                found.append(
                    NearestPair(at, change_of(near[at]), told_elsewhere(outcome.detail), jar, tuple(listing(inside)))
                )
    return found


def unpacked(jar: bytes) -> Entries:
    """Return the entries of a jar that Jarlet has packed."""
    with Archive(Path("neighbour.jar"), jar) as archive:
        return archive.entries()


def pair_files(entries: Entries, pairs: Sequence[NearestPair]) -> dict[str, bytes]:
    """Return the files of the pairs by their paths in a bug folder; none without pairs."""
    if not pairs:
        return {}
    own = listing(entries)
    files = {f"{FOLDER}/README.md": _readme(own, pairs).encode()}
    for number, pair in enumerate(pairs, 1):
        text = [f"{pair.change}", *difference(own, pair.lines)]
        files |= {jar_path(number): pair.jar, f"{FOLDER}/{number}.diff": ("\n".join(text) + "\n").encode()}
    return files


def jar_path(number: int) -> str:
    """Return the path of the jar of a pair in a bug folder."""
    return f"{FOLDER}/{number}.jar"


def _readme(own: Sequence[str], pairs: Sequence[NearestPair]) -> str:
    rows = [
        f"| {number}.jar | {_cell(pair.change)} | {_cell(pair.detail)} | {number}.diff |"
        for number, pair in enumerate(pairs, 1)
    ]
    shown = annotated(own, {str(number): pair.lines for number, pair in enumerate(pairs, 1)})
    head = ["", "| jar | change | its run | change in the text |", "|---|---|---|---|"]
    return "\n".join([_ABOUT.rstrip(), *head, *rows, _LISTING.format(small=SMALL), "```", *shown, "```", ""])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


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
