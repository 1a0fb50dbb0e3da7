"""The classes by which a slow run is known: it stands at one place for many times the processor time of a usual class.

Some classes of about the median size are run alone. The median of their times is that of the *median class*.
"""

from __future__ import annotations

from core.entries import Entries

_MEDIANS = 3
"""Number of classes that are run alone. See decisions/057-hangs.md."""


def median_classes(entries: Entries) -> list[Entries]:
    """Return a few candidates of one class, not a nested one, in the middle by size."""
    classes = (entry for entry in entries if entry[0].endswith(".class") and "$" not in entry[0])
    ordered = sorted(classes, key=lambda entry: len(entry[1]))
    begin = max(0, len(ordered) - _MEDIANS) // 2
    return [[entry] for entry in ordered[begin : begin + _MEDIANS]]
