"""Supertypes and member look-up over the input and its libraries, as facts of the formula.

``S(A, B)`` = "A is still a subtype of B" (dependency model, section 3.1) and the look-ups of section 3.2.
A fact is a variable of the formula, or TRUE where removing items of the input cannot change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from core.model.formula import TRUE, Builder

OBJECT = "java/lang/Object"

PUBLIC, PRIVATE, PROTECTED, STATIC, FINAL, BRIDGE = 0x1, 0x2, 0x4, 0x8, 0x10, 0x40
INTERFACE, ABSTRACT, SYNTHETIC, ANNOTATION, ENUM, MODULE = 0x200, 0x400, 0x1000, 0x2000, 0x4000, 0x8000

ANY = -1
"""Access flags of a member that may be declared in a class of which nothing is known."""

Member = tuple[str, str]
"""Name and descriptor."""


class ClassInfo(Protocol):
    """What the hierarchy knows of a class, be it the input's or a library's."""

    @property
    def name(self) -> str: ...
    @property
    def access(self) -> int: ...
    @property
    def superclass(self) -> str | None: ...
    @property
    def interfaces(self) -> tuple[str, ...]: ...
    @property
    def methods(self) -> Mapping[Member, int]: ...
    @property
    def fields(self) -> Mapping[Member, int]: ...


@dataclass
class Variables:
    """Variables of the items that the hierarchy speaks of. What has no item of its own is TRUE or its class's."""

    classes: dict[str, int] = field(default_factory=dict)
    superclass: dict[str, int] = field(default_factory=dict)
    """Edge to the superclass, by subclass."""
    interfaces: dict[tuple[str, str], int] = field(default_factory=dict)
    """Edge to an interface, by subclass and interface."""
    fields: dict[tuple[str, Member], int] = field(default_factory=dict)
    methods: dict[tuple[str, Member], int] = field(default_factory=dict)
    code: dict[tuple[str, Member], int] = field(default_factory=dict)
    nests: dict[str, int] = field(default_factory=dict)
    """Membership in a nest, where it is an item."""
    enclosing: dict[str, int] = field(default_factory=dict)
    """The method that a local class says it is in, by that class."""


class Declaration(NamedTuple):
    """A member found by a look-up: the class that declares it and its access flags."""

    owner: str
    access: int


class Hierarchy:
    """Answers for one input. ``inside`` are its classes; ``outside`` finds a library's class or gives None;
    ``nest_hosts`` tells the host of each member of a nest; ``subtypes`` are pairs asked about before."""

    def __init__(
        self,
        inside: Mapping[str, ClassInfo],
        outside: Callable[[str], ClassInfo | None],
        variables: Variables,
        builder: Builder,
        nest_hosts: Mapping[str, str],
        subtypes: Iterable[tuple[tuple[str, str], int]] = (),
    ) -> None:
        self.inside = inside
        self.variables = variables
        self._outside = outside
        self._builder = builder
        self.nest_hosts = nest_hosts
        self._infos: dict[str, ClassInfo | None] = {}
        self._above: dict[str, frozenset[str]] = {}
        self._parents: dict[str, tuple[str, ...]] = {}
        self._methods: dict[tuple[str, Member, bool | None, bool], tuple[Declaration, ...]] = {}
        self._abstract: dict[str, tuple[Member, ...]] = {}
        self._subtype: dict[tuple[str, str], int] = dict(subtypes)
        self.unresolved: dict[str, str] = {}
        """Classes that are nowhere, each with one of the classes that name them."""

    def info(self, name: str) -> ClassInfo | None:
        """The class, or None when it is neither in the input nor in a library."""
        try:
            return self._infos[name]
        except KeyError:
            found = self.inside[name] if name in self.inside else self._outside(name)
            self._infos[name] = found
            return found

    def abstract_methods(self, name: str) -> tuple[Member, ...]:
        """What the class itself declares abstract."""
        found = self._abstract.get(name)
        if found is None:
            info = self.info(name)
            methods = info.methods.items() if info is not None else ()
            found = self._abstract[name] = tuple(member for member, access in methods if access & ABSTRACT)
        return found

    def class_fact(self, name: str) -> int:
        """``[C]``; TRUE outside the input."""
        return self.variables.classes.get(name, TRUE)

    def parents(self, name: str) -> Iterator[tuple[str, int]]:
        """Direct supertypes with the fact that the edge is kept, superclass first."""
        info = self.info(name)
        if info is None:
            return
        if info.superclass is not None and not (info.access & INTERFACE and info.superclass == OBJECT):
            yield info.superclass, self.variables.superclass.get(name, TRUE)
        for interface in info.interfaces:
            yield interface, self.variables.interfaces.get((name, interface), TRUE)

    def above(self, name: str) -> frozenset[str]:
        """The class itself and everything above it in the full input."""
        known = self._above.get(name)
        if known is not None:
            return known
        # depth first without recursion: a hierarchy may be as deep as its author likes
        order, stack, seen = [], [name], {name}
        while stack:
            current = stack.pop()
            order.append(current)
            for parent, _ in self.parents(current):
                if parent not in seen:
                    seen.add(parent)
                    stack.append(parent)
        found = self._above[name] = frozenset(order)
        return found

    def subtype(self, sub: str, sup: str) -> int:
        """``S(sub, sup)``: TRUE for the class itself, Object, and what only libraries decide.

        A pair without any path is an ill-typed or unresolved use: TRUE.
        """
        if sub == sup or sup == OBJECT or sub not in self.inside:
            return TRUE
        known = self._subtype.get((sub, sup))
        if known is not None:
            return known
        # what stands between the two, nearest to `sup` first: no recursion, whatever the depth
        between = [name for name in self.above(sub) if name in self.inside and sup in self.above(name)]
        for name in sorted({*between, sub} - {sup}, key=lambda name: (len(self.above(name)), name)):
            if (name, sup) not in self._subtype:
                self._subtype[name, sup] = self._subtype_by_edges(name, sup)
        return self._subtype[sub, sup]

    def subtypes(self) -> Iterable[tuple[tuple[str, str], int]]:
        """The pairs asked about so far, with their facts."""
        return self._subtype.items()

    def _subtype_by_edges(self, sub: str, sup: str) -> int:
        paths = []
        for parent, edge in self.parents(sub):
            if parent == sup or parent not in self.inside:
                if sup in self.above(parent):
                    paths.append(edge)
            elif (parent, sup) in self._subtype:
                paths.append(self._builder.both(edge, self._subtype[parent, sup]))
        # without a path the full input breaks the relation too: nothing that we may hold against a sub-input
        return self._builder.either(paths, "subtype") if paths else TRUE

    def reached(self, start: str, declaration: Declaration, member: Member) -> int:
        """The fact that a declaration found from ``start`` is kept, and ``start`` still below its class."""
        if declaration.access == ANY:
            return TRUE
        table = self.variables.methods if member[1].startswith("(") else self.variables.fields
        kept = table.get((declaration.owner, member), TRUE)
        return self._builder.both(kept, self.subtype(start, declaration.owner))

    def lookup_field(self, owner: str, member: Member) -> list[Declaration]:
        """``FIELD``: the nearest declarations on each branch upward (JVMS 5.4.3.2)."""
        found: list[Declaration] = []
        seen: set[str] = set()
        stack = [owner]
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            info = self.info(current)
            if info is None:
                found.append(Declaration(current, ANY))
            elif member in info.fields:
                found.append(Declaration(current, info.fields[member]))
            else:
                stack += [parent for parent, _ in self.parents(current)]
        return found

    def lookup_method(
        self, owner: str, member: Member, static: bool | None = None, concrete: bool = False
    ) -> tuple[Declaration, ...]:
        """``METHOD``: every declaration in ``owner`` and above that resolution may end at, in its order: superclasses
        before interfaces (JVMS 5.4.3.3), nearest first.

        ``static``: which kind the instruction wants (None: any); ``concrete``: not an abstract one. The walk goes
        on above a declaration, since that may be removed, but not above one that does not fit, nor past what a
        library's superclass declares: resolution would stop there.
        """
        key = (owner, member, static, concrete)
        found = self._methods.get(key)
        if found is None:
            found = self._methods[key] = tuple(self._find_method(owner, member, static, concrete))
        return found

    def _find_method(self, owner: str, member: Member, static: bool | None, concrete: bool) -> Iterator[Declaration]:
        start = self.info(owner)
        from_interface = start is not None and bool(start.access & INTERFACE)
        seen = {owner}
        chain = [owner]
        interfaces: list[str] = []
        stopped = False
        # the superclasses first, then their interfaces and those above
        for queue in (chain, interfaces):
            for current in queue:
                info = self.info(current)
                if info is None:
                    yield Declaration(current, ANY)
                    continue
                access = info.methods.get(member)
                if access is not None and current != owner:
                    if info.access & INTERFACE and access & (STATIC | PRIVATE):
                        access = None  # not inherited
                    elif from_interface and current == OBJECT and not access & PUBLIC:
                        access = None
                fits = True
                if access is not None:
                    fits = (static is None or bool(access & STATIC) == static) and not (concrete and access & ABSTRACT)
                    if fits:
                        yield Declaration(current, access)
                    if queue is chain and (not fits or current not in self.inside):
                        stopped = True
                        break
                if fits:
                    for parent in self._parent_names(current, info):
                        if parent not in seen:
                            seen.add(parent)
                            (chain if queue is chain and parent == info.superclass else interfaces).append(parent)
            if stopped:
                return

    def _parent_names(self, name: str, info: ClassInfo) -> tuple[str, ...]:
        """Superclass (of an interface Object, whose public methods it has: JVMS 5.4.3.4), then interfaces."""
        names = self._parents.get(name)
        if names is None:
            above = (info.superclass,) if info.superclass is not None else ()
            names = self._parents[name] = (*above, *info.interfaces)
        return names

    def same_package(self, one: str, other: str) -> bool:
        """Whether two classes share their package."""
        return one.rpartition("/")[0] == other.rpartition("/")[0]

    def accessible(self, origin: str, through: str, declaration: Declaration) -> bool:
        """Whether code in ``origin`` may use a member by way of the class ``through`` (JVMS 5.4.4, 4.10.1.8)."""
        owner, access = declaration
        if access == ANY or access & PUBLIC or origin == owner:
            return True
        if access & PRIVATE:
            return self.may_use_private(origin, owner)
        if self.same_package(origin, owner):
            return True
        if not access & PROTECTED or owner not in self.above(origin):
            return False
        return bool(access & STATIC) or origin in self.above(through) or through in self.above(origin)

    def nest_of(self, name: str) -> str:
        """The host of a class's nest; the class itself where it has none."""
        return self.nest_hosts.get(name, name)

    def nest_fact(self, name: str) -> int:
        """The fact that a class still belongs to its nest: the item, or where there is none the host's class."""
        return self.variables.nests.get(name, self.class_fact(self.nest_of(name)))

    def may_use_private(self, origin: str, owner: str) -> bool:
        """Whether code in ``origin`` may use private members of ``owner`` (JVMS 5.4.4)."""
        return self.nest_of(origin) == self.nest_of(owner)
