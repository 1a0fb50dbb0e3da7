"""What goes when an instruction goes: classes and members that nothing but it leads to.

A graph of classes, members and instructions, an arc for "needs at least"; what an instruction dominates there is
freed with it (Lengauer and Tarjan's sense of dominators). An estimate, to weigh edits by: rules know more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import networkx as nx

from core.classfile.class_file import ClassFile
from core.classfile.descriptors import class_names, element_class

MOST = 10_000
"""Most arcs for which it is worth the time."""

Place = tuple[str, int, int]
"""An instruction: class, number of the method, offset."""


class Use(NamedTuple):
    """What an instruction names."""

    method: int
    """Number of the method that it stands in."""
    offset: int
    owner: str
    """The class, or that of the member."""
    member: tuple[str, str] | None
    """Name and descriptor."""


def freed(classes: Iterable[tuple[ClassFile, Iterable[Use]]]) -> Mapping[Place, int]:
    """For each instruction that alone leads to something its bytes in the class files; empty if there is too much."""
    graph: nx.DiGraph[object] = nx.DiGraph()
    sizes: dict[object, int] = {}
    classes = list(classes)
    members: set[tuple[str, str, str]] = set()
    places: set[Place] = set()
    for cf, _ in classes:
        sizes[cf.name] = len(cf.source or b"")
    for cf, _ in classes:
        for method in cf.methods:
            node = (cf.name, method.name_text, method.descriptor_text)
            members.add(node)
            code = len(method.attributes.raw("Code") or b"")
            sizes[node] = 8 + code
            sizes[cf.name] -= 8 + code
            graph.add_edge(node, cf.name)
            _names(graph, node, class_names(method.descriptor_text), sizes)
        for field in cf.fields:
            node = (cf.name, field.name_text, field.descriptor_text)
            members.add(node)
            sizes[node] = 8
            graph.add_edge(node, cf.name)
            _names(graph, node, class_names(field.descriptor_text), sizes)
    for cf, uses in classes:
        _names(graph, cf.name, (cf.superclass or "", *cf.interface_names), sizes)
        methods = list(cf.methods)
        for use in uses:
            place: Place = (cf.name, use.method, use.offset)
            places.add(place)
            method = methods[use.method]
            graph.add_edge((cf.name, method.name_text, method.descriptor_text), place)
            owner = element_class(use.owner)
            target = (owner, *use.member) if use.member is not None else None
            if target in members:
                graph.add_edge(place, target)
            elif owner is not None:
                _names(graph, place, (owner,), sizes)
            if use.member is not None:
                _names(graph, place, class_names(use.member[1]), sizes)
        if graph.number_of_edges() > MOST:
            return {}
    # what nothing uses by name goes with its class at the latest
    graph.add_edges_from([(node[0], node) for node in members if not graph.in_degree(node)])
    root = "/"
    graph.add_node(root)
    groups = nx.condensation(graph)
    starts = [node for group in groups if not groups.in_degree(group) for node in groups.nodes[group]["members"]]
    graph.add_edges_from([(root, node) for node in starts if node != root])
    above = nx.immediate_dominators(graph, root)
    totals = {node: sizes.get(node, 0) for node in (root, *above)}
    tree: nx.DiGraph[object] = nx.DiGraph([(up, down) for down, up in above.items() if up not in (None, down)])
    for node in reversed(list(nx.topological_sort(tree))):
        if node != root:
            totals[above[node]] += totals[node]
    return {place: totals[place] for place in places if totals.get(place)}


def _names(graph: nx.DiGraph[object], node: object, names: Iterable[str], sizes: Mapping[object, int]) -> None:
    graph.add_edges_from([(node, name) for name in names if name in sizes and name != node])
