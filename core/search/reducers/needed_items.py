"""Items: generalized binary reduction where few are needed, complements where many are.

GBR takes about ``s log2(n)`` probes for ``s`` needed parts of ``n``, and shows little before its end. How many there
are it tells as it goes: where they lie anywhere, each round takes a share of the bytes away of which the logarithm is
exponentially distributed with mean ``1 / s``, so that ``-ln f`` after ``r`` rounds that left the share ``f`` is the sum
of ``r`` of these (Erlang). Where so few parts as can be found in time would hardly leave so much, complements take over
from what is left.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from core.search.item_sets import ItemSet, mask_of, members
from core.search.questions import Algorithm, Candidate, Test
from core.search.reducers.by_site import DividedItems, by_site
from core.search.reducers.complements import Ground, complements
from core.search.reducers.gbr import without_unneeded
from core.search.reducers.generalized import gbr
from core.search.reducers.tree_chunks import tree_chunks
from core.search.shares import Shares
from core.search.sites import if_many
from core.search.spaces.class_spaces import SearchProblem, Space
from core.search.spaces.item_spaces import Items
from core.search.specs import Level, Options, logic_of, phase

_FORECAST = 100
"""Probes of GBR altogether beyond which complements are the better choice."""

_DOUBT = 0.05
"""The chance of leaving so much at which so few needed parts are given up."""

_CONSTANTS = 80
"""Percent of the bytes of a class beside its parts that go with these."""

_FREED = 0.5
"""Share of an item's users at which it is asked about again."""

_DERIVED, _MANY = 3, 1000
"""Facts in a row that lead from an item to another; the most users that a fact counts for."""

_EXPECTED = (0.5, 0.5, 0.5, 0.5)
"""Share of packages, of classes, of their members and of what is in these that is expected to be needed."""

_EXPECTED_USED = (0.95, 0.95, 0.8, 0.97)
"""The same of what is known to be used."""

_EXPECTED_LATE = (0.8, 0.8, 0.8, 0.7)
"""The same of what an earlier round has left."""

_EXPECTED_UNUSED = (0.1, 0.1, 0.1, 0.1)
"""The same of what has lost all its users since."""


class Forecast:
    """Whether GBR will take too many probes, by what its rounds left."""

    def __init__(self, problem: SearchProblem) -> None:
        self._problem = problem
        self._whole = sum(problem.sizes)

    def __call__(self, rounds: int, left: Candidate, unions: int) -> bool:
        """Asked after each round: whether as few parts as can be found in time are unlikely to leave so much.

        The first round does not count: what is heavy comes last, and failures lie rather in what is heavy.
        """
        share = sum(self._problem.sizes[item] for item in left) / max(1, self._whole)
        needed = _FORECAST / math.log2(max(2, unions))
        return rounds > 1 and erlang(rounds - 1, -needed * math.log(max(1e-9, share))) < _DOUBT


def erlang(count: int, value: float) -> float:
    """The chance that the sum of so many exponentially distributed values of mean 1 is at most ``value``."""
    term = total = math.exp(-value)
    for number in range(1, count):
        term *= value / number
        total += term
    return 1 - total


def needed_items(problem: SearchProblem, options: Options) -> Algorithm:
    """GBR as long as its forecast is short, then complements of what it left."""
    logic = logic_of(problem)

    expected = _EXPECTED_USED if options.much else _EXPECTED

    def complements_of(left: Candidate) -> Algorithm:
        options.minimal = False
        return item_complements(problem, mask_of(left, problem.count), options, expected)

    if options.much or if_many(options.sites) is not None:  # GBR has searched each site by itself before
        return (yield from complements_of(tuple(range(problem.count))))
    options.minimal = True

    def needed(item: int) -> None:
        options.needed.add(problem.names(item))

    order = logic.order(problem.sizes)
    return (yield from gbr(logic, order, Forecast(problem), complements_of, needed, late=True))


def item_complements(
    problem: SearchProblem, start: ItemSet, options: Options, expected: tuple[float, ...], *, freed: bool = False
) -> Algorithm:
    """Complements along the tree of packages, classes and members. ``freed``: what is needed was found before, and may
    need less by now, so that the rest may go at once."""
    unused = mask_of(forget_freed(problem, options), problem.count)
    if freed:
        kept = without_unneeded(problem, start, options)
        if kept != start and (yield Test(members(kept))):
            start = kept
    problem = replace(problem, sizes=with_constants(problem))
    needed = tuple(item for item in members(start) if problem.names(item) in options.known)
    chunks = tree_chunks(problem, start, unused)
    shares = Shares((*expected, *_EXPECTED_UNUSED), options.known, options.experience, "items")
    ground = replace(ground_of(problem, options), needed=mask_of(needed, problem.count))
    sites = if_many(options.sites)
    if sites is None:
        return (yield from complements(start, chunks, shares, ground, options.worth))
    divided = DividedItems(problem, start, sites)
    parts = divided.chunks(chunks)
    ground = replace(ground, some=None, left=options.leaving(), sharing=divided.whole.sharing)
    searches = [(number, complements(start, part, shares, ground, options.worth)) for number, part in parts.items()]
    return (yield from by_site(divided.whole, searches))


def ground_of(problem: SearchProblem, options: Options) -> Ground:
    """What is searched where elements are items."""
    logic = logic_of(problem)

    def implied(needed: ItemSet) -> ItemSet:
        return logic.forced(members(needed))

    return Ground(
        problem.bytes_of,
        logic.largest_without,
        implied,
        left=options.leave,
        written=problem.written_bytes,
        some=logic.some_without,
    )


def forget_freed(problem: SearchProblem, options: Options) -> list[int]:
    """Forgets that items are needed of which at most half of the users are left: those may have been the reason. Gives
    those of which no user is left."""
    users, unused = users_of(problem), []
    for item, count in enumerate(users):
        name = problem.names(item)
        before = options.users.setdefault(name, count)
        if count < before and count <= _FREED * before:
            options.needed.discard(name)
            options.users[name] = count
            if not count:
                unused.append(item)
    return unused


def users_of(problem: SearchProblem) -> list[int]:
    """For each item how many clauses, cut down to edges, lead to it from items outside its class, also by way of facts
    that are derived from these."""
    if problem.cut_down is None:
        return [0] * problem.count
    edges = problem.cut_down(False)
    top = np.arange(edges.variables)
    for item, parent in enumerate(problem.parents):
        if parent >= 0:
            top[item] = top[parent]
    sources, targets = edges.pairs[:, 0], edges.pairs[:, 1]
    foreign = (top[sources] != top[targets]).astype(np.int64)
    users = np.zeros(edges.variables, dtype=np.int64)
    for _ in range(_DERIVED):
        each = np.where(sources < problem.count, 1, np.minimum(users[sources], _MANY))
        np.add.at(users := np.zeros_like(users), targets, each * foreign)
    return [int(count) for count in users[: problem.count]]


def with_constants(problem: SearchProblem) -> list[int]:
    """Bytes of each item where most of what a class has beside its parts, constants above all, counts with these parts,
    by their sizes: that is what goes with them. The sum for a class stays what it is."""
    whole = list(range(problem.count))
    for item, parent in enumerate(problem.parents):
        if parent >= 0:
            whole[item] = whole[parent]
    inside: dict[int, int] = {}
    for item, top in enumerate(whole):
        if top != item:
            inside[top] = inside.get(top, 0) + problem.sizes[item]
    sizes = list(problem.sizes)
    for item, top in enumerate(whole):
        if top != item and inside[top]:
            more = _CONSTANTS * problem.sizes[top] * problem.sizes[item] // (100 * inside[top])
            sizes[item] += more
            sizes[top] -= more
    return sizes


@phase("items", Level.ITEMS, patient=True)
def NEEDED(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Items, in the way that suits how many are needed; none where each was found to be needed before."""
    space = Items(problem.sizes)
    if options.minimal:
        space.elements = ()
    return space, needed_items(problem, options)


@phase("items again", Level.ITEMS, patient=True)
def AGAIN(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Items of which most are needed; none where each was found by GBR, of which there is nothing to doubt yet."""
    space = Items(problem.sizes)
    if options.minimal:
        forget_freed(problem, options)
        options.minimal, space.elements = False, ()
    expected = _EXPECTED_USED if options.much else _EXPECTED_LATE
    return space, item_complements(problem, (1 << problem.count) - 1, options, expected, freed=not options.much)
