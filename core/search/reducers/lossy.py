"""Lossy encodings: every clause cut down to an edge, then binary reduction over closures (GBR21, section 4.3).

A set that is closed under the edges satisfies the clauses, so every candidate is valid; sets that satisfy a clause in
another way are out of reach.
"""

from __future__ import annotations

from core.search.questions import Algorithm
from core.search.reducers.binary import binary_reduction
from core.search.spaces.edge_closures import EdgeClosures


def lossy(space: EdgeClosures) -> Algorithm:
    """Binary reduction over the closures of a lossy encoding."""
    return binary_reduction(space.elements, space.cost)
