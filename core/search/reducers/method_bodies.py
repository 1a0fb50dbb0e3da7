"""The search inside method bodies: where may a body end, and which of its instructions may go?

Elements are edits, and a candidate holds those that are *not* made: fewer elements, smaller bodies.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.minimisers.probdd import wprobdd
from core.search.questions import Algorithm, Candidate, Least, Minimiser, Prefixes, Weight
from core.search.spaces.class_spaces import Classes, SearchProblem, Space
from core.search.specs import Level, Options, phase


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


_NEEDED_EDITS = 0.4
"""Share of the instructions of a body, reduced by items, that are expected to stay (of those that can be edited)."""


@phase("bodies", Level.BODIES, gradual=True)
def BODIES(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Edits of method bodies, the heaviest first, so that what the last probes gained tells what the next will."""
    space, weight = Classes(problem), problem.sizes.__getitem__
    return space, reduce_bodies(
        space.elements, problem.chains, weight, lambda elements, weight: wprobdd(elements, weight, _NEEDED_EDITS)
    )
