"""Frame times of the graph canvas: ``python -m tests.bench.canvas [NODES ...]`` (default 1000 5000).

Prints median and 95th percentile in milliseconds of a pan, a zoom and a recolouring of 1,000
nodes, and the time and longest slice of painting the edges anew. Four edges a node, seven
packages in ten nodes' neighbourhood, a third of the nodes in cycles.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from app.graph.canvas import GraphCanvas
from app.graph.scene import Scene, scene_of
from app.jar import jar_from, places_from
from core.layout.layered import layered
from core.run import events

FRAMES = 60


def synthetic(nodes: int, seed: int = 1) -> Scene:
    """A layered scene of ``nodes`` classes with 4 edges each, a third of them in cycles of 5."""
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
    placed = layered(nodes, edges, components)
    jar = jar_from(
        events.Opened(
            sources=[],
            title="bench",
            bytes=nodes * 1000,
            classes=nodes,
            kinds=["class"] * nodes,
            names=[f"bench/p{i % 60}/Class{i}" for i in range(nodes)],
            sizes=[1000] * nodes,
            parents=[-1] * nodes,
            components=components.tolist(),
            component_count=int(components.max()) + 1,
            edges=edges.ravel().tolist(),
            pinned=[],
            warnings=[],
            unresolved=0,
            seconds=0.0,
        )
    )
    columns = [column.tolist() for column in (placed.x, placed.y, placed.width, placed.height)]
    places = events.Layout("components", placed.engine, *columns, boxes=placed.boxes.ravel().tolist())
    return scene_of(jar, places_from(places))


def frames(canvas: GraphCanvas, change: Callable[[int], None]) -> np.ndarray:
    """Milliseconds of each frame after a change."""
    target = QPixmap(canvas.size())
    taken = []
    for number in range(FRAMES):
        start = time.perf_counter()
        change(number)
        canvas.render(target)
        taken.append((time.perf_counter() - start) * 1000)
    return np.array(taken)


def repaint_edges(canvas: GraphCanvas) -> np.ndarray:
    """Milliseconds of each slice of one new picture of the edges."""
    canvas._begin_edges()
    slices = []
    while canvas._edges.painting:
        start = time.perf_counter()
        canvas._edges.step()
        slices.append((time.perf_counter() - start) * 1000)
    return np.array(slices)


def measure(nodes: int) -> None:
    """Print the figures for one size."""
    scene = synthetic(nodes)
    canvas = GraphCanvas()
    canvas.resize(1280, 800)
    canvas.show()
    start = time.perf_counter()
    canvas.set_scene(scene)
    built = (time.perf_counter() - start) * 1000
    states = np.zeros(nodes, np.uint8)
    canvas.set_states(states)
    print(f"{nodes} nodes, {len(scene.lines)} lines, {len(scene.boxes)} boxes; set_scene {built:.0f} ms")

    def pan(number: int) -> None:
        canvas._set_camera(canvas.camera.moved(3 if number % 20 < 10 else -3, 1))

    def zoom(number: int) -> None:
        canvas.zoom(1.03 if number % 30 < 15 else 1 / 1.03)

    def recolour(number: int) -> None:
        fresh = states.copy()
        fresh[(np.arange(1000) * 7 + number * 31) % nodes] = 1 + number % 3
        canvas.set_states(fresh)

    def still(number: int) -> None:
        canvas.update()

    for name, where in (("at fit", None), ("at 1:1", 1.0)):
        canvas.fit(animate=False)
        if where:
            canvas.zoom(where / canvas.camera.scale)
        slices = repaint_edges(canvas)
        print(f"  {name}: edges {slices.sum():.0f} ms in {len(slices)} slices, longest {slices.max():.1f} ms")
        for what, change in (("still", still), ("pan", pan), ("zoom", zoom), ("recolour 1,000", recolour)):
            taken = frames(canvas, change)
            print(f"    {what:15s} median {np.median(taken):5.1f}  p95 {np.percentile(taken, 95):5.1f} ms")
    canvas.close()


def main() -> int:
    """Measure the sizes on the command line."""
    application = QApplication([])
    for nodes in [int(word) for word in sys.argv[1:]] or [1000, 5000]:
        measure(nodes)
    application.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
