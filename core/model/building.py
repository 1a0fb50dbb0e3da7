"""Makes item models: from the facts of all classes to items, variables and clauses; or from the disk."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache, partial
from pathlib import Path

import core.model.rules.annotation_types
import core.model.rules.class_attributes
import core.model.rules.classes
import core.model.rules.code
import core.model.rules.declared_types
import core.model.rules.generics.generic_code
import core.model.rules.generics.generic_overriding
import core.model.rules.generics.generic_values
import core.model.rules.methods
import core.model.rules.overriding  # noqa: F401 - these register their rules
from core.archive.entry_names import is_versioned
from core.archive.jar import Jar
from core.cancellation import cancellation_point
from core.classfile.class_file import ClassFile, Method, parse
from core.classfile.flags import MODULE
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.code_facts import CodeFacts, CodeReader
from core.library.library import Library
from core.model import class_model as whole
from core.model.cache import stored_models
from core.model.cache.class_files import ClassFileCache
from core.model.class_model import ClassModel, Item, Kind
from core.model.formula import Builder
from core.model.hierarchy import Hierarchy, Variables
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.model.reading.facts import ClassFacts, extract
from core.model.reading.readers import read_classes
from core.model.reading.type_scopes import items_of_scopes
from core.model.rules.base import RULES, SRC, STRENGTH
from core.model.rules.class_items import ClassItems
from core.model.rules.context import Context
from core.system.budget import Room
from core.system.interpreter import collector_paused

_item = partial(tuple.__new__, Item)


def build(
    jar: Jar,
    library: Library,
    granularity: str = "member",
    validity: str = SRC,
    *,
    known: ClassFileCache | None = None,
) -> ItemModel:
    """Return the model of a jar. ``known``: see :class:`ModelSettings`."""
    return build_by(jar, ModelSettings(library, granularity, validity, known=known))


def load_or_build(jar: Jar, settings: ModelSettings, cache: Path | None) -> ItemModel:
    """Return the model of a jar, from the folder ``cache`` if it was built before
    (:func:`core.model.cache.stored_models.default_folder`), else built, and put there. None: no cache. A cache that
    cannot be read or written costs time only."""
    if cache is None:
        return build_by(jar, settings)
    key = stored_models.key_of(jar, settings)
    with collector_paused(lasting=True):
        found = stored_models.load(cache, key, jar, settings)
    if found is not None:
        return found
    model = build_by(jar, settings)
    with collector_paused():
        stored_models.save(cache, key, model)
    return model


def build_by(jar: Jar, settings: ModelSettings) -> ItemModel:
    """Return the model of a jar."""
    with collector_paused(lasting=True):
        return _assembled(jar, settings)


def _assembled(jar: Jar, settings: ModelSettings) -> ItemModel:
    """Read all classes and apply all rules."""
    readings = read_classes(jar, settings.granularity, None, settings.jobs, settings.known)
    model = whole.build(jar, readings=readings)
    facts: dict[str, ClassFacts] = {}
    opaque: dict[int, frozenset[str]] = {}
    copies: dict[int, str] = {}
    parsed = (reading for _, reading in readings if not isinstance(reading, str))
    for number, (node, reading) in enumerate(zip(model.graph.nodes, parsed, strict=True)):
        found = reading.facts
        if found is None:
            opaque[number] = reading.mentions
            continue
        if found.name != node.name:
            copies[number] = found.name
            found = extract(_as_named(jar.entries[node.entry].data, node.name), settings.granularity)
        facts[node.name] = found
    return _assemble(model, facts, opaque, copies, settings)


def _assemble(
    model: ClassModel,
    facts: dict[str, ClassFacts],
    opaque: Mapping[int, frozenset[str]],
    copies: Mapping[int, str],
    settings: ModelSettings,
) -> ItemModel:
    items = list(model.items)
    variables = Variables()
    classes: dict[str, ClassItems] = {}
    all_parts: list[tuple[int, int]] = []
    for number, node in enumerate(model.graph.nodes):
        variables.classes[node.name] = number
        cancellation_point()
        found = facts.get(node.name)
        if found is None:
            all_parts.append((0, 0))
            continue
        first, parts = len(items), found.parts
        items += [_item((Kind.PART, part.name, part.bytes, node.entry)) for part in parts]
        items[number] = items[number]._replace(bytes=node.bytes - sum([part.bytes for part in parts]))
        one = classes[node.name] = ClassItems(found, number, list(enumerate(parts, first)))
        _note(variables, one)
        all_parts.append((first, len(items)))
    for name, found in facts.items():
        if found.enclosing is not None:
            owner, method, descriptor = found.enclosing
            variables.enclosing[name] = variables.methods[owner, (method or "", descriptor or "")]
    if settings.granularity == "member":
        variables.scopes = items_of_scopes(classes, variables)
    builder = Builder(len(items))
    # the package of a second class of one name is that of the first, whose private members it may use
    hosts = {model.graph.nodes[number].name: name for number, name in copies.items()}
    hosts |= {name: found.nest_host for name, found in facts.items() if found.nest_host is not None}
    hierarchy = Hierarchy(facts, settings.library.get, variables, builder, hosts)
    strength = STRENGTH[settings.validity]
    rules = [r for r in RULES.values() if r.id not in settings.without and STRENGTH[r.validity] <= strength]
    active = frozenset(rule.id for rule in rules)

    @lru_cache(maxsize=1)  # a rule asks for the methods of one class after another
    def reader(name: str) -> tuple[CodeReader, list[Method]]:
        cf = _as_named(model.jar.entries[model.graph.nodes[model.graph.index[name]].entry].data, name)
        return CodeReader(cf), list(cf.methods)

    def by_sets(name: str, method: int) -> CodeFacts:
        code, methods = reader(name)
        return code.facts(methods[method], sets=True)

    context = Context(builder, hierarchy, classes, by_sets, settings, active)
    room = Room(model.jar.title)
    for rule in rules:
        builder.rule = rule.id
        for one in classes.values():
            room.check()
            cancellation_point()
            rule.apply(context, one)
    builder.rule = "S2"
    for number in range(len(model.items)):
        if model.pinned >> number & 1:
            builder.add((), (number,))
    builder.rule = "copy"
    # descriptors of a copy have the name of the first; a later Java takes the copy for it, with all that is kept of it
    for number, name in copies.items():
        copy = classes[model.graph.nodes[number].name]
        if not copy.facts.access & MODULE:
            builder.edge(number, variables.classes[name])
        if name in classes and is_versioned(model.jar.entries[items[number].entry].name):
            same = {part.name.replace(copy.name, name): variable for variable, part in copy.parts}
            for variable, part in classes[name].parts:
                builder.add((variable, number), (same.get(part.name, number),))
    builder.rule = "opaque"

    @cache
    def whole_class(name: str) -> int:
        """Return a fact that needs a class and all its parts, since nothing is known of what is used of it."""
        fact, number = builder.fact(), variables.classes[name]
        builder.edges(fact, (number, *range(*all_parts[number])))
        return fact

    for number, names in opaque.items():
        builder.edges(number, map(whole_class, sorted(names & variables.classes.keys())))
    return ItemModel(
        model,
        tuple(items),
        tuple(all_parts),
        facts,
        builder.formula(),
        hierarchy,
        settings.granularity,
        settings.validity,
        settings.known or ClassFileCache(settings.granularity),
    )


def _as_named(data: bytes, name: str) -> ClassFile:
    """Return a class file as the class ``name``, a second one of its own name by its entry's."""
    cf = parse(data)
    if cf.name != name:
        cf.constants.rename_class(cf.name, name)
    return cf


def _note(variables: Variables, one: ClassItems) -> None:
    """Put the parts of a class into the tables by which the hierarchy finds them."""
    name, facts = one.name, one.facts
    for variable, _ in one.of(PartKind.SUPERCLASS):
        variables.superclass[name] = variable
    for variable, part in one.of(PartKind.INTERFACE):
        variables.interfaces[name, part.target] = variable
    for variable, _ in one.of(PartKind.NEST):
        variables.nests[name] = variable
    for table, kind, members in (
        (variables.fields, PartKind.FIELD, facts.field_list),
        (variables.finals, PartKind.FINAL, facts.field_list),
        (variables.methods, PartKind.METHOD, facts.method_list),
        (variables.code, PartKind.CODE, facts.method_list),
    ):
        for variable, part in one.of(kind):
            table.setdefault((name, members[part.element][0]), variable)
