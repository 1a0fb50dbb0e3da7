"""The simplest way to a 1-minimal list: the baseline of the other minimisers."""

from __future__ import annotations

from core.search.lists import list_phase
from core.search.minimisers.one_minimal import one_minimal
from core.search.phases import algorithm, minimiser
from core.search.questions import Algorithm, Candidate


def naive(elements: Candidate) -> Algorithm:
    """Drop the first element that can go and start over: up to ``n * (n + 1) / 2`` tests of ``n`` elements."""
    return one_minimal(elements, restart=True)


NAIVE = minimiser("naive", lambda elements, weight: naive(elements), singles=True)


algorithm(
    "naive",
    "One closure at a time",
    "Drops one dependency closure after another and starts over: what the others are measured against.",
    place=90,
)(list_phase("closures", NAIVE))
