"""Questions about suggested candidates, before any search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.search.questions import Algorithm, Candidate, First, Test


@dataclass(eq=False)
class SuggestedFirst:
    """The search for the first interesting one of some candidates, which go from small to large."""

    start: Candidate
    candidates: Sequence[Candidate]
    answered: bool = field(default=False, init=False)
    """True if the search has ended by itself."""
    index: int | None = field(default=None, init=False)
    """Index of the interesting candidate; None if there is none."""

    def search(self) -> Algorithm:
        """Return the interesting candidate, or ``start`` if there is none."""
        self.index = (yield First(self.candidates)) if self.candidates else None
        self.answered = True
        return self.start if self.index is None else self.candidates[self.index]


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
