"""Conflicts between wishes: chains of rules from the items to keep to the items to drop."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx

from core.model.class_model import ClassModel
from core.model.item_model import ItemModel
from core.model.rules.base import rule_words
from core.protocol.wording import MOST, Conflict
from core.reduction.elements import Pins


def conflicts(model: ItemModel, kept: Pins, unwanted: Pins) -> list[Conflict]:
    """Return the shortest chain for each unwanted item that a kept item, or every valid sub-input, needs."""
    pins = [number for number, item in enumerate(model.items) if kept(item.name)]

    def name(variable: int) -> str:
        return model.items[variable].name if variable < len(model.items) else f"({model.describe(variable)})"

    found: list[Conflict] = []
    for number, item in enumerate(model.items):
        steps = model.explainer.why(number, pins) if unwanted(item.name) else None
        if steps is not None:
            reached = {step.conclusion for step in steps}
            starts = dict.fromkeys(premise for step in steps for premise in step.premises if premise not in reached)
            chain = tuple(
                (
                    tuple(map(name, step.premises)),
                    name(step.conclusion),
                    rule_words(step.rule),
                )
                for step in steps
            )
            found.append(Conflict(item.name, tuple(map(name, starts)) or (item.name,) * (number in pins), chain))
    return found[:MOST]


def class_conflicts(model: ClassModel, kept: Pins, unwanted: Pins) -> list[Conflict]:
    """Return the chains of :func:`conflicts` for whole classes, where each step is a mention."""
    names = [item.name for item in model.items]
    pins = [number for number, name in enumerate(names) if kept(name) or model.pinned >> number & 1]
    graph: nx.DiGraph[int] = nx.DiGraph(model.edges)
    graph.add_nodes_from(range(len(names)))
    found = []
    for number, name in enumerate(names):
        holding = [pin for pin in pins if model.closures[pin] >> number & 1] if unwanted(name) else []
        if holding:
            path = min((nx.shortest_path(graph, pin, number) for pin in holding), key=len)
            steps = tuple(((names[above],), names[below], "a mention") for above, below in pairwise(path))
            found.append(Conflict(name, (names[path[0]],), steps))
    return found[:MOST]
