"""Nested packages, neighbourhoods, matrices and force-directed places."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.layout.force import _in_rows, _overlapping, spring, stretched
from core.layout.layers import chain, focus
from core.layout.matrix import matrix
from core.layout.nested import nested_view, readable_view
from core.layout.packages import FIRST_LEAST, all_open, first_open, title, tree
from core.layout.placement import Floats, Placement
from core.protocol.wire import command_from
from tests.support.graphs import components
from tests.support.rows import rows

NAMES = ["a/b", "a/b/c", "a/b/c/d", "a/x", "", "z/q/r"]
GRAPHS = st.integers(1, 30).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2), max_size=70))
)


def overlapping(rects: Floats) -> list[tuple[int, int]]:
    x, y, w, h = rects.T
    apart = (x[:, None] + w[:, None] <= x + 1e-3) | (y[:, None] + h[:, None] <= y + 1e-3)
    clash = ~(apart | apart.T)
    np.fill_diagonal(clash, False)
    return [(int(a), int(b)) for a, b in np.argwhere(clash)]


# -- hierarchy ------------------------------------------------------------------------------


def test_levels_with_one_entry_are_left_out() -> None:
    root = tree(NAMES, [1, 2, 3, 4, 5, 6])
    assert root.name == "/*"
    assert root.classes == 21
    assert [folder.name for folder in root.inside] == ["", "a/*", "z/q/r"]
    a = root.inside[1]
    assert [folder.name for folder in a.inside] == ["a/b/*", "a/x"]
    assert [folder.name for folder in a.inside[0].inside] == ["a/b", "a/b/c/*"]
    assert sorted(a.packages()) == ["a/b", "a/b/c", "a/b/c/d", "a/x"]
    assert title(a.inside[0], "a") == "b"
    assert title(a.inside[0].inside[0], "a/b") == "b"
    assert title(a.inside[0].inside[1].inside[1], "a/b/c") == "d"
    assert title(root.inside[2], "") == "z.q.r"
    assert title(root.inside[0], "") == "(unnamed package)"
    assert tree(["only/one"], [3]).inside == ()


def test_a_name_of_thousands_of_parts_is_no_trouble() -> None:
    root = tree(["a/" * 20_000 + "b", "a/" * 20_000 + "c", "a"], [1, 1, 1])
    assert len(list(root.packages())) == 3


def test_what_is_open_at_first_and_at_most() -> None:
    many = [f"p{i}/q{j}" for i in range(20) for j in range(10)]
    root = tree(many, [1] * 200)
    opened = first_open(root)
    cards = len(root.inside) + sum(len(f.inside) - 1 for f in root.inside if f.name in opened)
    assert 30 < cards <= 40
    assert root.name in opened
    wide = tree(["a", *(f"p/q{i}" for i in range(70)), *(f"z/q{i}" for i in range(60))], [1] * 131)
    assert first_open(wide) == {"/*", "p/*"}, "more than half of all classes is in it"
    assert first_open(tree(["p"], [10])) == {"p"}
    assert first_open(tree(["p"], [1000])) == frozenset()
    sizes = tree(["a", "b", "c"], [10, 500, 30])
    assert all_open(sizes, 100) == {"/*", "a", "c"}


# -- nested view ----------------------------------------------------------------------------


@given(GRAPHS, st.lists(st.sampled_from([*NAMES, None]), min_size=30, max_size=30), st.data())
def test_any_choice_of_open_folders_is_placed_without_overlap(
    graph: tuple[int, list[tuple[int, int]]], packages: list[str | None], data: st.DataObject
) -> None:
    count, edges = graph
    packages = packages[:count]
    there = [name for name in packages if name is not None]
    folders = [f.name for f in tree(there, [1] * len(there)).all()] if there else []
    opened = data.draw(st.sets(st.sampled_from(folders)) if folders else st.just(set()))
    view = nested_view(packages, edges, components(count, edges), opened)
    assert overlapping(view.rects) == []
    assert (view.rects[:, 2:] > 0).all()
    cards = len(view.cards)
    assert (view.items[:cards] == -1).all()
    assert (view.items[cards:] >= 0).all()
    for item, name in enumerate(packages):
        node = int(view.members[item])
        if name is None:
            assert node == -1
        elif node >= cards:
            assert view.items[node] == item
            assert name in opened
        else:
            assert view.cards[node].name == name or name.startswith(view.cards[node].name.removesuffix("/*"))
    for rects in (view.rects, view.boxes[:, :4], view.frames):
        for frame in view.frames.tolist():
            x, y, w, h = frame
            # Each rectangle lies whole inside a frame or whole beside it.
            left, top = rects[:, 0], rects[:, 1]
            right, bottom = left + rects[:, 2], top + rects[:, 3]
            inside = (left >= x - 1e-6) & (top >= y - 1e-6) & (right <= x + w + 1e-6) & (bottom <= y + h + 1e-6)
            beside = (right <= x + 1e-6) | (left >= x + w - 1e-6) | (bottom <= y + 1e-6) | (top >= y + h - 1e-6)
            around = (left <= x + 1e-6) & (top <= y + 1e-6) & (right >= x + w - 1e-6) & (bottom >= y + h - 1e-6)
            assert (inside | beside | around).all()


def test_an_open_package_shows_its_cycles_as_boxes() -> None:
    packages = ["a/b", "a/b", "a/b", "a/c"]
    edges = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)]
    view = nested_view(packages, edges, components(4, edges), ["a/b"])
    assert [card.name for card in view.cards] == ["a/c"]
    assert [card.name for card in view.framed] == ["a/b"]
    assert view.items.tolist() == [-1, 0, 1, 2]
    assert view.members.tolist() == [1, 2, 3, 0]
    assert view.blocks[view.members[0]] == view.blocks[view.members[1]] >= 0
    assert view.blocks[view.members[2]] == -1
    assert len(view.boxes) == 2, "the two classes, and the two packages, that need each other"


def test_nothing_is_placed_where_nothing_is() -> None:
    view = nested_view([None, None], [], [-1, -1])
    assert view.rects.shape == (0, 4)
    assert view.members.tolist() == [-1, -1]


# -- focus ----------------------------------------------------------------------------------

CHAIN = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 2), (4, 0), (5, 2)]


def test_focus_stands_between_what_needs_it_and_what_it_needs() -> None:
    found = focus(6, CHAIN, 2, 1)
    levels = dict(zip(found.items.tolist(), found.levels.tolist(), strict=True))
    assert levels == {0: -1, 1: -1, 2: 0, 3: 1, 5: -1}
    y = dict(zip(found.items.tolist(), found.rects[:, 1].tolist(), strict=True))
    assert max(y[0], y[1], y[5]) < y[2] < y[3]
    assert focus(6, CHAIN, 2, 1, needed_by=False).items.tolist() == [2, 3]
    assert focus(6, CHAIN, 2, 2, needs=False).items.tolist() == [0, 1, 2, 4, 5]


@given(GRAPHS, st.integers(1, 4), st.integers(1, 12))
def test_focus_is_the_ball_around_its_centre(graph: tuple[int, list[tuple[int, int]]], depth: int, most: int) -> None:
    count, edges = graph
    whole = nx.DiGraph()
    whole.add_nodes_from(range(count))
    whole.add_edges_from(edges)
    down = nx.single_source_shortest_path_length(whole, 0, depth)
    up = nx.single_source_shortest_path_length(whole.reverse(), 0, depth)
    ball = set(down) | set(up)
    found = focus(count, edges, 0, depth)
    assert set(found.items.tolist()) == ball
    assert overlapping(found.rects) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[focus.__module__], "MOST", most)
        few = focus(count, edges, 0, depth)
    assert len(few.items) == min(most, len(ball))
    assert len(few.items) + few.left_out == len(ball)
    assert 0 in few.items.tolist()


def test_a_chain_stands_one_below_the_other() -> None:
    found = chain(6, CHAIN, [4, 0, 2, 3])
    assert found.items.tolist() == [4, 0, 2, 3]
    assert (np.diff(found.rects[:, 1]) > 0).all()


# -- matrix ---------------------------------------------------------------------------------


@given(GRAPHS)
def test_only_cycles_have_marks_above_the_diagonal(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    view = matrix(count, edges, np.arange(count))
    assert sorted(view.order.tolist()) == list(range(count))
    component = components(count, edges)
    grouped = [set(view.order[first : first + size].tolist()) for first, size in view.groups.tolist()]
    assert {frozenset(g) for g in grouped} == {
        frozenset(n for n in range(count) if component[n] == c) for c in set(component) if component.count(c) > 1
    }
    for row, column, weight in view.cells.tolist():
        a, b = int(view.order[row]), int(view.order[column])
        assert weight == sum(edge == (a, b) for edge in edges)
        if column > row:
            assert component[a] == component[b]
    assert len(view.cells) == len({edge for edge in edges if edge[0] != edge[1]})


def test_a_cycle_is_cut_where_it_is_weakest() -> None:
    # Three steps of weight 3 and one edge back: that one goes above the diagonal.
    edges = [(2, 1)] * 3 + [(1, 0)] * 3 + [(0, 2)]
    view = matrix(3, edges, np.arange(3))
    upward = [(view.order[r], view.order[c]) for r, c, _ in view.cells.tolist() if c > r]
    assert upward == [(0, 2)]


def test_edges_are_counted_for_what_holds_their_ends() -> None:
    view = matrix(2, [(0, 2), (1, 2), (0, 1), (2, 3)], np.array([0, 0, 1, -1]))
    assert view.order.tolist() == [1, 0]
    assert view.cells.tolist() == [[1, 0, 2]]


# -- force ----------------------------------------------------------------------------------


def two_parts() -> tuple[int, list[tuple[int, int]]]:
    random = np.random.default_rng(3)
    edges = [(int(a), int(b)) for a, b in random.integers(0, 80, (160, 2))]
    edges += [(a, a + 1) for a in range(79)]
    return 100, [*edges, *((a, a + 1) for a in range(80, 92)), (93, 94), (95, 96), (96, 97)]


def check_force(placed: Placement, there: np.ndarray) -> None:
    assert placed.rects[there, 2].min() > 0
    rects = placed.rects[there]
    assert overlapping(rects) == []
    assert np.isfinite(rects).all()
    assert rects[:, :2].min() >= -1e-6


def test_boxes_that_are_too_many_to_push_apart_stand_in_rows() -> None:
    points = np.random.default_rng(4).normal(0, 100, (500, 2))
    placed = _in_rows(points.copy(), 20.0, 10.0)
    assert not _overlapping(placed, np.array([20.0, 10.0]))
    assert np.corrcoef(placed[:, 0], points[:, 0])[0, 1] > 0.9, "the picture stays"


def test_force_places_without_overlap_neighbours_near() -> None:
    count, edges = two_parts()
    there = np.arange(99)
    placed = spring(count, edges, there)
    check_force(placed, there)
    assert placed.rects[99, 2] == 0
    again = spring(count, edges, there)
    assert np.array_equal(placed.rects, again.rects)
    points = placed.rects[:80, :2]
    pairs = np.array([e for e in edges if max(e) < 80])
    near = np.sqrt(((points[pairs[:, 0]] - points[pairs[:, 1]]) ** 2).sum(axis=1)).mean()
    far = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2)).mean()
    assert near < 0.8 * far


def test_the_force_layout_is_no_clot_in_a_corner() -> None:
    graph = nx.barabasi_albert_graph(594, 3, seed=1)
    nx.add_path(graph, range(593, 600))  # a tail, which takes no room from the others
    placed = spring(600, list(graph.edges), np.arange(600))
    for places in placed.rects[:, :2].T:
        low, high = np.quantile(places, [0.01, 0.99])
        assert high - low >= 0.85 * np.ptp(places), "98 % of the boxes are spread over most of the picture"
    for aspect in (0.7, 3.0):
        wide, high = stretched(placed, aspect).size
        assert wide / high == pytest.approx(aspect, rel=0.05), "it has the shape of its room"
        check_force(stretched(placed, aspect), np.arange(600))


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_small_and_empty_graphs_have_places(count: int) -> None:
    placed = spring(count, [(a, (a + 1) % count) for a in range(count)] if count else [], np.arange(count))
    check_force(placed, np.arange(count)) if count else None
    assert len(placed.rects) == count


# -- wishes ---------------------------------------------------------------------------------


@rows(
    "wrong",
    [{}, {"view": "cake"}, {"view": "focus"}, {"view": "focus", "items": "1"}, {"view": "focus", "items": [True]},
     {"view": "matrix", "rows": "planets"}, {"view": "focus", "items": [1], "depth": -1},
     {"view": "force", "request": "x"}],
)  # fmt: skip
def test_a_wish_that_means_nothing_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        command_from("lay_out", wrong)


def test_a_long_chain_of_packages_lies_on_its_side_without_overlaps() -> None:
    packages = [f"p.q{number:02}" for number in range(14)] + ["p.other"]
    edges = [(number, number + 1) for number in range(13)]
    view = nested_view(packages, edges, list(range(15)))
    right, bottom = (view.rects[:, :2] + view.rects[:, 2:]).max(axis=0)
    assert right > bottom
    for number, (x, y, wide, high) in enumerate(view.rects.tolist()):
        others = np.delete(view.rects, number, axis=0)
        apart = (others[:, 0] >= x + wide) | (others[:, 0] + others[:, 2] <= x)
        apart |= (others[:, 1] >= y + high) | (others[:, 1] + others[:, 3] <= y)
        assert apart.all()


def test_as_many_folders_are_open_at_first_as_can_be_read() -> None:
    packages = [f"m/{group}/package{part}" for group in ("here", "there", "elsewhere") for part in range(13)]
    component = list(range(len(packages)))
    wide = readable_view(packages, [], component, (3000, 2000))
    assert sorted(card.name for card in wide.cards) == sorted(packages)
    low = readable_view(packages, [], component, (300, 160))
    assert FIRST_LEAST <= len(low.cards) < len(packages), "a picture of three groups tells too little"
    tiny = readable_view(packages, [], component, (0, 0))
    assert 0 < len(tiny.cards) <= len(packages), "there is a picture in any room"
    assert readable_view([None], [], [0], (300, 160)).cards == []
