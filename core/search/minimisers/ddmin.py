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
