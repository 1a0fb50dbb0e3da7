"""The search inside method bodies: where may a body end, and which of its instructions may go?

Elements are edits, and a candidate holds those that are *not* made: fewer elements, smaller bodies.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.questions import Algorithm, Candidate, Least, Minimiser, Prefixes, Weight


def reduce_bodies(elements: Candidate, chains: Sequence[Candidate], weight: Weight, minimiser: Minimiser) -> Algorithm:
    """First the cuts, a body at a time and the heaviest first, then all that is left by ``minimiser``.

    ``chains`` are the cuts of each body by rising offset. A cut makes those behind it moot, so the first that is
    made is what counts, and the least interesting prefix of the cuts *not* made is the shortest body.
    """
    kept = set(elements)
    for chain in sorted(chains, key=lambda chain: -sum(map(weight, chain))):
        base = tuple(element for element in elements if element in kept and element not in set(chain))
        least: int = yield Least(Prefixes(base, chain))
        kept.difference_update(chain[least:])
    return (yield from minimiser(tuple(element for element in elements if element in kept), weight))
