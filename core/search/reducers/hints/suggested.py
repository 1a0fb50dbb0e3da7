"""Candidates that somebody has reason to believe in, asked about before any search."""

from __future__ import annotations

from collections.abc import Sequence

from core.search.questions import Algorithm, Candidate, First, Test


def suggested(start: Candidate, candidates: Sequence[Candidate], answers: list[int | None]) -> Algorithm:
    """The first interesting one of the candidates, which go from small to large; ``start`` if none is.

    Its index, or None, is put into ``answers``.
    """
    index: int | None = (yield First(candidates)) if candidates else None
    answers.append(index)
    return start if index is None else candidates[index]


def without_groups(start: Candidate, groups: Sequence[Candidate], most: int) -> Algorithm:
    """Leaves out all the groups at once; where that is not interesting one half, then the other, then their halves.

    At most ``most`` questions, the large halves first.
    """
    current = start
    waiting = [tuple(groups)] if groups else []
    while waiting and most > 0:
        block = waiting.pop(0)
        gone = {element for group in block for element in group}
        candidate = tuple(element for element in current if element not in gone)
        most -= 1
        if (yield Test(candidate)):
            current = candidate
        elif len(block) > 1:
            half = len(block) // 2
            waiting += [block[:half], block[half:]]
    return current
