"""Layouts of class graphs by Jarlet and by Graphviz: ``python -m tests.bench.layouts JAR...``. Printed as Markdown.

*Near*: of as many nearest boxes as a class has neighbours, the share that are neighbours. *Crossings*: pairs of
straight lines between the middles of components that cross. Graphviz gets the boxes of Jarlet, and ``--limit`` seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from core.archive.jar import read_jar
from core.layout.force import spring
from core.layout.layered import place_components
from core.layout.placement import Floats, Ints, as_edges, condense
from core.model.class_model import build

_GRAPHVIZ = """
import json, sys, pygraphviz
asked = json.load(sys.stdin)
graph = pygraphviz.AGraph(directed=asked["program"] == "dot", strict=True)
graph.graph_attr.update(splines="false", overlap="true", nslimit="2", nslimit1="2", mclimit="0.5")
graph.node_attr.update(shape="box", label="", fixedsize="true")
for node, (width, height) in enumerate(asked["sizes"]):
    graph.add_node(node, width=width / 72, height=height / 72)
graph.add_edges_from(asked["edges"])
graph.layout(prog=asked["program"])
places = [graph.get_node(node).attr["pos"].split(",") for node in range(len(asked["sizes"]))]
print(json.dumps([list(map(float, place)) for place in places]))
"""


def graphviz(program: str, sizes: Floats, edges: Ints, limit: float) -> Floats | None:
    """Return the middles of nodes of these sizes, shape (n, 2); None after ``limit`` seconds."""
    asked = json.dumps({"program": program, "sizes": sizes.tolist(), "edges": edges.tolist()})
    try:
        told = subprocess.run(
            [sys.executable, "-c", _GRAPHVIZ], input=asked, capture_output=True, text=True, timeout=limit, check=True
        ).stdout
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return np.asarray(json.loads(told))


def near(points: Floats, edges: Ints) -> float:
    """Return the mean share of neighbours among the nearest nodes of each node that has neighbours."""
    linked = np.zeros((len(points), len(points)), bool)
    linked[edges[:, 0], edges[:, 1]] = linked[edges[:, 1], edges[:, 0]] = True
    np.fill_diagonal(linked, val=False)
    shares = []
    for node in np.flatnonzero(linked.any(axis=1)):
        away = np.hypot(*(points - points[node]).T)
        away[node] = np.inf
        shares.append(linked[node][np.argsort(away, kind="stable")[: linked[node].sum()]].mean())
    return float(np.mean(shares))


def crossings(points: Floats, edges: Ints) -> int:
    """Return the number of pairs of edges that cross; edges with a common end do not."""
    a, b = points[edges[:, 0]], points[edges[:, 1]]

    def side(one: Floats, other: Floats, third: Floats) -> Floats:
        way, to = (other - one)[:, None], third[None] - one[:, None]
        return np.asarray(np.sign(way[..., 0] * to[..., 1] - way[..., 1] * to[..., 0]))

    apart = side(a, b, a) * side(a, b, b) < 0
    return int((apart & apart.T).sum()) // 2


def told(seconds: float, points: Floats | None, edges: Ints, *, force: bool) -> str:
    """Return a cell of the table: seconds, and how good the picture is."""
    if points is None:
        return f"none in {seconds:.0f} s"
    width, height = np.ptp(points, axis=0)
    good = f"near {near(points, edges):.2f}" if force else f"{crossings(points, edges):,}, {width:.0f} x {height:.0f}"
    return f"{seconds:.1f} s, {good}"


def main() -> None:
    """Print a row for each jar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of Graphviz for a picture (default: 60)")
    options = parser.parse_args()
    print("| jar | classes | force | sfdp | layers: crossings, size | dot |\n|---|---:|---|---|---|---|")
    for jar in options.jars:
        model = build(read_jar([jar]))
        component_of = np.asarray(model.components, dtype=np.int64)
        placed, edges = np.flatnonzero(component_of >= 0), as_edges(model.edges)
        cells = []
        start = time.monotonic()
        own = spring(len(component_of), edges, placed)
        points = own.rects[:, :2] + own.rects[:, 2:] / 2
        cells.append(told(time.monotonic() - start, points, edges, force=True))
        start = time.monotonic()
        theirs = graphviz("sfdp", np.full((len(component_of), 2), 1.0), edges, options.limit)
        cells.append(told(time.monotonic() - start, theirs, edges, force=True))
        count = np.bincount(component_of[placed])
        between = condense(edges, component_of)
        sizes = np.stack([96.0 * np.ceil(np.sqrt(count)), 18.0 * np.ceil(np.sqrt(count))], axis=1)
        start = time.monotonic()
        x, y = place_components(between, *sizes.T)
        points = np.stack([x + sizes[:, 0] / 2, y + sizes[:, 1] / 2], axis=1)
        cells.append(told(time.monotonic() - start, points, between, force=False))
        start = time.monotonic()
        theirs = graphviz("dot", sizes, between, options.limit)
        cells.append(told(time.monotonic() - start, theirs, between, force=False))
        print(f"| {jar.name} | {len(placed)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
