"""Drops groups of chunks with all that depends on them: ProbDD over valid complements, coarse to fine.

Every chunk has a chance of being needed. A probe drops the group that promises the most bytes for its price; a failure
makes each chunk of the group likelier to be needed, by Bayes' rule (ProbDD, WDD Algorithm 2). What is new here:

* *Valid*: asked about is the largest valid subset without the group, so that what depends on it falls too.
* *Coarse to fine*: chunks are the nodes of a tree. One that cannot go on its own gives way to those below it, so one
  probe speaks for a package, then for classes, members, code.
* *Learning*: chunks of a level that were not tried yet are as likely to be needed as those that were.
* *Implied*: what a needed chunk needs is needed, without a probe.
* *Hanging candidates* cost several probes. A group that ran out of time makes each of its chunks likelier to do so
  again, and such groups come later; the more of the time they take, the dearer they are. Where they came from is
  remembered by later phases.
* *Price*: it ends when no group promises ``worth`` bytes for a probe. That is its expected gain, not its luck so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from core.search.beliefs import Beliefs, Chunk, Shares
from core.search.item_sets import ItemSet, members
from core.search.questions import Algorithm, Candidate, First, HungUp, Lazy

_LOOK_AHEAD = 8
"""Groups asked about at once, each on the assumption that those before it cannot go."""


@dataclass
class Ground:
    """What is searched: sets of elements, and what follows from validity."""

    bytes_of: Callable[[ItemSet], int]
    largest: Callable[[ItemSet], ItemSet | None] = lambda within: within
    """The largest valid subset; None if there is none."""
    implied: Callable[[ItemSet], ItemSet] = lambda needed: needed
    """All that is needed where these are."""
    needed: ItemSet = 0
    """Elements that are known to be needed."""
    left: Callable[[int], None] = lambda chunks: None
    """Is told at the end how many chunks were not worth a probe."""


def complements(start: ItemSet, chunks: Sequence[Chunk], shares: Shares, ground: Ground, worth: float) -> Algorithm:
    """Drops chunks of ``start`` until no group of them promises ``worth`` bytes a probe."""
    kept, needed = start, ground.needed & start
    beliefs = Beliefs.of(chunks, kept, shares, ground.bytes_of)
    if needed:
        beliefs = beliefs.settled(ground.implied(needed) & kept, kept)
    while ahead := list(islice(beliefs.if_all_fail(worth), _LOOK_AHEAD)):
        row = _Row(kept, [group.gone for group in ahead], ground.largest)
        index: int | None = yield First(row)
        for place, group in enumerate(ahead[:index]):
            hung: bool = yield HungUp(row[place])
            shares.of_hanging.note(hung=hung)
            beliefs, alone = beliefs.failed(group, hung=hung)
            if alone is not None:
                needed |= alone.own
                beliefs = beliefs.settled(ground.implied(needed) & kept, kept)
        if index is not None:
            shares.of_hanging.note(hung=False)
            kept = row.kept(index)
            beliefs = beliefs.dropped(ahead[index], kept)
    ground.left(len(beliefs.chunks))
    return members(kept)


class _Row(Lazy):
    """The largest valid subsets without each of some sets."""

    def __init__(self, kept: ItemSet, gone: Sequence[ItemSet], largest: Callable[[ItemSet], ItemSet | None]) -> None:
        self._kept = kept
        self._gone = gone
        self._largest = largest
        self._made: dict[int, ItemSet] = {}

    def __len__(self) -> int:
        return len(self._gone)

    def kept(self, index: int) -> ItemSet:
        """The candidate as a set. What cannot go at all is still there."""
        if index not in self._made:
            found = self._largest(self._kept & ~self._gone[index])
            self._made[index] = self._kept if found is None else found
        return self._made[index]

    def _at(self, index: int) -> Candidate:
        return members(self.kept(index))
