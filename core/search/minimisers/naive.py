"""The simplest way to a 1-minimal list: the baseline of the other minimisers."""

from __future__ import annotations

from core.search.minimisers.one_minimal import one_minimal
from core.search.questions import Algorithm, Candidate


def naive(elements: Candidate) -> Algorithm:
    """Drop the first element that can go and start over: up to ``n * (n + 1) / 2`` tests of ``n`` elements."""
    return one_minimal(elements, restart=True)
