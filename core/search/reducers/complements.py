"""Drops groups of chunks with all that depends on them: ProbDD over valid complements, coarse to fine.

Every chunk has a chance of being needed. A probe drops the group that promises the most bytes for its price; a failure
makes each chunk of the group likelier to be needed, by Bayes' rule (ProbDD, WDD Algorithm 2). What is new here:

* *Valid*: asked about is the largest valid subset without the group, so that what depends on it falls too.
* *Coarse to fine*: chunks are the nodes of a tree. One that cannot go on its own gives way to those below it, so one
  probe speaks for a package, then for classes, members, code.
* *Learning*: chunks of a level that were not tried yet are as likely to be needed as those that were.
* *Tied*: a chunk is as likely to go as all that falls with it. The more that is, the more goes, and the less likely.
* *Implied*: what a needed chunk needs is needed, without a probe.
* *Hanging candidates* cost several probes. A group that ran out of time makes each of its chunks likelier to do so
  again, and such groups come later; the more of the time they take, the dearer they are. Where they came from is
  remembered by later phases.
* *Price*: it ends when no group promises ``worth`` bytes for a probe. That is its expected gain, not its luck so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from core.search.beliefs import Beliefs, Bundle
from core.search.chunks import Chunk
from core.search.priors import Priors
from core.search.questions import Algorithm, Candidate, First, HungUp, Lazy
from core.sets import ItemSet, members

_LOOK_AHEAD = 8
"""Groups asked about at once, each on the assumption that those before it cannot go; one where candidates hang, for
that changes what is expected of the next. See decisions/015-questions-in-rows.md."""

_EXPECTED_AHEAD = 3
"""Groups of a question that is only expected. See decisions/015-questions-in-rows.md."""


@dataclass
class ItemAlgebra:
    """What is searched: sets of elements, and what follows from validity."""

    bytes_of: Callable[[ItemSet], int]
    largest: Callable[[ItemSet, ItemSet], ItemSet | None] = lambda kept, gone: kept & ~gone
    """The largest valid subset of a valid set without these; None if there is none."""
    implied: Callable[[ItemSet], ItemSet] = lambda needed: needed
    """All that is needed where these are."""
    needed: ItemSet = 0
    """Elements that are known to be needed."""
    left: Callable[[int], None] = lambda chunks: None
    """Is told at the end how many chunks were not worth a probe."""
    written: Callable[[ItemSet], int] | None = None
    """Bytes of a set as it is written, where ``bytes_of`` only estimates them."""
    sharing: Callable[[], int] = lambda: 1
    """How many searches each probe serves: of each it must promise but its share of the price."""
    some: Callable[[ItemSet, ItemSet], ItemSet | None] | None = None
    """A large valid subset, found in less time; where that is not given, what falls with a chunk is not looked up."""

    def size(self, kept: ItemSet) -> int:
        """Bytes of a set as exactly as they are known."""
        return (self.written or self.bytes_of)(kept)


def complements(
    start: ItemSet, chunks: Sequence[Chunk], priors: Priors, algebra: ItemAlgebra, worth: float
) -> Algorithm:
    """Drops chunks of ``start`` until no group of them promises ``worth`` bytes a probe."""
    kept, needed = start, algebra.needed & start
    beliefs = Beliefs.of(chunks, kept, priors, algebra.bytes_of)
    if needed:
        beliefs = beliefs.settled(algebra.implied(needed) & kept, kept)
    state = _State(kept, needed, beliefs, algebra, worth)
    while row := (state := state.looked_up()).row(1 if priors.of_hanging.hung else _LOOK_AHEAD):
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
    """Where a search stands. The priors of its beliefs change as it goes on."""

    kept: ItemSet
    needed: ItemSet
    beliefs: Beliefs
    algebra: ItemAlgebra
    worth: float

    def looked_up(self) -> _State:
        """The same, where it is known what falls with the chunks that come next."""
        some, kept, bytes_of = self.algebra.some, self.kept, self.algebra.bytes_of
        if some is None:
            return self

        def fall(gone: ItemSet) -> int:
            left = some(kept, gone)
            return bytes_of(kept if left is None else kept & ~left)

        return replace(self, beliefs=self.beliefs.looked_up(fall))

    def row(self, most: int) -> _Row:
        """At most so many groups, each on the assumption that those before it cannot go."""
        groups = self.beliefs.if_all_fail(self.worth / max(1, self.algebra.sharing()))
        return _Row(self.kept, tuple(islice(groups, most)), self.algebra.largest)

    def question(self, row: _Row) -> First:
        """Which of them can go?"""
        return First(row, partial(self._expected, row))

    def _expected(self, row: _Row, index: int | None) -> First | None:
        """What is asked next, if none of the candidates hung: its first groups."""
        beliefs = replace(self.beliefs, priors=self.beliefs.priors.copy())
        failed = [False] * len(row.groups[:index])
        algebra = replace(self.algebra, written=None)  # what nobody asked about yet is not written
        state = replace(self, beliefs=beliefs, algebra=algebra).after(row, index, failed)
        following = state.looked_up().row(_EXPECTED_AHEAD)
        return state.question(following) if following else None

    def after(self, row: _Row, index: int | None, hung: Sequence[bool]) -> _State:
        """What follows from an answer; ``hung``: which of the candidates that were not interesting hung."""
        kept, needed, beliefs = self.kept, self.needed, self.beliefs
        hanging = beliefs.priors.of_hanging
        for group, hangs in zip(row.groups[:index], hung, strict=True):
            hanging.note(hung=hangs)
            beliefs, alone = beliefs.failed(group, hung=hangs)
            if alone is not None:
                needed |= alone.own
                beliefs = beliefs.settled(self.algebra.implied(needed) & kept, kept)
        if index is not None:
            hanging.note(hung=False)
            kept = row.kept(index)
            freed = self.algebra.size(self.kept) - self.algebra.size(kept)
            beliefs = beliefs.dropped(row.groups[index], kept, freed)
        return replace(self, kept=kept, needed=needed, beliefs=beliefs)


class _Row(Lazy):
    """The largest valid subsets without each of some groups."""

    def __init__(
        self, kept: ItemSet, groups: Sequence[Bundle], largest: Callable[[ItemSet, ItemSet], ItemSet | None]
    ) -> None:
        self.groups = groups
        self._kept = kept
        self._largest = largest
        self._made: dict[int, ItemSet] = {}

    def __len__(self) -> int:
        return len(self.groups)

    def kept(self, index: int) -> ItemSet:
        """The candidate as a set. What cannot go at all is still there."""
        if index not in self._made:
            found = self._largest(self._kept, self.groups[index].gone)
            self._made[index] = self._kept if found is None else found
        return self._made[index]

    def _at(self, index: int) -> Candidate:
        return members(self.kept(index))
