"""Frame times of the graph: ``python -m tests.bench.canvas [NODES ...]`` (default 1000 5000 10000).

Prints median and 95th percentile in milliseconds of a pan, a zoom and a recolouring of 1,000
nodes, and the time and longest slice of painting the edges anew, for the views of classes and
of forces, for the package view with all open and for the matrix of classes. Wall time; the last
column is processor time, which other work on the machine does not change. Four edges a node, 60
packages, a third of the nodes in cycles.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from app.engine.opened_jar import OpenedJar, Places, jar_from, places_from
from app.graph.scene.cells import cells_from
from app.graph.view import GraphView
from core.layout.force import spring
from core.layout.layered import layered
from core.layout.matrix import matrix
from core.layout.nested import nested_view
from core.layout.placement import Placement
from core.protocol import events

FRAMES = 60
PACKAGES = 60


def synthetic(nodes: int, seed: int = 1) -> tuple[OpenedJar, np.ndarray, np.ndarray]:
    """A jar of ``nodes`` classes with 4 edges each, a third of them in cycles of 5; its edges and components."""
    random = np.random.default_rng(seed)
    components = np.arange(nodes)
    cyclic = nodes // 3 // 5 * 5
    components[:cyclic] = np.arange(cyclic) // 5
    components[cyclic:] = cyclic // 5 + np.arange(nodes - cyclic)
    rank = random.permutation(int(components.max()) + 1)
    ends = random.integers(0, nodes, (4 * nodes, 2))
    up = rank[components[ends[:, 0]]] > rank[components[ends[:, 1]]]
    ends[up] = ends[up][:, ::-1]
    ends = ends[components[ends[:, 0]] != components[ends[:, 1]]]
    inside = np.arange(cyclic)
    ring = np.stack([inside, inside // 5 * 5 + (inside + 1) % 5], axis=1)
    edges = np.concatenate([ends, ring])
    jar = jar_from(
        events.Opened(
            sources=[],
            title="bench",
            bytes=nodes * 1000,
            classes=nodes,
            kinds=["class"] * nodes,
            names=[f"bench/p{i % PACKAGES}/Class{i}" for i in range(nodes)],
            sizes=[1000] * nodes,
            components=components.tolist(),
            component_count=int(components.max()) + 1,
            edges=edges.ravel().tolist(),
            pinned=[],
            warnings=[],
            unresolved=0,
            seconds=0.0,
        )
    )
    return jar, edges, components


def as_places(view: str, placed: Placement) -> Places:
    """The places as the window gets them."""
    columns = [column.tolist() for column in (placed.x, placed.y, placed.width, placed.height)]
    return places_from(events.Layout(view, placed.engine, *columns, boxes=placed.boxes.ravel().tolist()))


def opened_packages(jar: OpenedJar, edges: np.ndarray, components: np.ndarray) -> Places:
    """All packages opened."""
    packages = [name.rpartition("/")[0] for name in jar.names]
    view = nested_view(packages, edges, components, {*packages, "bench/*"})
    return places_from(
        events.Layout(
            "packages",
            "layered",
            *[column.tolist() for column in view.rects.T],
            boxes=view.boxes.ravel().tolist(),
            members=view.members.tolist(),
            items=view.items.tolist(),
            blocks=view.blocks.tolist(),
            frames=view.frames.ravel().tolist(),
            frame_names=[card.name for card in view.framed],
            frame_labels=[card.title for card in view.framed],
        )
    )


def frames(widget: QWidget, change: Callable[[int], None]) -> tuple[np.ndarray, np.ndarray]:
    """Milliseconds of each frame after a change, on the clock and of the processor."""
    target = QPixmap(widget.size())
    taken = []
    for number in range(FRAMES):
        start, busy = time.perf_counter(), time.process_time()
        change(number)
        widget.render(target)
        taken.append(((time.perf_counter() - start) * 1000, (time.process_time() - busy) * 1000))
    return tuple(np.array(taken).T)  # type: ignore[return-value]


def repaint_edges(view: GraphView) -> np.ndarray:
    """Processor milliseconds of each slice of one new picture of the edges."""
    canvas = view.canvas
    canvas._begin_edges()
    slices = []
    while canvas._edges.painting:
        start = time.process_time()
        canvas._edges.step()
        slices.append((time.process_time() - start) * 1000)
    return np.array(slices)


def report(what: str, taken: tuple[np.ndarray, np.ndarray]) -> None:
    """One line."""
    wall, busy = taken
    median, p95, cpu = np.median(wall), np.percentile(wall, 95), np.percentile(busy, 95)
    print(f"    {what:15s} median {median:5.1f}  p95 {p95:5.1f}  p95 of processor time {cpu:5.1f} ms")


def measure(nodes: int) -> None:
    """Print the figures for one size."""
    jar, edges, components = synthetic(nodes)
    view = GraphView()
    view.resize(1280, 800)
    view.show()
    view.set_jar(jar)
    canvas = view.canvas
    states = np.zeros(nodes, np.uint8)

    def fresh_states(number: int) -> None:
        fresh = states.copy()
        fresh[(np.arange(1000) * 7 + number * 31) % nodes] = 1 + number % 3
        view.set_states(fresh, None)

    def still(number: int) -> None:
        view.update()

    def pan(number: int) -> None:
        canvas._set_camera(canvas.camera.moved(3 if number % 20 < 10 else -3, 1))

    def zoom(number: int) -> None:
        canvas.zoom(1.03 if number % 30 < 15 else 1 / 1.03)

    changes = (("still", still), ("pan", pan), ("zoom", zoom), ("recolour 1,000", fresh_states))
    makers = {
        "components": lambda: as_places("components", layered(nodes, edges, components)),
        "force": lambda: as_places("force", spring(nodes, edges, np.arange(nodes))),
        "packages": lambda: opened_packages(jar, edges, components),
    }
    for name, make in makers.items():
        start = time.process_time()
        places = make()
        placed = (time.process_time() - start) * 1000
        start = time.process_time()
        view.set_places(places)
        view.show_view(name)
        built = (time.process_time() - start) * 1000
        view.set_states(states, None)
        assert canvas.scene is not None
        print(f"{nodes} nodes, {name}: {len(canvas.scene.lines)} lines; placed {placed:.0f} ms, scene {built:.0f} ms")
        for where, scale in (("at fit", None), ("at 1:1", 1.0)):
            canvas.fit(animate=False)
            if scale:
                canvas.zoom(scale / canvas.camera.scale)
            slices = repaint_edges(view)
            print(f"  {where}: edges {slices.sum():.0f} ms in {len(slices)} slices, longest {slices.max():.1f} ms")
            for what, change in changes:
                report(what, frames(canvas, change))
    table = matrix(nodes, edges, np.arange(nodes))
    row = np.empty(nodes, dtype=np.int64)
    row[table.order] = np.arange(nodes)
    names = [jar.names[item] for item in table.order.tolist()]
    cells, groups = table.cells.ravel().tolist(), table.groups.ravel().tolist()
    view.matrix.set_cells(cells_from(events.Matrix("classes", names, row.tolist(), cells, groups)))
    view.matrix.resize(1280, 720)
    view.matrix.set_states(states)
    print(f"{nodes} nodes, matrix: {len(table.cells)} cells")
    for where, scale in (("at fit", None), ("8 pixels a row", 8.0)):
        view.matrix.fit()
        if scale:
            view.matrix.zoom(scale / view.matrix.camera.scale)
        print(f"  {where}")
        moved = view.matrix.camera.moved
        report("pan", frames(view.matrix, lambda number, moved=moved: view.matrix._move(moved(-number, -number))))
        report("recolour 1,000", frames(view.matrix, fresh_states))
    view.close()


def main() -> int:
    """Measure the sizes on the command line."""
    application = QApplication([])
    for nodes in [int(word) for word in sys.argv[1:]] or [1000, 5000, 10000]:
        measure(nodes)
    application.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
