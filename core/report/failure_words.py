"""Words of a bug report on failures: the kept failure, the lists of failures with references to them, and their
classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from core.predicate.condition import Condition
from core.report.document import Block, Paragraph, bullets
from core.words import with_times


@dataclass(frozen=True, slots=True)
class BugWords:
    """The words of one sort of report."""

    title: str
    """Title, with the input's name in the place of the braces."""
    seen: str
    """Heading of the facts."""
    left: str
    """End of the sentence about the classes that are left, with ``verb`` and ``failures`` in their places."""
    nearest: str
    """Heading of the changes after which the result is no result."""
    gone: str
    """End of the sentence about these changes."""
    all_gone: str
    """The same end where there are several failures."""


FAILING = BugWords(
    "Failure on {}",
    "What fails",
    "that {verb} the same {failures}",
    "The nearest inputs that do not fail",
    "the failure was gone",
    "a failure was gone",
)
RUNNING = BugWords(
    "A run of {}",
    "What is kept",
    "with which the command runs as with the full input",
    "The nearest inputs that do not run so",
    "the command ran otherwise",
    "the command ran otherwise",
)


def words_of(condition: Condition, exit_code: int | None) -> BugWords:
    """Return the words for a command with this condition that ended so."""
    return RUNNING if condition.keeps_working(exit_code) else FAILING


_LISTED = 40
"""Failures that are listed, of each sort."""

_BESIDE = {
    "new": "Besides, of kinds that the full input does not show, so that what was removed or rewritten makes them:",
    "of_libraries": "Besides, of kinds that come from missing libraries and need not stay:",
}
"""Titles of the failures that nobody looked for, by their part of a report."""


def failure_lists(final: dict[str, Any]) -> list[Block]:
    """Return the lists of the failures: the wanted ones, the others, and names changed by rewriting."""
    counts = Counter(failures_of(final))
    found = [
        Paragraph("The failures by name:"),
        *bullets(with_times(counts.items()), _LISTED, numbered=len(counts) > 1),
    ]
    for part, title in _BESIDE.items():
        names = frozenset(final.get(part, ()))
        beside = [name for name in final["failures"] if name in names]
        found += [Paragraph(title), *bullets(with_times(Counter(beside).items()), _LISTED)] if beside else []
    changed = Counter(final.get("shown", ())) - Counter(final["failures"])
    if changed:
        told = "These are names of the full input. Rewriting has changed some; in the result these are:"
        found += [Paragraph(told), *bullets(with_times(changed.items()), _LISTED)]
    return found


def references_of(final: dict[str, Any]) -> dict[str, str]:
    """Return words for each wanted failure, by its name: the number in the list if there are several; past the end of
    the list the name itself."""
    names = list(dict.fromkeys(failures_of(final)))
    numbered = {name: f"failure {number}" for number, name in enumerate(names[:_LISTED], 1)}
    return {name: name for name in names} | (numbered if len(names) > 1 else {})


def failures_of(final: dict[str, Any]) -> list[str]:
    """Return the failures that were looked for."""
    beside = frozenset().union(*(final.get(part, ()) for part in _BESIDE))
    return [name for name in final["failures"] if name not in beside]


_FILE = re.compile(r"^(?P<name>[\w$-]+)\.java: ")
_WORD = re.compile(r"(?<![\w$.])[^\W\d][\w$]*(?:[./][\w$]+)*")


def place_of(failure: str, classes: Collection[str]) -> str:
    """Return the first of ``classes`` (internal names, outermost ones for files) that the failure names; empty =
    none."""
    file = _FILE.match(failure)
    if file is not None:
        simple = file["name"]
        found = sorted(name for name in classes if name.rpartition("/")[2] == simple)
        return found[0] if found else simple
    for match in _WORD.finditer(failure):
        word = match[0].replace(".", "/")
        while word:
            if word in classes:
                return word
            word = word.rpartition("/")[0]
    return ""
