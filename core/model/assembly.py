"""From the facts of all classes to items, variables and clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import core.model.rules.attributes
import core.model.rules.classes
import core.model.rules.code
import core.model.rules.fields
import core.model.rules.hierarchy
import core.model.rules.methods
import core.model.rules.overriding
import core.model.rules.structure  # noqa: F401 - these register their rules
from core.jar.archive import Jar
from core.jar.classfile import ClassFile, parse
from core.jar.codefacts import CodeFacts, CodeReader
from core.jar.errors import ClassFormatError
from core.jar.parts import Part, PartKind
from core.jar.references import references
from core.model import items as whole
from core.model.facts import ClassFacts, extract
from core.model.formula import TRUE, Builder, Formula
from core.model.hierarchy import ClassInfo, Hierarchy, Variables
from core.model.items import Item, Kind, Model
from core.model.rules.base import RULES, SRC, Context
from core.model.rules.one import One

Outside = Callable[[str], ClassInfo | None]
Mentions = Callable[[str], frozenset[str]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """What a model depends on beside the jar."""

    outside: Outside
    """Finds library classes."""
    mentioned_by: Mentions
    """What a class of the class path mentions, which may be classes of the input."""
    granularity: str
    validity: str
    without: frozenset[str] = frozenset()
    """Rules to leave out (for tests)."""


@dataclass(frozen=True)
class Assembly:
    """The items of an input and the clauses over them."""

    model: Model
    """The input by whole classes: the first items are its items, but for the size."""
    items: tuple[Item, ...]
    parts: tuple[tuple[int, int], ...]
    """For each class (item number) the first of its parts' item numbers, and the one behind the last."""
    facts: Mapping[str, ClassFacts]
    """By name, of the classes that could be analysed."""
    formula: Formula
    hierarchy: Hierarchy


def assembled(jar: Jar, settings: Settings, progress: Progress | None = None) -> Assembly:
    """Reads all classes and applies all rules. ``progress(done, total)`` counts class files that were read."""
    extracted: dict[int, ClassFacts | frozenset[str]] = {}

    def each(entry: int, cf: ClassFile) -> None:
        try:
            extracted[entry] = extract(cf, settings.granularity)
        except ClassFormatError:
            extracted[entry] = references(cf)

    model = whole.build(jar, progress, each)
    facts: dict[str, ClassFacts] = {}
    opaque: dict[int, frozenset[str]] = {}
    for number, node in enumerate(model.graph.nodes):
        found = extracted[node.entry]
        if isinstance(found, frozenset):
            opaque[number] = found
        elif found.name != node.name:  # a second class of this name, of a multi-release jar
            opaque[number] = references(parse(jar.entries[node.entry].data))
        else:
            facts[node.name] = found
    return _assemble(model, facts, opaque, settings)


def _assemble(
    model: Model, facts: dict[str, ClassFacts], opaque: Mapping[int, frozenset[str]], settings: Settings
) -> Assembly:
    items = list(model.items)
    variables = Variables()
    classes: dict[str, One] = {}
    all_parts: list[tuple[int, int]] = []
    for number, node in enumerate(model.graph.nodes):
        variables.classes[node.name] = number
        found = facts.get(node.name)
        if found is None:
            all_parts.append((0, 0))
            continue
        first = len(items)
        for place, part in enumerate(found.parts):
            items.append(Item(Kind.PART, part.name, part.bytes, node.entry))
            _note(variables, found, part, first + place)
        items[number] = items[number]._replace(bytes=node.bytes - sum([part.bytes for part in found.parts]))
        classes[node.name] = One(found, number, list(enumerate(found.parts, first)))
        all_parts.append((first, len(items)))
    for name, found in facts.items():
        if found.enclosing is not None:
            owner, method, descriptor = found.enclosing
            variables.enclosing[name] = variables.methods.get((owner, (method or "", descriptor or "")), TRUE)
    builder = Builder(len(items))
    hosts = {name: found.nest_host for name, found in facts.items() if found.nest_host is not None}
    hierarchy = Hierarchy(facts, settings.outside, variables, builder, hosts)
    rules = [r for r in RULES.values() if r.id not in settings.without and settings.validity in (SRC, r.validity)]
    active = frozenset(rule.id for rule in rules)

    def refine(name: str, method: int) -> CodeFacts:
        return _by_sets(model, name, method)

    context = Context(builder, hierarchy, variables, classes, refine, settings.mentioned_by, active)
    for rule in rules:
        for one in classes.values():
            rule.apply(context, one)
    for number in range(len(model.items)):
        if model.pinned >> number & 1:
            builder.add((), (number,), "S2")
    for number, names in opaque.items():
        # nothing is known of what it uses of a class: all of it stays
        for name in names & variables.classes.keys():
            other = variables.classes[name]
            builder.edge(number, other, "S2")
            builder.edges(number, range(*all_parts[other]), "S2")
    return Assembly(model, tuple(items), tuple(all_parts), facts, builder.formula(), hierarchy)


def _by_sets(model: Model, name: str, method: int) -> CodeFacts:
    cf = parse(model.jar.entries[model.graph.nodes[model.graph.index[name]].entry].data)
    return CodeReader(cf).facts(list(cf.methods)[method], sets=True)


def _note(variables: Variables, facts: ClassFacts, part: Part, variable: int) -> None:
    """Enters a part into the tables by which the hierarchy finds it."""
    match part.kind:
        case PartKind.SUPERCLASS:
            variables.superclass[facts.name] = variable
        case PartKind.INTERFACE:
            variables.interfaces[facts.name, part.target] = variable
        case PartKind.FIELD:
            variables.fields.setdefault((facts.name, facts.field_list[part.element][0]), variable)
        case PartKind.METHOD:
            variables.methods.setdefault((facts.name, facts.method_list[part.element][0]), variable)
        case PartKind.NEST:
            variables.nests[facts.name] = variable
        case PartKind.CODE:
            variables.code.setdefault((facts.name, facts.method_list[part.element][0]), variable)
