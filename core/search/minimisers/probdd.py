"""Probabilistic delta debugging: ProbDD, and wProbDD with weights (WDD, Algorithm 2).

Every element has a probability of being needed. Each test drops the group with the greatest expected gain. A failure
raises the probability of each element of the group, by Bayes' rule. Ties keep the order of the elements. ``p0``, the
prior probability, is the expected share of needed elements.

CDD counts instead: while no test succeeds, ProbDD's probabilities grow by a constant factor in each round. So the size
of the groups depends on the number of the round alone (Zhang et al., "Toward a Better Understanding of Probabilistic
Delta Debugging").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.search.beliefs import raised
from core.search.questions import Algorithm, Candidate, First, Weight, Without

EXPECTED = 0.1
"""Expected share of needed elements in a list: the p0 of the probabilistic minimisers.
See decisions/012-expected-shares.md.
"""

_LOOK_AHEAD = 8
"""Number of tests in one question, each on the assumption that the earlier ones fail. A driver may run these tests
side by side. See decisions/015-questions-in-rows.md.
"""

_EQUAL = 1 - 1e-12
"""Ratio above which two gains count as equal: 10 * 0.9**10 is 9 * 0.9**9, but not in floating point.
See decisions/032-equal-and-certain.md.
"""


_Floats = NDArray[np.float64]
_Positions = NDArray[np.intp]
_Choice = Callable[[_Floats, _Floats], _Positions]
"""Function of the probabilities and weights of the unsettled elements. Returns the positions to drop next."""


def probdd(elements: Candidate, p0: float = 0.1, threshold: float = 1.0) -> Algorithm:
    """Drop the elements least likely to be needed: one more as long as ``size * prod(1 - p)`` does not fall.

    An element is settled when its probability reaches ``threshold``. With threshold 1, each element of the result has
    failed alone, so the result is 1-minimal if the predicate is monotone. ValueError unless ``0 < p0 < threshold <=
    1``.
    """
    _check(p0, threshold)
    return _search(_Beliefs(elements, np.ones(len(elements)), np.full(len(elements), p0)), threshold, _longest)


def wprobdd(elements: Candidate, weight: Weight, p0: float = 0.1, threshold: float = 1.0) -> Algorithm:
    """Drop the elements with the greatest ``w * (1 - p)``, as many as maximise ``sum(w) * prod(1 - p)``.

    The parameters are those of :func:`probdd`. Below threshold 1, a fifth of the results is not 1-minimal even if the
    predicate is monotone: then the one-minimal pass (:mod:`core.search.minimisers.ddmin`) should follow.
    """
    _check(p0, threshold)
    weights = np.array([max(1, weight(element)) for element in elements], dtype=np.float64)
    return _search(_Beliefs(elements, weights, np.full(len(elements), p0)), threshold, _greatest)


def _check(p0: float, threshold: float) -> None:
    if not 0 < p0 < threshold <= 1:
        raise ValueError(f"need 0 < p0 < threshold <= 1, not p0 = {p0}, threshold = {threshold}")


def _longest(p: _Floats, _: _Floats) -> _Positions:
    order = np.argsort(p, kind="stable")
    gain = np.arange(1, p.size + 1) * np.cumprod(1 - p[order])
    falls = np.flatnonzero(gain[1:] < gain[:-1] * _EQUAL)
    return order[: falls[0] + 1] if falls.size else order


def _greatest(p: _Floats, weights: _Floats) -> _Positions:
    order = np.argsort(-weights * (1 - p), kind="stable")
    gain = np.cumsum(weights[order]) * np.cumprod(1 - p[order])
    return order[: np.argmax(gain >= gain.max() * _EQUAL) + 1]


@dataclass(frozen=True)
class _Beliefs:
    """The elements of the current list; elements, weights and probabilities are parallel."""

    elements: Candidate
    weights: _Floats
    p: _Floats

    def unsettled(self, threshold: float) -> _Positions:
        """Return the positions of the elements with a probability below ``threshold``."""
        return np.flatnonzero(self.p < threshold)

    def dropped(self, group: _Positions) -> _Beliefs:
        """Return the beliefs after a group went."""
        left = Without(self.elements, [self.named(group)])[0]
        return _Beliefs(left, np.delete(self.weights, group), np.delete(self.p, group))

    def failed(self, group: _Positions) -> _Beliefs:
        """Return the beliefs after a group could not go."""
        p = self.p.copy()
        p[group] = raised(p[group])
        return _Beliefs(self.elements, self.weights, p)

    def named(self, group: _Positions) -> Candidate:
        """Return the elements of a group."""
        return tuple(self.elements[position] for position in group)


def _search(beliefs: _Beliefs, threshold: float, choose: _Choice) -> Algorithm:
    """Ask about groups. Drop the first group that can go, or raise the probabilities of all groups if none can."""
    while ahead := list(islice(_if_all_before_fail(beliefs, threshold, choose), _LOOK_AHEAD)):
        groups = [before.named(group) for before, group in ahead]
        index: int | None = yield First(Without(beliefs.elements, groups))
        before, group = ahead[-1 if index is None else index]
        beliefs = before.failed(group) if index is None else before.dropped(group)
    return beliefs.elements


def _if_all_before_fail(beliefs: _Beliefs, threshold: float, choose: _Choice) -> Iterator[tuple[_Beliefs, _Positions]]:
    """Yield the groups to drop, each on the assumption that the earlier ones fail, with the beliefs before its test."""
    while (unsettled := beliefs.unsettled(threshold)).size:
        group = np.sort(unsettled[choose(beliefs.p[unsettled], beliefs.weights[unsettled])])
        if group.size < len(beliefs.elements):  # the empty list is never asked about: taken as failed
            yield beliefs, group
        beliefs = beliefs.failed(group)


_GROWTH = 1 / (1 - math.exp(-1))
"""Factor by which ``p / (1 - prod(1 - p))`` raises a probability per round. A group of the best size can go with
probability of about 1/e. See decisions/032-equal-and-certain.md.
"""


def schedule(p0: float) -> tuple[tuple[float, int], ...]:
    """Return the rounds, each a probability of being needed and a chunk size. The last size is 1.

    The size maximises ``size * (1 - p) ** size``; of two equally good sizes, the larger. ValueError unless ``0 < p0 <
    1``.
    """
    if not 0 < p0 < 1:
        raise ValueError(f"need 0 < p0 < 1, not {p0}")
    rounds, p = [], p0
    while True:
        size = max(1, int(1 / p + 1e-9))
        rounds.append((p, size))
        if size == 1:
            return tuple(rounds)
        p *= _GROWTH


def cdd(elements: Candidate, p0: float = 0.1) -> Algorithm:
    """Sweep over chunks of the list once per round, and drop each chunk that can go. ``p0`` is the expected share of
    needed elements.

    The last round tries single elements, so the result is 1-minimal if the predicate is monotone. Neither the whole
    list nor the empty list is ever asked about.
    """
    return _sweeps(elements, [size for _, size in schedule(p0)])


def _sweeps(elements: Candidate, sizes: list[int]) -> Algorithm:
    current = elements
    for size in sizes:
        chunks = [current[start : start + size] for start in range(0, len(current), size)]
        while chunks and len(chunks[0]) < len(current):
            candidates = Without(current, chunks)
            index = yield First(candidates)
            if index is None:
                break
            current, chunks = candidates[index], chunks[index + 1 :]
    return current
