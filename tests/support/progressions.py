"""The parts of a propagator's progression."""

from __future__ import annotations

from itertools import pairwise


def split(progression: tuple[list[int], list[int]]) -> list[list[int]]:
    """Return the additions of each part: the variables from the end of the part before it to its own."""
    trail, ends = progression
    return [trail[start:end] for start, end in pairwise([0, *ends])]
