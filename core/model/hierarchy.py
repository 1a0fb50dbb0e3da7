"""Supertypes and members of the input as facts of the formula.

``S(A, B)`` = "A is still a subtype of B" (dependency model, section 3.1), and the look-ups of section 3.2. A fact is a
variable of the formula, or TRUE if the removal of items of the input cannot change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Protocol, TypeVar

from core.model.formula import TRUE, Builder
from core.model.lookup import ANY, OBJECT, ClassInfo, Declaration, Lookup, Member
from core.remembered import remembered

Key = TypeVar("Key")


class Facts(dict[Key, int]):
    """Facts by their keys: TRUE for a key that is not there."""

    def __missing__(self, key: Key) -> int:
        return TRUE


@dataclass
class Variables:
    """Variables of the items that the hierarchy speaks of. A piece without an item of its own has TRUE or its class's
    variable."""

    classes: Facts[str] = field(default_factory=Facts)
    superclass: Facts[str] = field(default_factory=Facts)
    """Edge to the superclass, by subclass."""
    interfaces: Facts[tuple[str, str]] = field(default_factory=Facts)
    """Edge to an interface, by subclass and interface."""
    fields: Facts[tuple[str, Member]] = field(default_factory=Facts)
    finals: Facts[tuple[str, Member]] = field(default_factory=Facts)
    """Final flags of fields."""
    methods: Facts[tuple[str, Member]] = field(default_factory=Facts)
    code: Facts[tuple[str, Member]] = field(default_factory=Facts)
    nests: Facts[str] = field(default_factory=Facts)
    """Membership in a nest, if it is an item."""
    enclosing: Facts[str] = field(default_factory=Facts)
    """The enclosing method of a local class, by the class."""
    scopes: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    """Items that keep a type variable declared around a class, by class and used type variable. Empty if Signatures are
    items."""


class InputClass(ClassInfo, Protocol):
    """A class of the input, as the hierarchy sees it."""

    def constructors_called(self, owner: str) -> tuple[str, ...]: ...


class Hierarchy(Lookup):
    """Answers for one input, as :class:`Lookup`, and facts; ``subtypes`` are pairs asked about before."""

    inside: Mapping[str, InputClass]

    def __init__(
        self,
        inside: Mapping[str, InputClass],
        outside: Callable[[str], ClassInfo | None],
        variables: Variables,
        builder: Builder,
        nest_hosts: Mapping[str, str],
        subtypes: Iterable[tuple[tuple[str, str], int]] = (),
    ) -> None:
        super().__init__(inside, outside, nest_hosts)
        self.variables = variables
        self._builder = builder
        self._subtype: dict[tuple[str, str], int] = dict(subtypes)
        self.unresolved: dict[str, str] = {}
        """Missing classes, each with one of the classes that name it."""

    def class_fact(self, name: str) -> int:
        """Return the variable ``[C]`` of a class; TRUE outside the input."""
        return self.variables.classes[name]

    @remembered
    def parents(self, name: str) -> tuple[tuple[str, int], ...]:
        """Return the direct supertypes with the fact that the edge is kept, superclass first."""
        names, info, variables = self.direct(name), self.info(name), self.variables
        classes = len(names) - len(info.interfaces) if info is not None else 0
        edges = [variables.superclass[name]] * classes
        edges += [variables.interfaces[name, interface] for interface in names[classes:]]
        return tuple(zip(names, edges, strict=True))

    def subtype(self, sub: str, sup: str) -> int:
        """Return ``S(sub, sup)``: TRUE for the class itself, Object, and what only libraries decide.

        A class of which nothing is known may be below any other: a pair without a path needs those to all such classes.
        If there are none, the use is ill-typed: TRUE.
        """
        if sub == sup or sup == OBJECT or sub not in self.inside:
            return TRUE
        known = self._subtype.get((sub, sup))
        if known is not None:
            return known
        if sup not in self.above(sub):
            unknown = [self.subtype(sub, name) for name in self.unknown_above(sub)]
            found = self._subtype[sub, sup] = reduce(self._builder.both, unknown, TRUE)
            return found
        # what stands between the two, nearest to `sup` first: no recursion, whatever the depth
        between = [name for name in self.above(sub) if name in self.inside and sup in self.above(name)]
        for name in sorted({*between, sub} - {sup}, key=lambda name: (len(self.above(name)), name)):
            if (name, sup) not in self._subtype:
                self._subtype[name, sup] = self._subtype_by_edges(name, sup)
        return self._subtype[sub, sup]

    def subtypes(self) -> Iterable[tuple[tuple[str, str], int]]:
        """Return the pairs asked about so far, with their facts."""
        return self._subtype.items()

    def _subtype_by_edges(self, sub: str, sup: str) -> int:
        paths = []
        for parent, edge in self.parents(sub):
            if parent == sup or parent not in self.inside:
                if sup in self.above(parent):
                    paths.append(edge)
            elif (parent, sup) in self._subtype:
                paths.append(self._builder.both(edge, self._subtype[parent, sup]))
        return self._builder.either(paths, "subtype") if paths else TRUE

    def reached(self, start: str, declaration: Declaration, member: Member) -> int:
        """Return the fact that a declaration found from ``start`` is kept, and ``start`` still below its class.

        An unknown class may declare the member: then ``start`` stays below that class.
        """
        owner = declaration.owner
        if declaration.access == ANY:
            return self.subtype(start, owner)
        table = self.variables.methods if member[1].startswith("(") else self.variables.fields
        kept = table[owner, member]
        return kept if owner == start else self._builder.both(kept, self.subtype(start, owner))

    def nest_fact(self, name: str) -> int:
        """Return the fact that a class still belongs to its nest: the item, or the host's class if there is no item."""
        return self.variables.nests.get(name, self.class_fact(self.nest_of(name)))
