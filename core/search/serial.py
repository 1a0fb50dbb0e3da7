"""The questions of an algorithm as a sequence of single candidates.

:mod:`core.search.questions` defines the questions. The driver answers questions itself, because workers try candidates
ahead of their turn; everybody else uses :func:`serial`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from core.search.questions import Algorithm, Candidate, Enough, First, HungUp, Least, Question, Test
from core.sets import ItemSet, mask_of

Serial = Generator[Candidate, bool, Candidate]
"""Generator that yields candidates, receives for each a flag (interesting or not), and returns the result of a
search.
"""

SerialSets = Generator[ItemSet, bool, ItemSet]
"""A serial search whose candidates and result are sets."""

AskLeast = Callable[[Sequence[Candidate]], Generator[Candidate, bool, int]]
"""Function that yields candidates of a growing sequence, and returns the index of the least interesting one."""


def middle(low: int, high: int) -> int:
    """Return the middle of ``low .. high``."""
    return (low + high) // 2


def least_of(
    prefixes: Sequence[Candidate], high: int, pick: Callable[[int, int], int] = middle
) -> Generator[Candidate, bool, int]:
    """Return the index of the least interesting prefix. All prefixes beyond ``high`` are known to be interesting;
    ``pick(low, high)`` returns the next point to ask about.
    """
    low, last = 0, len(prefixes) - 1
    while low <= high:
        point = pick(low, high)
        if (yield prefixes[point]):
            high = point - 1
        else:
            low = point + 1
    return min(low, last)


def by_halves(prefixes: Sequence[Candidate]) -> Generator[Candidate, bool, int]:
    """Return the index of the least interesting prefix, by bisection. The last prefix may be asked about too."""
    return (yield from least_of(prefixes, len(prefixes) - 1))


def answered(question: Question, least: AskLeast = by_halves) -> Generator[Candidate, bool, bool | int | None]:
    """Return the answer to a question. The answer to ``HungUp`` is no: no times are known here."""
    match question:
        case Test(candidate):
            return (yield candidate)
        case First(candidates):
            return (yield from _first(candidates))
        case Least(prefixes):
            return (yield from least(prefixes))
        case Enough(candidate, prefixes):
            enough = yield candidate
            return None if enough or not prefixes else (yield from least(prefixes))
        case HungUp():
            return False


def serial(algorithm: Algorithm, least: AskLeast = by_halves) -> Serial:
    """Run an algorithm as a serial search. ``least`` answers questions about growing sequences."""
    try:
        question = next(algorithm)
        while True:
            question = algorithm.send((yield from answered(question, least)))
    except StopIteration as end:
        result: Candidate = end.value
        return result


def as_sets(search: Serial, count: int) -> SerialSets:
    """Run a serial search with sets of ``count`` items instead of candidates."""
    try:
        candidate = next(search)
        while True:
            candidate = search.send((yield mask_of(candidate, count)))
    except StopIteration as end:
        return mask_of(end.value, count)


def _first(candidates: Sequence[Candidate]) -> Generator[Candidate, bool, int | None]:
    for index, candidate in enumerate(candidates):
        if (yield candidate):
            return index
    return None
