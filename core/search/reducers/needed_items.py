"""The search of items: generalized binary reduction for few needed items, complements for many.

GBR takes about ``s log2(n)`` probes for ``s`` needed of ``n`` items, and reduces little before its end. A forecast
estimates ``s`` from the rounds so far. If needed items lie at random places, each round reduces the bytes to a random
share; its ``-ln`` is exponentially distributed with mean ``1 / s``. So ``-ln f`` after ``r`` rounds that left the share
``f`` is a sum of ``r`` such variables (Erlang). If the ``s`` that fits the limit of probes makes the observed share
improbable, complements go on with the remaining items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.search.chunks import Chunk
from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, SearchEnding, Skip, logic_of, phase
from core.search.priors import Priors
from core.search.questions import Algorithm, Candidate, Test
from core.search.reducers.by_site import DividedItems, by_site
from core.search.reducers.complements import ItemAlgebra, complements
from core.search.reducers.gbr import without_unneeded
from core.search.reducers.generalized import Over, gbr
from core.search.sites import Sites, if_many
from core.search.spaces import Items, SearchProblem
from core.search.tree_chunks import call_chunks, surplus_chunks, tree_chunks
from core.sets import ItemSet, mask_of, members

_FORECAST = 100
"""Largest number of probes of GBR; beyond this number complements are the better choice.
See decisions/011-forecast.md.
"""

_DOUBT = 0.05
"""Significance level at which GBR is given up. See decisions/011-forecast.md."""

_FREED = 0.5
"""Share of an item's users below which a needed item is asked about again. See decisions/017-asking-again.md."""


_EXPECTED = (0.5, 0.5, 0.5, 0.5)
"""Prior chance of being needed, by level: packages, classes, members, parts of members.
See decisions/012-expected-shares.md.
"""

_EXPECTED_USED = (0.95, 0.95, 0.8, 0.97)
"""Prior chance of being needed for items known to be used, by level. See decisions/012-expected-shares.md."""

_EXPECTED_UNUSED = (0.1, 0.1, 0.1, 0.1)
"""Prior chance of being needed for items that have lost all users, by level. See decisions/012-expected-shares.md."""


def forecast(problem: SearchProblem) -> Over:
    """Return a test of the hypothesis that GBR ends within ``_FORECAST`` probes, from the bytes left by its rounds. It
    returns True if the hypothesis is rejected after a round: then GBR will take too many probes.

    The first round does not count: heavy items come last in the order, and failures are more often in heavy items.
    """
    whole = sum(problem.sizes)

    def over(rounds: int, left: Candidate, unions: int) -> bool:
        share = sum(problem.sizes[item] for item in left) / max(1, whole)
        needed = _FORECAST / math.log2(max(2, unions))
        return rounds > 1 and erlang(rounds - 1, -needed * math.log(max(1e-9, share))) < _DOUBT

    return over


def erlang(count: int, value: float) -> float:
    """Return the chance that the sum of ``count`` exponentially distributed values of mean 1 is at most ``value``."""
    term = total = math.exp(-value)
    for number in range(1, count):
        term *= value / number
        total += term
    return 1 - total


class ItemSearch:
    """The search for removable items of one problem; the search adds to ``learnt``."""

    def __init__(
        self,
        problem: SearchProblem,
        learnt: Knowledge,
        effort: PhaseEffort,
        ending: SearchEnding,
        sites: Sites | None,
    ) -> None:
        self._problem = problem
        self._learnt = learnt
        self._effort = effort
        self._ending = ending
        self._sites = if_many(sites)

    def needed(self) -> Algorithm:
        """Run GBR as long as its forecast is short, then complements on the rest."""
        problem, learnt = self._problem, self._learnt

        def complements_of(left: Candidate) -> Algorithm:
            learnt.each_needed = False
            return self.complements(mask_of(left, problem.count))

        if learnt.mostly_used or self._sites is not None:  # at each site GBR has searched before
            return (yield from complements_of(tuple(range(problem.count))))
        learnt.each_needed = True
        logic, order = logic_of(problem), logic_of(problem).order(problem.sizes)
        found = gbr(logic, order, forecast(problem), complements_of, self._note_needed, late=True)
        return (yield from found)

    def complements(self, start: ItemSet, *, freed: bool = False) -> Algorithm:
        """Drop chunks along the tree of packages, classes and members.

        ``freed``: the needed items are known from before, and may need fewer other items by now, so first all other
        items are dropped at once.
        """
        problem, learnt, effort = self._problem, self._learnt, self._effort
        unused = mask_of(forget_freed(problem, learnt), problem.count)
        if freed:
            kept = without_unneeded(problem, start, learnt)
            if kept != start and (yield Test(members(kept))):
                start = kept
        known = set() if effort.search.thorough else learnt.needed
        needed = tuple(item for item in members(start) if problem.names(item) in known)
        chunks = tree_chunks(problem, start, unused)
        expected = _EXPECTED_USED if learnt.mostly_used else _EXPECTED
        priors = Priors((*expected, *_EXPECTED_UNUSED), known, learnt.history, "items")
        algebra = replace(algebra_of(problem, self._ending), needed=mask_of(needed, problem.count))
        if self._sites is None:
            return (yield from complements(start, chunks, priors, algebra, effort.worth))
        divided = DividedItems(problem, start, self._sites)
        parts = divided.chunks(chunks)
        algebra = replace(algebra, sharing=divided.whole.sharing)
        searches = [(number, complements(start, part, priors, algebra, effort.worth)) for number, part in parts.items()]
        return (yield from by_site(divided.whole, searches))

    def _note_needed(self, item: int) -> None:
        self._learnt.needed.add(self._problem.names(item))


def algebra_of(problem: SearchProblem, ending: SearchEnding) -> ItemAlgebra:
    """Return the set operations for a problem of items."""
    logic = logic_of(problem)

    def implied(needed: ItemSet) -> ItemSet:
        return logic.forced(members(needed))

    return ItemAlgebra(
        problem.bytes_of,
        logic.largest_without,
        implied,
        left=ending.skip,
        written=problem.written_bytes,
    )


def among_chunks(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, chunks: Sequence[Chunk], what: str
) -> Search:
    """Return the search that drops chunks of one kind, as long as a probe promises ``effort.worth`` bytes."""
    learnt, ending = knowledge.copy(), SearchEnding()
    known = set() if effort.search.thorough else learnt.needed
    priors = Priors(known=known, history=learnt.history, what=what)
    search = complements((1 << problem.count) - 1, chunks, priors, algebra_of(problem, ending), effort.worth)
    return Search(Items(problem.sizes), search, learnt, ending)


def without_surplus(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, narrow: ItemSet) -> Search:
    """Drop groups of the items beyond the valid set ``narrow``, as long as a probe promises ``effort.worth`` bytes."""
    chunks = surplus_chunks(problem, (1 << problem.count) - 1 & ~narrow)
    return among_chunks(problem, knowledge, effort, chunks, "surplus")


def forget_freed(problem: SearchProblem, learnt: Knowledge) -> list[int]:
    """Forget the need of items that have lost at least half of their users: a lost user may have been the reason.

    Return the items that have no user left.
    """
    users, unused = users_of(problem), []
    for item, count in enumerate(users):
        name = problem.names(item)
        before = learnt.users.setdefault(name, count)
        if count < before and count <= _FREED * before:
            learnt.needed.discard(name)
            learnt.users[name] = count
            if not count:
                unused.append(item)
    return unused


def users_of(problem: SearchProblem) -> list[int]:
    """Return for each item the number of edges that lead to the item from items outside its class. The edges are the
    clauses, each reduced to one edge; edges from derived facts do not count.
    """
    if problem.cut_down is None:
        return [0] * problem.count
    edges = problem.cut_down(False)
    top = np.array([*problem.tops, *range(problem.count, edges.variables)])
    sources, targets = edges.pairs[:, 0], edges.pairs[:, 1]
    foreign = (sources < problem.count) & (top[sources] != top[targets])
    users: list[int] = np.bincount(targets[foreign], minlength=edges.variables)[: problem.count].tolist()
    return users


@phase("items", Level.ITEMS, weighs=True)
def ITEMS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Search items in the way that suits the number of needed ones."""
    if knowledge.each_needed:
        return Skip("each item was found to be needed before")
    learnt, ending = knowledge.copy(), SearchEnding()
    search = ItemSearch(problem, learnt, effort, ending, pointers.sites)
    return Search(Items(problem.sizes), search.needed(), learnt, ending)


@phase("items again", Level.ITEMS, weighs=True)
def ITEMS_AGAIN(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Search items again, after an earlier round has left mostly needed ones."""
    learnt, ending = knowledge.copy(), SearchEnding()
    if learnt.each_needed:
        forget_freed(problem, learnt)
        learnt.each_needed = False
        return Skip("GBR found each item to be needed, and nothing has changed since", learnt)
    search = ItemSearch(problem, learnt, effort, ending, pointers.sites)
    everything = (1 << problem.count) - 1
    again = search.complements(everything, freed=not learnt.mostly_used)
    return Search(Items(problem.sizes), again, learnt, ending)


@phase("calls", Level.ITEMS, weighs=True)
def CALLS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search the tree of calls of the methods that ran, from the top down."""
    chunks = call_chunks(problem, pointers.calls())
    return among_chunks(problem, knowledge, effort, chunks, "calls")
