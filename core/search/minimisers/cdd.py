"""CDD, delta debugging by counters: ProbDD's sizes of groups without its probabilities.

While no test succeeds, ProbDD's probabilities grow by a constant factor in each round. So the size of the groups
depends on the number of the round alone (Zhang et al., "Toward a Better Understanding of Probabilistic Delta
Debugging").
"""

from __future__ import annotations

import math

from core.search.questions import Algorithm, Candidate, First, Without

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
