"""Calls between the executed methods: those that run only because of one caller."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import networkx as nx

from core.evidence.clues import Method, Ran
from core.model.reading.facts import ClassFacts
from core.model.rules.class_items import CLASS_INITIALISER

START: Method = ("", "", "")
"""The root of a call tree: it stands for the JVM, the caller of ``main`` and of all methods without an executed
caller."""

_DISPATCHED = frozenset(("virtual", "interface", 5, 9))
"""Kinds of calls whose method the JVM chooses by the class of the object: of instructions, and of handles (JVMS
5.4.3.5).
"""


def call_tree(facts: Mapping[str, ClassFacts], ran: Ran) -> Mapping[Method, Sequence[Method]]:
    """Return for each executed method its immediately dominated methods: all chains of calls from :data:`START` to them
    lead through it.
    """
    graph = nx.DiGraph(_calls(facts, ran))
    executed = list(graph)
    graph.add_edges_from([(START, method) for method in executed if not graph.in_degree(method)])
    reached = {START} | nx.descendants(graph, START)
    for method in executed:
        if method not in reached:  # a circle of calls that begins outside the input
            graph.add_edge(START, method)
            reached |= {method} | nx.descendants(graph, method)
    tree: defaultdict[Method, list[Method]] = defaultdict(list)
    for method, dominator in nx.immediate_dominators(graph, START).items():
        if method != START:
            tree[dominator].append(method)
    return tree


def _calls(facts: Mapping[str, ClassFacts], ran: Ran) -> dict[Method, list[Method]]:
    """Return for each executed method the executed methods that it calls, but itself."""
    bodies: defaultdict[tuple[str, str], list[Method]] = defaultdict(list)
    calls: dict[Method, list[Method]] = {}
    for name in sorted(ran.loaded & facts.keys()):
        for member, _ in facts[name].method_list:
            method = (name, *member)
            if ran.ran(name) and method not in ran.missed:
                calls[method] = []
                bodies[member].append(method)
    for name in dict.fromkeys(method[0] for method in calls):
        for number, (member, _) in enumerate(facts[name].method_list):
            if (caller := (name, *member)) in calls:
                called = dict.fromkeys(_called(facts, name, number, bodies))
                calls[caller] = [method for method in called if method in calls and method != caller]
    return calls


def _called(
    facts: Mapping[str, ClassFacts], name: str, number: int, bodies: Mapping[tuple[str, str], Sequence[Method]]
) -> Iterator[Method]:
    """Yield the possible callees of the method ``number`` of a class. A dispatched call may lead to each method of its
    name and descriptor, and the use of a class leads to its initialiser.
    """
    here, code = facts[name], facts[name].code[number]
    handles = [handle for site in code.call_sites for handle in here.bootstraps[site[1]].handles]
    for kind, owner, called, descriptor, _ in (*code.methods, *handles):
        if kind in _DISPATCHED:
            yield from bodies.get((called, descriptor), ())
        else:
            above = (each for each in _with_superclasses(facts, owner) if (called, descriptor) in facts[each].methods)
            yield from ((each, called, descriptor) for each in islice(above, 1))
    owners = (*(use[1] for use in code.methods), *(use[1] for use in code.fields), *(use[1] for use in handles))
    for used in (name, *owners):
        yield from ((each, *CLASS_INITIALISER) for each in _with_superclasses(facts, used))


def _with_superclasses(facts: Mapping[str, ClassFacts], name: str | None) -> Sequence[str]:
    """Return a class and its superclasses in the input; each once, where a class is its own superclass in the end."""
    found: dict[str, None] = {}
    while name is not None and name in facts and name not in found:
        found[name] = None
        name = facts[name].superclass
    return list(found)
