"""wddmin: delta debugging whose parts have equal weight, not equal length (WDD, Algorithm 1).

Two forms, as in :mod:`core.search.minimisers.ddmin`: :func:`wddmin` as published, and
:func:`weighted_complements_only`, about half the tests. Both results are 1-minimal. Weights below 1 count as 1.
"""

from __future__ import annotations

from core.search.minimisers.ddmin import one_minimal
from core.search.questions import Algorithm, Candidate, First, Weight, Without


def halves(part: Candidate, weight: Weight) -> tuple[Candidate, Candidate]:
    """Cut a part of two or more elements in two, as near to half its weight as the order allows.

    The element across the middle goes left if that cut is at least as near. Neither side is empty.
    """
    weights = [max(1, weight(element)) for element in part]
    half = sum(weights) // 2
    left, cut = 0, 0
    while left + weights[cut] <= half:
        left += weights[cut]
        cut += 1
    if left + weights[cut] - half <= half - left:
        cut += 1
    return part[:cut], part[cut:]


def refined(parts: list[Candidate], weight: Weight) -> list[Candidate]:
    """Return each part in two halves. Parts of one element leave the list."""
    return [half for part in parts if len(part) > 1 for half in halves(part, weight)]


def _without(parts: list[Candidate], index: int, current: Candidate, weight: Weight) -> list[Candidate]:
    """Return the other parts after one part went. A single part that makes up the whole list is refined at once: its
    test would add nothing.
    """
    left = parts[:index] + parts[index + 1 :]
    return refined(left, weight) if left == [current] else left


def wddmin(elements: Candidate, weight: Weight) -> Algorithm:
    """Ask about parts alone, complements of parts, then finer parts. Run the one-minimal pass in the end, which
    starts over at each success. The whole list and the empty list are never asked about.
    """
    current, parts = elements, refined([elements], weight)
    while parts:
        index = yield First(parts)
        if index is not None:
            current = parts[index]
            parts = refined([current], weight)
            continue
        complements = Without(current, parts)
        index = yield First(complements)
        if index is not None:
            current = complements[index]
            parts = _without(parts, index, current, weight)
        else:
            parts = refined(parts, weight)
    return (yield from one_minimal(current, restart=True))


def weighted_complements_only(elements: Candidate, weight: Weight) -> Algorithm:
    """Run wddmin without tests of parts alone, and sweep on after a success instead of starting over."""
    current, parts, start = elements, refined([elements], weight), 0
    while parts:
        complements = Without(current, parts[start:] + parts[:start])
        index = yield First(complements)
        if index is not None:
            current = complements[index]
            start = (start + index) % len(parts)
            parts = _without(parts, start, current, weight)
            start = start if start < len(parts) else 0
        else:
            parts, start = refined(parts, weight), 0
    return (yield from one_minimal(current))
