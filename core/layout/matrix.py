"""A dependency structure matrix: its order, and its picture as an SVG document.

Each class stands before its users, cycles side by side. So the marks of ordinary dependencies lie below the diagonal,
and only cycles have some above it."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from core.layout.picture import BASELINE, LETTER, MARGIN, fit, svg_page
from core.layout.placement import Edges, Ints, as_edges, edges_between
from core.words import in_line, xml_text


@dataclass(frozen=True, slots=True, eq=False)
class MatrixOrder:
    """Rows need columns."""

    order: Ints
    """Node of each row."""
    cells: Ints
    """Shape (k, 3): row, column, number of edges; none on the diagonal."""
    groups: Ints
    """Shape (g, 2): first row and number of rows of each cycle."""


def matrix(count: int, edges: Edges, node_of: Ints) -> MatrixOrder:
    """Return the matrix of ``count`` nodes; an edge of the finer graph ``edges`` counts for the nodes of its ends.

    ``node_of`` -1 = in none. Within a cycle the order leaves few edges above the diagonal
    (Eades, Lin and Smyth, "A fast and effective heuristic for the feedback arc set problem",
    1993, with weights).
    """
    cells = edges_between(as_edges(edges), np.asarray(node_of, dtype=np.int64))
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(cells.tolist())
    parts = [sorted(part) for part in nx.strongly_connected_components(graph)]
    number = {node: index for index, part in enumerate(parts) for node in part}
    condensed: nx.DiGraph[int] = nx.DiGraph()
    condensed.add_nodes_from(range(len(parts)))
    condensed.add_edges_from((number[b], number[a]) for a, b, _ in cells.tolist() if number[a] != number[b])
    order: list[int] = []
    groups: list[tuple[int, int]] = []
    for index in nx.lexicographical_topological_sort(condensed, key=lambda part: parts[part][0]):
        part = parts[index]
        if len(part) > 1:
            groups.append((len(order), len(part)))
            part = few_upward(part, graph)
        order += part
    row = np.zeros(count, dtype=np.int64)
    row[order] = np.arange(count)
    cells[:, :2] = row[cells[:, :2]]
    return MatrixOrder(np.asarray(order, dtype=np.int64), cells, np.asarray(groups, dtype=np.int64).reshape(-1, 2))


def few_upward(part: list[int], graph: nx.DiGraph[int]) -> list[int]:
    """Return the nodes in an order with few upward edges. Sinks come first and sources last; among the others the node
    with the largest excess of dependents over needs comes first."""
    inside = set(part)
    out = {node: {b: int(d["weight"]) for b, d in graph[node].items() if b in inside} for node in part}
    into: dict[int, dict[int, int]] = {node: {} for node in part}
    for a, targets in out.items():
        for b, weight in targets.items():
            into[b][a] = weight
    needs = {node: sum(out[node].values()) for node in part}
    needed = {node: sum(into[node].values()) for node in part}
    heap = [(needs[node] - needed[node], node) for node in part]
    heapq.heapify(heap)
    ends = [node for node in part if not needs[node] or not needed[node]]
    front: list[int] = []
    back: list[int] = []
    left = set(part)

    def take(node: int) -> None:
        left.discard(node)
        for other, weight in into[node].items():
            if other in left:
                needs[other] -= weight
                heapq.heappush(heap, (needs[other] - needed[other], other))
                if not needs[other]:
                    ends.append(other)
        for other, weight in out[node].items():
            if other in left:
                needed[other] -= weight
                heapq.heappush(heap, (needs[other] - needed[other], other))
                if not needed[other]:
                    ends.append(other)

    while left:
        while ends:
            node = ends.pop()
            if node in left:
                (back if needs[node] else front).append(node)
                take(node)
        while heap and left:
            score, node = heapq.heappop(heap)
            if node in left and score == needs[node] - needed[node]:
                front.append(node)
                take(node)
                break
    return front + back[::-1]


CELL = 14.0
FONT = 10.0
_NAME = 190.0
"""Most room for the names of the rows; those of the columns are turned and have as much."""
_NOTE = 420.0
"""Room for the line below."""
_COUNTS_MOST = 80
"""Up to so many rows the numbers of edges stand in the cells."""

_STYLE = (
    ".paper{fill:#fff}.grid{fill:none;stroke:#dfe4ec;stroke-width:.6}.group{fill:#eef3fb;stroke:#b5c4e3}"
    ".self{fill:#c9d0dc}.down{fill:#3b62b0}.up{fill:#c04f00}"
    f"text{{font-size:{FONT:g}px;fill:#1c2333}}.gone{{fill:#8a909b;text-decoration:line-through}}"
    f".count{{font-size:{FONT - 2:g}px;fill:#fff;text-anchor:middle}}"
)


def matrix_svg(
    names: Sequence[str],
    cells: Sequence[Sequence[int]],
    groups: Sequence[Sequence[int]],
    gone: Collection[int] = (),
    title: str = "",
) -> str:
    """Return the picture of a matrix. ``names`` are those of the rows; ``cells`` are row, column and number of edges;
    ``groups`` are first row and number of rows of each cycle; ``gone`` are the rows of which nothing is left.
    """
    size, side = len(names), CELL * len(names)
    room = min(_NAME, max(map(len, names), default=0) * LETTER * FONT + 12)
    width = max(room + side, _NOTE) + 2 * MARGIN
    height = room + side + 2 * MARGIN + 24
    parts = []
    for first, count in groups:
        at, wide = CELL * first, CELL * count
        parts.append(f'<rect class="group" x="{at:g}" y="{at:g}" width="{wide:g}" height="{wide:g}"/>')
    lines = "".join(f"M0 {CELL * n:g}h{side:g}M{CELL * n:g} 0v{side:g}" for n in range(size + 1))
    parts.append(f'<path class="grid" d="{lines}"/>')
    parts.append(_squares("self", [(n, n) for n in range(size)]))
    parts.append(_squares("down", [(row, column) for row, column, _ in cells if column < row]))
    parts.append(_squares("up", [(row, column) for row, column, _ in cells if column > row]))
    if size <= _COUNTS_MOST:
        parts += [
            f'<text class="count" x="{CELL * (column + 0.5):g}" '
            f'y="{CELL * (row + 0.5) + BASELINE * (FONT - 2):.1f}">{count}</text>'
            for row, column, count in cells
            if count < 1000
        ]
    for number, name in enumerate(names):
        label = xml_text(fit(in_line(name), room - 6, LETTER * FONT))
        look = ' class="gone"' if number in gone else ""
        line = CELL * (number + 0.5) + BASELINE * FONT
        full = f"<title>{xml_text(name)}</title>"
        parts.append(f'<g>{full}<text{look} x="-6" y="{line:.1f}" text-anchor="end">{label}</text></g>')
        parts.append(f'<g>{full}<text{look} transform="translate({line:.1f} -6) rotate(-90)">{label}</text></g>')
    upward = sum(column > row for row, column, _ in cells)
    note = f"{size} rows, {len(cells)} cells, {upward} of them above the diagonal (in cycles). Rows need columns."
    parts.append(f'<text x="{-room:.2f}" y="{side + 24:.1f}">{note}</text>')
    return svg_page(title or "Dependency matrix", _STYLE, f"{-MARGIN - room:.2f}", (width, height), parts)


def _squares(look: str, places: Sequence[tuple[int, int]]) -> str:
    wide = CELL - 2
    drawn = "".join(f"M{CELL * column + 1:g} {CELL * row + 1:g}h{wide:g}v{wide:g}h{-wide:g}z" for row, column in places)
    return f'<path class="{look}" d="{drawn}"/>' if drawn else ""
