"""The edges that open a cycle: without them there is none, and no lighter set exists where that is promised."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import pytest

from core.service.queries.explore import class_edges as cuts
from core.service.queries.explore.class_edges import Edge, cycles
from tests.support.rows import rows


def test_a_chain_has_no_cycle() -> None:
    assert cycles(3, [(0, 1, 5), (1, 2, 1), (2, 2, 9)]) == []


def test_the_lightest_edge_of_a_ring_is_cut() -> None:
    (found,) = cycles(4, [(0, 1, 5), (1, 2, 2), (2, 0, 7), (2, 3, 1)])
    assert found.nodes == (0, 1, 2)
    assert found.cuts == ((1, 2, 2),)
    assert found.exact


def test_of_equal_weights_fewer_edges_are_cut() -> None:
    """One edge of weight 2 is better than two of weight 1."""
    (found,) = cycles(4, [(0, 1, 2), (1, 2, 1), (1, 3, 1), (2, 0, 9), (3, 0, 9)])
    assert found.cuts == ((0, 1, 2),)


def test_the_largest_cycle_comes_first() -> None:
    found = cycles(5, [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 4, 1), (4, 2, 1)])
    assert [one.nodes for one in found] == [(2, 3, 4), (0, 1)]


@rows("seed", range(30))
def test_no_lighter_set_of_a_small_cycle_exists(seed: int) -> None:
    edges = graph(seed, 6, 14)
    for one in cycles(6, edges):
        assert one.exact
        assert acyclic(one.nodes, set(one.edges) - set(one.cuts))
        # a set that opens all cycles goes back in some order of the nodes, and what goes back in any order opens them
        assert weight(one.cuts) == min(
            weight(tuple(edge for edge in one.edges if order.index(edge[0]) >= order.index(edge[1])))
            for order in itertools.permutations(one.nodes)
        )


@pytest.mark.parametrize("seed", range(5))
def test_a_large_cycle_is_opened_by_few_edges(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    edges = graph(seed, 12, 40)
    exact = sum(weight(one.cuts) for one in cycles(12, edges))
    monkeypatch.setattr(cuts, "EXACT_MOST", 1)
    greedy = cycles(12, edges)
    for one in greedy:
        assert not one.exact
        assert acyclic(one.nodes, set(one.edges) - set(one.cuts))
    assert exact <= sum(weight(one.cuts) for one in greedy) <= 2 * exact


def graph(seed: int, count: int, many: int) -> list[Edge]:
    chance = random.Random(seed)
    pairs = chance.sample([(a, b) for a in range(count) for b in range(count) if a != b], many)
    return [(a, b, chance.randint(1, 9)) for a, b in pairs]


def weight(edges: tuple[Edge, ...]) -> int:
    return sum(edge[2] for edge in edges)


def acyclic(nodes: tuple[int, ...], edges: set[Edge]) -> bool:
    made: nx.DiGraph[int] = nx.DiGraph()
    made.add_nodes_from(nodes)
    made.add_edges_from(edge[:2] for edge in edges)
    return bool(nx.is_directed_acyclic_graph(made))
