"""Pictures of a placed graph for files: SVG by ourselves, PNG by the Graphviz process."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.layout.graphviz import ask
from core.layout.packages import PackageView
from core.layout.placement import Edges, Ints, Placement, as_edges
from core.protocol.java_names import java_name, package_name, simple_name
from core.words import in_line, xml_text

MARGIN = 16.0
LEGEND_HEIGHT = 30.0
_LEGEND_WIDTH = 600.0
LETTER = 0.62
"""Mean width of a letter, in font sizes (DejaVu Sans)."""
BASELINE = 0.36
"""From the middle of a line of text down to its baseline, in font sizes; not all viewers can centre text."""
EDGE_COLOR = "#aab2c0"
KEPT_EDGE_COLOR = "#3b62b0"
_ELLIPSIS = "…"
MOST_PIXELS = 4000.0
"""Longest side of a PNG."""


@dataclass(frozen=True, slots=True)
class DrawingStyle:
    """The style of nodes in one state."""

    state: str
    fill: str
    stroke: str
    text: str
    dashed: bool
    """States differ by more than by colour."""


PLAIN = DrawingStyle("plain", "#e8ecf5", "#8fa3cc", "#1c2333", False)
KEPT = DrawingStyle("kept", "#2a62cc", "#1b3f85", "#ffffff", False)
GONE = DrawingStyle("gone", "#f6f6f7", "#c2c5cb", "#6b7078", True)


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
    kept: frozenset[int] | None = None
    """Nodes that a reduction kept; None = no reduction, all nodes look alike."""
    title: str = ""
    frames: Sequence[str] = ()
    """Titles of the first boxes of the placement, which are the frames of open packages."""

    layered: bool = True
    """True if ordinary edges lead down."""

    def look(self, node: int) -> DrawingStyle:
        if self.kept is None:
            return PLAIN
        return KEPT if node in self.kept else GONE

    @property
    def visible(self) -> list[int]:
        """Nodes that have a place."""
        return np.flatnonzero(self.placement.width > 0).tolist()


def class_drawing(
    placement: Placement,
    names: Sequence[str],
    edges: Edges,
    kept: Collection[int] | None = None,
    title: str = "",
) -> Drawing:
    """Return the class graph: ``names`` are internal names (``a/b/C``), ``kept`` the nodes left by a reduction."""
    dotted = [java_name(name) for name in names]
    labels = [simple_name(name) for name in names]
    kept_set = None if kept is None else frozenset(kept)
    return Drawing(placement, dotted, labels, as_edges(edges), 8.0, kept_set, title)


def package_drawing(view: PackageView, title: str = "") -> Drawing:
    """Return the package graph; the tooltip tells the number of classes."""
    names = [
        f"{package_name(name)}: {count} class{'es' if count != 1 else ''}"
        for name, count in zip(view.names, view.classes.tolist(), strict=True)
    ]
    return Drawing(view.placement, names, view.labels, view.edges[:, :2], 11.0, None, title)


def svg(drawing: Drawing) -> str:
    """Return the picture as an SVG document."""
    placement = drawing.placement
    wide, tall = placement.size
    legend = _legend(drawing)
    full_width = max(wide, _LEGEND_WIDTH) + 2 * MARGIN
    full_height = tall + 2 * MARGIN + LEGEND_HEIGHT
    framed = len(drawing.frames)
    parts = [
        f'<rect class="{"frame" if number < framed else "box"}" x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" '
        f'height="{h:.1f}" rx="4"/>'
        for number, (x, y, w, h, _) in enumerate(placement.boxes.tolist())
    ]
    parts += [
        f'<text class="legend" x="{x + 8:.1f}" y="{y + 16:.1f}">{xml_text(title)}</text>'
        for title, (x, y, *_) in zip(drawing.frames, placement.boxes.tolist(), strict=False)
    ]
    parts += _edge_paths(drawing)
    parts += [_node(drawing, node) for node in drawing.visible]
    parts.append(legend)
    return svg_page(drawing.title or "Class graph", _style(drawing), f"{-MARGIN:g}", (full_width, full_height), parts)


def svg_page(title: str, style: str, corner: str, size: tuple[float, float], parts: Sequence[str]) -> str:
    """Return an SVG document of these parts. ``corner``: the least x and y, ``size``: width and height."""
    width, height = size
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{corner} {corner} {width:.2f} {height:.2f}" font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{xml_text(title)}</title>",
        f"<style>{style}</style>",
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
        look = drawing.look(node)
        place = [float(a[node]) for a in (placement.x, placement.y, placement.width, placement.height)]
        label = fit(in_line(drawing.labels[node]), place[2] - 4, LETTER * drawing.font)
        style = "filled,dashed" if look.dashed else "filled"
        nodes.append(_png_node(place, label, style, (look.fill, look.stroke, look.text), drawing.font))
    edges = [[position[a], position[b]] for a, b in _shown(drawing).tolist()]
    request = {"task": "png", "nodes": nodes, "edges": edges, "dpi": 72.0 * scale, "edge_color": EDGE_COLOR}
    answer = ask(request, seconds)
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
        ".frame{fill:#fafbfd;stroke:#9aa5b5}",
        f".edge{{fill:none;stroke:{EDGE_COLOR};stroke-width:.8;stroke-opacity:{opacity:.2f}}}",
        f".edge.kept{{stroke:{KEPT_EDGE_COLOR};stroke-width:1.1}}",
        f"text{{font-size:{drawing.font:g}px;text-anchor:middle}}",
        "text.legend{font-size:11px;text-anchor:start;fill:#1c2333}",
    ]
    for look in (PLAIN, KEPT, GONE):
        dash = ";stroke-dasharray:3 2" if look.dashed else ""
        rules.append(f".{look.state} rect{{fill:{look.fill};stroke:{look.stroke}{dash}}}")
        rules.append(f".{look.state} text{{fill:{look.text}}}")
    return "".join(rules)


def _shown(drawing: Drawing) -> Ints:
    """Return the edges between different nodes that have places."""
    edges = drawing.edges
    if not len(edges):
        return edges
    there = drawing.placement.width > 0
    shown: Ints = edges[there[edges].all(axis=1) & (edges[:, 0] != edges[:, 1])]
    return shown


def _edge_paths(drawing: Drawing) -> list[str]:
    """Return one path a node that mentions others; edges between kept nodes drawn last, in their own colour."""
    place = drawing.placement
    bottom = place.y + place.height
    middle = place.x + place.width / 2
    centre = place.y + place.height / 2
    groups: dict[tuple[bool, int], list[str]] = {}
    for a, b in _shown(drawing).tolist():
        down, up = bottom[a] <= place.y[b], bottom[b] <= place.y[a]
        start = bottom[a] if down else place.y[a] if up else centre[a]
        end = place.y[b] if down else bottom[b] if up else centre[b]
        both_kept = drawing.kept is not None and a in drawing.kept and b in drawing.kept
        groups.setdefault((both_kept, a), []).append(f"M{middle[a]:.1f} {start:.1f}L{middle[b]:.1f} {end:.1f}")
    return [
        f'<path class="edge{" kept" if both_kept else ""}" d="{"".join(lines)}"/>'
        for (both_kept, _), lines in sorted(groups.items())
    ]


def _node(drawing: Drawing, node: int) -> str:
    place = drawing.placement
    x, y, width, height = (float(a[node]) for a in (place.x, place.y, place.width, place.height))
    label = fit(in_line(drawing.labels[node]), width - 4, LETTER * drawing.font)
    return (
        f'<g class="{drawing.look(node).state}"><title>{xml_text(drawing.names[node])}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"/>'
        f'<text x="{x + width / 2:.1f}" y="{y + height / 2 + BASELINE * drawing.font:.1f}">{xml_text(label)}</text></g>'
    )


def _legend(drawing: Drawing) -> str:
    top = drawing.placement.size[1] + MARGIN
    count = len(drawing.visible)
    if drawing.kept is None:
        lines = "Lines lead down from who mentions to who is mentioned." if drawing.layered else ""
        note = f"{count} nodes, {len(drawing.edges)} edges. {lines}".rstrip()
        return f'<text class="legend" x="0" y="{top + 12:.1f}">{note}</text>'
    kept = sum(node in drawing.kept for node in drawing.visible)
    parts, left = [], 0.0
    for look, number in ((KEPT, kept), (GONE, count - kept)):
        parts.append(
            f'<g class="{look.state}"><rect x="{left:g}" y="{top:.1f}" width="28" height="16" rx="2"/></g>'
            f'<text class="legend" x="{left + 36:g}" y="{top + 12:.1f}">{look.state}: {number}</text>'
        )
        left += 130.0
    return "\n".join(parts)


def fit(text: str, width: float, per_character: float) -> str:
    """Return ``text``, with its beginning cut off if need be: the ends of class names tell more apart."""
    room = max(int(width / per_character), 1)
    return text if len(text) <= room else _ELLIPSIS + text[len(text) - room + 1 :]
