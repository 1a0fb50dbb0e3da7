"""The reasons why classes and their parts need each other, by rule and in words, as the inspector shows them."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.archive.entry_names import opened_jar
from core.assembler.words import modifiers
from core.classfile.class_file import ClassFile, parse
from core.classfile.flags import ABSTRACT, INTERFACE, SUPER
from core.classfile.format_error import ClassFormatError
from core.library.library import open_library
from core.model.building import load_or_build
from core.model.cache.stored_models import default_folder
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.model.rules.base import rule_words
from core.protocol.events import Conflicts, EdgeExplained, Inspected
from core.protocol.java_names import java_name
from core.protocol.questions.items import ExplainEdge, FindConflicts, Inspect
from core.service.queries.desk import Desk, once_per_input
from core.service.queries.member_lists import MemberLister, lister
from core.service.searching.conflicts import class_conflicts, conflicts

GRANULARITY = "member"
MOST = 200
"""Number of reasons that are told in each direction."""

_RELEASES = 44
"""Difference between the major version of a class file and the release of Java that reads it."""


class Needs:
    """The clauses of a model with one premise and one conclusion, sorted by one ``end``: 0 = the premise, 1 = the
    conclusion. ``near`` and ``far`` have the variables at this end and at the other one, ``rule`` the rules."""

    def __init__(self, model: ItemModel, end: int) -> None:
        edges = model.formula.edges.astype(np.int64)
        order = np.argsort(edges[:, end], kind="stable")
        self.near, self.far = edges[order, end], edges[order, 1 - end]
        self.rule, self._rules = model.formula.edge_rules[order].astype(np.int64), model.formula.rules

    def of(self, variable: int) -> Iterator[tuple[int, str]]:
        """Yield the variables at the other ends of a variable's clauses, each with the rule in words."""
        first, end = np.searchsorted(self.near, variable, "left"), np.searchsorted(self.near, variable, "right")
        for row in range(int(first), int(end)):
            yield int(self.far[row]), self.words(int(self.rule[row]))

    def words(self, rule: int) -> str:
        """Return a rule in words."""
        return rule_words(self._rules[rule])


class Ties:
    """The needs of a model's variables, from both ends."""

    def __init__(self, model: ItemModel) -> None:
        self.model = model
        self.needs, self.needed_by = Needs(model, 0), Needs(model, 1)

    def rows(self, needs: Needs, variables: Sequence[int]) -> list[list[str]]:
        """Return the needs between some variables and all others, as triples of :class:`Inspected`."""
        inside, name = frozenset(variables), self.model.describe
        rows = dict.fromkeys(
            (name(one), name(other), words)
            for one in variables
            for other, words in needs.of(one)
            if other not in inside
        )
        return [list(row) for row in rows]


class RelationFinder:
    """The needs of one input's items. The model below the class is built at the first question, which takes a while."""

    def __init__(self, lister: MemberLister) -> None:
        self._lister = lister
        self._lock = threading.Lock()
        self._ties: Ties | None = None
        self._class_path: tuple[str, ...] = ()

    def answer(self, name: str, class_path: Sequence[str]) -> Iterator[Inspected]:
        """Yield the facts about an item, for which no model is needed, and then its needs in both directions.

        Raises JarletError.
        """
        owner = owner_of(name, self._lister.classes)
        if owner not in self._lister.classes:
            yield Inspected(name, "ready")
            return
        facts = self._facts(owner)
        if self._ties is None or self._class_path != tuple(class_path):
            yield Inspected(name, "building", facts)
        ties = self.ties(class_path)
        detailed = ties.model
        number = detailed.numbers.get(name)
        if number is None:  # too fine for this granularity: what holds it
            number = detailed.numbers.get(name.partition("!")[0].partition("[")[0], detailed.numbers[owner])
        variables = detailed.whole(number)
        needs, needed_by = ties.rows(ties.needs, variables), ties.rows(ties.needed_by, variables)
        more = [max(0, len(needs) - MOST), max(0, len(needed_by) - MOST)]
        yield Inspected(name, "ready", facts, needs[:MOST], needed_by[:MOST], more)

    def between(self, sources: Sequence[str], targets: Sequence[str], class_path: Sequence[str]) -> EdgeExplained:
        """Return the parts and rules by which the classes ``sources`` need the classes ``targets``. Raises
        JarletError."""
        ties, goals = self.ties(class_path), set(targets)
        detailed = ties.model
        found: list[list[str]] = []
        for name in sources:
            if name in self._lister.classes and name in detailed.numbers:
                needs = ties.rows(ties.needs, detailed.whole(detailed.numbers[name]))
                found += [row for row in needs if owner_of(row[1], self._lister.classes) in goals]
        return EdgeExplained(found[:MOST], max(0, len(found) - MOST))

    def ties(self, class_path: Sequence[str]) -> Ties:
        """Return the needs in the model below the class. Raises JarletError."""
        with self._lock:
            if self._ties is None or self._class_path != tuple(class_path):
                jar = self._lister.model.jar
                library = open_library(tuple(map(Path, class_path)), jar)
                self._ties = Ties(load_or_build(jar, ModelSettings(library, GRANULARITY), default_folder()))
                self._class_path = tuple(class_path)
            return self._ties

    def _facts(self, name: str) -> list[list[str]]:
        jar = "in", opened_jar(self._lister.entry_name(name))
        try:
            facts = [jar, *_class_facts(parse(self._lister.input_data(name)))]
            return [[word, value] for word, value in facts if value]
        except ClassFormatError as error:
            return [["problem", str(error)]]


@once_per_input
def finder(desk: Desk) -> RelationFinder:
    """Return the needs of the input's items."""
    return RelationFinder(lister(desk))


def inspect(desk: Desk, wish: Inspect) -> Iterator[Inspected]:
    """Yield the needs of an item, and the items in need of it."""
    owner = owner_of(wish.item, lister(desk).classes)
    for told in finder(desk).answer(wish.item, wish.classpath):
        new = desk.workspace.renaming.classes.get(owner, owner)
        yield replace(told, facts=[*told.facts, ["now part of", java_name(new)]]) if new != owner else told


def explain_edge(desk: Desk, wish: ExplainEdge) -> EdgeExplained:
    """Return the reasons why some classes need others."""
    return finder(desk).between(wish.dependents, wish.needed, wish.classpath)


def find_conflicts(desk: Desk, wish: FindConflicts) -> Conflicts:
    """Return the unwanted items that must stay because of kept ones."""
    kept, unwanted = frozenset(wish.keep).__contains__, frozenset(wish.drop_first).__contains__
    if wish.granularity == "class":
        found = class_conflicts(desk.workspace.opened, kept, unwanted)
    else:
        found = conflicts(finder(desk).ties(wish.classpath).model, kept, unwanted)
    return Conflicts(found)


def owner_of(name: str, classes: Collection[str]) -> str:
    """Return the class of an item, by the item's name."""
    owner = name.partition("!")[0].partition("[")[0].partition("<")[0]
    return owner if owner in classes else owner.rpartition(".")[0] or owner


def _class_facts(cf: ClassFile) -> list[tuple[str, str]]:
    hidden = SUPER | ABSTRACT if cf.access & INTERFACE else SUPER
    source = cf.attributes.raw("SourceFile")
    return [
        ("flags", modifiers(cf.access & ~hidden, "class").rstrip()),
        ("extends", java_name(cf.superclass or "")),
        ("implements", ", ".join(map(java_name, cf.interface_names))),
        ("fields", str(len(cf.fields))),
        ("methods", str(len(cf.methods))),
        ("needs Java", str(cf.version.major - _RELEASES)),
        ("source file", cf.constants.text(int.from_bytes(source[:2], "big")) if source else ""),
    ]
