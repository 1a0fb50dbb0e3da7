"""Generic signatures as the rules see them: the items among them, and the declared type parameters of classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.flags import PRIVATE, STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import Bounds, GenericUse, bounds, generic_use
from core.classfile.symbolic.part_kinds import PartKind
from core.library.skim import LibraryClass
from core.model.formula import TRUE
from core.model.hierarchy import Facts
from core.model.lookup import Lookup, Member
from core.model.reading.facts import WHOLE_CLASS
from core.model.reading.type_scopes import steps_outwards
from core.model.rules.class_items import ClassItems, Used
from core.remembered import remembered


class Generic(NamedTuple):
    """A field or method with a Signature as an item: the facts of the two, and the Signature's own needs."""

    owner: str
    declared: int
    signature: int
    use: GenericUse
    told: bool
    """True if every user of the member needs its Signature."""


class Signatures:
    """The items of Signature attributes, TRUE where there is none."""

    def __init__(self, classes: Mapping[str, ClassItems], lookup: Lookup) -> None:
        self._inside = classes
        self._facts = {one.name: one.facts for one in classes.values()}
        self._lookup = lookup
        self.of_class: Facts[str] = Facts()
        """Items of the classes' own Signatures."""
        self.of_member: Facts[Used] = Facts()
        """Items of the Signatures of fields and methods."""
        self.uses: dict[Used, GenericUse] = {}
        """Types in these Signatures, of those that keep to their grammar."""
        for one in classes.values():
            members = {"field": one.facts.field_list, "method": one.facts.method_list}
            for variable, owner in one.signatures:
                kind, number = owner
                if owner == WHOLE_CLASS:
                    self.of_class[one.name] = variable
                elif kind in members:
                    used = one.name, members[kind][number][0]
                    self.of_member.setdefault(used, variable)
                    if owner in one.facts.generic:
                        self.uses.setdefault(used, one.facts.generic[owner])
        self.any = bool(self.of_class or self.of_member)
        """True if generic signatures are items."""
        self.declared: dict[Used, Generic | None] = {}
        """Declarations found for members, by member (:func:`generic_members.declared_generic`)."""
        self.used: dict[int, list[Generic]] = {}
        """Generic members used by bodies, by code item (:func:`generic_members.used_generic`)."""
        self.rivals: dict[Used, list[tuple[list[int], int]]] = {}
        """Overloads that fit the calls of a method too (rule K15)."""

    def of_scope(self, name: str, variables: Iterable[str]) -> list[int]:
        """Return the items of the Signatures that declare the used type ``variables``: those of the class, or of the
        enclosing classes (and methods). Also return the items by which reflection finds these."""
        wanted = set(variables)
        found = [] if wanted.isdisjoint(dict(self._inside[name].facts.bounds)) else [self.of_class[name]]
        for step in steps_outwards(self._facts, name, wanted):
            inner = self._inside[step.inner]
            kind = PartKind.ENCLOSING if step.enclosed else PartKind.INNER
            found += [item for item, part in inner.of(kind) if step.enclosed or part.target == step.inner]
            if step.method is not None:
                found.append(self.of_member[step.outer, step.method])
            if step.declares:
                found.append(self.of_class[step.outer])
        return [item for item in found if item != TRUE]

    @remembered
    def taking(self, owner: str, name: str, count: int) -> list[tuple[Member, int]]:
        """Return the overridable methods of a class of the input with that ``name`` and ``count`` of parameters, each
        with its Signature. One of the parameters is of a type variable or has some in its type arguments."""
        found = self.overloads(owner).get((name, count), ())
        return [(member, signature) for member, signature, access, use in found if use.takes_variable and not access]

    @remembered
    def overloads(self, owner: str) -> Mapping[tuple[str, int], list[tuple[Member, int, int, GenericUse]]]:
        """Return the methods of a class of the input with Signatures as items, by name and number of parameters. Of
        each: the method, its Signature, STATIC and PRIVATE of its access flags, the types in the Signature."""
        found: dict[tuple[str, int], list[tuple[Member, int, int, GenericUse]]] = {}
        one = self._inside.get(owner)
        for member, access in one.facts.methods.items() if one is not None else ():
            use = self.uses.get((owner, member))
            if use is not None:
                each = member, self.of_member[owner, member], access & (STATIC | PRIVATE), use
                found.setdefault((member[0], len(method_types(member[1])[0])), []).append(each)
        return found

    @remembered
    def outside(self, owner: str, member: Member) -> GenericUse | None:
        """Return the types and type variables in the Signature of a library's method that declares type parameters, or
        of an annotation's method. Return None for all other methods."""
        found = self._lookup.nearest(owner, member)
        info = self._lookup.info(found.owner) if found is not None and found.owner not in self._inside else None
        text = info.generic.get(member) if isinstance(info, LibraryClass) else None
        with suppress(ClassFormatError):
            return generic_use(text) if text is not None else None
        return None

    @remembered
    def bounds(self, name: str) -> Bounds:
        """Return the type parameters of a class of the input or a library, with the classes that bound them."""
        if name in self._inside:
            return self._inside[name].facts.bounds
        info = self._lookup.info(name)
        signature = info.signature if isinstance(info, LibraryClass) else None
        try:
            return bounds(signature) if signature is not None else ()
        except ClassFormatError:
            return ()
