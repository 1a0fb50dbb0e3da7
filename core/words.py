"""Texts of others within our own: a predicate's output, the names in a jar, paths. Whatever is in them, a terminal only
shows it, and no sentence fills the screen.

Everything that prints or writes for people goes through here; files of raw output (JSON, logs of a probe) do not.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

LONGEST_WORD = 400
"""Characters of one word in a sentence; no path that a person wrote is longer."""

_LONGEST_SENTENCE = 8000

_LEAST_SHARE = 0.0005
"""A smaller one would be told as 0.0 %."""


def visible(text: str) -> str:
    """Return the text with an escape (``\x1b``, ``\u202e``) for every character that is not seen as itself: control
    characters, marks for the direction of writing, invisible characters, halves of surrogate pairs. Line ends and tabs
    stay."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(in_line, line.split("\t"))) for line in lines)


def in_line(text: str) -> str:
    """Return text made :func:`visible` for one line, such as a name: line ends and tabs are escaped too."""
    return text if text.isprintable() else "".join(map(_shown, text))


def xml_text(text: str) -> str:
    """Return text for one line, with the marks of XML and HTML escaped. XML has no room for control characters."""
    return html.escape(in_line(text))


def cut(text: str, most: int = LONGEST_WORD) -> str:
    """Return the text, without its middle if it has more than ``most`` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}[... {len(text) - 2 * half:,} characters ...]{text[-half:]}"


def sentence(text: str) -> str:
    """Return the text as it is said to a person: visible, its longest words without their middle, and as a whole
    bounded."""
    return cut(re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: cut(word[0]), visible(text)), _LONGEST_SENTENCE)


def counted(count: int, noun: str, many: str = "") -> str:
    """Return a number with its noun: ``1 class``, ``2 classes``, ``3 entries``; ``many`` is a plural of its own."""
    one, of, rest = noun.partition(" of ")
    stem, end = (one[:-1], "ies") if one.endswith("y") else (one, "es" if one.endswith(("s", "ch")) else "s")
    return f"{count:,} {noun if count == 1 else many or stem + end + of + rest}"


def share(part: float, whole: float) -> str:
    """Return ``38.1 %``; ``< 0.1 %`` for a share that is small but not zero; ``0 %`` of nothing."""
    if part and part < _LEAST_SHARE * whole:
        return "< 0.1 %"
    return f"{100 * part / whole:.1f} %" if whole else "0 %"


def with_times(counts: Iterable[tuple[str, int]]) -> list[str]:
    """Return names, each with the number of times that it came if it came more than once."""
    return [name if count == 1 else f"{name} ({count} times)" for name, count in counts]


def some_of(names: Iterable[str], most: int, between: str = ", ") -> str:
    """Return the first ``most`` names, and the number of the others if there are any."""
    listed = list(names)
    more = f" and {len(listed) - most:,} more" if len(listed) > most else ""
    return f"{between.join(listed[:most])}{more}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the one of the ``known`` names that ``name`` is likely to be a slip of; empty if none is near."""
    by_lower_case = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), by_lower_case, 1)
    return by_lower_case[found[0]] if found else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question for the end of a message, after a blank; empty if no ``known`` name is near."""
    near = nearest(name, known)
    return f" Did you mean {near}?" if near else ""


def no_such(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name of a ``kind``, with the known names."""
    names = tuple(known)
    return f"There is no {kind} {name!r}: choose among {', '.join(names)}.{did_you_mean(name, names)}"


def _shown(sign: str) -> str:
    # all blanks (Zs) are seen as blanks; Python's own rule (repr) escapes those but the ASCII one
    return sign if sign.isprintable() or unicodedata.category(sign) == "Zs" else ascii(sign)[1:-1]
