"""A class of the input with the variables of its parts, as the rules see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from core.classfile.annotations import AnnotationUse
from core.classfile.descriptors import method_types, told_apart_by
from core.classfile.flags import ABSTRACT, BRIDGE, INTERFACE, PRIVATE, STATIC, SYNTHETIC
from core.classfile.generic_use import GenericUse
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.code.types.code_facts import NOTHING, CallSite, CodeFacts, MethodUse
from core.model.lookup import Member
from core.model.reading.facts import WHOLE_CLASS, BootstrapFacts, ClassFacts

CLASS_INITIALISER: Member = ("<clinit>", "()V")

Used = tuple[str, Member]
"""Owner and member, as code names them."""


def members_of(facts: CodeFacts) -> set[Used]:
    """Return the fields and methods that a body uses."""
    used = {(owner, (name, descriptor)) for _, owner, name, descriptor in facts.fields}
    return used.union(facts.called)


class LambdaObject(NamedTuple):
    """A lambda that a body makes."""

    interface: str
    """Internal name."""
    name: str
    """Name of the interface's method."""
    captured: tuple[str, ...]
    """Types of the captured values, as descriptors."""
    maker: BootstrapFacts


class ClassItems:
    """A class of the input with the variables of its parts."""

    def __init__(self, facts: ClassFacts, fact: int, parts: Iterable[tuple[int, Part]]) -> None:
        self.facts = facts
        self.name = facts.name
        self.fact = fact
        self._rows: dict[tuple[PartKind, int], int] = {}
        self.kinds: dict[PartKind, list[tuple[int, Part]]] = {}
        self.parts = list(parts)
        """In the order of their numbers."""
        rows, kinds = self._rows, self.kinds
        for numbered in self.parts:
            variable, part = numbered
            kind = part.kind
            rows.setdefault((kind, part.index), variable)
            if kind in kinds:
                kinds[kind].append(numbered)
            else:
                kinds[kind] = [numbered]

    def of(self, kind: PartKind) -> list[tuple[int, Part]]:
        """Return the parts of a kind with their variables; none where the granularity does not have it."""
        return self.kinds.get(kind, [])

    def part(self, kind: PartKind, index: int) -> int | None:
        """Return the variable of the part that is row ``index`` of its table."""
        return self._rows.get((kind, index))

    def _owner_of(self, part: Part) -> tuple[str, int]:
        """Return the owner of a signature or annotation, as the facts name it."""
        if part.parent < 0:
            return WHOLE_CLASS
        parent = self.facts.parts[part.parent]
        return parent.kind.value, parent.index if parent.kind is PartKind.COMPONENT else parent.element

    @cached_property
    def signatures(self) -> list[tuple[int, tuple[str, int]]]:
        """Each Signature that is an item: its variable, and its owner as the facts name it."""
        return [(variable, self._owner_of(part)) for variable, part in self.of(PartKind.SIGNATURE)]

    @cached_property
    def annotations(self) -> list[tuple[tuple[str, int], int | None, AnnotationUse]]:
        """Each annotation of the class and its parts: the owner, the item if there is one, and the annotation."""
        items = {(self._owner_of(part), part.index): variable for variable, part in self.of(PartKind.ANNOTATION)}
        uses = self.facts.annotations.items()
        return [(owner, items.get((owner, index)), use) for owner, all_ in uses for index, use in enumerate(all_)]

    @cached_property
    def owners(self) -> dict[tuple[str, int], int]:
        """The variables of owners of signatures and annotations, as the facts name them; those that are items."""
        kinds = (PartKind.FIELD, PartKind.METHOD, PartKind.CODE)
        members = {(kind.value, part.element): variable for kind in kinds for variable, part in self.of(kind)}
        return {WHOLE_CLASS: self.fact, **members}

    @property
    def inner_rows(self) -> Iterator[tuple[int, str, str | None]]:
        """The rows of InnerClasses that are items: variable, nested class, class around it."""
        return ((variable, *self.facts.inner[part.index]) for variable, part in self.of(PartKind.INNER))

    @property
    def bootstraps(self) -> Iterator[tuple[int, BootstrapFacts]]:
        """The rows of BootstrapMethods that are items."""
        return ((variable, self.facts.bootstraps[part.index]) for variable, part in self.of(PartKind.BOOTSTRAP))

    @property
    def superclass(self) -> int | None:
        """The variable of the superclass, where it is an item."""
        return self.part(PartKind.SUPERCLASS, 0)

    @cached_property
    def codes(self) -> list[tuple[int, Member, CodeFacts]]:
        """Each method body: its variable, its method, what it uses."""
        methods, code = self.facts.method_list, self.facts.code
        return [(variable, methods[part.element][0], code[part.element]) for variable, part in self.of(PartKind.CODE)]

    def uses_of(self, method: Member) -> CodeFacts:
        """Return the uses of the code of a method; none of a method that the class does not declare."""
        members = [member for member, _ in self.facts.method_list]
        return self.facts.code[members.index(method)] if method in members else NOTHING

    @cached_property
    def initialiser(self) -> CodeFacts:
        return self.uses_of(CLASS_INITIALISER)

    def generic(self, method: int) -> GenericUse | None:
        """Return the types in the Signature of the method of that number."""
        return self.facts.generic.get(("method", method))

    @property
    def generic_class(self) -> GenericUse | None:
        """The types in the class's own Signature."""
        return self.facts.generic.get(WHOLE_CLASS)

    def lambdas(self, sites: Iterable[CallSite]) -> Iterator[LambdaObject]:
        """Yield the lambdas that some call sites of the class make."""
        for _, index, name, descriptor in sites:
            if descriptor.startswith("(") and index < len(self.facts.bootstraps):
                maker, (captured, made) = self.facts.bootstraps[index], method_types(descriptor)
                if maker.makes_lambda and made[0] == "L":
                    yield LambdaObject(made[1:-1], name, captured, maker)

    def thrown(self, member: Member) -> list[tuple[int | None, str]]:
        """Return the exceptions in a method's throws clause, with the variable of the entry if that is an item."""
        if not self.facts.thrown:
            return []
        return self._thrown.get(member, [])

    @cached_property
    def _thrown(self) -> dict[Member, list[tuple[int | None, str]]]:
        rows = {(part.element, part.index): variable for variable, part in self.of(PartKind.THROWS)}
        found: dict[Member, list[tuple[int | None, str]]] = {}
        for element, names in self.facts.thrown.items():
            member = self.facts.method_list[element][0]
            found.setdefault(member, [(rows.get((element, index)), name) for index, name in enumerate(names)])
        return found

    @cached_property
    def method_items(self) -> list[tuple[int, int, Member, int]]:
        """Each method: its variable, number, member and access flags."""
        methods = self.facts.method_list
        return [(variable, part.element, *methods[part.element]) for variable, part in self.of(PartKind.METHOD)]

    @cached_property
    def constructors(self) -> list[tuple[int, Member, int]]:
        """Variable, member and access flags of each constructor."""
        methods = self.method_items
        return [(variable, member, access) for variable, _, member, access in methods if member[0] == "<init>"]

    @cached_property
    def overriding(self) -> list[tuple[int, int, Member]]:
        """Methods that may override others: variable, number, member."""
        return [
            (variable, number, member)
            for variable, number, member, access in self.method_items
            if not access & (STATIC | PRIVATE | SYNTHETIC) and not member[0].startswith("<")
        ]

    @cached_property
    def bridges(self) -> list[tuple[int, Member, list[MethodUse]]]:
        """The bridges from other parameters than those of the methods they lead to: variable, member, and the methods
        that the bridge's code calls."""
        found = []
        for variable, number, member, access in self.method_items:
            if access & BRIDGE and access & SYNTHETIC:
                called = [use for use in self.facts.code[number].methods if use[2] == member[0]]
                if called and all(told_apart_by(*use[2:4]) != told_apart_by(*member) for use in called):
                    found.append((variable, member, called))
        return found

    @property
    def is_interface(self) -> bool:
        return bool(self.facts.access & INTERFACE)

    @property
    def is_concrete(self) -> bool:
        return not self.facts.access & (INTERFACE | ABSTRACT)
