"""Binary reduction (seed 000, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable

from core.search.questions import Algorithm, Candidate, Least, Prefixes, Test


def binary_reduction(elements: Candidate, cost: Callable[[Candidate], int]) -> Algorithm:
    """Finds one needed element at a time, the last of the least interesting prefix.

    ``cost`` is that of the union of a candidate's elements; cheap elements come first, and
    ties keep the order of ``elements``. About ``s * log2(n)`` tests for ``s`` needed ones.
    """
    found: Candidate = ()
    rest = elements
    while not (yield Test(found)):
        rest = tuple(sorted(rest, key=lambda element: cost((*found, element))))
        least: int = yield Least(Prefixes(found, rest))
        if least == 0:  # only when two tests of one candidate disagree
            break
        found += (rest[least - 1],)
        rest = rest[: least - 1]
    return found
