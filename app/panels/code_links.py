"""Links in code: the declaration that a word of bytecode or source names. No Qt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from core.protocol.java_names import internal, split

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
        """Return the name of the class or member that a word of a line names; empty = none that is known.

        ``text`` is the whole code of the class ``owner``, ``members`` tells the members of a class as far as they are
        known.
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
    """Return the number of the line of javap's listing that declares a member (``name:descriptor``, from the dot on);
    else the first line that has its name, -1 = none."""
    name, _, descriptor = member.lstrip(".").partition(":")
    name = name.partition("!")[0]
    lines = text.splitlines()
    first = -1
    count = _parameters(descriptor)
    for number, line in enumerate(lines):
        plain = line.strip()
        if not re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", plain):
            continue
        if first < 0:
            first = number
        declares = line.startswith("  ") and not line.startswith("   ") and plain.endswith((";", "{"))
        if declares and (count is None or plain.partition("(")[2].partition(")")[0].count(",") + 1 == max(count, 1)):
            return number
    return first


def _parameters(descriptor: str) -> int | None:
    """Return the number of parameters of a method's descriptor; None for a field's."""
    if not descriptor.startswith("("):
        return None
    inside = descriptor[1 : descriptor.find(")")]
    return len(re.findall(r"\[*(?:L[^;]+;|[BCDFIJSZ])", inside))
