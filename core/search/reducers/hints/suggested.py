"""Questions about suggested candidates, before any search."""

from __future__ import annotations

from collections.abc import Sequence

from core.search.questions import Algorithm, Candidate, First, Test


def suggested(start: Candidate, candidates: Sequence[Candidate], answers: list[int | None]) -> Algorithm:
    """Return the first interesting candidate, or ``start`` if none is. Candidates go from small to large.

    The index of the candidate, or None, is appended to ``answers``.
    """
    index: int | None = (yield First(candidates)) if candidates else None
    answers.append(index)
    return start if index is None else candidates[index]


def without_groups(start: Candidate, groups: Sequence[Candidate], most: int) -> Algorithm:
    """Leave out all groups at once. If the candidate is not interesting, try one half, then the other, then their
    halves.

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
