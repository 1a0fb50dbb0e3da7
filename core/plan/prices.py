"""The prices of probes, by round. No other module has prices.

A probe *promises* the bytes that it is expected to free. A search that weighs its gains ends when no probe promises the
price, and gets another turn at a lower price. So no search goes on while another one promises more.
"""

from __future__ import annotations

from core.reduction.control import Patience

PRICES = (4e-4, 2e-4, 1e-4, 5e-5, 2e-5, 2e-5)
"""Least expected gain per probe, as a share of the remaining bytes, by round. See decisions/007-prices.md."""

AFTER_REWRITING = 5e-3
"""The same share for a removal after a rewriting: most of what is left was needed before, under other names.
See decisions/007-prices.md."""

LEAST_WORTH = 0.5
"""Lower bound of every price, in bytes per probe: a smaller promise is worth no wait. See decisions/007-prices.md."""


FRUITLESS = Patience(300, 1 / 300)
"""Patience with a search that cannot weigh its gains and is followed by others: 300 probes in a row without a gain.
After 300 such probes, answers contradict each other or are not monotone. See decisions/009-patience.md.
"""

UNDER_NEW_NAMES = Patience(20, 1 / 20)
"""Patience with the one-minimal pass over a result with neutral names: 20 probes. They find inputs near the result that
do not fail. See decisions/009-patience.md.
"""

_WINDOW = 40
"""Number of probes over which a one-minimal pass must gain its price on average. The time of probes does not count:
then the result would depend on the load of the machine. See decisions/009-patience.md.
"""


_WHOLE = 20
"""The same number for candidates of whole classes with what they mention: if a tool needs more than this, all such
candidates fail. See decisions/010-classes-of-large-inputs.md."""


def worth(share: float, size: int) -> float:
    """Return the bytes that a probe must promise when ``size`` bytes remain."""
    return max(LEAST_WORTH, share * size)


def is_lowest(share: float, size: int) -> bool:
    """Return True if no later round has a lower price, when ``size`` bytes remain."""
    return worth(share, size) <= worth(PRICES[-1], size)


def patience_at(share: float, size: int, *, whole: bool = False) -> Patience:
    """Return the patience with a one-minimal pass, or with ``whole`` classes, when ``size`` bytes remain."""
    return Patience(_WHOLE if whole else _WINDOW, worth(share, size))
