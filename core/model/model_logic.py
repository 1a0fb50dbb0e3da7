"""A formula as the algorithms see it (:mod:`core.search.logic`): items only, no derived facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from core.model.formula import Formula, Ints
from core.model.largest_valid import Removal
from core.model.propagation import Propagator, grouped, spans
from core.sets import ItemSet
from core.system.interpreter import collector_paused


class ModelLogic:
    """The clauses over the items of an input; a set of items is *valid* if derived facts can be set so that
    all clauses hold. Choices fall by the order of :meth:`order`, or by that given to :meth:`progression`."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.count = formula.items
        self._ordered: tuple[list[int], Propagator] | None = None
        self._weighted: tuple[Sequence[int], list[int]] | None = None

    def order(self, weights: Sequence[int] | None = None) -> list[int]:
        """Return the variable order of GBR21, section 4.4; with ``weights`` (bytes an item) heavy items come late."""
        if weights is None:
            return self._plain[0][:]
        if not self._is_ordered(weights):
            self._weighted = weights, variable_order(self.formula, weights)
        assert self._weighted is not None
        return self._weighted[1][:]

    def preparation(self, weights: Sequence[int]) -> Iterator[bool]:
        """Prepare, step by step, for progressions in the order with these weights."""
        if not self._is_ordered(weights):
            self.progression(self.order(weights))
            yield True

    def _is_ordered(self, weights: Sequence[int]) -> bool:
        """Return True if these are the weights of the last request."""
        return self._weighted is not None and (self._weighted[0] is weights or self._weighted[0] == weights)

    def least(self, wanted: Iterable[int] = (), learned: Sequence[Iterable[int]] = ()) -> ItemSet:
        """Return the least valid set that holds ``wanted`` and one of each learned set."""
        plain = self._plain[1]
        return plain.items(plain.least(wanted, learned))

    def beyond(self, wanted: Iterable[int]) -> Callable[[Iterable[int]], list[int]]:
        """Return a function that returns the items that others add to the least valid set that holds ``wanted``."""
        added, count = self._plain[1].beyond(wanted), self.count
        return lambda others: [item for item in added(others) if item < count]

    def forced(self, wanted: Iterable[int]) -> ItemSet:
        """Return the items of every valid set that holds ``wanted``, as far as no choice is involved."""
        plain = self._plain[1]
        return plain.items(plain.forced(wanted))

    def ranked(self, rank: Sequence[int]) -> Propagator:
        """Return the formula with the items in another order: see :class:`Propagator`."""
        return self._plain[1].ranked(rank)

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """D0, D1, ...: the items of the least valid set, then the items that each further item of ``order`` adds.

        Every prefix's union is valid. ``within`` restricts the whole to a valid set. No part is empty but D0.
        Raises ValueError if no member of a learned set is within it.
        """
        parts: list[list[int]] = []
        with collector_paused():  # nothing of it is in a cycle
            trail, ends = self._by(list(order)).progression(order, learned, within)
            variables = np.asarray(trail, dtype=np.int64)
            items = variables < self.count
            before = np.concatenate(([0], np.cumsum(items)))
            flat: list[int] = variables[items].tolist()
            start = 0
            for end in before[ends].tolist():
                parts.append(flat[start:end])
                start = end
        return parts

    def largest(self, within: ItemSet) -> ItemSet | None:
        """Return a maximal valid subset of ``within``; None if ``within`` lacks an item of every valid set.

        If one of several items must fall, it is the last in the order.
        """
        return self._removal.largest(within)

    def largest_without(self, kept: ItemSet, gone: ItemSet) -> ItemSet | None:
        """Return a maximal valid subset of the valid set ``kept`` without ``gone`` and its dependents. This is quicker
        than :meth:`largest` for a repeated ``kept``."""
        return self._removal.largest_without(kept, gone)

    def without(self, kept: ItemSet, item: int, limit: int) -> tuple[list[ItemSet], bool]:
        """Return the maximal valid subsets of the valid set ``kept`` that lack ``item``, at most ``limit``, and True if
        these are all."""
        return self._removal.without(kept, item, limit)

    @cached_property
    def _plain(self) -> tuple[list[int], Propagator]:
        """The order without weights, and the formula ranked by it."""
        with collector_paused(lasting=True):
            order = variable_order(self.formula)
            return order, Propagator(self.formula, _ranks(order))

    @cached_property
    def _removal(self) -> Removal:
        return Removal(self._plain[1])

    def _by(self, order: list[int]) -> Propagator:
        """Return the formula ranked by an order; the last one asked for is kept."""
        if order == self._plain[0]:
            return self._plain[1]
        if self._ordered is None or self._ordered[0] != order:
            self._ordered = order, self.ranked(_ranks(order))
        return self._ordered[1]


def requiring(formula: Formula, items: Sequence[int]) -> Formula:
    """Return the formula with one more clause for each of the items: it is in every valid set."""
    count = len(items)
    return replace(
        formula,
        premise_start=np.pad(formula.premise_start, (0, count), mode="edge"),
        conclusions=np.concatenate((formula.conclusions, np.asarray(items, dtype=np.int32))),
        conclusion_start=np.concatenate(
            (formula.conclusion_start, formula.conclusion_start[-1] + np.arange(1, count + 1, dtype=np.int32))
        ),
        rules=(*formula.rules, "pin"),
        clause_rules=np.pad(formula.clause_rules, (0, count), constant_values=len(formula.rules)),
    )


def lossy(formula: Formula, *, last: bool) -> Formula:
    """Return every clause cut down to an edge, from its first (or last) premise to its first (or last) conclusion.

    The others are edges, and clauses without premises and with one conclusion. Whatever satisfies them satisfies the
    formula too (GBR21, section 4.3).
    """
    heads = formula.conclusions[formula.conclusion_start[1:] - 1 if last else formula.conclusion_start[:-1]]
    free = np.diff(formula.premise_start) == 0
    tails = formula.premises[(formula.premise_start[1:] - 1 if last else formula.premise_start[:-1])[~free]]
    required = int(free.sum())
    return replace(
        formula,
        edges=np.concatenate((formula.edges, np.stack((tails, heads[~free]), axis=1))),
        edge_rules=np.concatenate((formula.edge_rules, formula.clause_rules[~free])),
        premises=formula.premises[:0],
        premise_start=np.zeros(required + 1, dtype=np.int32),
        conclusions=heads[free],
        conclusion_start=np.arange(required + 1, dtype=np.int32),
        clause_rules=formula.clause_rules[free],
    )


def _ranks(order: list[int]) -> list[int]:
    rank = [0] * len(order)
    for place, item in enumerate(order):
        rank[item] = place
    return rank


def variable_order(formula: Formula, weights: Sequence[int] | None = None) -> list[int]:
    """Return all items in reverse post-order of the graph that has an arc from each conclusion to each premise of a
    clause.

    So each premise comes behind its conclusions, as far as there is no cycle; of a cycle of edges the first item in the
    order brings the others. Roots and arcs are taken in the order of items. With ``weights`` (bytes an item, at least 1
    each) they are taken from heavy to light instead, which brings heavy items late: the search drops them first.
    """
    sources, targets = _arcs(formula)
    if weights is None:
        roots = list(range(formula.variables))
    else:
        heavy = np.ones(formula.variables, dtype=np.int64)
        heavy[: formula.items] = np.maximum(np.asarray(weights, dtype=np.int64), 1)
        first = np.argsort(-heavy, kind="stable")
        roots = first.tolist()
        place = np.empty(len(first), dtype=np.int64)
        place[first] = np.arange(len(first))
        by_place = np.argsort(place[targets], kind="stable")
        sources, targets = sources[by_place], targets[by_place]
    finished = _post_order(roots, grouped(sources, targets, formula.variables))
    return [variable for variable in reversed(finished) if variable < formula.items]


def _arcs(formula: Formula) -> tuple[Ints, Ints]:
    """Return the arcs from conclusions to premises, ascending by the premise."""
    sources, targets = [formula.edges[:, 1]], [formula.edges[:, 0]]
    conclusions = grouped(spans(formula.conclusion_start), formula.conclusions, len(formula.clause_rules))
    owner = spans(formula.premise_start)
    repeats = np.diff(formula.conclusion_start)[owner]
    targets.append(np.repeat(formula.premises, repeats))
    flat = [head for clause in owner.tolist() for head in conclusions[clause]]
    sources.append(np.array(flat, dtype=np.int32))
    all_sources, all_targets = np.concatenate(sources), np.concatenate(targets)
    by_target = np.argsort(all_targets, kind="stable")
    return all_sources[by_target], all_targets[by_target]


def _post_order(roots: Sequence[int], following: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes as a depth-first walk leaves them."""
    seen = bytearray(len(following))
    finished: list[int] = []
    for root in roots:
        if seen[root]:
            continue
        seen[root] = 1
        stack = [root]
        walks = [iter(following[root])]
        while stack:
            for node in walks[-1]:
                if not seen[node]:
                    seen[node] = 1
                    stack.append(node)
                    walks.append(iter(following[node]))
                    break
            else:
                walks.pop()
                finished.append(stack.pop())
    return finished
