"""A sub-input as the rewriter sees it: which classes, edges and constructors there are.

Every answer is a matter of a few items: :class:`Questions` knows which, once for all sub-inputs, and
:class:`KeptWorld` looks them up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from core.archive.entry_names import class_path
from core.archive.jar import Jar
from core.classfile.descriptors import class_names, erased
from core.classfile.flags import ENUM
from core.classfile.symbolic.fact_kinds import FactKind
from core.classfile.symbolic.pieces import Fact
from core.model.class_model import Item
from core.model.formula import TRUE
from core.model.hierarchy import Hierarchy
from core.model.lookup import ANNOTATION_TYPE
from core.model.rules.methods import super_constructors
from core.parts.rewriter import Rewriter
from core.remembered import remembered
from core.sets import listed_by

Items = tuple[int, ...]


class Questions:
    """For each question of a rewriter the items that decide it; without any the answer is yes."""

    def __init__(self, jar: Jar, items: Iterable[Item], hierarchy: Hierarchy, *, erases: bool) -> None:
        """``erases``: descriptors and frames have Object in the place of classes that are gone."""
        self._jar = jar
        self._erases = erases
        self._items = items
        self.hierarchy = hierarchy
        self._variables = hierarchy.variables

    def class_(self, name: str) -> Items:
        """Return the items that must all be kept for the class to be there."""
        return _items(self._variables.classes[name])

    def type_(self, name: str) -> Items:
        """Return the items that must all be kept for the class to stay in descriptors and frames."""
        return self.class_(name) if self._erases else ()

    def _nature(self, name: str) -> Items:
        """Return the items that must all be kept for the class to stay the enum or annotation type of its flags."""
        info = self.hierarchy.info(name)
        if info is None or name not in self._variables.classes:
            return ()
        if info.access & ENUM:
            return _items(self._variables.superclass[name])
        return _items(self._variables.interfaces[name, ANNOTATION_TYPE])

    @remembered
    def constructors(self, origin: str, superclass: str) -> tuple[tuple[str, Items], ...]:
        """Return the constructors of the superclass that ``origin`` may call while all of the items with them are
        kept."""
        usable = super_constructors(self.hierarchy, origin, superclass)
        return tuple((member[1], _items(*facts)) for member, facts in usable)

    def footprint(self, rewriter: Rewriter, origin: str, superclass: str | None) -> list[int]:
        """Return, ascending, all items that the bytes of the class ``origin`` depend on, without its own parts.

        ``superclass``: whose constructors its stubs may call.
        """
        found: set[int] = set()
        for fact in rewriter.outside:
            found.update(self.of(origin, fact))
        if superclass is not None:
            for descriptor, items in self.constructors(origin, superclass):
                found.update(items)
                found.update(item for name in class_names(descriptor) for item in self.type_(name))
        return sorted(found)

    def of(self, origin: str, fact: Fact) -> Items:
        """Return the items that must all be kept for a fact to hold about the class ``origin``; of a package one must.

        Without any the fact holds: it is about something outside the input.
        """
        if isinstance(fact, str):
            return self.class_(fact)
        assert isinstance(fact, tuple)
        kind, name, *member = fact
        variables = self._variables
        match kind:
            case FactKind.PERMITTED:  # a direct subtype of the sealed class
                edge = variables.interfaces.get((name, origin), variables.superclass[name])
                return self.class_(name) + _items(edge)
            case FactKind.NEST:  # there, and naming its host
                return self.class_(name) + _items(variables.nests[name])
            case FactKind.METHOD:
                return _items(variables.methods[name, (member[0], member[1])])
            case FactKind.NATURE:
                return self._nature(name)
            case FactKind.TYPE:
                return self.type_(name)
            case FactKind.VARIABLE:  # declared by a scope around the class
                return variables.scopes.get((origin, name), ())
        return self._packages.get(name, ())

    @cached_property
    def _packages(self) -> dict[str, Items]:
        """The items in each folder of the input; those of a multi-release jar's versions where they stand for."""
        names = [class_path(self._jar.entries[item.entry].name) for item in self._items]
        found = listed_by(lambda number: names[number].rpartition("/")[0], range(len(names)))
        return {folder: tuple(items) for folder, items in found.items()}


def _items(*facts: int) -> Items:
    return tuple(fact for fact in facts if fact != TRUE)


@dataclass(eq=False)
class KeptWorld:
    """The answers to a rewriter's questions about one sub-input.

    ``kept``: one byte an item, not 0 = kept. ``origin`` is the class that is being written.
    """

    questions: Questions
    kept: bytes
    origin: str

    def holds(self, fact: Fact) -> bool:
        """Return True if a fact holds in the sub-input, or is about something outside the input."""
        items = self.questions.of(self.origin, fact)
        if isinstance(fact, tuple) and fact[0] is FactKind.PACKAGE:
            return not items or any(self.kept[item] for item in items)
        return self._all(items)

    def super_constructor(self, class_name: str) -> str:
        """Return the descriptor of a kept constructor of the class that ``origin`` may call."""
        questions = self.questions
        found = questions.constructors(self.origin, class_name)
        kept = [descriptor for descriptor, items in found if self._all(items)]
        if "()V" in kept or not kept:
            return "()V"
        if not questions.class_(class_name):
            return kept[0]
        return erased(kept[0], lambda name: not self._all(questions.type_(name)))

    def _all(self, items: Items) -> bool:
        return all(self.kept[item] for item in items)
