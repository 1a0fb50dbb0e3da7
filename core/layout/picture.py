"""Pictures of a placed graph for files, drawn by the Graphviz process."""

from __future__ import annotations

import struct
import subprocess
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.layout.packages import box_sizes, numbered, package_labels, place_packages
from core.layout.placement import Edges, Ints, Placement, as_edges, edges_between
from core.model.graph_export import quoted
from core.protocol.java_names import java_name, package_name, simple_name
from core.system.processes import background
from core.system.processes.families import kill_group
from core.system.processes.python_child import python_child
from core.words import in_line

LETTER = 0.62
"""Mean width of a letter, in font sizes (DejaVu Sans)."""
EDGE_COLOR = "#aab2c0"
_ELLIPSIS = "…"
MOST_PIXELS = 4000.0
"""Longest side of a PNG."""
POINTS = 72.0
"""Graphviz measures sizes in inches, places in points; one scene unit is one point."""

_LONGEST = 300.0
"""Seconds after which Graphviz is killed."""

_STYLE = """
    graph [splines=line, outputorder=edgesfirst, pad=0.2, bgcolor=white, labeljust=l];
    graph [fontname="DejaVu Sans", fontsize=11, fontcolor="#1c2333"];
    node [shape=box, fixedsize=true, margin=0, penwidth=0.7, fontname="DejaVu Sans", fontcolor="#1c2333"];
    edge [arrowhead=none, penwidth=0.5];
"""
_BOX = 'node [style=rounded, color="#b5c4e3"];'
_NODE = 'node [style=filled, fillcolor="#e8ecf5", color="#8fa3cc"];'
_LINES = "Lines lead down from who mentions to who is mentioned."


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """The content of a picture."""

    placement: Placement
    names: Sequence[str]
    """Full names of the nodes, shown as tooltips."""
    labels: Sequence[str]
    """Short names, cut to fit."""
    edges: Ints
    """Shape (m, 2)."""
    font: float
    """Font size in scene units."""
    title: str

    @property
    def visible(self) -> list[int]:
        """Nodes that have a place."""
        return np.flatnonzero(self.placement.rects[:, 2] > 0).tolist()


def class_drawing(
    placement: Placement,
    names: Sequence[str],
    edges: Edges,
    title: str = "",
) -> Drawing:
    """Return the class graph: ``names`` are internal names (``a/b/C``)."""
    dotted = [java_name(name) for name in names]
    labels = [simple_name(name) for name in names]
    return Drawing(placement, dotted, labels, as_edges(edges), 8.0, title)


def package_drawing(packages: Sequence[str | None], edges: Edges, title: str = "") -> Drawing:
    """Return the graph of the packages of a class graph; the tooltip tells the number of classes.

    ``packages`` names each node's package, or None; ``edges`` are the class graph's.
    """
    members, names = numbered(packages)
    classes = np.bincount(members[members >= 0], minlength=len(names))
    between = edges_between(as_edges(edges), members)[:, :2]
    labels = package_labels(names)
    sizes = box_sizes(labels, classes, int(classes.max(initial=1)))
    tooltips = [
        f"{package_name(name)}: {count} class{'es' if count != 1 else ''}"
        for name, count in zip(names, classes.tolist(), strict=True)
    ]
    return Drawing(place_packages(between, sizes), tooltips, labels, between, 11.0, title)


def drawn(drawing: Drawing, kind: str) -> bytes | None:
    """Return the picture as ``svg`` or ``png``; None when Graphviz fails or takes too long."""
    placement = drawing.placement
    # Many edges on one spot must not become a solid wall.
    opacity = float(np.clip(40 / np.sqrt(len(drawing.edges) + 1), 0.25, 0.9))
    scale = min(2.0, MOST_PIXELS / max(*placement.size, 1.0)) if kind == "png" else 1.0
    legend = f"Jarlet: {len(drawing.visible)} nodes, {len(drawing.edges)} edges. {_LINES}"
    lines = [
        f"digraph {{ {_STYLE}",
        f"graph [dpi={POINTS * scale:.1f}, tooltip={quoted(drawing.title)}, label={quoted(legend)}];",
        f'edge [color="{EDGE_COLOR}{round(255 * opacity):02x}"];',
        _BOX,
    ]
    lines += (_node(f"component {box[4]:g}", "", box[:4], 1) for box in placement.boxes.tolist())
    lines.append(_NODE)
    keys: dict[int, str] = {}
    known = Counter[str]()
    for node in drawing.visible:
        name, place = drawing.names[node], placement.rects[node].tolist()
        keys[node] = f"{name} ({node})" if known[name] else name
        known[name] += 1
        label = fit(in_line(drawing.labels[node]), place[2] - 4, LETTER * drawing.font)
        lines.append(_node(keys[node], label, place, drawing.font))
    lines += (f"{quoted(keys[a])} -> {quoted(keys[b])};" for a, b in _shown(drawing).tolist())
    picture = _answered(kind, "\n".join([*lines, "}"]))
    return _signed(picture) if picture and kind == "png" else picture


def _signed(png: bytes) -> bytes:
    """Return a PNG with its writer's name in a chunk behind the header's (PNG specification, ``tEXt``)."""
    chunk, header = b"tEXtSoftware\0Jarlet", 33
    ends = struct.pack(">I", len(chunk) - 4), struct.pack(">I", zlib.crc32(chunk))
    return png[:header] + ends[0] + chunk + ends[1] + png[header:]


def _node(name: str, label: str, place: Sequence[float], font: float) -> str:
    """Return a node, or a box, with its place in Graphviz's language."""
    x, y, width, height = place
    return (
        f'{quoted(name)} [label={quoted(label)}, pos="{x + width / 2:.2f},{-y - height / 2:.2f}", '
        f"width={width / POINTS:.4f}, height={height / POINTS:.4f}, fontsize={font:.1f}];"
    )


def _shown(drawing: Drawing) -> Ints:
    """Return the edges between different nodes that have places."""
    edges = drawing.edges
    if not len(edges):
        return edges
    there = drawing.placement.rects[:, 2] > 0
    shown: Ints = edges[there[edges].all(axis=1) & (edges[:, 0] != edges[:, 1])]
    return shown


def fit(text: str, width: float, per_character: float) -> str:
    """Return ``text``, with its beginning cut off if need be: the ends of class names tell more apart."""
    room = max(int(width / per_character), 1)
    return text if len(text) <= room else _ELLIPSIS + text[len(text) - room + 1 :]


def _answered(kind: str, graph: str) -> bytes | None:
    """Return the picture of a graph from the Graphviz process, which is never loaded here; None when it fails, or is
    killed after its time.
    """
    try:
        process = subprocess.Popen(
            [*python_child("core.layout.graphviz_worker"), kind, f"{_LONGEST:.0f}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    background.take(process.pid)
    with process:
        try:
            picture, _ = process.communicate(graph.encode(), _LONGEST)
        except BaseException as error:
            # Too late, or we are being stopped ourselves: it must not live on.
            kill_group(process)
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise
    return picture if process.returncode == 0 else None
