"""The prices of probes: how many bytes a probe must promise, round by round. One table; nothing else says a price.

A search that weighs what to expect gives way to the next one where no probe promises the price, and has its turn again
at a lower price. So no search goes on while another one promises more.
"""

from __future__ import annotations

from core.reduction.control import Patience

PRICES = (4e-4, 2e-4, 1e-4, 5e-5, 2e-5, 2e-5)
"""Share of the bytes that are left which a probe must promise, in each round. See decisions/007-prices.md."""

FIRST_BODIES = 0.01
"""The same share for the first search in method bodies: what its first edits free is worth more than its last edits.
See decisions/008-first-search-of-bodies.md."""

LEAST_WORTH = 0.5
"""Bytes that a probe must promise at least: below that, nobody would wait for a probe. See decisions/007-prices.md."""

ROUND_GAIN = 0.005
"""Share of the bytes that a round at the lowest price must gain for another round to follow.
See decisions/007-prices.md."""

FRUITLESS = Patience(300, 1 / 300)
"""A search that cannot weigh what to expect, and that others follow, ends when 300 probes in a row gained nothing: the
answers contradict each other, or are not monotone. See decisions/009-patience.md."""

_WINDOW = 40
"""Probes over which a one-minimal pass must bring its price on the average. What probes take does not count: the result
would depend on what else the machine does. See decisions/009-patience.md."""


def worth(share: float, size: int) -> float:
    """Return the bytes that a probe must promise where ``size`` bytes are left."""
    return max(LEAST_WORTH, share * size)


def is_lowest(share: float, size: int) -> bool:
    """Tell whether no later round has a lower price, where ``size`` bytes are left."""
    return worth(share, size) <= worth(PRICES[-1], size)


def patience_at(share: float, size: int) -> Patience:
    """Return what a one-minimal pass must bring, where ``size`` bytes are left."""
    return Patience(_WINDOW, worth(share, size))
