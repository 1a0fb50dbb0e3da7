"""The model below the class: items of granularity ``member`` or ``full``, their formula, and sub-inputs of them.

Item numbers: classes, class files that cannot be analysed, resources and nested jars as in
:mod:`core.model.items`, then the parts of each class in order. Derived facts follow the items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import core.model.rules.attributes
import core.model.rules.classes
import core.model.rules.code
import core.model.rules.fields
import core.model.rules.hierarchy
import core.model.rules.methods
import core.model.rules.structure  # noqa: F401 - these register their rules
from core.jar.archive import Entry, EntryKind, Jar
from core.jar.classfile import ClassFile, collector_paused, parse
from core.jar.codefacts import CodeFacts, CodeReader
from core.jar.errors import ClassFormatError
from core.jar.parts import Part, PartKind
from core.jar.references import references
from core.jar.rewrite import Rewriter
from core.jar.select import select
from core.model import items as whole
from core.model.explain import Explainer
from core.model.facts import ClassFacts, extract
from core.model.formula import Builder, Formula
from core.model.hierarchy import ClassInfo, Hierarchy, Variables
from core.model.items import Item, ItemSet, Kind, Model
from core.model.propagation import Propagator
from core.model.rules.base import JVM, RULES, SRC, Context, One
from core.model.world import Question, SubInput

Outside = Callable[[str], ClassInfo | None]
Mentions = Callable[[str], frozenset[str]]


def _nothing(name: str) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True)
class Detailed:
    """An input, its items below the class, and what ties them together."""

    model: Model
    """The same input by whole classes: the first items are its items."""
    items: tuple[Item, ...]
    parts: tuple[tuple[int, int], ...]
    """For each class (item number) the first of its parts' item numbers, and the one behind the last."""
    facts: dict[str, ClassFacts]
    formula: Formula
    hierarchy: Hierarchy
    granularity: str
    validity: str
    _rewriters: dict[str, Rewriter] = field(default_factory=dict)
    _memo: dict[tuple[str, int], list[tuple[dict[Question, object], bytes]]] = field(default_factory=dict)

    @property
    def full(self) -> ItemSet:
        return (1 << len(self.items)) - 1

    @cached_property
    def propagator(self) -> Propagator:
        """The formula, ready for least models and progressions."""
        return Propagator(self.formula)

    @cached_property
    def explainer(self) -> Explainer:
        """The formula, ready for questions why."""
        return Explainer(self.formula)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Item numbers by name."""
        return {item.name: number for number, item in reversed(list(enumerate(self.items)))}

    @cached_property
    def _meanings(self) -> dict[int, str]:
        """Derived facts in words."""
        return {fact: f"{sub} is a {sup}" for (sub, sup), fact in self.hierarchy.subtypes() if fact >= len(self.items)}

    def describe(self, fact: int) -> str:
        """What a derived fact stands for."""
        if fact in self._meanings:
            return self._meanings[fact]
        needs = [clause[1][0] for clause in self.formula.clauses() if clause[0] == (fact,) and len(clause[1]) == 1]
        names = [self.items[v].name if v < len(self.items) else self.describe(v) for v in needs]
        return " and ".join(names) or "one of several"

    def least(self, wanted: Iterable[int]) -> ItemSet:
        """The least valid sub-input that holds ``wanted``."""
        return sum(1 << v for v in self.propagator.least(wanted) if v < len(self.items))

    @property
    def unresolved(self) -> dict[str, str]:
        """Classes that are nowhere, each with a class that names it."""
        return self.hierarchy.unresolved

    def entries(self, kept: ItemSet) -> list[tuple[str, bytes]]:
        """Names and contents of the entries of a valid sub-input, in input order."""
        world = SubInput(self.hierarchy, kept, len(self.items))
        jar = self.model.jar
        changed: dict[int, bytes] = {}
        for number, (first, end) in enumerate(self.parts):
            item = self.items[number]
            if world.kept[number] and item.name in self.facts:
                mask = (kept >> first) & ((1 << (end - first)) - 1)
                data = self._written(item.name, mask, world)
                if data is not jar.entries[item.entry].data:
                    changed[item.entry] = data
        indexes = {item.entry for number, item in enumerate(self.model.items) if world.kept[number]}
        if not changed:
            return select(jar, indexes)
        entries = list(jar.entries)
        for place, data in changed.items():
            entries[place] = replace(entries[place], data=data)
        return _without_signatures(replace(jar, entries=tuple(entries)), indexes)

    def _rewriter(self, name: str) -> Rewriter:
        rewriter = self._rewriters.get(name)
        if rewriter is None:
            entry = self.items[self.hierarchy.variables.classes[name]].entry
            cf = parse(self.model.jar.entries[entry].data)
            rewriter = self._rewriters[name] = Rewriter(cf, self.facts[name].parts)
        return rewriter

    def _written(self, name: str, mask: int, world: SubInput) -> bytes:
        """The class with these parts; memoised by them and by what the rest of the sub-input answered."""
        versions = self._memo.setdefault((name, mask), [])
        world.origin = name
        for answers, data in versions:
            if all(world.answer(question) == answer for question, answer in answers.items()):
                return data
        world.asked = {}
        try:
            data = self._rewriter(name).write(mask, world)
        except ClassFormatError:
            # damaged in a way that only writing finds: no JVM loads it, so it stays as it is
            data = self.model.jar.entries[self.items[self.hierarchy.variables.classes[name]].entry].data
        versions.append((world.asked, data))
        return data


def _without_signatures(jar: Jar, indexes: set[int]) -> list[tuple[str, bytes]]:
    """A changed class makes every signature of the jar void, even when no entry is gone."""
    gone = Entry("META-INF/.removed", b"", EntryKind.RESOURCE)
    return select(replace(jar, entries=(*jar.entries, gone)), indexes)


def build(
    jar: Jar,
    outside: Outside,
    granularity: str = "member",
    validity: str = SRC,
    without: frozenset[str] = frozenset(),
    mentioned_by: Mentions = _nothing,
) -> Detailed:
    """The model of a jar.

    ``outside`` finds library classes; ``mentioned_by`` tells what a class of the class path mentions, which may be
    classes of the input; ``without`` names rules to leave out (for tests).
    """
    with collector_paused():
        return _build(jar, outside, granularity, validity, without, mentioned_by)


def _build(
    jar: Jar, outside: Outside, granularity: str, validity: str, without: frozenset[str], mentioned_by: Mentions
) -> Detailed:
    extracted: dict[int, ClassFacts | frozenset[str]] = {}

    def each(entry: int, cf: ClassFile) -> None:
        try:
            extracted[entry] = extract(cf, granularity)
        except ClassFormatError:
            extracted[entry] = references(cf)

    model = whole.build(jar, each=each)
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
    return _assemble(model, facts, opaque, outside, granularity, validity, without, mentioned_by)


def _assemble(
    model: Model,
    facts: dict[str, ClassFacts],
    opaque: dict[int, frozenset[str]],
    outside: Outside,
    granularity: str,
    validity: str,
    without: frozenset[str],
    mentioned_by: Mentions,
) -> Detailed:
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
            items.append(Item(Kind.PART, part.name, 0, node.entry))
            _note(variables, found, part, first + place)
        numbered = [(first + place, part) for place, part in enumerate(found.parts)]
        classes[node.name] = One(found, number, numbered)
        all_parts.append((first, len(items)))
    builder = Builder(len(items))
    hosts = {name: found.nest_host for name, found in facts.items() if found.nest_host is not None}
    hierarchy = Hierarchy(facts, outside, variables, builder, hosts)
    rules = [r for r in RULES.values() if r.id not in without and (r.validity == JVM or validity == SRC)]
    active = frozenset(rule.id for rule in rules)
    context = Context(
        builder, hierarchy, variables, classes, lambda name, method: _by_sets(model, name, method), mentioned_by, active
    )
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
    return Detailed(
        model,
        tuple(items),
        tuple(all_parts),
        facts,
        builder.formula(),
        hierarchy,
        granularity,
        validity,
    )


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
