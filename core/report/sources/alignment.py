"""Two sources of the same classes side by side: member beside member, and within one, line beside line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.report.sources.java_members import SourcePart, parts_of_source

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
    """Return the left source as it is, and beside each of its members what the right one has of it. Members that only
    the right one has stand behind the one that they follow there."""
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
    """Parts of the right source that have no partner, by the part of it that they follow."""
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
        yield from _beside(lefts, rights)
        return
    for _, a, b, c, d in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        yield from _beside(lefts[a:b], rights[c:d])


def _beside(lefts: Sequence[int], rights: Sequence[int]) -> Iterator[Row]:
    for number in range(max(len(lefts), len(rights))):
        yield (
            lefts[number] if number < len(lefts) else 0,
            rights[number] if number < len(rights) else 0,
        )
