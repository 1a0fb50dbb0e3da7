"""Where method bodies may end, as items: what stands behind such a place needs what stands before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from core.search.questions import Candidate
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet

_STEPS = 8
"""Parts of the bytes that may go: ends that are nearer to each other than one of these are not told apart.
See decisions/019-ends-of-bodies.md."""


class BodySteps:
    """Edits of which only ends of bodies may be made, by steps; a step is needed by those behind it in its body.

    Its progressions are as :class:`core.search.logic.Progressive` has them.
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.count = problem.count
        bodies = sorted(_bodies(problem), key=lambda body: problem.sizes[body[0][0]])
        self.order = [step[0] for body in bodies for step in body]
        """An end of each step: the lightest body first, each as it is written."""
        self._needs: dict[int, Candidate] = {}
        """Ends by the first one of each step: all of that step and those before it."""
        for body in bodies:
            for step, ends in zip(body, accumulate(body), strict=True):
                self._needs[step[0]] = ends
        free = {end for body in bodies for step in body for end in step}
        self._stay = [edit for edit in range(self.count) if edit not in free]

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """D0, D1, ...: the edits that are never made with a step of each learned set, then what each further step
        adds."""
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
    """The ends of each body as they are written, in steps that are made together: one end may be of a branch, round
    which others go."""
    freed = [
        list(accumulate((problem.sizes[end] for end in reversed(chain)), max))[::-1] for chain in problem.chains
    ]  # one behind may save more than one in a branch
    least = sum(row[0] for row in freed) / _STEPS
    for chain, row in zip(problem.chains, freed, strict=True):
        if row[0] < least:
            continue
        starts = [0]
        for place, saved in enumerate(row):
            if row[starts[-1]] - saved >= least:
                starts.append(place)
        yield [chain[start:stop] for start, stop in pairwise([*starts, len(chain)])]
