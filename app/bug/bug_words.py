"""The words of the page of the bug: its heading, a line for each failure, titles of files; sources with folded rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import groupby

from app import text
from core.protocol import events
from core.protocol.questions.bug import ShownFile
from core.protocol.wording import differing, failures_text
from core.words import visible

NEW, OF_LIBRARY = "New in the result", "Missing library"
"""Words before a failure of a kind unknown to the full input, and before a failure that is no bug."""
APART = {
    NEW: "The full input shows no failure of this kind: what was removed or rewritten makes it.",
    OF_LIBRARY: "It comes from a missing library, and need not stay.",
}
_BESIDES = {NEW: "new in the result", OF_LIBRARY: "of missing libraries"}
_FOLD = 6
"""Rows of the right source alone, one after another, from which on they are folded into one."""


def with_folds(file: ShownFile) -> tuple[str, str, list[int]]:
    """Return both texts with one row in the place of many rows that the right one alone has, and the other rows of
    these."""
    sides, folded = (file.left.split("\n"), file.right.split("\n")), list[int]()
    for alone, rows in groupby(range(len(file.left_lines)), lambda row: not file.left_lines[row]):
        first, *others = rows
        if alone and len(others) >= _FOLD:
            folded += others
            for side in sides:
                side[first] = f"… {sum(map(bool, file.right_lines[first : others[-1] + 1])):,} lines gone"
    return "\n".join(sides[0]), "\n".join(sides[1]), folded


def heading_of(page: events.BugShown, apart: Mapping[str, str]) -> str:
    """Return a heading such as ``2 failures in 1 class, and 3 new in the result``; for a large candidate with the
    number of classes that were looked at.
    """
    classes = text.classes(page.classes)
    if page.decompiled:
        classes = f"{text.count(page.decompiled)} of {classes}"
    names = [one.name for one in page.failures]
    own = [name for name in names if name not in apart]
    found = failures_text(len(set(own)), len(own))
    besides = Counter(apart[name] for name in set(names) & apart.keys())
    more = "".join(f", and {besides[why]} {_BESIDES[why]}" for why in _BESIDES if besides[why])
    return f"{found} in {classes}{more}" if found else f"{classes}{more}"


def failure_words(failure: events.ShownFailure, page: events.BugShown | None, why: str) -> str:
    """Return a failure's name behind its line or its reason to stand apart, so that a cut text still shows these. Lines
    below have where two runs differ."""
    where = why
    if page is not None and failure.file >= 0 and failure.row >= 0:
        line = page.files[failure.file].left_lines[failure.row]
        where = f"{why}, line {line}" if why else f"Line {line}"
    head = f"{where}:  {failure.name}" if where else failure.name
    return "\n".join([head, *differing(visible(failure.text))])


def file_title(file: events.ShownFile) -> str:
    """Return a title such as ``Main.java (2)  org/example``, whose end may be cut off."""
    folder, _, name = file.name.rpartition("/")
    marked = len(file.marked)
    return f"{name} ({marked})  {folder}".rstrip() if marked else f"{name}  {folder}".rstrip()
