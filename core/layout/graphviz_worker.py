"""The only module that loads pygraphviz, run as a process of its own: JSON in, JSON out.

Not to be imported: Graphviz holds the interpreter's lock for the whole of a layout and loads X libraries that make Qt
crash. One starts for each picture, so it loads little else. Requests (one object on standard input):

* ``{"task": "dot", "width": [...], "height": [...], "edges": [[a, b], ...]}``: ``dot`` on an acyclic
  graph; answers ``{"x": [...], "y": [...]}``, upper left corners in the units of the sizes.
* ``{"task": "png", "nodes": [...], "edges": [...], ...}``: draws nodes at given places (see
  :mod:`core.layout.picture`); answers ``{"png": base64}``.

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


def place(request: dict[str, Any]) -> dict[str, Any]:
    """Return positions by ``dot``, with limits on its network simplex and crossing search."""
    width, height = request["width"], request["height"]
    drawing = AGraph(directed=True, strict=True)
    drawing.graph_attr.update(
        rankdir="TB", nodesep="0.14", ranksep="0.5", splines="false", nslimit=".5", nslimit1=".5", mclimit=".1"
    )
    drawing.node_attr.update(shape="box", fixedsize="true", label="", margin="0")
    for node in range(len(width)):
        drawing.add_node(node, width=f"{width[node] / POINTS:.4f}", height=f"{height[node] / POINTS:.4f}")
    drawing.add_edges_from(request["edges"])
    drawing.layout(prog="dot")
    x, y = [], []
    for node in range(len(width)):
        centre_x, centre_y = map(float, drawing.get_node(node).attr["pos"].rstrip("!").split(","))
        x.append(centre_x - width[node] / 2)
        y.append(-centre_y - height[node] / 2)
    left, top = min(x, default=0.0), min(y, default=0.0)
    return {"x": [value - left for value in x], "y": [value - top for value in y]}


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
    answer = {"dot": place, "png": paint}[request["task"]](request)
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
