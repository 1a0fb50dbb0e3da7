"""Drops groups of chunks with everything that depends on them: ProbDD over valid complements, coarse to fine.

Every chunk has a chance of being needed. A probe drops the group with the most expected bytes per probe; a failure
raises the chance of each chunk of the group, by Bayes' rule (ProbDD, WDD Algorithm 2). Additions to ProbDD:

* *Valid*: a candidate is the largest valid subset without the group, so items that depend on the group fall too.
* *Coarse to fine*: chunks are the nodes of a tree. A chunk that cannot go alone is replaced by its parts. So one probe
  decides about a package, later probes about classes, members, code.
* *Learning*: the prior of an untried chunk comes from the results of tried chunks of its level.
* *Implication*: the needs of a needed chunk are needed, without a probe.
* *Hangs* cost several probes. A group that hung raises the hang risk of each of its chunks, and groups at risk come
  later. Later phases know the places that hung.
* *Price*: the search ends when no group promises ``worth`` bytes per probe. The expected gain decides, not the gain so
  far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from core.search.beliefs import Beliefs, ChunkGroup
from core.search.chunks import Chunk
from core.search.logic import BytesOf
from core.search.priors import Priors
from core.search.questions import Algorithm, Candidate, First, HungUp, Lazy
from core.sets import ItemSet, members

_LOOK_AHEAD = 8
"""Number of groups in one question, each on the assumption that the earlier ones cannot go. After a hang, 1: a hang
changes the expectations of the next group. See decisions/015-questions-in-rows.md.
"""

_EXPECTED_AHEAD = 3
"""Number of groups in a question that is only expected. See decisions/015-questions-in-rows.md."""


@dataclass
class ItemAlgebra:
    """The operations on sets of elements that a search by complements needs."""

    bytes_of: BytesOf
    largest: Callable[[ItemSet, ItemSet], ItemSet | None] = lambda kept, gone: kept & ~gone
    """Function that returns the largest valid subset of a valid set without some elements; None if there is none."""
    implied: Callable[[ItemSet], ItemSet] = lambda needed: needed
    """Function returning everything that some elements need."""
    needed: ItemSet = 0
    """Elements known to be needed."""
    left: Callable[[int], None] = lambda chunks: None
    """Function called at the end with the number of chunks that were not worth a probe."""
    written: BytesOf | None = None
    """Function that returns the bytes of a set as written; None if ``bytes_of`` is exact."""
    sharing: Callable[[], int] = lambda: 1
    """Function returning the number of searches that share each probe. A group needs only this fraction of ``worth``.
    """

    def size(self, kept: ItemSet) -> int:
        """Return the bytes of a set, of the written candidate if possible."""
        return (self.written or self.bytes_of)(kept)


def complements(
    start: ItemSet, chunks: Sequence[Chunk], priors: Priors, algebra: ItemAlgebra, worth: float
) -> Algorithm:
    """Drop chunks of ``start`` until no group promises ``worth`` bytes per probe."""
    kept, needed = start, algebra.needed & start
    beliefs = Beliefs.of(chunks, kept, priors, algebra.bytes_of)
    if needed:
        beliefs = beliefs.settled(algebra.implied(needed) & kept, kept)
    state = _State(kept, needed, beliefs, algebra, worth)
    while row := state.row(1 if priors.of_hanging.hung else _LOOK_AHEAD):
        index: int | None = yield state.question(row)
        hung: list[bool] = []
        for candidate in row[:index]:
            hangs: bool = yield HungUp(candidate)
            hung += [hangs]
        state = state.after(row, index, hung)
    algebra.left(len(state.beliefs.chunks))
    return members(state.kept)


@dataclass(frozen=True)
class _State:
    """The state of a search between two questions. The priors of its beliefs are mutable."""

    kept: ItemSet
    needed: ItemSet
    beliefs: Beliefs
    algebra: ItemAlgebra
    worth: float

    def row(self, most: int) -> _Row:
        """Return at most ``most`` groups, each on the assumption that the earlier ones cannot go."""
        groups = self.beliefs.if_all_fail(self.worth / max(1, self.algebra.sharing()))
        return _Row(self.kept, tuple(islice(groups, most)), self.algebra.largest)

    def question(self, row: _Row) -> First:
        """Return the question for the first group of a row that can go."""
        return First(row, partial(self._expected, row))

    def _expected(self, row: _Row, index: int | None) -> First | None:
        """Return the first groups of the next question after an answer, if no candidate hung."""
        beliefs = replace(self.beliefs, priors=self.beliefs.priors.copy())
        failed = [False] * len(row.groups[:index])
        algebra = replace(self.algebra, written=None)  # what nobody asked about yet is not written
        state = replace(self, beliefs=beliefs, algebra=algebra).after(row, index, failed)
        following = state.row(_EXPECTED_AHEAD)
        return state.question(following) if following else None

    def after(self, row: _Row, index: int | None, hung: Sequence[bool]) -> _State:
        """Return the state after an answer. ``hung`` has a flag for each uninteresting candidate: did its probe
        hang?
        """
        kept, needed, beliefs = self.kept, self.needed, self.beliefs
        for group, hangs in zip(row.groups[:index], hung, strict=True):
            beliefs.priors.of_hanging.hung += hangs
            beliefs, alone = beliefs.failed(group, hung=hangs)
            if alone is not None:
                needed |= alone.own
                beliefs = beliefs.settled(self.algebra.implied(needed) & kept, kept)
        if index is not None:
            kept = row.kept(index)
            freed = self.algebra.size(self.kept) - self.algebra.size(kept)
            beliefs = beliefs.dropped(row.groups[index], kept, freed)
        return replace(self, kept=kept, needed=needed, beliefs=beliefs)


class _Row(Lazy):
    """The candidates of a question: the largest valid subset without each group."""

    def __init__(
        self, kept: ItemSet, groups: Sequence[ChunkGroup], largest: Callable[[ItemSet, ItemSet], ItemSet | None]
    ) -> None:
        self.groups = groups
        self._kept = kept
        self._largest = largest
        self._made: dict[int, ItemSet] = {}

    def __len__(self) -> int:
        return len(self.groups)

    def kept(self, index: int) -> ItemSet:
        """Return the candidate as a set; the current set if the group cannot go."""
        if index not in self._made:
            found = self._largest(self._kept, self.groups[index].gone)
            self._made[index] = self._kept if found is None else found
        return self._made[index]

    def _at(self, index: int) -> Candidate:
        return members(self.kept(index))
