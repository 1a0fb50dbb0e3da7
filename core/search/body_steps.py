"""Ends of method bodies, for binary reduction: an end needs all earlier ends of its body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from core.search.questions import Candidate
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet

_STEPS = 8
"""Number of steps into which the removable bytes of all bodies are divided. Ends that are nearer to each other than
one step are dropped together. See decisions/019-ends-of-bodies.md.
"""


class BodySteps:
    """The ends of method bodies, in steps, as a :class:`core.search.logic.Progressive`. A step needs the earlier
    steps of its body. Edits that end no body stay in every set.
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.count = problem.count
        bodies = sorted(_bodies(problem), key=lambda body: problem.sizes[body[0][0]])
        self.order = [step[0] for body in bodies for step in body]
        """The first end of each step: bodies by rising bytes, the ends of a body in the order of its code."""
        self._needs: dict[int, Candidate] = {}
        """Ends of a step and of all earlier steps of its body, by the first end of the step."""
        for body in bodies:
            for step, ends in zip(body, accumulate(body), strict=True):
                self._needs[step[0]] = ends
        free = {end for body in bodies for step in body for end in step}
        self._stay = [edit for edit in range(self.count) if edit not in free]

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """Return D0, D1, ...: first the edits that stay with a step of each learned set, then the ends of each further
        step.
        """
        inside = [end for end in order if within is None or within >> end & 1]
        parts, held = [self._stay[:]], set(self._stay)

        def add(end: int) -> list[int]:
            new = [other for other in self._needs[end] if other not in held]
            held.update(new)
            return new

        for one in map(set, learned):
            if held.isdisjoint(one):
                parts[0] += add(next(end for end in inside if end in one))
        parts += [add(end) for end in inside if end not in held]
        return parts


def _bodies(problem: SearchProblem) -> Iterator[Sequence[Candidate]]:
    """Yield the ends of each body in the order of its code, in steps of at least 1 / ``_STEPS`` of the removable
    bytes. A step may hold several ends, because an end in a branch may save less than a later end outside the
    branch.
    """
    freed = [
        list(accumulate((problem.sizes[end] for end in reversed(chain)), max))[::-1] for chain in problem.chains
    ]  # a later end may save more than an end in a branch
    least = sum(row[0] for row in freed) / _STEPS
    for chain, row in zip(problem.chains, freed, strict=True):
        if row[0] < least:
            continue
        starts = [0]
        for place, saved in enumerate(row):
            if row[starts[-1]] - saved >= least:
                starts.append(place)
        yield [chain[start:stop] for start, stop in pairwise([*starts, len(chain)])]
