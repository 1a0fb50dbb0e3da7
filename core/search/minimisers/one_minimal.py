"""The one-minimal pass: no single element of the result can go.

Run after a minimiser that does not promise this on its own (wddmin, ProbDD, CDD on a
predicate that is not monotone). Neither the whole list nor the empty list is ever asked about.
"""

from __future__ import annotations

from core.search.phases import PhaseEffort, minimiser
from core.search.questions import Algorithm, Candidate, First, Minimiser, Weight, Without


def one_minimal(elements: Candidate, weight: Weight | None = None, *, restart: bool = False) -> Algorithm:
    """Drops single elements, in order or (with ``weight``) the heaviest first, until none can go.

    After a success it goes on behind the element that went, and at the end comes round to those
    before it; with ``restart`` it starts over at once (WDD, Algorithm 1, ``EnsureOneMinimal``).
    """
    order = elements if weight is None else sorted(elements, key=lambda element: -max(1, weight(element)))
    current, singles = elements, [(element,) for element in order]
    while len(current) >= 2:
        candidates = Without(current, singles)
        index = yield First(candidates)
        if index is None:
            break
        current = candidates[index]
        before, behind = singles[:index], singles[index + 1 :]
        singles = before + behind if restart else behind + before
    return current


@minimiser("single", singles=True)
def SINGLE(effort: PhaseEffort) -> Minimiser:
    """The one-minimal pass on its own, the heaviest first."""
    return lambda elements, weight: one_minimal(elements, weight)
