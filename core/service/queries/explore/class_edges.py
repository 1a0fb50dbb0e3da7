"""The class edges between two sets of classes, each with the number of needs between their parts and the rules; the
cycles among jars, packages or classes, with the edges that open them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from core.archive.entry_names import MARK
from core.layout.matrix import few_upward
from core.protocol.events import ClassEdge, CyclesFound, EdgesListed, FoundCycle
from core.protocol.questions.explore import FindCycles, ListEdges
from core.service.queries.desk import Desk, once_per_input
from core.service.queries.relations import Needs, Ties, finder
from core.words import some_of

EXACT_MOST = 14
"""Number of nodes up to which the lightest set is found: the work doubles with each node."""
MOVED_MOST = 400
"""Number of nodes up to which single nodes are moved."""

Edge = tuple[int, int, int]
"""From, to, weight."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A strongly connected component of two nodes or more, and edges without which it has no cycle."""

    nodes: tuple[int, ...]
    edges: tuple[Edge, ...]
    """All edges within it, the heaviest first."""
    cuts: tuple[Edge, ...]
    """The lightest first."""
    exact: bool
    """True if no lighter cuts exist."""


def cycles(count: int, edges: Sequence[Edge]) -> list[Cycle]:
    """Return the cycles of a graph of ``count`` nodes, the largest first, then by their first nodes."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((a, b, weight) for a, b, weight in edges if a != b)
    parts = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    found = [_cycle(part, graph) for part in parts]
    return sorted(found, key=lambda one: (-len(one.nodes), one.nodes))


def _cycle(part: list[int], graph: nx.DiGraph[int]) -> Cycle:
    inside = [(a, b, int(data["weight"])) for a, b, data in graph.subgraph(part).edges(data=True)]
    exact = len(part) <= EXACT_MOST
    order = _lightest(part, inside) if exact else _better(few_upward(part, graph), inside)
    place = {node: at for at, node in enumerate(order)}
    cuts = [edge for edge in inside if place[edge[1]] > place[edge[0]]]
    by_weight = sorted(inside, key=lambda edge: (-edge[2], edge[:2]))
    return Cycle(tuple(part), tuple(by_weight), tuple(sorted(cuts, key=lambda e: (e[2], e[:2]))), exact)


def _weights(part: Sequence[int], edges: Sequence[Edge]) -> np.ndarray:
    """Return the weight of each edge in a square table, with one for the edge itself: of two sets of equal weight that
    with fewer edges is lighter."""
    place = {node: at for at, node in enumerate(part)}
    table = np.zeros((len(part), len(part)), np.int64)
    for a, b, weight in edges:
        table[place[a], place[b]] = weight * (len(edges) + 1) + 1
    return table


def _lightest(part: list[int], edges: Sequence[Edge]) -> list[int]:
    """Return the order with the least weight of the edges to later nodes: needed nodes stand first."""
    size = len(part)
    table = _weights(part, edges)
    to_set = np.zeros((size, 1 << size), np.int64)
    """Weight of the edges of a node to a set of nodes."""
    for node in range(size):
        for other in range(size):
            half = 1 << other
            to_set[node, half : 2 * half] = to_set[node, :half] + table[node, other]
    everything = (1 << size) - 1
    best = np.full(1 << size, np.iinfo(np.int64).max)
    best[0] = 0
    last = np.zeros(1 << size, np.int8)
    for subset in range(1, 1 << size):
        for node in range(size):
            bit = 1 << node
            if subset & bit:
                cost = best[subset ^ bit] + to_set[node, everything ^ subset]
                if cost < best[subset]:
                    best[subset], last[subset] = cost, node
    order: list[int] = []
    subset = everything
    while subset:
        order.append(part[last[subset]])
        subset ^= 1 << int(last[subset])
    return order[::-1]


def _better(order: list[int], edges: Sequence[Edge]) -> list[int]:
    """Return the order after moves of single nodes to where fewest weight points to later nodes."""
    if len(order) > MOVED_MOST:
        return order
    table = _weights(order, edges)
    row = np.arange(len(order))
    for _ in range(len(order)):
        moved = False
        for node in range(len(order)):
            at = int(np.flatnonzero(row == node)[0])
            rest = np.delete(row, at)
            # At place k, the edges from the node to later ones count, and the edges from earlier ones to the node.
            ahead = np.concatenate([[0], np.cumsum(table[rest, node])])
            behind = np.concatenate([np.cumsum(table[node, rest][::-1])[::-1], [0]])
            cost = ahead + behind
            best = int(np.argmin(cost))
            if cost[best] < cost[at]:
                row, moved = np.insert(rest, best, node), True
        if not moved:
            break
    return [order[node] for node in row.tolist()]


MOST = 2000
"""Number of class edges that are told."""
_RULES_TOLD = 3
"""Number of rules that are told of an edge."""
_STEPS = 3
"""Largest number of consecutive derived facts on the way from one item to a needed one."""

Ints = NDArray[np.int64]


class ClassEdges:
    """The needs between parts of classes, by the classes."""

    def __init__(self, ties: Ties) -> None:
        formula, owners = ties.model.formula, ties.model.owners
        self.needs = ties.needs
        self._items = formula.items
        self._owner = np.full(formula.variables, -1, np.int64)
        self._owner[: formula.items] = np.where(owners < len(ties.model.parts), owners, -1)

    def between(self, sources: Ints, targets: Ints) -> Ints:
        """Return rows *source, target, rule, count* of the needs of classes of ``sources`` for classes of ``targets``.
        A need by way of derived facts is of the rule that asks for the fact."""
        wanted, goal = np.zeros(len(self._owner), np.bool_), np.zeros(len(self._owner), np.bool_)
        wanted[sources], goal[targets] = True, True
        owner, needs = self._owner, self.needs
        there = owner[needs.near] >= 0
        there &= wanted[owner[needs.near]]
        origin, rule, at = owner[needs.near[there]], needs.rule[there], needs.far[there]
        found = []
        for _ in range(_STEPS):
            plain = at < self._items
            hit = plain & (owner[at] >= 0) & goal[owner[at]] & (owner[at] != origin)
            found.append(np.stack([origin[hit], owner[at[hit]], rule[hit]], axis=1))
            origin, rule, at = self._onward(origin[~plain], rule[~plain], at[~plain])
        rows, counts = np.unique(np.concatenate(found), axis=0, return_counts=True)
        return np.column_stack([rows, counts])

    def _onward(self, origin: Ints, rule: Ints, facts: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the same needs one step on: from each derived fact to what it needs, each once."""
        if len(facts):
            kept = np.unique(np.stack([origin, rule, facts], axis=1), axis=0)
            origin, rule, facts = kept.T
        first = np.searchsorted(self.needs.near, facts, "left")
        count = np.searchsorted(self.needs.near, facts, "right") - first
        places = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
        return np.repeat(origin, count), np.repeat(rule, count), self.needs.far[places]


@once_per_input
def _class_pairs(desk: Desk) -> Ints:
    found: Ints = np.asarray(desk.workspace.opened.edges, np.int64).reshape(-1, 2)
    return found


def list_edges(desk: Desk, wish: ListEdges) -> EdgesListed:
    """Return the class edges from some classes to others by weight, with the rules."""
    count = len(desk.workspace.opened.items)
    sources, targets = (np.array([n for n in side if n < count], np.int64) for side in (wish.dependents, wish.needed))
    pairs = _class_pairs(desk)
    wanted, goal = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    wanted[sources], goal[targets] = True, True
    pairs = pairs[wanted[pairs[:, 0]] & goal[pairs[:, 1]] & (pairs[:, 0] != pairs[:, 1])]
    edges = ClassEdges(finder(desk).ties(wish.classpath))
    rules: dict[tuple[int, int], Counter[int]] = {(a, b): Counter() for a, b in pairs.tolist()}
    for a, b, rule, many in edges.between(sources, targets).tolist():
        if (a, b) in rules:  # other classes are needed by way of supertypes alone
            rules[a, b][rule] += many
    order = sorted(rules, key=lambda pair: (-rules[pair].total(), pair))
    told = [ClassEdge(*pair, rules[pair].total(), _words(edges.needs, rules[pair])) for pair in order[:MOST]]
    return EdgesListed(told, len(order))


def _words(needs: Needs, rules: Counter[int]) -> str:
    told = [needs.words(rule) for rule, _ in rules.most_common()]
    return some_of(told, _RULES_TOLD, "; ") if told else "names it; nothing needs it directly"


def find_cycles(desk: Desk, wish: FindCycles) -> CyclesFound:
    """Return the cycles among jars, packages or classes, with the edges that open each."""
    model = desk.workspace.opened
    pairs = _class_pairs(desk)
    if wish.items:
        inside = np.zeros(len(model.items), np.bool_)
        inside[[item for item in wish.items if item < len(model.items)]] = True
        pairs = pairs[inside[pairs].all(axis=1)]
    names = [item.name for item in model.items]
    if wish.nodes != "classes":
        groups = [node.package for node in model.graph.nodes]
        if wish.nodes == "jars":
            paths = [model.jar.entries[node.entry].name for node in model.graph.nodes]
            groups = [path.rpartition(MARK)[0] or model.jar.title for path in paths]
        names = sorted(set(groups))
        number = {name: at for at, name in enumerate(names)}
        pairs = np.array([number[name] for name in groups], np.int64)[pairs]
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    rows, counts = np.unique(pairs, axis=0, return_counts=True)
    edges: list[Edge] = [(a, b, n) for (a, b), n in zip(rows.tolist(), counts.tolist(), strict=True)]
    return CyclesFound([_told(one, names) for one in cycles(len(names), edges)])


def _told(cycle: Cycle, names: Sequence[str]) -> FoundCycle:
    place = {node: at for at, node in enumerate(cycle.nodes)}
    edges, cuts = (tuple((place[a], place[b], n) for a, b, n in some) for some in (cycle.edges, cycle.cuts))
    return FoundCycle(tuple(names[node] for node in cycle.nodes), edges, cuts, cycle.exact)
