"""The own layouts: no overlaps, edges point down, same picture each time, near 16:10, fast."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.layout.layered import layered
from core.layout.layers import ranks
from core.layout.packages import numbered, package_labels
from core.layout.picture import fit, package_drawing
from core.layout.placement import NODE_WIDTH, Placement, as_edges, edges_between
from tests.support.graphs import components

EDGE_LISTS = st.integers(0, 40).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, max(n - 1, 0))] * 2), max_size=90 if n else 0))
)


def random_graph(count: int, size: int, seed: int) -> list[tuple[int, int]]:
    """Like a jar's: most edges one way, a few hubs, some cycles."""
    choose = random.Random(seed)
    edges = set()
    while len(edges) < size:
        a = choose.randrange(count)
        b = min(int(choose.paretovariate(0.5)) - 1, count - 1) if choose.random() < 0.5 else choose.randrange(count)
        if a != b:
            edges.add((max(a, b), min(a, b)) if choose.random() < 0.998 else (min(a, b), max(a, b)))
    return sorted(edges)


def assert_no_overlap(x: np.ndarray, y: np.ndarray, width: np.ndarray, height: np.ndarray) -> None:
    there = width > 0
    x, y, width, height = (values[there] for values in (x, y, width, height))
    apart = (
        (x[:, None] + width[:, None] <= x + 1e-6)
        | (x + width <= x[:, None] + 1e-6)
        | (y[:, None] + height[:, None] <= y + 1e-6)
        | (y + height <= y[:, None] + 1e-6)
    )
    np.fill_diagonal(apart, True)
    assert apart.all(), np.argwhere(~apart)[:5]


def check(placement: Placement, edges: list[tuple[int, int]], component_of: list[int]) -> None:
    """Everything that every placement must keep to."""
    p = placement
    assert_no_overlap(*p.rects.T)
    assert (p.rects[:, :2] >= -1e-6).all()
    single = np.asarray([component_of.count(c) == 1 for c in component_of], dtype=bool)
    assert_no_overlap(
        np.concatenate([p.rects[single, 0], p.boxes[:, 0]]),
        np.concatenate([p.rects[single, 1], p.boxes[:, 1]]),
        np.concatenate([p.rects[single, 2], p.boxes[:, 2]]),
        np.concatenate([p.rects[single, 3], p.boxes[:, 3]]),
    )
    box_of = {int(box[4]): box for box in p.boxes}
    for node, component in enumerate(component_of):
        if component in box_of:
            x, y, width, height, _ = box_of[component]
            assert x < p.rects[node, 0]
            assert p.rects[node, 0] + p.rects[node, 2] < x + width
            assert y < p.rects[node, 1]
            assert p.rects[node, 1] + p.rects[node, 3] < y + height
    for a, b in edges:
        if component_of[a] != component_of[b]:
            assert p.rects[a, 1] + p.rects[a, 3] <= p.rects[b, 1] + 1e-6, f"edge {a} -> {b} does not point down"


@given(EDGE_LISTS)
def test_any_graph_is_placed_without_overlap_and_downward(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    component_of = components(count, edges)
    placement = layered(count, edges, component_of)
    assert len(placement.rects) == count
    check(placement, edges, component_of)


def test_the_same_graph_gives_the_same_picture() -> None:
    edges = random_graph(300, 900, 3)
    component_of = components(300, edges)
    one, other = layered(300, edges, component_of), layered(300, np.asarray(edges), np.asarray(component_of))
    for name in ("rects", "boxes"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_large_graphs_wrap_to_a_screen_shape() -> None:
    edges = random_graph(1000, 3600, 5)
    component_of = components(1000, edges)
    placement = layered(1000, edges, component_of)
    check(placement, edges, component_of)
    width, height = placement.size
    assert 1.1 < width / height < 2.3


def test_a_flat_graph_wraps_its_one_layer() -> None:
    placement = layered(500, [(0, node) for node in range(1, 500)], range(500))
    width, height = placement.size
    assert 0.8 < width / height < 2.5
    assert placement.rects[0, 1] + placement.rects[0, 3] < placement.rects[1:, 1].min()


def test_four_times_the_classes_do_not_take_the_square_of_the_time() -> None:
    least = []
    for classes in (1250, 5000):
        edges = np.asarray(random_graph(classes, 4 * classes, 7))
        component_of = np.asarray(components(classes, edges.tolist()))
        assert len(np.unique(component_of)) > classes // 5
        times = []
        for _ in range(3):
            start = time.process_time()
            layered(classes, edges, component_of)
            times.append(time.process_time() - start)
        least.append(min(times))
    assert least[1] < 12 * least[0]  # the square would be 16; both are of this machine at this load


def test_nodes_without_component_have_no_place() -> None:
    placement = layered(4, [(0, 1), (1, 0), (0, 3)], [0, 0, -1, 1])
    assert placement.rects[:, 2].tolist() == [NODE_WIDTH, NODE_WIDTH, 0.0, NODE_WIDTH]
    assert placement.boxes.shape == (1, 5)
    assert placement.boxes[0, 4] == 0
    assert layered(2, [], [-1, -1]).size == (0.0, 0.0)


def test_parts_without_connection_stand_side_by_side() -> None:
    edges = [(0, 1), (0, 2), (1, 3), (2, 3), (4, 5)]
    placement = layered(7, edges, range(7))
    main, other, alone = placement.rects[:4, 0], placement.rects[4:6, 0], placement.rects[6, 0]
    assert main.max() + 72 < other.min()
    assert other.max() + 72 < alone


def test_wrong_components_are_an_error() -> None:
    with pytest.raises(ValueError, match="strong components"):
        layered(2, [(0, 1), (1, 0)], [0, 1])
    with pytest.raises(ValueError, match="3 entries for 2 nodes"):
        layered(2, [], [0, 1, 2])


def test_ranks_sink_to_what_they_mention() -> None:
    # 4 mentions only 3: it stands just above 3, not at the top.
    assert ranks(5, np.asarray([(0, 1), (1, 2), (2, 3), (4, 3)])).tolist() == [0, 1, 2, 3, 2]


def test_package_picture_counts_and_places() -> None:
    packages = ["a/b/x", "a/b/x", "a/b/y", "a/b", None, "a/b/z"]
    edges = [(0, 2), (1, 2), (2, 0), (2, 3), (0, 1), (0, 4)]
    members, names = numbered(packages)
    assert names == ["a/b", "a/b/x", "a/b/y", "a/b/z"]
    assert members.tolist() == [1, 1, 2, 0, -1, 3]
    assert edges_between(as_edges(edges), members).tolist() == [[1, 2, 2], [2, 0, 1], [2, 1, 1]]
    drawn = package_drawing(packages, edges)
    assert drawn.names == ["a.b: 1 class", "a.b.x: 2 classes", "a.b.y: 1 class", "a.b.z: 1 class"]
    assert drawn.labels == ["b", "b.x", "b.y", "b.z"]
    assert drawn.edges.tolist() == [[1, 2], [2, 0], [2, 1]]
    assert len(drawn.placement.boxes) == 1  # x and y mention each other
    check(drawn.placement, [(1, 2), (2, 0)], [0, 1, 1, 2])


def test_a_package_of_many_classes_has_a_larger_box() -> None:
    placed = package_drawing(["p"] * 400 + ["q"] * 4, []).placement
    area = placed.rects[:, 2] * placed.rects[:, 3]
    assert area[0] > 7 * area[1]


@given(EDGE_LISTS, st.integers(1, 12))
def test_any_package_graph_is_placed(graph: tuple[int, list[tuple[int, int]]], packages: int) -> None:
    count, edges = graph
    drawn = package_drawing([f"p{node % packages}" for node in range(count)], edges)
    pairs = [(int(a), int(b)) for a, b in drawn.edges]
    check(drawn.placement, pairs, components(len(drawn.names), pairs))


def test_labels() -> None:
    assert fit("CacheBuilderSpec", 50, 5) == "…ilderSpec"
    assert fit("Cache", 50, 5) == "Cache"
    assert package_labels(["org/x/a", "org/x/b/c"]) == ["a", "b.c"]
    assert package_labels(["org/x", "org/x/b"]) == ["x", "x.b"]
    assert package_labels(["org/x", ""]) == ["org.x", "(unnamed)"]
    assert package_labels(["org/x"]) == ["org.x"]
