"""The one-minimal pass: no single element of the result can go.

Run the pass after a minimiser whose result may not be 1-minimal: wddmin, ProbDD, or CDD on a non-monotone predicate.
Neither the whole list nor the empty list is ever asked about.
"""

from __future__ import annotations

from core.search.questions import Algorithm, Candidate, First, Weight, Without


def one_minimal(elements: Candidate, weight: Weight | None = None, *, restart: bool = False) -> Algorithm:
    """Drop single elements, in order or (with ``weight``) the heaviest first, until none can go.

    After a success, the pass goes on behind the dropped element and comes round to the earlier elements at the end.
    With ``restart`` the pass starts over at once (WDD, Algorithm 1, ``EnsureOneMinimal``).
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
