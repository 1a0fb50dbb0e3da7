"""The search inside method bodies: possible ends of a body, and other edits.

Elements are edits, and a candidate holds the edits that are *not* made: the fewer elements, the smaller the bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from core.search.chunks import Chunk, class_of
from core.search.phases import Knowledge, Level, Minimal, PhaseEffort, Pointers, Search, SearchEnding, phase
from core.search.priors import Priors
from core.search.questions import Algorithm, Candidate, Weight
from core.search.reducers.by_site import DividedInput, by_site
from core.search.reducers.complements import ItemAlgebra, complements
from core.search.sites import if_many
from core.search.spaces import Classes, SearchProblem
from core.sets import ItemSet, listed_by, mask_of

CUTS, EDITS = range(2)
"""Levels: the ends of bodies; from ``EDITS`` on the other edits, one level per kind. Kinds have priors of their own:
one failure needs control flow, another values, so edits of one kind can often go where edits of another kind cannot.
See decisions/020-edits-of-bodies.md.
"""

_PROVES = frozenset({Minimal.INSTRUCTIONS})


@dataclass(frozen=True)
class BodyEnds:
    """The possible ends of one body (the cuts of a chain) and its other edits, both by rising offset.

    A cut implies all later cuts of the chain, so the shortest body is found by bisection. Other edits are tried only
    when they lie before a cut that cannot be made. In a group with cuts, edits behind the true end would go together
    with cuts that leave more code than necessary.
    """

    chain: Candidate
    edits: Sequence[Chunk]
    weight: Weight
    count: int
    place: int
    names: Callable[[int], str]

    def chunks(self, low: int, high: int) -> Sequence[Chunk]:
        """Return the chunk of the last cut between ``low`` and ``high`` that frees at least half of the bytes in
        between. If no bytes are left to free, return the edits in between.
        """
        most = self._saved[low] - self._saved[high]
        if most <= 0:
            return self._edits(low, high)
        middle = max(cut for cut in range(low, high) if 2 * (self._saved[cut] - self._saved[high]) >= most)
        gone = mask_of(self.chain[middle:], self.count)
        return (
            Chunk(
                gone,
                gone,
                0,
                CUTS,
                self.place,
                lambda: (*self._edits(low, middle), *self.chunks(middle + 1, high)),
                lambda: self.chunks(low, middle),
                self._saved[middle] - self._saved[high],
                self.names(self.chain[middle]),
                class_of(self.names(self.chain[middle])),
            ),
        )

    @cached_property
    def _saved(self) -> list[int]:
        """Bytes that go with each cut and all later ones. A cut in a branch may save less than a later cut outside
        the branch.
        """
        weights = [0, *(self.weight(cut) for cut in reversed(self.chain))]
        return list(accumulate(weights, max))[::-1]

    def _edits(self, low: int, high: int) -> Sequence[Chunk]:
        """Return the edits between the cut before ``low`` and the cut ``high``."""
        first = 1 << self.chain[low - 1] if low else 0
        behind = 1 << self.chain[high] if high < len(self.chain) else 1 << self.count
        return [edit for edit in self.edits if first < edit.own < behind]


def body_chunks(problem: SearchProblem, elements: Candidate, *, most_is_used: bool) -> Iterator[Chunk]:
    """Yield the chunks of the bodies: their ends, and each edit that is no cut. If ``most_is_used``, few cuts are
    possible, and no edit waits for a cut.
    """
    weight = problem.sizes.__getitem__
    cuts = {cut for chain in problem.chains for cut in chain}
    places = {name: number for number, name in enumerate(dict.fromkeys(map(tuple, problem.groups)))}
    rivals = {element: len(row) for row in problem.alternatives for element in row}
    edits: dict[int, list[Chunk]] = {}
    for element in elements:
        if element not in cuts:
            one: ItemSet = 1 << element
            name = problem.names(element)
            place = places[tuple(problem.groups[element])]
            count = rivals.get(element, 1)
            level = EDITS + (problem.kinds[element] if problem.kinds else 0)
            chunk = Chunk(one, one, one, level, place, key=name, where=class_of(name), rivals=count)
            edits.setdefault(place, []).append(chunk)
    if most_is_used:
        yield from (edit for row in edits.values() for edit in row)
        edits.clear()
    for chain in problem.chains:
        place = places[tuple(problem.groups[chain[0]])]
        body = BodyEnds(chain, edits.pop(place, ()), weight, problem.count, place, problem.names)
        yield from body.chunks(0, len(chain))
    for rest in edits.values():
        yield from rest


@phase("bodies", Level.BODIES, weighs=True)
def BODIES(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search edits of all method bodies together, the most promising first."""
    space, learnt, ending = Classes(problem), knowledge.copy(), SearchEnding()
    algebra = ItemAlgebra(problem.bytes_of, left=ending.skip, written=problem.written_bytes)
    known = set() if effort.search.thorough else learnt.needed
    priors = Priors(known=known, history=learnt.history, what="bodies")

    def search_of(chunks: Sequence[Chunk]) -> Algorithm:
        start = mask_of(space.elements, problem.count)
        return complements(start, chunks, priors, algebra, effort.worth)

    chunks = tuple(body_chunks(problem, space.elements, most_is_used=learnt.mostly_used))
    sites = if_many(pointers.sites)
    if sites is None:
        return Search(space, search_of(chunks), learnt, ending, _PROVES)
    parts = listed_by(lambda chunk: sites.site_of(chunk.where), chunks)
    whole = DividedInput(mask_of(space.elements, problem.count), problem.count, sites.shown)
    algebra.sharing = whole.sharing
    together = by_site(whole, [(number, search_of(part)) for number, part in parts.items()])
    return Search(space, together, learnt, ending, _PROVES)
