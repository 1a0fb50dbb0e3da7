"""The context of the rules: the formula in the making, the classes, and the look-ups of the dependency model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce

from core.classfile.descriptors import Parameters, class_names, element_class, erased, told_apart_by
from core.classfile.flags import ANNOTATION, ENUM, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNTHETIC
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.code_facts import CodeFacts
from core.model.formula import TRUE, Builder
from core.model.hierarchy import Hierarchy
from core.model.lookup import ANNOTATION_TYPE, ANY, ENUM_TYPE, Declaration, Member
from core.model.model_settings import ModelSettings
from core.model.rules.class_items import ClassItems
from core.model.rules.generics.generic_signatures import Signatures
from core.remembered import remembered

Demands = list[tuple[int, ...]]
"""Demands in conjunctive form: of each tuple one fact must hold."""


def _one_of(facts: Iterable[int]) -> Demands:
    """Return the demand for one of the facts; none if one always holds, or if nothing is known."""
    choices = tuple(facts)
    return [choices] if choices and TRUE not in choices else []


def one_declared(declarations: Iterable[Declaration], fact: Callable[[Declaration], int]) -> Demands:
    """Return the demand for ``fact`` of one of the declarations in known classes. If there are none, any missing class
    may declare the member, so ``fact`` must hold for all missing ones."""
    found = list(declarations)
    there = [declaration for declaration in found if declaration.access != ANY]
    if there:
        return _one_of(map(fact, there))
    return [demand for declaration in found for demand in _one_of([fact(declaration)])]


class Context:
    """The formula in the making, the hierarchy, and the classes."""

    def __init__(
        self,
        builder: Builder,
        hierarchy: Hierarchy,
        classes: dict[str, ClassItems],
        refine: Callable[[str, int], CodeFacts],
        settings: ModelSettings,
        active: frozenset[str],
    ) -> None:
        self.hierarchy = hierarchy
        self.variables = hierarchy.variables
        self.add, self.edge, self.edges, self.need = builder.add, builder.edge, builder.edges, builder.need
        self.fact, self.both, self.either = builder.fact, builder.both, builder.either
        self.info, self.parents, self.subtype = hierarchy.info, hierarchy.parents, hierarchy.subtype
        self.above, self.sorted_above = hierarchy.above, hierarchy.sorted_above
        self.beside, self.bodies, self.unknown_above = hierarchy.beside, hierarchy.bodies, hierarchy.unknown_above
        self.superclasses, self.unknown_superclass = hierarchy.superclasses, hierarchy.unknown_superclass
        self.nearest, self.lookup_method = hierarchy.nearest, hierarchy.lookup_method
        self.abstract_methods, self.reached = hierarchy.abstract_methods, hierarchy.reached
        self.class_fact, self.nest_fact = hierarchy.class_fact, hierarchy.nest_fact
        self.same_package = hierarchy.same_package
        self.classes = classes
        self.subclasses: dict[str, list[ClassItems]] = {}
        """Direct subclasses of a class, those without unknown supertypes."""
        for one in classes.values():
            if one.facts.superclass in classes and not one.is_interface and not hierarchy.unknown_above(one.name):
                self.subclasses.setdefault(one.facts.superclass, []).append(one)
        self.mentioned_by = settings.library.mentioned_by
        """Function from a class of the class path to the names that the class mentions."""
        self.active = active
        """Ids of the rules that apply; the look-ups themselves carry out the parts of K4 and C7 on access."""
        self.source = settings.source
        """True if a sub-input must be valid as source: names of nested classes then need their rows."""
        self.erases = settings.erases
        """True if Object replaces removed classes in descriptors and frames."""
        self.refine = refine
        """Facts of a class's method by sets of types: slower, for where the types of frames say too little."""
        self._apart: set[str] = set()
        """Classes of libraries that stand on no class of the input: nearly all, and each is looked at once."""
        self.signatures = Signatures(classes, hierarchy)
        self.sealed = {one.name: variable for one in classes.values() for variable, _ in one.of(PartKind.SEALED)}
        """Items of PermittedSubclasses, by their classes."""
        self._inner = {
            (one.name, part.target): variable for one in classes.values() for variable, part in one.of(PartKind.INNER)
        }

    def all(self, facts: Iterable[int]) -> int:
        """Return a fact that holds exactly when all do."""
        return reduce(self.both, facts, TRUE)

    def nature(self, name: str) -> int:
        """Return the fact that an enum or annotation type of the input still is one; TRUE of all others."""
        one = self.classes.get(name)
        if one is None or not one.facts.access & (ENUM | ANNOTATION):
            return TRUE
        return self.subtype(name, ENUM_TYPE if one.facts.access & ENUM else ANNOTATION_TYPE)

    def method_fact(self, owner: str, member: Member) -> int:
        """``[C.m]``; TRUE outside the input."""
        return self.variables.methods[owner, member]

    def inherited(self, name: str, owner: str, member: Member) -> list[int]:
        """``S(A, B)`` and ``[B.m]``."""
        return [self.subtype(name, owner), self.method_fact(owner, member)]

    @remembered
    def by_parameters(self, owner: str) -> Mapping[Parameters, list[Member]]:
        """Return the methods that a class declares, by name and parameters; no private or static ones."""
        table: dict[Parameters, list[Member]] = {}
        info = self.info(owner)
        for member, access in info.methods.items() if info is not None else ():
            if not access & (PRIVATE | STATIC):
                table.setdefault(told_apart_by(*member), []).append(member)
        return table

    @remembered
    def generic_pairs(self, owner: str, met: str) -> tuple[int, int] | None:
        """Add the clauses of all pairs of a method [A.m] of the class ``owner`` of the input, with a Signature as an
        item, and a method [B.m] of the class ``met`` with the same parameters, which has such a Signature or is a
        library's. Return the fact for which they hold, that the two classes meet in a generic class, and the fact that
        a pair with [A.m[sig]] is there; None if there is no pair."""
        signed, table = self.signed(owner), self.by_parameters(met)
        if table.keys().isdisjoint(signed):
            return None
        pairs = [(mine, other) for key in signed for mine in signed[key] for other in table.get(key, ())]
        facts: tuple[int, int] | None = None
        for (member, mine), other in pairs:
            theirs = self.signatures.of_member[met, other]
            if theirs == TRUE and met in self.classes:
                continue
            meet, pair = facts = facts or (self.fact(), self.fact())
            there = [mine, self.method_fact(met, other)]
            self.add(there, [pair])
            self.add([meet, *there], [theirs])
            if met not in self.classes:
                self.add([meet, self.method_fact(owner, member)], [mine])
        return facts

    @remembered
    def signed(self, owner: str) -> Mapping[Parameters, list[tuple[Member, int]]]:
        """Return the methods of a class of the input that :meth:`generic_pairs` looks at, each with the fact that keeps
        its Signature, by name and parameters."""
        found: dict[Parameters, list[tuple[Member, int]]] = {}
        for member, access in self.classes[owner].facts.method_list:
            mine = self.signatures.of_member[owner, member]
            if mine != TRUE and not access & (STATIC | PRIVATE | SYNTHETIC) and member[0] != "<init>":
                found.setdefault(told_apart_by(*member), []).append((member, mine))
        return found

    @remembered
    def less_public(self, owner: str) -> frozenset[Parameters]:
        """Return name and parameters of each non-public method of a class that others may override."""
        info = self.info(owner)
        return frozenset(
            told_apart_by(*member)
            for member, access in (info.methods.items() if info is not None else ())
            if not access & (PUBLIC | PRIVATE | STATIC) and not member[0].startswith("<")
        )

    def row(self, origin: str, name: str) -> int:
        """Return the row of ``origin``'s InnerClasses about a class; TRUE without such an item."""
        return self._inner.get((origin, name), TRUE)

    def named(self, origin: str, name: str) -> list[int]:
        """``NAME``: the class is there; for source so is the row of ``origin``'s InnerClasses that tells of it."""
        fact = self.class_fact(name)
        if fact == TRUE:
            return []
        row = self.row(origin, name) if self.source else TRUE
        return [fact] if row == TRUE or origin == name else [fact, row]

    def names(self, origin: str, names: Iterable[str | None]) -> Demands:
        """Return the demands for each of the classes (arrays unwrapped, primitives passed over)."""
        found: Demands = []
        for name in names:
            if name:
                found += self.name(origin, name)
        return found

    def loaded(self, names: Iterable[str]) -> Demands:
        """Return the demands for each of the classes, as :meth:`names` does, but without rows of InnerClasses, because
        no source will name the classes."""
        found: Demands = []
        for name in names:
            inside = [name] if name in self.classes else self._inside_above(name)
            found += [(self.class_fact(each),) for each in inside]
        return found

    @remembered
    def name(self, origin: str, name: str) -> Demands:
        """As :meth:`names`, of one class; not to be changed."""
        element = element_class(name)
        if element is None:
            return []
        if element in self.classes:
            return [(fact,) for fact in self.named(origin, element)]
        if self.info(element) is None:
            self.hierarchy.unresolved.setdefault(element, origin)
            return []
        row = self.row(origin, element) if self.source else TRUE
        # a library class may stand on the input (Xom's elements on Jaxen's interfaces)
        inside: Demands = [(self.class_fact(above),) for above in self._inside_above(element)]
        return inside if row == TRUE else [(row,), *inside]

    def depends_on_input(self, name: str) -> bool:
        """Return True if the class or one of its supertypes is of the input."""
        return name in self.classes or bool(self._inside_above(name))

    @remembered
    def _inside_above(self, name: str) -> tuple[str, ...]:
        """Return the classes of the input that a library's class stands on: its supertypes and mentions, also by way of
        further classes of the class path (verifying one loads others)."""
        behind = {name, *self.above(name)} - self._apart
        queue = list(behind)
        for current in queue:
            if current not in self.classes:
                mentioned = self.mentioned_by(current) - self._apart - behind
                queue += mentioned
                behind |= mentioned
        found = tuple(sorted(behind & self.classes.keys()))
        if not found:
            self._apart |= behind
        return found

    def method(self, origin: str, owner: str, member: Member, static: bool, *, concrete: bool = False) -> Demands:
        """``METHOD(origin, owner.member)``; ``concrete``: abstract declarations do not count."""
        if owner.startswith("["):
            return []  # Object's methods of an array
        demands = self._public(owner, member, static, concrete)
        if demands is not None:
            return demands
        choices: list[Declaration] = []
        for declaration in self.lookup_method(owner, member, static, concrete):
            if self.hierarchy.accessible(origin, owner, declaration) and (
                not choices or self._in_reach(origin, declaration)
            ):
                choices.append(declaration)
            elif choices:
                break  # while it is kept, resolution ends there
        return one_declared(choices, lambda one: self._usable(origin, owner, one, member, static))

    @remembered
    def _public(self, owner: str, member: Member, static: bool, concrete: bool) -> Demands | None:
        """Return the demands of a call that needs no access; None if it needs some."""
        found = self.lookup_method(owner, member, static, concrete)
        if all(access & PUBLIC and not (static and access == ANY) for _, access in found):  # of instances also ANY
            return one_declared(found, lambda one: self.reached(owner, one, member))
        return None

    def _in_reach(self, origin: str, declaration: Declaration) -> bool:
        """Return True if access does not depend on the receiver's type (JVMS 4.10.1.8). No query gives the receiver's
        type."""
        owner, access = declaration
        return access == ANY or access & (PUBLIC | STATIC) != 0 or self.same_package(origin, owner)

    def _usable(self, origin: str, owner: str, declaration: Declaration, member: Member, static: bool) -> int:
        """Return the fact that a declaration is reached, with access for ``origin``. A member of an unknown superclass
        may be protected; ``origin`` may then use it of its own kind alone."""
        fact = self.reached(owner, declaration, member)
        declared_in, access = declaration
        if access == ANY:
            access = PROTECTED if static and self.unknown_superclass(origin) == declared_in else PUBLIC
        if access & PUBLIC or origin == declared_in:
            return fact
        if access & PRIVATE and "C7" in self.active:
            return self.both(self.both(fact, self.nest_fact(origin)), self.nest_fact(declared_in))
        if access & PROTECTED and "K4" in self.active and not self.same_package(origin, declared_in):
            return self.both(fact, self.subtype(origin, declared_in))
        return fact

    def field(self, origin: str, owner: str, member: Member, static: bool) -> Demands:
        """``FIELD(origin, owner.member)``."""
        found = self.hierarchy.lookup_field(owner, member)
        choices = [one for one in found if one.access == ANY or bool(one.access & STATIC) == static]
        return one_declared(choices, lambda one: self._usable(origin, owner, one, member, static))

    def exact(self, origin: str, owner: str, member: Member) -> Demands:
        """Just this declaration (constructors and private methods), and access to it."""
        demands = _one_of([self.variables.methods[owner, member]])
        if origin != owner and "C7" in self.active and self.is_private(owner, member):
            for name in (origin, owner):
                demands += _one_of([self.nest_fact(name)])
        return demands

    def declared_outside(self, origin: str, owner: str, member: Member) -> Demands:
        """Return the classes of the descriptor of a member possibly declared outside the input. The declaration keeps
        them."""
        if not self.erases or owner.startswith("["):
            return []
        names = [name for name in class_names(member[1]) if name in self.classes]
        if not names:
            return []
        if member[1].startswith("("):
            found = self.lookup_method(owner, member)
        else:
            found = self.hierarchy.lookup_field(owner, member)
        if all(declaration.owner in self.classes for declaration in found):
            return []
        return self.names(origin, names)

    def told_of(self, origin: str, descriptor: str) -> Demands:
        """Return the rows of ``origin``'s InnerClasses about the classes of a descriptor that are none of the input: no
        file of theirs tells source how they are nested."""
        if not self.source or "$" not in descriptor:
            return []
        rows = [self.row(origin, name) for name in class_names(descriptor) if name not in self.classes]
        return [(row,) for row in rows if row != TRUE]

    @remembered
    def erasable(self, owner: str, *, methods: bool) -> list[tuple[Member, Member]]:
        """Return the fields or methods of a class whose descriptors name classes of the input, each behind its form
        with Object in their place."""
        members = self.members(owner, methods=methods)
        found = [((name, self._erased(descriptor)), (name, descriptor)) for name, descriptor in members]
        return [(shape, member) for shape, member in found if shape != member]

    @remembered
    def _erased(self, descriptor: str) -> str:
        return erased(descriptor, self.classes.__contains__)

    def members(self, owner: str, *, methods: bool) -> Collection[Member]:
        """Return the fields or methods of a class; none of an unknown one."""
        info = self.info(owner)
        return () if info is None else info.methods.keys() if methods else info.fields.keys()

    @remembered
    def shapes(self, owner: str, *, methods: bool) -> frozenset[Member]:
        """Return the fields or methods of a class as they are, and with Object in the place of classes of the input."""
        return frozenset(self.members(owner, methods=methods)).union(
            shape for shape, _ in self.erasable(owner, methods=methods)
        )

    def need_names(self, premise: int, origin: str, names: Iterable[str | None]) -> None:
        """``premise`` needs each of the classes."""
        self.need(premise, self.names(origin, names))

    def need_descriptor(self, premise: int, origin: str, descriptor: str) -> None:
        """``premise`` needs the classes of a descriptor."""
        for name in class_names(descriptor):
            self.need(premise, self.name(origin, name))

    def need_rows(self, premise: int, origin: str, names: Iterable[str]) -> None:
        """As :meth:`need_names`, of classes that may become Object: for source, kept ones have their rows."""
        for name in dict.fromkeys(names):
            if name not in self.classes:
                self.need(premise, self.name(origin, name))
            elif (row := self.row(origin, name) if self.source and origin != name else TRUE) != TRUE:
                self.add((premise, self.class_fact(name)), (row,))

    def need_subtype(self, premise: int, sub: str, sup: str) -> None:
        """``premise => S(sub, sup)``."""
        if sub in self.classes:
            self.need_one([premise], [self.subtype(sub, sup)])

    def need_one(self, premises: Iterable[int], facts: Iterable[int]) -> None:
        """One of ``facts`` must hold; no demand when there is none (an unresolved use of the full input)."""
        for demand in _one_of(facts):
            self.add(premises, demand)

    def is_private(self, owner: str, member: Member) -> bool:
        """Return True if the class of the input declares a private method of that name and descriptor."""
        one = self.classes.get(owner)
        return one is not None and bool(one.facts.methods.get(member, 0) & PRIVATE)
