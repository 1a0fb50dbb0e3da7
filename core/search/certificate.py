"""The certificate of a one-minimal pass."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence that the result of a one-minimal pass is minimal.

    ``items`` are left. ``tried`` candidates were asked about, ``dropped`` of them were interesting. ``implied`` other
    candidates are subsets of an uninteresting set, and were not asked about. ``complete``: every maximal valid set
    smaller than the result was asked about or is implied. Then no item can go; if the predicate is monotone, no valid
    subset of the result is interesting. If ``implied`` > 0, both claims assume a monotone predicate.
    """

    items: int
    tried: int
    dropped: int
    implied: int
    complete: bool
