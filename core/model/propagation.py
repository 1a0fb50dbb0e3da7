"""Least models and progressions of a formula, in time linear in its size (GBR21, section 4.1).

Every clause has a conclusion, so nothing ever has to be taken back: propagate until nothing follows, then
give each clause that is still open its first conclusion in the variable order, and go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.cancellation import cancellation_point
from core.model.formula import Formula
from core.sets import ItemSet, flags_of, mask_of


def grouped(keys: NDArray[Any], values: NDArray[Any], count: int) -> list[tuple[int, ...]]:
    """Return the values of each key 0 .. ``count`` - 1, in the order given.

    Tuples: all empty ones are one object, and each other one is one block of memory. A walk through a large formula
    waits for memory.
    """
    cancellation_point()
    by_key = np.argsort(keys, kind="stable")
    ends = np.cumsum(np.bincount(keys, minlength=count)).tolist()
    flat = tuple(values[by_key].tolist())
    lists: list[tuple[int, ...]] = []
    start = 0
    for end in ends:
        lists.append(flat[start:end])
        start = end
    return lists


def spans(start: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the number of each value's list, for flat lists that begin at ``start``."""
    return np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))


class _Turns(NamedTuple):
    """An order of items, with the needs and clauses of each. The rows are parallel. They were made
    one after the other, so they lie in memory as they are read: that spares a third of the time with 100,000 items in
    random order."""

    order: list[int]
    edges: list[tuple[int, ...]]
    """Needs of each item that do not precede the item, derived facts among the needs."""
    clauses: list[tuple[int, ...]]
    """Clauses with the item as a premise."""


class Propagator:
    """The formula as adjacency lists, made once, for many closures and progressions.

    ``rank`` orders the items (default: by number): of several possible conclusions the one of the lowest
    rank is chosen. A derived fact ranks as high as the highest item that it needs.
    """

    def __init__(self, formula: Formula, rank: Sequence[int] | None = None) -> None:
        self.formula = formula
        self._next = grouped(formula.edges[:, 0], formula.edges[:, 1], formula.variables)
        self._occurrences = grouped(formula.premises, spans(formula.premise_start), formula.variables)
        count = len(formula.clause_rules)
        self._heads = grouped(spans(formula.conclusion_start), formula.conclusions, count)
        self._left: list[int] = np.diff(formula.premise_start).tolist()
        self._facts = [
            (
                [target for target in self._next[fact] if target < fact],
                [self._heads[clause] for clause in self._occurrences[fact] if self._left[clause] == 1],
            )
            for fact in range(formula.items, formula.variables)
        ]
        self._always = [clause for clause, left in enumerate(self._left) if not left]
        self._last: _Turns | None = None
        self.rank = self.ranks(list(rank) if rank is not None else list(range(formula.items)))

    def ranked(self, rank: Sequence[int]) -> Propagator:
        """Return a propagator of the same formula with another order of items. The two share everything else."""
        other = copy(self)
        other.rank = self.ranks(list(rank))
        return other

    def least(self, wanted: Iterable[int] = (), learned: Sequence[Iterable[int]] = ()) -> list[int]:
        """Return the least model that holds ``wanted`` and one of each learned set: its variables, as they came."""
        run = _Run(self, None)
        run.begin(wanted, learned)
        return run.trail

    def items(self, variables: list[int]) -> ItemSet:
        """Return the items among some variables."""
        return mask_of(variables, self.formula.variables) & ((1 << self.formula.items) - 1)

    def beyond(self, wanted: Iterable[int]) -> Callable[[Iterable[int]], list[int]]:
        """Return a function that returns the variables that others add to the least model that holds ``wanted``."""
        run = _Run(self, None)
        run.begin(wanted, ())
        return run.added

    def forced(self, wanted: Iterable[int]) -> list[int]:
        """Return the variables of every model that holds ``wanted``, as far as no choice is involved."""
        run = _Run(self, None)
        run.begin_settled()
        run.take(wanted)
        return run.trail

    def required(self) -> bytearray:
        """Return a flag for each variable that every model holds, as far as no choice is involved."""
        run = _Run(self, None)
        run.begin_settled()
        return run.value

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> tuple[list[int], list[int]]:
        """D0, D1, ...: the least model of the formula and the learned sets, then the additions of each further item of
        ``order``, as one list of variables, and the ends of the parts in it. Every prefix's union is a model.

        ``within`` restricts the whole to a model's items. Derived facts are among the variables.
        When an item's turn comes, all that precedes it in ``order`` is there. So only its edges to derived facts and
        against the order need a look. These are few if the order puts dependencies first.
        """
        turns = self._turns(order)
        inside = None if within is None else flags_of(within, self.formula.items)
        run = _Run(self, inside)
        run.begin((), learned)
        value, trail = run.value, run.trail
        rows = zip(turns.order, turns.edges, turns.clauses, strict=True)
        ends = [len(trail)]
        for item, edges, clauses in rows if inside is None else compress(rows, inside[turns.order].tolist()):
            if not value[item]:
                value[item] = 1
                trail.append(item)
                if edges or clauses:
                    run.take_turn(edges, clauses)
                ends.append(len(trail))
        return trail, ends

    def ranks(self, items: list[int]) -> list[int]:
        """Return the ranks of all variables, given the items': a derived fact ranks as what it needs at most.

        Derived facts are made after those that they stand on, so one pass is enough.
        """
        ranks = items + [0] * (self.formula.variables - len(items))
        for fact, (needs, choices) in enumerate(self._facts, len(items)):
            rank = 0
            for target in needs:
                if ranks[target] > rank:
                    rank = ranks[target]
            for heads in choices:
                rank = max(rank, min([ranks[head] for head in heads]))
            ranks[fact] = rank
        return ranks

    def _turns(self, order: Sequence[int]) -> _Turns:
        """Return the work for the turn of each item. The result for the last order is kept."""
        if self._last is None or self._last.order != (order if isinstance(order, list) else list(order)):
            formula, count = self.formula, len(order)
            place = np.full(formula.variables, count, dtype=np.int64)
            place[order] = np.arange(count)
            sources, targets = place[formula.edges[:, 0]], formula.edges[:, 1]
            open_ = (sources < count) & ((targets >= formula.items) | (place[targets] >= sources))
            premises, clauses = place[formula.premises], spans(formula.premise_start)
            counted = premises < count
            self._last = _Turns(
                np.array(order, dtype=np.int64).tolist(),
                grouped(sources[open_], targets[open_], count),
                grouped(premises[counted], clauses[counted], count),
            )
        return self._last


class _Run:
    """One pass: the state of propagation from nothing upward."""

    __slots__ = ("_heads", "_inside", "_left", "_made", "_next", "_occurrences", "_pending", "_rank", "trail", "value")

    def __init__(self, made: Propagator, inside: NDArray[np.bool_] | None) -> None:
        cancellation_point()
        self._made = made
        self._next = made._next
        self._occurrences = made._occurrences
        self._heads = made._heads
        self._left = made._left[:]
        self._pending: list[Sequence[int]] = []
        self.trail: list[int] = []
        self.value = bytearray(made.formula.variables)
        self._rank: list[int] | None = made.rank if inside is None else None
        self._inside = inside

    def begin(self, wanted: Iterable[int], learned: Sequence[Iterable[int]]) -> None:
        """Take the wanted items, the conclusions of clauses without premises, and one item of each learned set."""
        self.take(wanted)
        groups: list[Sequence[int]] = [self._heads[clause] for clause in self._made._always]
        groups += [self._allowed(list(choices)) for choices in learned]
        # single conclusions first: they are no choice, and may settle the others
        self.take(heads[0] for heads in groups if len(heads) == 1)
        self._pending[:0] = [heads for heads in groups if len(heads) > 1]
        self._choose()

    def begin_settled(self) -> None:
        """Take the conclusions that hold without any wish or choice."""
        self.take(heads[0] for heads in map(self._heads.__getitem__, self._made._always) if len(heads) == 1)

    def take_turn(self, edges: Sequence[int], clauses: Sequence[int]) -> None:
        """Take the consequences of the item that has just come onto the trail. Of its edges only ``edges`` are open;
        the item is a premise of ``clauses``."""
        value, trail = self.value, self.trail
        position = len(trail)
        for target in edges:
            if not value[target]:
                value[target] = 1
                trail.append(target)
        if clauses:
            self._fire(clauses)
        self._drain(position)
        if self._pending:
            self._choose()

    def added(self, variables: Iterable[int]) -> list[int]:
        """Return the variables that come with some, and take all of them back."""
        start = len(self.trail)
        self.take(variables)
        self._choose()
        found = self.trail[start:]
        del self.trail[start:]
        for variable in found:
            self.value[variable] = 0
            for clause in self._occurrences[variable]:
                self._left[clause] += 1
        return found

    def take(self, variables: Iterable[int]) -> None:
        """Make variables true, with all consequences that need no choice."""
        value, trail = self.value, self.trail
        position = len(trail)
        for variable in variables:
            if not value[variable]:
                value[variable] = 1
                trail.append(variable)
        self._drain(position)

    def _choose(self) -> None:
        pending, value, trail = self._pending, self.value, self.trail
        for heads in pending:  # grows meanwhile
            if not any(value[variable] for variable in heads):
                variable = min(heads, key=self._ranks().__getitem__)
                value[variable] = 1
                trail.append(variable)
                self._drain(len(trail) - 1)
        pending.clear()

    def _ranks(self) -> list[int]:
        """Return the ranks for choices: last come the variables outside the bounds, and those with needs outside."""
        if self._rank is None and self._inside is not None:
            ranks = np.asarray(self._made.rank[: self._made.formula.items])
            outside = int(ranks.max(initial=0)) + 1
            self._rank = self._made.ranks(np.where(self._inside, ranks, outside).tolist())
        assert self._rank is not None
        return self._rank

    def _allowed(self, choices: list[int]) -> list[int]:
        if self._inside is not None:
            choices = [variable for variable in choices if self._inside[variable]]
        if not choices:
            raise ValueError("none of a learned set is within the bounds")
        return choices

    def _drain(self, position: int) -> None:
        """Derive all that follows from the trail from ``position`` on."""
        value, trail = self.value, self.trail
        following, occurrences = self._next, self._occurrences
        # a list may grow while it is iterated
        while position < len(trail):
            current = trail[position]
            position += 1
            for target in following[current]:
                if not value[target]:
                    value[target] = 1
                    trail.append(target)
            clauses = occurrences[current]
            if clauses:
                self._fire(clauses)

    def _fire(self, clauses: Sequence[int]) -> None:
        """Count down the clauses, of which a premise came onto the trail."""
        value, left, heads = self.value, self._left, self._heads
        for clause in clauses:
            left[clause] -= 1
            if not left[clause]:
                choices = heads[clause]
                if len(choices) > 1:
                    self._pending.append(choices)
                elif not value[choices[0]]:
                    value[choices[0]] = 1
                    self.trail.append(choices[0])
