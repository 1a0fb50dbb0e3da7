"""Supertypes and member look-up over the full input and its libraries (dependency model, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

from core.classfile.flags import (
    ABSTRACT,
    INTERFACE,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    STATIC,
)
from core.remembered import remembered

OBJECT = "java/lang/Object"
ENUM_TYPE, RECORD_TYPE = "java/lang/Enum", "java/lang/Record"
ANNOTATION_TYPE = "java/lang/annotation/Annotation"


ANY = -1
"""Access flags of a member possibly declared in an unknown class."""

Member = tuple[str, str]
"""Name and descriptor."""


class ClassInfo(Protocol):
    """A class of the input or of a library, as the hierarchy sees it."""

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


class Declaration(NamedTuple):
    """A member found by a look-up: the class that declares it and its access flags."""

    owner: str
    access: int


_declaration = partial(tuple.__new__, Declaration)


class Station(NamedTuple):
    """A class where a look-up of a method passes."""

    name: str
    methods: Mapping[Member, int]
    in_chain: bool
    """True for the first class of the look-up and its superclasses."""
    is_interface: bool


class _Unknown(dict[Member, int]):
    """The members of an unknown class, which may declare anything."""

    def get(self, key: Member, default: object = None) -> int:
        return ANY


_UNKNOWN = _Unknown()


@dataclass(eq=False)
class Lookup:
    """Answers about the full input. ``inside`` are its classes; ``outside`` finds a library's class or gives None;
    ``nest_hosts`` tells the host of each member of a nest."""

    inside: Mapping[str, ClassInfo]
    outside: Callable[[str], ClassInfo | None]
    nest_hosts: Mapping[str, str]

    @remembered
    def info(self, name: str) -> ClassInfo | None:
        """Return the class, or None when it is neither in the input nor in a library."""
        return self.inside[name] if name in self.inside else self.outside(name)

    @remembered
    def abstract_methods(self, name: str) -> tuple[Member, ...]:
        """Return the methods that the class itself declares abstract."""
        info = self.info(name)
        methods = info.methods.items() if info is not None else ()
        return tuple(member for member, access in methods if access & ABSTRACT)

    @remembered
    def direct(self, name: str) -> tuple[str, ...]:
        """Return the direct supertypes, superclass first (but not Object of an interface)."""
        info = self.info(name)
        if info is None:
            return ()
        above = info.superclass
        if above is None or (info.access & INTERFACE and above == OBJECT):
            return info.interfaces
        return above, *info.interfaces

    @remembered
    def above(self, name: str) -> frozenset[str]:
        """Return the class itself and everything above it in the full input."""
        # depth first without recursion: a hierarchy may be as deep as its author likes
        order, stack, seen = [], [name], {name}
        while stack:
            current = stack.pop()
            order.append(current)
            for parent in self.direct(current):
                if parent not in seen:
                    seen.add(parent)
                    stack.append(parent)
        return frozenset(order)

    @remembered
    def sorted_above(self, name: str) -> tuple[str, ...]:
        """Return the classes of :meth:`above` in alphabetical order."""
        return tuple(sorted(self.above(name)))

    @remembered
    def beside(self, name: str) -> frozenset[str]:
        """Return the direct interfaces of a class and all above them."""
        info = self.info(name)
        return frozenset().union(*map(self.above, info.interfaces)) if info is not None else frozenset()

    @remembered
    def bodies(self, name: str) -> frozenset[Member]:
        """Return the methods with a body that a class has not from its superclass: its own and its interfaces'."""
        return frozenset(
            member
            for info in map(self.info, (name, *self.beside(name)))
            for member, access in (info.methods.items() if info is not None else ())
            if not access & (ABSTRACT | STATIC | PRIVATE)
        )

    @remembered
    def unknown_above(self, name: str) -> tuple[str, ...]:
        """Return the classes of :meth:`above` that are neither in the input nor in a library."""
        return tuple(above for above in self.sorted_above(name) if self.info(above) is None)

    def superclasses(self, name: str) -> Iterator[str]:
        """Yield the class and its superclasses, up to Object or to the first of which nothing is known. Each comes
        once, for those of a damaged jar may be a cycle."""
        seen: set[str] = set()
        current: str | None = name
        while current is not None and current not in seen:
            seen.add(current)
            yield current
            info = self.info(current)
            current = info.superclass if info is not None else None

    def unknown_superclass(self, name: str) -> str | None:
        """Return the superclass of which nothing is known; None if there is none."""
        return next((above for above in self.superclasses(name) if self.info(above) is None), None)

    @remembered
    def lookup_field(self, owner: str, member: Member) -> tuple[Declaration, ...]:
        """Return ``FIELD``: the nearest declarations on each branch upward (JVMS 5.4.3.2)."""
        return tuple(self._find_field(owner, member))

    def _find_field(self, owner: str, member: Member) -> Iterator[Declaration]:
        seen: set[str] = set()
        stack = [owner]
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            info = self.info(current)
            if info is None:
                yield Declaration(current, ANY)
            elif member in info.fields:
                yield Declaration(current, info.fields[member])
            else:
                stack += self.direct(current)

    @remembered
    def nearest(self, owner: str, member: Member) -> Declaration | None:
        """Return the declaration at which resolution of a field or method ends in the full input."""
        if member[1].startswith("("):
            return next((one for one, _ in self._declared(owner, member, self._line(owner))), None)
        return next(iter(self.lookup_field(owner, member)), None)

    @remembered
    def lookup_method(
        self, owner: str, member: Member, static: bool | None = None, concrete: bool = False
    ) -> tuple[Declaration, ...]:
        """``METHOD``: every declaration in ``owner`` and above that resolution may end at, in its order: superclasses
        before interfaces (JVMS 5.4.3.3), nearest first.

        ``static``: which kind the instruction wants (None: any); ``concrete``: not an abstract one. The walk goes on
        above a declaration, since the declaration may be removed. It stops at an unfit declaration and at one of a
        library's superclass, as resolution would.
        """
        key = (owner, member, static, concrete)
        found, unfit = self._fitting(key, self._line(owner))
        return self._fitting(key, self._walk(owner, unfit))[0] if unfit else found

    def _fitting(
        self, key: tuple[str, Member, bool | None, bool], line: Iterable[Station]
    ) -> tuple[tuple[Declaration, ...], set[str]]:
        """Return the fitting declarations on a line, and the interfaces above which the walk must not go on."""
        owner, member, static, concrete = key
        found: list[Declaration] = []
        unfit: set[str] = set()
        for declaration, in_chain in self._declared(owner, member, line):
            current, access = declaration
            if access == ANY:
                found.append(declaration)
            elif (static is None or bool(access & STATIC) == static) and not (concrete and access & ABSTRACT):
                found.append(declaration)
                if in_chain and current not in self.inside:
                    break
            elif in_chain:
                break
            else:
                unfit.add(current)
        return tuple(found), unfit

    def _declared(self, owner: str, member: Member, line: Iterable[Station]) -> Iterator[tuple[Declaration, bool]]:
        """Yield the declarations of the classes on a line that ``owner`` has, each with True if the class is in the
        chain."""
        for current, methods, in_chain, is_interface in line:
            access = methods.get(member)
            if access is None:
                continue
            if current != owner and access != ANY:
                if is_interface and access & (STATIC | PRIVATE):
                    continue  # not inherited
                if current == OBJECT and not access & PUBLIC and self._is_interface(owner):
                    continue
            yield _declaration((current, access)), in_chain

    def _is_interface(self, name: str) -> bool:
        info = self.info(name)
        return info is not None and bool(info.access & INTERFACE)

    @remembered
    def _line(self, owner: str) -> tuple[Station, ...]:
        """Return the classes in which to look for a method, in this order."""
        return tuple(self._walk(owner, frozenset()))

    def _walk(self, owner: str, barred: AbstractSet[str]) -> Iterator[Station]:
        """Yield the superclasses, then their interfaces and those above, without supertypes of ``barred`` ones."""
        seen = {owner}
        chain = [owner]
        interfaces: list[str] = []
        for queue in (chain, interfaces):
            for current in queue:
                info = self.info(current)
                if info is None:
                    yield Station(current, _UNKNOWN, queue is chain, False)
                    continue
                if info.methods:
                    yield Station(current, info.methods, queue is chain, bool(info.access & INTERFACE))
                if queue is interfaces and current in barred:
                    continue
                # of an interface the superclass is Object, whose public methods it has (JVMS 5.4.3.4)
                above = (info.superclass,) if info.superclass is not None else ()
                for parent in (*above, *info.interfaces):
                    if parent not in seen:
                        seen.add(parent)
                        (chain if queue is chain and parent == info.superclass else interfaces).append(parent)

    def same_package(self, one: str, other: str) -> bool:
        """Return True if two classes share their package, as all classes of a nest do."""
        return self.nest_of(one).rpartition("/")[0] == self.nest_of(other).rpartition("/")[0]

    def accessible(self, origin: str, through: str, declaration: Declaration) -> bool:
        """Return True if code in ``origin`` may use a member by way of the class ``through`` (JVMS 5.4.4, 4.10.1.8)."""
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
        """Return the host of a class's nest, by default the class itself."""
        return self.nest_hosts.get(name, name)

    def may_use_private(self, origin: str, owner: str) -> bool:
        """Return True if code in ``origin`` may use private members of ``owner`` (JVMS 5.4.4)."""
        return self.nest_of(origin) == self.nest_of(owner)
