"""What a one-minimal pass shows of its result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Certificate:
    """How minimal the result of the pass is.

    ``items`` are left. ``tried`` candidates were asked about, ``dropped`` of them were interesting; ``implied`` others
    are part of a set known not to be interesting, and were not asked about. ``complete``: every maximal valid set
    smaller than the result was asked about or is implied. Then no item can go; if the predicate is monotone, no valid
    part of the result is interesting. With ``implied`` > 0 both rest on the predicate being monotone.
    """

    items: int
    tried: int
    dropped: int
    implied: int
    complete: bool
