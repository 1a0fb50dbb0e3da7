"""ddmin, the delta debugging minimiser (DD02), and the one-minimal pass.

Two forms of ddmin: :func:`ddmin` as published, and :func:`complements_only`, which skips the tests of subsets and goes
on at the next complement after a success instead of starting over. Both results are 1-minimal: every single element of
the result is needed, given the others. :func:`one_minimal` follows a minimiser whose result may not be 1-minimal.
"""

from __future__ import annotations

from collections.abc import Callable

from core.search.questions import Algorithm, Candidate, First, Weight, Without

Split = Callable[[Candidate, int], list[Candidate]]


def split_evenly(elements: Candidate, n: int) -> list[Candidate]:
    """Return ``n`` parts whose sizes differ by at most one, longer parts first."""
    size, longer = divmod(len(elements), n)
    parts, start = [], 0
    for number in range(n):
        end = start + size + (number < longer)
        parts.append(elements[start:end])
        start = end
    return parts


def ddmin(elements: Candidate, *, split: Split = split_evenly, complements_at_two: bool = True) -> Algorithm:
    """Run the published algorithm: subsets, then complements, then finer parts.

    With two parts, the complements are the subsets again; ``complements_at_two=False`` skips these complements. The
    whole list and the empty list are never asked about.
    """
    current, n = elements, 2
    while len(current) >= 2:
        parts = split(current, n)
        index = yield First(parts)
        if index is not None:
            current, n = parts[index], 2
            continue
        if n > 2 or complements_at_two:
            complements = Without(current, parts)
            index = yield First(complements)
            if index is not None:
                current, n = complements[index], max(n - 1, 2)
                continue
        if n >= len(current):
            break
        n = min(2 * n, len(current))
    return current


def complements_only(elements: Candidate) -> Algorithm:
    """Run ddmin without subsets, and sweep on after a success: about half the tests."""
    current, n = elements, 2
    while len(current) >= 2:
        parts, start = split_evenly(current, min(n, len(current))), 0
        while len(parts) >= 2:
            complements = Without(current, parts[start:] + parts[:start])
            index = yield First(complements)
            if index is None:
                break
            start = (start + index) % len(parts)
            parts.pop(start)
            start %= len(parts)  # the part that followed the one dropped
            current = tuple(e for part in parts for e in part)
        if len(parts) >= len(current):
            break
        n = 2 * len(parts)
    return current


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


def naive(elements: Candidate) -> Algorithm:
    """Drop the first element that can go and start over: up to ``n * (n + 1) / 2`` tests of ``n`` elements."""
    return one_minimal(elements, restart=True)


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
