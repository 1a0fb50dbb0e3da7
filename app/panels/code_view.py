"""Coloured words of a line of code; the declarations that its words lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from core.protocol.java_names import internal, split

_KEYWORDS = (
    "abstract|assert|boolean|break|byte|case|catch|char|class|const|continue|default|do|double|else|enum|extends|"
    "final|finally|float|for|goto|if|implements|import|instanceof|int|interface|long|native|new|package|private|"
    "protected|public|record|return|sealed|permits|short|static|strictfp|super|switch|synchronized|this|throw|throws|"
    "transient|try|var|void|volatile|while|true|false|null|yield|Code"
)
_PATTERNS = (
    ("word", re.compile(rf"\b(?:{_KEYWORDS})\b")),
    ("annotation", re.compile(r"@\w+")),
    ("number", re.compile(r"(?<![\w#])(?:0x[\da-fA-F]+|\d[\d_.]*[LFDlfd]?)\b|#\d+")),
    ("operation", re.compile(r"(?<=^)\s*\d+: [a-z][\w]*")),
    ("string", re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'')),
    ("comment", re.compile(r"//.*$|/\*.*?\*/|^\s*\*.*$|^\s*/\*.*$")),
)
_LONGEST = 2000
"""Characters of a line that is coloured."""


def java_spans(line: str) -> list[tuple[str, int, int]]:
    """Return the coloured parts of a line of code: kind, begin and end; a later part wins."""
    if len(line) > _LONGEST:
        return []
    return [(name, match.start(), match.end()) for name, pattern in _PATTERNS for match in pattern.finditer(line)]


_MEMBER = re.compile(r'// (?:InterfaceMethod|Method|Field) (?:"?([\w/$]+)"?\.)?"?([\w$<>]+)"?:(\S+)')
_CLASS = re.compile(r"// class \"?\[*L?([\w/$]+);?\"?")
_IMPORT = re.compile(r"^\s*import\s+(?:static\s+)?([\w.]+)\s*;", re.MULTILINE)


class CodeLinks:
    """The classes of an input by the last parts of their names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._by_word: dict[str, list[str]] = {}
        for name in sorted(self._names):
            simple = name.rpartition("/")[2]
            self._by_word.setdefault(simple.rpartition("$")[2], []).append(name)

    def target(self, line: str, word: str, text: str, owner: str, members: Callable[[str], list[str]]) -> str:
        """Return the name of the class or member behind a word of a line; empty = none known.

        ``text`` is the whole code of the class ``owner``, ``members`` returns the known members of a class.
        """
        if found := _MEMBER.search(line):
            above = found[1] or owner
            name = found[2].strip('"')
            return f"{above}.{name}:{found[3]}" if above in self._names else ""
        if (found := _CLASS.search(line)) and found[1] in self._names:
            return found[1]
        return self._class(word, text, owner) or self._member(word, owner, members)

    def _class(self, word: str, text: str, owner: str) -> str:
        there = self._by_word.get(word, [])
        if not there:
            return ""
        imported = {internal(one) for one in _IMPORT.findall(text)}
        package, top = owner.rpartition("/")[0], owner.partition("$")[0]
        ranked = sorted(
            there,
            key=lambda name: (
                not name.startswith(f"{top}$"),
                name.replace("$", "/") not in imported,
                name.rpartition("/")[0] != package,
                name,
            ),
        )
        return ranked[0]

    def _member(self, word: str, owner: str, members: Callable[[str], list[str]]) -> str:
        found = (name for name in members(owner) if split(name)[1].lstrip(".").partition(":")[0] == word)
        return next(found, "")


def declaration_line(text: str, member: str) -> int:
    """Return the index of the line of a listing or a source with the declaration of a member (``name:descriptor``, from
    the dot on); else of the first line with its name, -1 = none."""
    name, _, descriptor = member.lstrip(".").partition(":")
    name = re.escape(name.partition("!")[0])
    count = _parameters(descriptor)
    declares = re.compile(rf"(?!return\b|throw\b|new\b)(?:[\w$<>\[\], .?&@]* )?{name}\s*(?:[(;={{]|$)")
    first = -1
    for number, line in enumerate(map(str.strip, text.splitlines())):
        if not re.search(rf"(?<![\w$]){name}(?![\w$])", line):
            continue
        if first < 0:
            first = number
        several = "(" in line and line.partition("(")[2].partition(")")[0].count(",") + 1 == max(count or 0, 1)
        bare = line.endswith(";") and re.match(rf"{name}\s*\(", line)
        if declares.match(line) and not bare and (count is None or several):
            return number
    return first


def _parameters(descriptor: str) -> int | None:
    """Return the number of parameters of a method's descriptor; None for a field's."""
    if not descriptor.startswith("("):
        return None
    inside = descriptor[1 : descriptor.find(")")]
    return len(re.findall(r"\[*(?:L[^;]+;|[BCDFIJSZ])", inside))
