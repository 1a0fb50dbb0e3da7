"""The class graph under the names that people use, for networkx."""

from __future__ import annotations

import networkx as nx

from core.model.class_model import ClassModel, Kind
from core.protocol.java_names import dotted


def named_graph(model: ClassModel) -> nx.DiGraph[str]:
    """Return the graph with one node per class, named as ``Class.forName`` takes it. An edge goes from a class to one
    that it mentions.

    Nodes have ``bytes``, ``package``, ``superclass``, ``interfaces`` (names, or None), ``fields``, ``methods``
    (numbers), ``component`` (strongly connected component; those that need others come first) and ``problem``: why a
    class file cannot be parsed, else None. The graph has ``unresolved``: names that are neither in the input nor in
    the JDK, with those who mention them. It is frozen: what networkx computes of it is yours, itself it stays.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    nodes = model.graph.nodes
    names = [dotted(node.name) for node in nodes]
    for node, name, component in zip(nodes, names, model.graph.component_of, strict=True):
        graph.add_node(
            name,
            bytes=node.bytes,
            package=dotted(node.package),
            superclass=None if node.superclass is None else dotted(node.superclass),
            interfaces=tuple(map(dotted, node.interfaces)),
            fields=node.fields,
            methods=node.methods,
            component=component,
            problem=None,
        )
    problems = dict(model.graph.problems)
    for item in model.items:
        if item.kind is Kind.CLASS and item.entry in problems:
            graph.add_node(dotted(item.name), bytes=item.bytes, component=-1, problem=problems[item.entry])
    graph.add_edges_from((names[one], names[other]) for one, other in model.graph.graph.edges)
    graph.graph["unresolved"] = {
        dotted(name): tuple(names[position] for position in users) for name, users in model.graph.unresolved.items()
    }
    nx.freeze(graph)  # type: ignore[no-untyped-call]
    return graph
