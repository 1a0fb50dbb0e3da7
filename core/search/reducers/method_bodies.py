"""The search inside method bodies: where may a body end, and which of its instructions may go?

Elements are edits, and a candidate holds those that are *not* made: fewer elements, smaller bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.search.beliefs import Chunk, Shares, class_of
from core.search.item_sets import ItemSet, mask_of
from core.search.questions import Algorithm, Candidate, Weight
from core.search.reducers.complements import Ground, complements
from core.search.spaces.class_spaces import Classes, SearchProblem, Space
from core.search.specs import Level, Options, phase

CUTS, EDITS = range(2)
"""Levels: where a body ends; other edits."""

_EXPECTED = (0.5, 0.4)
"""Chance that a body needs its second half; share of the other edits that cannot be made."""


@dataclass(frozen=True)
class BodyEnds:
    """Where a body may end: before the cuts of its chain, by rising offset.

    A cut makes those behind it moot, so the first that is made is what counts: the shortest body is found by halving.
    """

    chain: Candidate
    weight: Weight
    count: int
    place: int
    names: Callable[[int], str]

    def chunks(self, low: int, high: int) -> Sequence[Chunk]:
        """The cut halfway, of those from ``low`` to ``high`` (that one is made already, or is the end)."""
        if low >= high:
            return ()
        middle = (low + high) // 2
        gone = mask_of(self.chain[middle:], self.count)
        spared = self.weight(self.chain[high]) if high < len(self.chain) else 0
        return (
            Chunk(
                gone,
                gone,
                0,
                CUTS,
                self.place,
                lambda: self.chunks(middle + 1, high),
                lambda: self.chunks(low, middle),
                max(1, self.weight(self.chain[middle]) - spared),
                self.names(self.chain[middle]),
                class_of(self.names(self.chain[middle])),
            ),
        )


def body_chunks(problem: SearchProblem, elements: Candidate) -> Iterator[Chunk]:
    """What may go of the bodies: their ends, and each edit that is no cut."""
    weight = problem.sizes.__getitem__
    cuts: set[int] = set()
    places = {name: number for number, name in enumerate(dict.fromkeys(map(tuple, problem.groups)))}
    for chain in problem.chains:
        cuts.update(chain)
        yield from BodyEnds(
            chain, weight, problem.count, places[tuple(problem.groups[chain[0]])], problem.names
        ).chunks(0, len(chain))
    rivals = {element: len(row) for row in problem.alternatives for element in row}
    for element in elements:
        if element not in cuts:
            one: ItemSet = 1 << element
            name = problem.names(element)
            place = places[tuple(problem.groups[element])]
            yield Chunk(one, one, one, EDITS, place, key=name, where=class_of(name), rivals=rivals.get(element, 1))


def reduce_bodies(problem: SearchProblem, elements: Candidate, options: Options) -> Algorithm:
    """Ends and edits of all bodies together, what promises most first."""
    start = mask_of(elements, problem.count)
    ground = Ground(problem.bytes_of, left=options.leave, written=problem.written_bytes)
    shares = Shares(_EXPECTED, options.known, options.experience, "bodies")
    return complements(start, tuple(body_chunks(problem, elements)), shares, ground, options.worth)


@phase("bodies", Level.BODIES, patient=True)
def BODIES(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Edits of method bodies, as long as they promise enough."""
    space = Classes(problem)
    return space, reduce_bodies(problem, space.elements, options)
