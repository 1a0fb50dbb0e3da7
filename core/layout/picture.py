"""Pictures of a placed graph for files: SVG by ourselves, PNG by the Graphviz process."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.layout.packages import box_sizes, numbered, package_labels, place_packages
from core.layout.placement import Edges, Ints, Placement, as_edges, edges_between
from core.protocol.java_names import java_name, package_name, simple_name
from core.system.processes import background
from core.system.processes.families import kill_group
from core.system.processes.python_child import python_child
from core.words import in_line, xml_text

MARGIN = 16.0
LEGEND_HEIGHT = 30.0
_LEGEND_WIDTH = 600.0
LETTER = 0.62
"""Mean width of a letter, in font sizes (DejaVu Sans)."""
BASELINE = 0.36
"""From the middle of a line of text down to its baseline, in font sizes; not all viewers can centre text."""
EDGE_COLOR = "#aab2c0"
_ELLIPSIS = "…"
MOST_PIXELS = 4000.0
"""Longest side of a PNG."""


_FILL, _STROKE, _TEXT = "#e8ecf5", "#8fa3cc", "#1c2333"


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
    title: str = ""

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


def svg(drawing: Drawing) -> str:
    """Return the picture as an SVG document."""
    placement = drawing.placement
    wide, tall = placement.size
    legend = _legend(drawing)
    width = max(wide, _LEGEND_WIDTH) + 2 * MARGIN
    height = tall + 2 * MARGIN + LEGEND_HEIGHT
    parts = [
        f'<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="4"/>'
        for x, y, w, h, _ in placement.boxes.tolist()
    ]
    parts += _edge_paths(drawing)
    parts += [_node(drawing, node) for node in drawing.visible]
    parts.append(legend)
    corner = f"{-MARGIN:g}"
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{corner} {corner} {width:.2f} {height:.2f}" font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{xml_text(drawing.title or 'Class graph')}</title>",
        f"<style>{_style(drawing)}</style>",
        f'<rect class="paper" x="{corner}" y="{corner}" width="{width:.2f}" height="{height:.2f}"/>',
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def png(drawing: Drawing, seconds: float = 60.0) -> bytes | None:
    """Return the picture as a PNG (without legend); None when Graphviz fails or takes longer than ``seconds``."""
    placement = drawing.placement
    scale = min(2.0, MOST_PIXELS / max(*placement.size, 1.0))
    nodes = [
        _png_node(box[:4], "", "rounded", ("#f3f6fc", "#b5c4e3", "#000000"), 8.0) for box in placement.boxes.tolist()
    ]
    first = len(nodes)
    position: dict[int, int] = {}
    for node in drawing.visible:
        position[node] = first + len(position)
        place = placement.rects[node].tolist()
        label = fit(in_line(drawing.labels[node]), place[2] - 4, LETTER * drawing.font)
        nodes.append(_png_node(place, label, "filled", (_FILL, _STROKE, _TEXT), drawing.font))
    edges = [[position[a], position[b]] for a, b in _shown(drawing).tolist()]
    request = {"nodes": nodes, "edges": edges, "dpi": 72.0 * scale, "edge_color": EDGE_COLOR}
    answer = _answered(request, seconds)
    return None if answer is None else base64.b64decode(answer["png"])


def _png_node(
    place: Sequence[float], label: str, style: str, colors: tuple[str, str, str], font: float
) -> dict[str, object]:
    x, y, width, height = place
    fill, stroke, text = colors
    return {
        "x": x, "y": y, "width": width, "height": height, "label": label, "style": style,
        "fill": fill, "stroke": stroke, "text": text, "font": font,
    }  # fmt: skip


def _style(drawing: Drawing) -> str:
    # Many edges on one spot must not become a solid wall.
    opacity = float(np.clip(40 / np.sqrt(len(drawing.edges) + 1), 0.25, 0.9))
    rules = [
        ".paper{fill:#fff}",
        ".box{fill:#f3f6fc;stroke:#b5c4e3}",
        f".edge{{fill:none;stroke:{EDGE_COLOR};stroke-width:.8;stroke-opacity:{opacity:.2f}}}",
        f"text{{font-size:{drawing.font:g}px;text-anchor:middle}}",
        f"text.legend{{font-size:11px;text-anchor:start;fill:{_TEXT}}}",
        f".plain rect{{fill:{_FILL};stroke:{_STROKE}}}.plain text{{fill:{_TEXT}}}",
    ]
    return "".join(rules)


def _shown(drawing: Drawing) -> Ints:
    """Return the edges between different nodes that have places."""
    edges = drawing.edges
    if not len(edges):
        return edges
    there = drawing.placement.rects[:, 2] > 0
    shown: Ints = edges[there[edges].all(axis=1) & (edges[:, 0] != edges[:, 1])]
    return shown


def _edge_paths(drawing: Drawing) -> list[str]:
    """Return one path a node that mentions others."""
    x, top, width, height = drawing.placement.rects.T
    bottom, middle, centre = top + height, x + width / 2, top + height / 2
    groups: dict[int, list[str]] = {}
    for a, b in _shown(drawing).tolist():
        down, up = bottom[a] <= top[b], bottom[b] <= top[a]
        start = bottom[a] if down else top[a] if up else centre[a]
        end = top[b] if down else bottom[b] if up else centre[b]
        groups.setdefault(a, []).append(f"M{middle[a]:.1f} {start:.1f}L{middle[b]:.1f} {end:.1f}")
    return [f'<path class="edge" d="{"".join(lines)}"/>' for _, lines in sorted(groups.items())]


def _node(drawing: Drawing, node: int) -> str:
    x, y, width, height = drawing.placement.rects[node].tolist()
    label = fit(in_line(drawing.labels[node]), width - 4, LETTER * drawing.font)
    return (
        f'<g class="plain"><title>{xml_text(drawing.names[node])}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"/>'
        f'<text x="{x + width / 2:.1f}" y="{y + height / 2 + BASELINE * drawing.font:.1f}">{xml_text(label)}</text></g>'
    )


def _legend(drawing: Drawing) -> str:
    top = drawing.placement.size[1] + MARGIN
    lines = "Lines lead down from who mentions to who is mentioned."
    note = f"{len(drawing.visible)} nodes, {len(drawing.edges)} edges. {lines}"
    return f'<text class="legend" x="0" y="{top + 12:.1f}">{note}</text>'


def fit(text: str, width: float, per_character: float) -> str:
    """Return ``text``, with its beginning cut off if need be: the ends of class names tell more apart."""
    room = max(int(width / per_character), 1)
    return text if len(text) <= room else _ELLIPSIS + text[len(text) - room + 1 :]


def _answered(request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
    """Return the answer of the Graphviz process, which is never loaded here; None when it fails, or is killed after
    ``seconds``.
    """
    try:
        process = subprocess.Popen(
            python_child("core.layout.graphviz_worker"),
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
            text, _ = process.communicate(json.dumps({**request, "seconds": seconds}).encode("ascii"), seconds)
        except BaseException as error:
            # Too late, or we are being stopped ourselves: it must not live on.
            kill_group(process)
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise
    if process.returncode != 0:
        return None
    try:
        answer = json.loads(text)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None
