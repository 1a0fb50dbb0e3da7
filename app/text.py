"""The form of numbers, tables and several sentences on the screen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.words import counted as counted

_UNITS = ("B", "kB", "MB", "GB")

_QUOTED = r"(?<!\w)'[^'\n]*'(?!\w)"
"""A text in quotes, such as an argument to copy; an apostrophe within a word does not begin one."""
_SENTENCE = re.compile(rf"(?:{_QUOTED}|\S|\s(?!(?<=[.?!]\s)(?:[A-Z\d]|--\w)))+")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text one by one. A text in quotes stays whole."""
    return [found for line in text.splitlines() for found in map(str.strip, _SENTENCE.findall(line)) if found]


def count(number: int) -> str:
    """Return ``12345`` as ``12,345``."""
    return f"{number:,}"


def capital(words: str) -> str:
    """Return words with a capital at their beginning, as a sentence has it."""
    return words[:1].upper() + words[1:]


def classes(number: int) -> str:
    """Return ``1 class``, ``2 classes``."""
    return counted(number, "class")


def size(octets: float) -> str:
    """Return a number of bytes with a unit, three significant places: ``1.2 MB``."""
    value = float(octets)
    for unit in _UNITS:
        if value < 1000 or unit == _UNITS[-1]:
            digits = 0 if unit == "B" or value >= 100 else 1
            return f"{value:.{digits}f} {unit}"
        value /= 1000
    raise AssertionError("unreachable: the last unit always returns")


def part_of_size(part: float, whole: float) -> str:
    """Return ``1.2 / 3.5 kB``, ``0.2 / 1.7 kB``: both in the unit of the whole."""
    total = size(whole)
    unit = total.partition(" ")[2]
    value = part / 1000 ** _UNITS.index(unit)
    amount = f"{value:.0f}" if unit == "B" or value >= 100 else f"{value:.1f}"
    return f"{'< 0.1' if amount == '0.0' and part else amount} / {total}"


def seconds(duration: float) -> str:
    """Return a duration that a person reads at a glance: ``84 ms``, ``3.2 s``, ``4 min 10 s``."""
    if duration < 0.9995:
        return f"{duration * 1000:.0f} ms"
    if duration < 59.95:
        return f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def time_left(least: float, most: float, ago: float = 0.0) -> str:
    """Return the time that a run may still take: ``about 2 to 5 min left``; empty if the time is not known (below 0).
    An estimate made ``ago`` seconds ago is reduced by that time, and the text is empty once the whole time has
    passed."""
    if most < 0 or ago > most:
        return ""
    least, most = max(0.0, least - ago), most - ago
    for unit, size_ in (("s", 1.0), ("min", 60.0), ("h", 3600.0)):
        if most < 99.5 * size_ or unit == "h":
            low, high = _rough(least / size_), _rough(most / size_)
            if unit == "s" and most < 1:
                return "less than 1 s left"
            if low == high:
                return f"about {high} {unit} left"
            if low == "0":
                return f"up to {high} {unit} left"
            return f"about {low} to {high} {unit} left"
    raise AssertionError("unreachable: the last unit always returns")


def _rough(number: float) -> str:
    """Return the number as text, in steps of 5 from 10 on: no more digits than a person wants to know."""
    if number >= 10:
        return f"{5 * round(number / 5):,}"
    return f"{round(number)}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows in columns, the head first; an empty column is left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    lines = zip(*columns, strict=True)
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
