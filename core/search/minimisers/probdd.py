"""Probabilistic delta debugging: ProbDD, and wProbDD which weighs (seed 002, Algorithm 2).

Every element has a probability of being needed. Each test drops the group with the greatest
expected gain; a failure makes each of its elements likelier, by Bayes' rule. Ties keep the order
of the elements. ``p0``, the probability at the start, is the share of the elements that is
expected to stay.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.search.minimisers.one_minimal import one_minimal
from core.search.questions import Algorithm, Candidate, First, Weight, Without

_LOOK_AHEAD = 8
"""Tests asked about at once, each on the assumption that those before it fail: what a driver may run side by side."""

_EQUAL = 1 - 1e-12
"""Gains that differ by less are equal: 10 * 0.9**10 is 9 * 0.9**9, but not in floating point."""

_SURE = 1 - 1e-9
"""Above this a probability counts as 1, lest a group's failure raise it by less than a double can hold."""

_Floats = NDArray[np.float64]
_Positions = NDArray[np.intp]
_Choice = Callable[[_Floats, _Floats], _Positions]
"""Positions to drop next, of the probabilities and the weights of the elements that are not settled."""


def probdd(elements: Candidate, p0: float = 0.1, threshold: float = 1.0, *, minimal: bool = False) -> Algorithm:
    """Drops the least needed elements, as many as ``size * prod(1 - p)`` does not fall for.

    An element is settled when its probability reaches ``threshold``. With threshold 1 each one left
    has failed on its own, so the result is 1-minimal if the predicate is monotone. ``minimal`` appends
    the one-minimal pass, which promises it for every predicate. ValueError unless ``0 < p0 < threshold <= 1``.
    """
    _check(p0, threshold)
    return _search(elements, np.ones(len(elements)), p0, threshold, _longest, None, minimal)


def wprobdd(
    elements: Candidate, weight: Weight, p0: float = 0.1, threshold: float = 1.0, *, minimal: bool | None = None
) -> Algorithm:
    """Drops the elements with the greatest ``w * (1 - p)``, as many as make ``sum(w) * prod(1 - p)`` greatest.

    As :func:`probdd`, but below threshold 1 a fifth of the results is not 1-minimal even where the
    predicate is monotone, so there the one-minimal pass follows unless ``minimal`` is False.
    """
    _check(p0, threshold)
    weights = np.array([max(1, weight(element)) for element in elements], dtype=np.float64)
    return _search(elements, weights, p0, threshold, _greatest, weight, threshold < 1 if minimal is None else minimal)


def _check(p0: float, threshold: float) -> None:
    if not 0 < p0 < threshold <= 1:
        raise ValueError(f"need 0 < p0 < threshold <= 1, not p0 = {p0}, threshold = {threshold}")


def raised(p: _Floats) -> _Floats:
    """Probabilities of the elements of a group that could not go, given those before the test."""
    if p.size == 1:
        return np.ones(1)  # p / (1 - (1 - p)) is below 1 for many doubles, and would never get there
    after = p / (1 - np.prod(1 - p))
    after[after > _SURE] = 1.0
    return after


def _longest(p: _Floats, _: _Floats) -> _Positions:
    order = np.argsort(p, kind="stable")
    gain = np.arange(1, p.size + 1) * np.cumprod(1 - p[order])
    falls = np.flatnonzero(gain[1:] < gain[:-1] * _EQUAL)
    return order[: falls[0] + 1] if falls.size else order


def _greatest(p: _Floats, weights: _Floats) -> _Positions:
    order = np.argsort(-weights * (1 - p), kind="stable")
    gain = np.cumsum(weights[order]) * np.cumprod(1 - p[order])
    return order[: np.argmax(gain >= gain.max() * _EQUAL) + 1]


def _search(
    elements: Candidate,
    weights: _Floats,
    p0: float,
    threshold: float,
    choose: _Choice,
    weight: Weight | None,
    minimal: bool,
) -> Algorithm:
    current, p = elements, np.full(len(elements), p0)
    while True:
        # what would be tested if test after test failed, and the probabilities before each
        groups: list[_Positions] = []
        before: list[_Floats] = []
        after = p
        while len(groups) < _LOOK_AHEAD and (open_ := np.flatnonzero(after < threshold)).size:
            group = np.sort(open_[choose(after[open_], weights[open_])])
            if group.size < after.size:  # the empty list is never asked about: taken as failed
                groups.append(group)
                before.append(after)
            after = after.copy()
            after[group] = raised(after[group])
        if not groups:
            break
        candidates = Without(current, [tuple(current[position] for position in group) for group in groups])
        index = yield First(candidates)
        if index is None:
            p = after
        else:
            current, p = candidates[index], np.delete(before[index], groups[index])
            weights = np.delete(weights, groups[index])
    return (yield from one_minimal(current, weight)) if minimal else current
