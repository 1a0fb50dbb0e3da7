"""The only module that loads pygraphviz, run as a process of its own: JSON in, JSON out.

Not to be imported: Graphviz holds the interpreter's lock for the whole of a picture and loads X libraries that make Qt
crash. One starts for each picture, so it loads little else. The request, one object on standard input, has nodes at
given places and edges (:mod:`core.layout.picture`); the answer is ``{"png": base64}``.

``seconds`` in a request limits the processor time, which also ends a worker after its parent's death.
"""

from __future__ import annotations

import base64
import contextlib
import json
import sys
from typing import Any

import pygraphviz

from core.system.processes.measures import limit_own_seconds

AGraph: Any = pygraphviz.AGraph  # has no type annotations

POINTS = 72.0
"""Graphviz measures sizes in inches, places in points; one scene unit is one point."""


def paint(request: dict[str, Any]) -> dict[str, Any]:
    """Return a PNG of nodes with places: ``nop2`` moves none and, told ``line``, only draws straight edges."""
    drawing = AGraph(directed=True, strict=False)
    drawing.graph_attr.update(
        splines="line", outputorder="edgesfirst", dpi=f"{request['dpi']:.1f}", pad="0.2", bgcolor="white"
    )
    drawing.node_attr.update(
        shape="box", fixedsize="true", fontname="DejaVu Sans", fontsize="8", margin="0", penwidth="0.7"
    )
    drawing.edge_attr.update(arrowhead="none", color=request["edge_color"], penwidth="0.5")
    for index, node in enumerate(request["nodes"]):
        drawing.add_node(
            index,
            label=node["label"].replace("\\", "\\\\"),
            pos=f"{node['x'] + node['width'] / 2:.2f},{-node['y'] - node['height'] / 2:.2f}",
            width=f"{node['width'] / POINTS:.4f}",
            height=f"{node['height'] / POINTS:.4f}",
            style=node["style"],
            color=node["stroke"],
            fillcolor=node["fill"],
            fontcolor=node["text"],
            fontsize=f"{node['font']:.1f}",
        )
    for a, b in request["edges"]:
        drawing.add_edge(a, b)
    return {"png": base64.b64encode(drawing.draw(format="png", prog="nop2")).decode("ascii")}


def main() -> int:
    """Answer one request; a failure ends with a traceback on standard error and code 1."""
    request = json.load(sys.stdin)
    limit = int(request.get("seconds", 60)) + 1
    with contextlib.suppress(ValueError):  # a lower limit is set already
        limit_own_seconds(limit)
    json.dump(paint(request), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
