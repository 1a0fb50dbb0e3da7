"""The refinement: Graphviz' ``dot`` on the transitively reduced condensation, in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event as Flag

import networkx as nx
import numpy as np
import numpy.typing as npt

from core.layout.components import beside
from core.layout.graphviz.asking import ask
from core.layout.layered import component_sizes, fill_components
from core.layout.placement import Edges, Placement, as_edges, condense

SECONDS = 5.0
MOST_COMPONENTS = 1500
"""Above this dot does not end in time (2,143 components: a minute); it is not even asked."""


MOST_EXTENT = 3.5
"""dot breaks no long layer into rows: a picture this many times wider than high (or higher than wide) is
worse than ours."""


def refined(
    count: int,
    edges: Edges,
    component_of: Sequence[int] | npt.NDArray[np.integer],
    seconds: float = SECONDS,
    cancel: Flag | None = None,
) -> Placement | None:
    """Return the picture of :func:`core.layout.layered.layered` with places by ``dot``. Return None when ``dot`` takes
    too long, ``cancel`` is set or the picture is no improvement. Block for at most about ``seconds``: call this
    function from a thread or process that may wait.
    """
    members = np.asarray(component_of, dtype=np.int64)
    if len(members) != count:
        raise ValueError(f"component_of has {len(members)} entries for {count} nodes")
    between = condense(as_edges(edges), members)
    width, height = component_sizes(members)
    joined = np.unique(between)
    if not len(joined) or len(joined) > MOST_COMPONENTS:
        return None
    graph = nx.DiGraph(np.searchsorted(joined, between).tolist())
    answer = ask(
        {
            "task": "dot",
            "width": width[joined].tolist(),
            "height": height[joined].tolist(),
            "edges": sorted(nx.transitive_reduction(graph).edges),
        },
        seconds,
        cancel,
    )
    if answer is None:
        return None
    x, y = np.zeros(len(width)), np.zeros(len(width))
    x[joined], y[joined] = answer["x"], answer["y"]
    right = float((x[joined] + width[joined]).max())
    bottom = float((y[joined] + height[joined]).max())
    if not 1 / MOST_EXTENT <= right / max(bottom, 1.0) <= MOST_EXTENT:
        return None
    alone = np.setdiff1d(np.arange(len(width)), joined)
    x[alone], y[alone] = beside(width[alone], height[alone], right, bottom)
    return fill_components(members, x, y, "dot")
