"""The reasons why classes and their parts need each other, by rule and in words, as the inspector shows them."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.classfile.class_file import ClassFile, parse
from core.classfile.format_error import ClassFormatError
from core.library.library import open_library
from core.model.building import load_or_build
from core.model.cache.stored_models import default_folder
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.model.rules.base import RULES
from core.protocol.events import Conflicts, EdgeExplained, Inspected
from core.protocol.java_names import java_name
from core.protocol.questions.items import ExplainEdge, FindConflicts, Inspect
from core.renaming import Renaming
from core.service.queries.desk import Desk, once_per_input
from core.service.queries.member_lists import MemberLister, lister
from core.service.searching.conflicts import class_conflicts, conflicts

GRANULARITY = "member"
MOST = 200
"""Number of reasons that are told in each direction."""

_FLAGS = (
    (0x0001, "public"), (0x0002, "private"), (0x0004, "protected"), (0x0008, "static"), (0x0010, "final"),
    (0x0200, "interface"), (0x0400, "abstract"), (0x1000, "synthetic"), (0x2000, "annotation"), (0x4000, "enum"),
)  # fmt: skip
_RELEASES = 44
"""Difference between the major version of a class file and the release of Java that reads it."""

Ints = NDArray[np.integer[Any]]


class Relations:
    """The clauses of a formula with one premise and one conclusion, to be looked up from either end."""

    def __init__(self, detailed: ItemModel) -> None:
        self._detailed = detailed
        formula = detailed.formula
        premise, conclusion = formula.edges[:, 0], formula.edges[:, 1]
        self._rules, self._rule = formula.rules, formula.edge_rules
        self._from, self._to = np.argsort(premise, kind="stable"), np.argsort(conclusion, kind="stable")
        self._premise, self._conclusion = premise, conclusion
        self._firsts, self._lasts = premise[self._from], conclusion[self._to]

    def of(self, variables: Sequence[int], inside: frozenset[int]) -> tuple[list[list[str]], list[list[str]]]:
        """Return the needs of the variables and the needs for them, as triples of :class:`Inspected`. Variables of
        ``inside`` are left out."""
        needs: dict[tuple[str, str, str], None] = {}
        needed_by: dict[tuple[str, str, str], None] = {}
        for variable in variables:
            for row in _range(self._firsts, self._from, variable):
                other = int(self._conclusion[row])
                if other not in inside:
                    needs[(self._name(variable), self._name(other), self._words(row))] = None
            for row in _range(self._lasts, self._to, variable):
                other = int(self._premise[row])
                if other not in inside:
                    needed_by[(self._name(variable), self._name(other), self._words(row))] = None
        return [list(row) for row in needs], [list(row) for row in needed_by]

    def _words(self, row: int) -> str:
        rule = self._rules[int(self._rule[row])]
        return RULES[rule].words if rule in RULES else "by definition"

    def _name(self, variable: int) -> str:
        detailed = self._detailed
        return detailed.items[variable].name if variable < len(detailed.items) else detailed.describe(variable)


class RelationFinder:
    """The needs of one input's items. The model below the class is built at the first question, which takes a while."""

    def __init__(self, lister: MemberLister) -> None:
        self._lister = lister
        self._lock = threading.Lock()
        self._detailed: ItemModel | None = None
        self._ties: Relations | None = None
        self._class_path: tuple[Path, ...] = ()

    def answer(self, name: str, class_path: Sequence[Path]) -> Iterator[Inspected]:
        """Yield the facts about an item, for which no model is needed, and then its needs in both directions.

        Raises JarletError.
        """
        owner = owner_of(name, self._lister.classes)
        facts = self._facts(owner)
        if owner not in self._lister.classes:
            yield Inspected(name, "ready")
            return
        if self._ties is None or self._class_path != tuple(class_path):
            yield Inspected(name, "building", facts)
        with self._lock:
            ties, detailed = self._built(tuple(class_path))
        number = detailed.numbers.get(name)
        if number is None:  # too fine for this granularity: what holds it
            number = detailed.numbers.get(name.partition("!")[0].partition("[")[0], detailed.numbers[owner])
        if number < len(detailed.parts):
            first, end = detailed.parts[number]
            variables = [number, *range(first, end)]
        else:
            parents = detailed.parents
            first, end = detailed.parts[detailed.numbers[owner]]
            variables = [number, *(part for part in range(first, end) if parents[part] == number)]
        needs, needed_by = ties.of(variables, frozenset(variables))
        more = [max(0, len(needs) - MOST), max(0, len(needed_by) - MOST)]
        yield Inspected(name, "ready", facts, needs[:MOST], needed_by[:MOST], more)

    def between(self, sources: Sequence[str], targets: Sequence[str], class_path: Sequence[Path]) -> EdgeExplained:
        """Return the parts and rules by which the classes ``sources`` need the classes ``targets``. Raises
        JarletError."""
        with self._lock:
            ties, detailed = self._built(tuple(class_path))
        goals = set(targets)
        found: list[list[str]] = []
        for name in sources:
            if name in self._lister.classes and name in detailed.numbers:
                first, end = detailed.parts[detailed.numbers[name]]
                variables = [detailed.numbers[name], *range(first, end)]
                needs, _ = ties.of(variables, frozenset(variables))
                found += [row for row in needs if owner_of(row[1], self._lister.classes) in goals]
        return EdgeExplained(found[:MOST], max(0, len(found) - MOST))

    def place_of(self, name: str, renaming: Renaming) -> str:
        """Return the class that now stands for an item's class; empty if it is the same class."""
        owner = owner_of(name, self._lister.classes)
        new = renaming.classes.get(owner, owner)
        return new if new != owner else ""

    def model(self, class_path: Sequence[Path]) -> ItemModel:
        """Return the model below the class. Raises JarletError."""
        with self._lock:
            return self._built(tuple(class_path))[1]

    def _built(self, class_path: tuple[Path, ...]) -> tuple[Relations, ItemModel]:
        if self._ties is None or self._detailed is None or self._class_path != class_path:
            jar = self._lister.model.jar
            library = open_library(class_path, jar)
            self._detailed = load_or_build(jar, ModelSettings(library, GRANULARITY), default_folder())
            self._ties, self._class_path = Relations(self._detailed), class_path
        return self._ties, self._detailed

    def _facts(self, name: str) -> list[list[str]]:
        if name not in self._lister.classes:
            return []
        data = self._lister.input_data(name)
        try:
            return [[word, value] for word, value in _class_facts(parse(data)) if value]
        except ClassFormatError as error:
            return [["problem", str(error)]]


@once_per_input
def finder(desk: Desk) -> RelationFinder:
    """Return the needs of the input's items."""
    return RelationFinder(lister(desk))


def _paths(class_path: Sequence[str]) -> list[Path]:
    return [Path(path) for path in class_path]


def inspect(desk: Desk, wish: Inspect) -> Iterator[Inspected]:
    """Yield the needs of an item, and the items in need of it."""
    found = finder(desk)
    for told in found.answer(wish.item, _paths(wish.classpath)):
        new = found.place_of(told.item, desk.workspace.renaming)
        yield replace(told, facts=[*told.facts, ["now part of", java_name(new)]]) if new else told


def explain_edge(desk: Desk, wish: ExplainEdge) -> EdgeExplained:
    """Return the reasons why some classes need others."""
    return finder(desk).between(wish.sources, wish.targets, _paths(wish.classpath))


def find_conflicts(desk: Desk, wish: FindConflicts) -> Conflicts:
    """Return the unwanted items that must stay because of kept ones."""
    kept, unwanted = frozenset(wish.keep).__contains__, frozenset(wish.drop_first).__contains__
    if wish.granularity == "class":
        found = class_conflicts(desk.workspace.opened, kept, unwanted)
    else:
        found = conflicts(finder(desk).model(_paths(wish.classpath)), kept, unwanted)
    return Conflicts([asdict(conflict) for conflict in found])


def owner_of(name: str, classes: Collection[str]) -> str:
    """Return the class of an item, by the item's name."""
    owner = name.partition("!")[0].partition("[")[0].partition("<")[0]
    return owner if owner in classes else owner.rpartition(".")[0] or owner


def _class_facts(cf: ClassFile) -> list[tuple[str, str]]:
    flags = [word for bit, word in _FLAGS if cf.access & bit]
    if "interface" in flags and "abstract" in flags:
        flags.remove("abstract")
    source = cf.attributes.raw("SourceFile")
    return [
        ("flags", " ".join(flags)),
        ("extends", java_name(cf.superclass or "")),
        ("implements", ", ".join(map(java_name, cf.interface_names))),
        ("fields", str(len(cf.fields))),
        ("methods", str(len(cf.methods))),
        ("needs Java", str(cf.version.major - _RELEASES)),
        ("source file", cf.constants.text(int.from_bytes(source[:2], "big")) if source else ""),
    ]


def _range(keys: Ints, order: Ints, wanted: int) -> list[int]:
    first, end = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
    rows: list[int] = order[first:end].tolist()
    return rows
