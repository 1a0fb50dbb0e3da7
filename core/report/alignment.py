"""Two Java sources of the same classes side by side: member beside member, and within one, line beside line.

Members are found by the braces alone, so also in a source that cannot be compiled."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

_LINES = 400
"""Of a longer member only the first lines are laid side by side: comparing takes the square of them."""

Row = tuple[int, int]
"""Numbers of lines, left and right, from 1; 0 = nothing stands there."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two texts of equally many lines; ``rows`` has the numbers that these lines have in their sources."""

    left: str
    right: str
    rows: tuple[Row, ...]

    def row_of(self, line: int) -> int:
        """Return the row, from 0, of a line of the left source; -1 = there is none."""
        return next((row for row, (left, _) in enumerate(self.rows) if left == line), -1)

    def first(self, count: int) -> SideBySide:
        """Return the first rows."""
        if len(self.rows) <= count:
            return self
        left, right = ("\n".join(side.split("\n")[:count]) for side in (self.left, self.right))
        return SideBySide(left, right, self.rows[:count])


def side_by_side(left: str, right: str) -> SideBySide:
    """Return the unchanged left source, with the partners of its members from the right source beside them. A member of
    the right source alone stands behind its predecessor there."""
    one, other = left.splitlines(), right.splitlines()
    rows = tuple(_rows(parts_of_source(left), parts_of_source(right), one, other))
    return SideBySide(
        "\n".join(one[number - 1] if number else "" for number, _ in rows),
        "\n".join(other[number - 1] if number else "" for _, number in rows),
        rows,
    )


def _rows(
    left: Sequence[SourcePart], right: Sequence[SourcePart], one: Sequence[str], other: Sequence[str]
) -> Iterator[Row]:
    partner = _partners(left, right)
    taken = set(partner.values())
    alone: dict[int, list[SourcePart]] = {}
    """Parts of the right source without a partner, by the number of the last part before them with a partner; -1 =
    none."""
    last = -1
    for number, part in enumerate(right):
        if number in taken:
            last = number
        else:
            alone.setdefault(last, []).append(part)
    yield from _only_right(alone.get(-1, ()))
    for number, part in enumerate(left):
        if number not in partner:
            yield from ((line, 0) for line in range(part.first, part.last + 1))
            continue
        yield from _lines(part, right[partner[number]], one, other)
        yield from _only_right(alone.get(partner[number], ()))


def _only_right(parts: Sequence[SourcePart]) -> Iterator[Row]:
    return ((0, line) for part in parts for line in range(part.first, part.last + 1))


def _partners(left: Sequence[SourcePart], right: Sequence[SourcePart]) -> dict[int, int]:
    """Return the number of a left part -> that of the right one: of the same name and types, else of as many, else of
    the name."""
    found: dict[int, int] = {}
    free = dict(enumerate(right))
    for key in (_exact, _counted, _by_name):
        places: dict[object, list[int]] = {}
        for number, part in free.items():
            places.setdefault(key(part), []).append(number)
        for number, part in enumerate(left):
            if number not in found and (numbers := places.get(key(part))):
                found[number] = numbers.pop(0)
                del free[found[number]]
    return found


def _exact(part: SourcePart) -> object:
    return part.owner, part.name, part.types


def _counted(part: SourcePart) -> object:
    return part.owner, part.name, None if part.types is None else len(part.types)


def _by_name(part: SourcePart) -> object:
    return part.owner, part.name, part.types is None


def _lines(left: SourcePart, right: SourcePart, one: Sequence[str], other: Sequence[str]) -> Iterator[Row]:
    lefts, rights = list(range(left.first, left.last + 1)), list(range(right.first, right.last + 1))
    texts = [one[number - 1].strip() for number in lefts], [other[number - 1].strip() for number in rights]
    if max(len(lefts), len(rights)) > _LINES:
        yield from zip_longest(lefts, rights, fillvalue=0)
        return
    for _, a, b, c, d in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        yield from zip_longest(lefts[a:b], rights[c:d], fillvalue=0)


_TOKEN = re.compile(
    r'"""[\s\S]*?(?:(?<!\\)"""|\Z)|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|[{};=(),]'
)
_TYPE = re.compile(r"(?:^|[^\w$.@])(?:class|interface|enum|record|@interface)\s+([\w$]+)")
_METHOD = re.compile(r"([\w$]+)\s*\(([\s\S]*)\)[^)]*$")
_FIELD = re.compile(r"([\w$]+)\s*(?:\[\s*\]\s*)*$")
_ANNOTATION = re.compile(r"@[\w$.]+(?:\s*\([^()]*\))?")
_GENERIC = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class SourcePart:
    """Some whole lines of a source: ``first`` to ``last``, from 1. ``owner`` is the class (``Outer.Inner``), ``name``
    the member's, empty for a class's own head and end; ``types`` are its parameters' simple types, None of a field."""

    owner: str
    name: str
    types: tuple[str, ...] | None
    first: int
    last: int


@dataclass
class _Scope:
    """A class with its body being read; ``depth`` is that of its members' braces."""

    name: str
    depth: int


def parts_of_source(text: str) -> list[SourcePart]:
    """Return the parts of a source, in its order; together they are all of its lines."""
    total = text.count("\n") + (not text.endswith("\n") and bool(text))
    found: list[SourcePart] = []
    first = 1
    for owner, name, types, line in _declarations(text):
        if line >= first:
            found.append(SourcePart(owner, name, types, first, line))
            first = line + 1
    if first <= total:
        found.append(SourcePart("", "", None, first, total))
    return found


def _declarations(text: str) -> Iterator[tuple[str, str, tuple[str, ...] | None, int]]:
    """Yield the owner, name, types and last line of each head, member and end of a class."""
    scopes = [_Scope("", 0)]
    depth = rounds = 0
    begin, equals, head = 0, -1, ""
    ends = [at for at, sign in enumerate(text) if sign == "\n"]
    for token in _TOKEN.finditer(text):
        mark, line = token[0], 1 + bisect_left(ends, token.start())
        scope = scopes[-1]
        if mark == "(":
            rounds += 1
        elif mark == ")":
            rounds = max(0, rounds - 1)
        elif mark == "=" and depth == scope.depth and not rounds and equals < 0:
            equals = token.start()
        elif mark == "{":
            if depth == scope.depth and not rounds:
                head = _plain(text[begin : equals if equals >= 0 else token.start()])
                kind = _TYPE.search(head) if equals < 0 else None
                if kind is not None:
                    scopes.append(_Scope(f"{scope.name}.{kind[1]}".lstrip("."), depth + 1))
                    yield scopes[-1].name, "", None, line
                    begin, equals = token.end(), -1
            depth += 1
        elif mark == "}":
            depth = max(0, depth - 1)
            if depth < scope.depth and len(scopes) > 1:
                scopes.pop()
                yield scope.name, "", None, line
                begin, equals, rounds = token.end(), -1, 0
            elif depth == scope.depth and equals < 0:
                yield scope.name, *_named(head), line
                begin, rounds = token.end(), 0
        elif mark == ";" and depth == scope.depth and not rounds:
            head = _plain(text[begin : equals if equals >= 0 else token.start()])
            if len(scopes) > 1:  # package and imports belong to the head of the class behind them
                yield scope.name, *_named(head), line
            begin, equals = token.end(), -1


def _plain(head: str) -> str:
    """Return a declaration without comments, annotations and type arguments."""
    head = _TOKEN.sub(lambda match: match[0] if len(match[0]) == 1 else " ", head)
    head = _ANNOTATION.sub(" ", head)
    while (shorter := _GENERIC.sub("", head)) != head:
        head = shorter
    return head.strip()


def _named(head: str) -> tuple[str, tuple[str, ...] | None]:
    method = _METHOD.search(head)
    if method is not None:
        return method[1], tuple(_type(one) for one in method[2].split(",") if one.strip())
    field = _FIELD.search(head)
    return (field[1] if field is not None else "static"), None


def _type(parameter: str) -> str:
    """Return ``final java.lang.String[] a`` as ``String[]``."""
    words = [word for word in parameter.replace("...", "[] ").split() if word != "final"]
    arrays = "".join(words).count("[]")
    return words[0].rpartition(".")[2].replace("[]", "") + "[]" * arrays
