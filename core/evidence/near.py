"""Distance of executed methods from the failure, in calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from core.evidence.clues import Mention, Method, Ran
from core.model.reading.facts import ClassFacts
from core.model.rules.class_items import CLASS_INITIALISER

Body = tuple[str, str]
"""Name and descriptor of a method. A call may lead to a method of any class."""


def rings(facts: Mapping[str, ClassFacts], ran: Ran, mentions: Sequence[Mention]) -> Iterator[frozenset[Method]]:
    """Yield the executed methods that the failure names, then these with the methods that they call, and so on, as
    long as methods are added. Yield nothing if the failure names no method.

    A call leads to each executed method of the same name and descriptor, in whatever class, and to the initialiser of
    its class.
    """
    bodies: defaultdict[Body, list[Method]] = defaultdict(list)
    calls: dict[Method, set[Body]] = {}
    for name in ran.loaded & facts.keys():
        if not ran.ran(name):
            continue
        class_facts = facts[name]
        for (member, _), code in zip(class_facts.method_list, class_facts.code, strict=True):
            method = (name, *member)
            if method not in ran.missed:
                bodies[member].append(method)
                handles = (handle for site in code.call_sites for handle in class_facts.bootstraps[site[1]].handles)
                calls[method] = {(use[2], use[3]) for use in (*code.methods, *handles)}
    named = {(mention.name, mention.member) for mention in mentions if mention.member}
    near = {method for method in calls if method[:2] in named}
    fresh = near
    while fresh:
        yield frozenset(near)
        reached = {body for method in fresh for body in calls[method]}
        fresh = {method for body in reached for method in bodies.get(body, ())}
        fresh |= {(method[0], *CLASS_INITIALISER) for method in fresh | near} & calls.keys()
        fresh -= near
        near = near | fresh
