"""The class graph for other programs: JSON, DOT (Graphviz), GraphML. Each file tells that Jarlet wrote it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import BytesIO
from typing import Any

import networkx as nx

from core.archive.entry_names import MARK
from core.model.class_graph import ClassGraph
from core.model.class_model import ClassModel
from core.protocol.java_names import java_name, package_name
from core.words import in_line


def to_json(graph: ClassGraph) -> dict[str, Any]:
    """Return all facts of the graph as data for ``json``; classes are numbered by their place in ``classes``."""
    return {
        "version": 1,
        "tool": "Jarlet",
        "classes": [
            {
                "name": node.name,
                "package": node.package,
                "bytes": node.bytes,
                "superclass": node.superclass,
                "interfaces": list(node.interfaces),
                "access": node.access,
                "class_file_version": list(node.version),
                "fields": node.fields,
                "methods": node.methods,
                "component": component,
            }
            for node, component in zip(graph.nodes, graph.component_of, strict=True)
        ],
        "edges": [list(edge) for edge in graph.graph.edges],
        "components": [list(part) for part in graph.components],
        "component_edges": sorted(list(edge) for edge in graph.condensation().edges),
        "problems": [{"entry": entry, "reason": reason} for entry, reason in graph.problems],
        "unresolved": {name: list(nodes) for name, nodes in graph.unresolved.items()},
    }


def to_dot(graph: ClassGraph, components: bool = False, packages: bool = False) -> str:
    """Return a graph for Graphviz. ``components``: those of several classes are boxed; ``packages``: a node a
    package."""
    lines = ["// Jarlet", "digraph classes {", "  rankdir=LR;", "  node [shape=box];"]
    if packages:
        whole = package_graph(graph)
        for number, data in whole.nodes(data=True):
            lines.append(f"  p{number} [label={quoted(data['name'])}, classes={data['classes']}];")
        for source, target, count in whole.edges(data="weight"):
            lines.append(f"  p{source} -> p{target} [label={count}, weight={count}];")
        return "\n".join([*lines, "}", ""])

    def node_line(position: int) -> str:
        return f"  n{position} [label={quoted(java_name(graph.nodes[position].name))}];"

    if components:
        for number, part in enumerate(graph.components):
            inside = [node_line(position) for position in part]
            if len(part) > 1:
                inside = [f"  subgraph cluster_{number} {{", *(f"  {line}" for line in inside), "  }"]
            lines += inside
    else:
        lines += map(node_line, range(len(graph.nodes)))
    lines += (f"  n{source} -> n{target};" for source, target in graph.graph.edges)
    return "\n".join([*lines, "}", ""])


def to_graphml(graph: ClassGraph, components: bool = False, packages: bool = False) -> bytes:
    """GraphML in UTF-8. ``components``: each node tells its component; ``packages``: a node a package."""
    if packages:
        whole = package_graph(graph)
        for _, data in whole.nodes(data=True):
            data["name"] = in_line(data["name"])
    else:
        whole = nx.DiGraph()
        for position, node in enumerate(graph.nodes):
            facts: dict[str, Any] = {
                "name": in_line(node.name),
                "package": in_line(node.package),
                "bytes": node.bytes,
            }
            if components:
                number = graph.component_of[position]
                facts |= {"component": number, "component_size": len(graph.components[number])}
            whole.add_node(position, **facts)
        whole.add_edges_from(graph.graph.edges)
    whole.graph["tool"] = "Jarlet"
    out = BytesIO()
    nx.write_graphml_xml(whole, out)
    return out.getvalue()


def by_jar(model: ClassModel) -> ClassModel:
    """Return the model with the jars of a class path in the place of packages."""
    jars = {entry: model.jar.entries[entry].name.partition(MARK)[0] for entry in model.jar.classes()}
    nodes = tuple(node._replace(package=jars[node.entry]) for node in model.graph.nodes)
    return replace(model, graph=replace(model.graph, nodes=nodes))


def jars_json(model: ClassModel) -> dict[str, Any]:
    """Return the graph of the jars of a class path: for each edge the number of pairs of classes behind it, and one of
    them; cycles are sets of jars that need each other. All stand in the order of the class path."""
    graph = by_jar(model).graph
    whole, first = package_graph(graph), dict[tuple[str, str], list[str]]()
    for source, target in graph.graph.edges:
        pair = graph.nodes[source], graph.nodes[target]
        first.setdefault((pair[0].package, pair[1].package), [java_name(each.name) for each in pair])
    names = nx.get_node_attributes(whole, "name")
    return {
        "version": 1,
        "tool": "Jarlet",
        "jars": [{key: data[key] for key in ("name", "classes", "bytes")} for _, data in whole.nodes(data=True)],
        "edges": [
            {"from": names[one], "to": names[other], "pairs": pairs, "example": first[names[one], names[other]]}
            for one, other, pairs in whole.edges(data="weight")
        ],
        "cycles": [
            [names[node] for node in part]
            for part in sorted(map(sorted, nx.strongly_connected_components(whole)))
            if len(part) > 1
        ],
    }


def package_graph(graph: ClassGraph) -> nx.DiGraph[int]:
    """Return the packages, numbered in the order in which their first classes stand in the input.

    Nodes tell ``name`` (as Java writes it), ``classes``, ``bytes`` and ``inner`` (mentions within the package);
    edges tell as ``weight`` how many pairs of classes stand behind them.
    """
    number = {name: place for place, name in enumerate(dict.fromkeys(node.package for node in graph.nodes))}
    of = [number[node.package] for node in graph.nodes]
    pairs = Counter((of[source], of[target]) for source, target in graph.graph.edges)
    classes, sizes = Counter(of), Counter[int]()
    for place, node in zip(of, graph.nodes, strict=True):
        sizes[place] += node.bytes
    whole: nx.DiGraph[int] = nx.DiGraph()
    for name, place in number.items():
        whole.add_node(
            place,
            name=package_name(name),
            classes=classes[place],
            bytes=sizes[place],
            inner=pairs[place, place],
        )
    for (source, target), count in sorted(pairs.items()):
        if source != target:
            whole.add_edge(source, target, weight=count)
    return whole


def quoted(text: str) -> str:
    """Return a DOT string that Graphviz shows as ``text``: backslashes begin escapes there, ampersands entities."""
    escaped = in_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
