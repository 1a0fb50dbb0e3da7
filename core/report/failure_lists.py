"""The failures in a bug report: their list, and the words by which the rest of the report refers to them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from core.report.document import Block, Paragraph, bullets
from core.words import with_times

_LISTED = 40
"""Failures that are listed, of each sort."""

_BESIDE = {
    "new": "Besides, of kinds that the full input does not show, so that what was removed or rewritten makes them:",
    "of_libraries": "Besides, of kinds that come from missing libraries and need not stay:",
}
"""Titles of the failures that are not what was looked for, by their part of a report."""


def failure_lists(final: dict[str, Any]) -> list[Block]:
    """Return the list of the failures. Those that are not what was looked for, and names that rewriting has changed,
    stand in lists of their own.
    """
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
    """Return words for each failure that was looked for, by its name: where there are several, its number in the list;
    past the end of the list the name itself."""
    names = list(dict.fromkeys(failures_of(final)))
    numbered = {name: f"failure {number}" for number, name in enumerate(names[:_LISTED], 1)}
    return {name: name for name in names} | (numbered if len(names) > 1 else {})


def failures_of(final: dict[str, Any]) -> list[str]:
    """Return the failures that were looked for."""
    beside = frozenset().union(*(final.get(part, ()) for part in _BESIDE))
    return [name for name in final["failures"] if name not in beside]
