"""Questions about suggested candidates, before any search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.search.questions import Algorithm, Candidate, First, Test


def first_of(start: Candidate, candidates: Sequence[Candidate]) -> Algorithm:
    """Return the first interesting one of some candidates, which go from small to large; ``start`` if there is none."""
    index: int | None = yield First(candidates)
    return start if index is None else candidates[index]


def without_groups(
    start: Candidate,
    groups: Sequence[Candidate],
    most: int,
    failed: set[frozenset[str]] | None = None,
    name: Callable[[int], str] = str,
) -> Algorithm:
    """Leave out all groups at once. If the candidate is not interesting, try one half, then the other, then their
    halves.

    At most ``most`` questions, the large halves first. ``failed`` has the names of elements that could not go together:
    no question is about these and others, and those of this search are added.
    """
    known = set() if failed is None else failed
    current = start
    waiting = [tuple(groups)] if groups else []
    while waiting and most > 0:
        block = waiting.pop(0)
        gone = {element for group in block for element in group}
        names = frozenset(map(name, gone))
        if not any(each <= names for each in known):
            candidate = tuple(element for element in current if element not in gone)
            most -= 1
            if (yield Test(candidate)):
                current = candidate
                continue
            known.add(names)
        if len(block) > 1:
            half = len(block) // 2
            waiting += [block[:half], block[half:]]
    return current
