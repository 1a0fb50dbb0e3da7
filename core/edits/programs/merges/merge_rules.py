"""Rules for classes that can become one: those of the virtual machine and of Java source for members in one class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from core.classfile.descriptors import Parameters, element_class, told_apart_by
from core.classfile.flags import ABSTRACT, ANNOTATION, ENUM, INTERFACE, MODULE, PRIVATE, PROTECTED, PUBLIC, STATIC
from core.classfile.pool import CLASS
from core.classfile.symbolic.symbol_pool import Reference
from core.classfile.symbolic.symbolic_class import MemberTree, SymbolicClass
from core.edits.programs.classes_around import enclosing_method
from core.edits.programs.merges.merged_members import (
    FreshMethodNames,
    applied_supertypes,
    constructors_agree,
    disagreeing,
    fields_agree,
    fulfils,
    have_equal_parameters,
    implements_all,
    makes_objects,
    same_family,
)
from core.edits.programs.nesting import is_nested
from core.edits.programs.program import CONSTRUCTOR, INITIALISER, OBJECT, WholeProgram, package_of, parameters
from core.sets import listed_by

_PACKAGE_PRIVATE = PUBLIC | PRIVATE | PROTECTED
"""The flags that a member of package access lacks."""
_FOR_ALL = PUBLIC | PROTECTED
"""The flags of access for every subclass; a member has one of them."""
_OTHER_KINDS = INTERFACE | ANNOTATION | ENUM | MODULE
"""Interfaces, annotation types, enums, modules."""


class MergeRules:
    """The rules for the classes of one program."""

    def __init__(self, program: WholeProgram) -> None:
        self._program = program
        self.names = FreshMethodNames(program)

    def may_take(self, tree: SymbolicClass) -> bool:
        """Return True for a class that can get the members of others: no rule fixes its members."""
        if tree.access & _OTHER_KINDS or tree.attribute("Record") or tree.attribute("PermittedSubclasses"):
            return False
        if is_nested(tree) or self._hides_by_static(tree):
            return False
        return self._program.is_open(tree) and self._names_known_classes(tree)

    def may_go(self, tree: SymbolicClass) -> bool:
        """Return True for a plain class that no row of another class and no resource names."""
        if tree.name in self._program.fixed or tree.name in self._program.in_rows:
            return False
        return self.may_take(tree) and self._program.is_plain(tree)

    def _hides_by_static(self, tree: SymbolicClass) -> bool:
        """Return True if a static method stands in the way of a supertype's method of objects, as Scala's may: the
        other class may call that one.
        """
        static = {method.key for method in tree.methods if method.access & STATIC}
        return any(
            key in static and not access & (STATIC | PRIVATE)
            for name in self._program.supertypes(tree.name)
            for key, access in self._program.declared(name).items()
        )

    def _names_known_classes(self, tree: SymbolicClass) -> bool:
        """Return True if all classes that a class uses are known: a missing one may prevent its loading."""
        names = {symbol.text for symbol in tree.symbols if symbol.tag == CLASS}
        return all(element is None or self._program.find(element) is not None for element in map(element_class, names))

    def goes_into(self, tree: SymbolicClass, head: SymbolicClass) -> bool:
        """Return True if a class can become part of another one: they have the same superclass, one is the superclass
        of the other, or the class has no superclass of its own.
        """
        if not self._keeps_arguments(tree, head) or not self._loses_signature(tree, head):
            return False
        if head.attribute("Signature") is not None and not set(tree.interfaces) <= set(head.interfaces):
            return False  # the signature lists the interfaces
        if tree.superclass == head.superclass:
            return self._may_leave(tree, head)
        if head.name == tree.superclass or tree.name == head.superclass:
            above, below = (head, tree) if head.name == tree.superclass else (tree, head)
            if not constructors_agree(above, below):
                return False
            if below.access & ABSTRACT and (not above.access & ABSTRACT or len(self._program.below(above.name)) > 1):
                return False
            return self._may_leave(tree, head)
        return self._gets_superclass(tree, head) and self._may_leave(tree, head)

    def _keeps_arguments(self, tree: SymbolicClass, head: SymbolicClass) -> bool:
        """Return True if no signature gives type arguments to a class, or another class can take the same ones."""
        if tree.name not in self._program.named_with_arguments:
            return True
        return have_equal_parameters(tree, head) and tree.name not in self._program.members_of_generic

    def _loses_signature(self, tree: SymbolicClass, head: SymbolicClass) -> bool:
        """Return True if a class can lose its generic signature to become part of another one. No method may override
        one whose types follow from type arguments in this class alone.
        """
        if tree.attribute("Signature") is None:
            return True
        above = applied_supertypes(tree)
        if above is None or tree.name == head.superclass:
            return False
        if "<" not in above or above == applied_supertypes(head):
            return True
        names = {name for each in self._program.supertypes(tree.name) for name, _ in self._program.declared(each)}
        return not any(
            method.name in names
            for method in tree.methods
            if not method.name.startswith("<") and not method.access & (PRIVATE | STATIC)
        )

    def beside(self, tree: SymbolicClass, others: Iterable[SymbolicClass]) -> SymbolicClass:
        """Return a class with new names for the methods that cannot stand beside those of other classes, as far as they
        may have other names.
        """
        wrong = {key for other in others for key in disagreeing(tree, other)}
        if not wrong:
            return tree
        names = {name: self.names.fresh(name) for name in sorted({name for name, _ in wrong})}

        def told(method: MemberTree) -> MemberTree:
            if parameters(method) not in wrong or not self.names.may_change(method, tree):
                return method
            return method._replace(name=names[method.name])

        return tree.with_methods(told)

    def go_together(self, one: SymbolicClass, other: SymbolicClass) -> bool:
        """Return True if the members of two classes can stand in one class."""
        return (
            same_family(one.major, other.major)
            and implements_all(one, other)
            and implements_all(other, one)
            and fields_agree(one, other)
            and not disagreeing(one, other)
            and self._around.isdisjoint(_shared_methods(one, other))
            and self._siblings_agree(one, other)
            and self._heirs_agree(one, other)
            and self._heirs_agree(other, one)
            and self._interfaces_agree(one, other)
        )

    def keeps_overriding(self, into: Mapping[str, str], head: str) -> bool:
        """Return True if, after merges ``into`` other classes, no method of ``head``, or of a class above or below it,
        overrides one that it does not override now. A merged class comes below the classes merged into its new class's
        superclasses.
        """
        parts = listed_by(lambda tree: into.get(tree.name, tree.name), self._program.classes)
        over = {owner: self._over(owner, parts, into) for owner in parts}
        for owner, trees in parts.items():
            if owner != head and head not in over[owner]:
                continue
            highs = over[owner] if owner == head else over[owner] & {head, *over[head]}
            above = [tree for high in highs for tree in parts.get(high, ())]
            for low in trees:
                known, own = set(self._program.superclasses(low)), set(_inherited(low))
                if any(high.name not in known and not own.isdisjoint(_inherited(high)) for high in above):
                    return False
        return True

    def _over(self, owner: str, parts: Mapping[str, Sequence[SymbolicClass]], into: Mapping[str, str]) -> set[str]:
        """Return the superclasses of a class after some merges."""
        found: set[str] = set()
        left = [owner]
        while left:
            for tree in parts.get(left.pop(), ()):
                above = into.get(tree.superclass or "", tree.superclass or "")
                if above != owner and above not in found:
                    found.add(above)
                    left.append(above)
        return found

    @cached_property
    def _around(self) -> set[Reference]:
        """The methods with a class inside, which may use their type parameters."""
        return {each for tree in self._program.classes if (each := enclosing_method(tree))}

    @cached_property
    def opens(self) -> bool:
        """True if everything in the program can become public: no method of package access is in the way of a method
        of a class below in another package.
        """
        for tree in self._program.classes:
            private = {
                parameters(method)
                for method in tree.methods
                if not method.access & _PACKAGE_PRIVATE and method.name not in (CONSTRUCTOR, INITIALISER)
            }
            if private and any(
                not private.isdisjoint(map(parameters, heir.methods))
                for heir in self._program.all_below(tree.name)
                if package_of(heir.name) != package_of(tree.name)
            ):
                return False
        return True

    def _siblings_agree(self, one: SymbolicClass, other: SymbolicClass) -> bool:
        """Return True if no concrete class among or below the two gets an unimplemented abstract method from the other
        one, and no field hides a supertype's field that the other one uses. Return True, too, if one is the superclass
        of the other.
        """
        if one.name == other.superclass or other.name == one.superclass:
            return True
        for tree, same in ((one, other), (other, one)):
            if same.access & ABSTRACT and tree.access & ABSTRACT:
                if self._program.below(same.name) and self._abstract(tree):
                    return False
            elif tree.access & ABSTRACT and not self._abstract(tree) <= {method.key for method in same.methods}:
                return False
            above = {name for each in self._program.supertypes(same.name) for name, _ in self._program.fields(each)}
            hidden = above - {member.name for member in same.fields}
            if not hidden.isdisjoint(member.name for member in tree.fields):
                return False
        return True

    def _abstract(self, tree: SymbolicClass) -> set[tuple[str, str]]:
        """Return the abstract methods of an abstract class, of its interfaces, and of its superclasses as far as no
        nearer one has code for them.
        """
        found: set[tuple[str, str]] = set()
        has_code: set[tuple[str, str]] = set()
        for name in (tree.name, *self._program.superclasses(tree)):
            methods = self._program.declared(name)
            found |= {key for key, access in methods.items() if access & ABSTRACT} - has_code
            has_code |= {key for key, access in methods.items() if not access & ABSTRACT}
        return found | {
            key
            for name in self._program.interfaces(tree.name)
            for key, access in self._program.declared(name).items()
            if access & ABSTRACT
        }

    def _gets_superclass(self, tree: SymbolicClass, head: SymbolicClass) -> bool:
        """Return True if a direct subclass of Object without subclasses can extend the superclass of another class:
        their methods are unrelated, and each constructor finds one to call.
        """
        above = [name for name in self._program.superclasses(head) if name != OBJECT]
        if tree.superclass != OBJECT or tree.name in above or self._program.below(tree.name):
            return False
        own = {parameters(method) for method in tree.methods if method.name != CONSTRUCTOR}
        for name in above:
            methods = self._program.declared(name)
            if not own.isdisjoint(told_apart_by(*key) for key in methods):
                return False
        if not any(method.name == CONSTRUCTOR for method in tree.methods):
            return True
        return all(self._program.declared(name).get((CONSTRUCTOR, "()V"), 0) & _FOR_ALL for name in above) and not any(
            makes_objects(method, OBJECT) for method in tree.methods if method.name == CONSTRUCTOR
        )

    def _may_leave(self, tree: SymbolicClass, head: SymbolicClass) -> bool:
        """Return True if a class can move to the package of another one."""
        package = package_of(tree.name)
        if package == package_of(head.name):
            return True
        known = self._program.by_name
        return self.opens and all(
            symbol.text in known
            for symbol in tree.symbols
            if symbol.tag == CLASS and package_of(symbol.text) == package
        )

    def _heirs_agree(self, one: SymbolicClass, other: SymbolicClass) -> bool:
        """Return True if no class below the one, but not below the other, has a method that the other has too."""
        own = set(_inherited(other))
        return all(
            own.isdisjoint(map(parameters, heir.methods))
            for heir in self._program.all_below(one.name)
            if heir.name != other.name and other.name not in self._program.superclasses(heir)
        )

    def _interfaces_agree(self, one: SymbolicClass, other: SymbolicClass) -> bool:
        """Return True if no method of an interface that only one class has gets into the way of the other class."""
        first, second = self._program.interfaces(one.name), self._program.interfaces(other.name)
        if "" in first | second:
            return False
        mine, others = self._declared(first - second), self._declared(second - first)
        if not mine.keys().isdisjoint(others):
            return False
        return fulfils(other, mine) and fulfils(one, others)

    def _declared(self, interfaces: set[str]) -> dict[Parameters, str]:
        """Return the methods of interfaces, each with its descriptor."""
        return {
            told_apart_by(*key): key[1]
            for name in interfaces
            for key in self._program.declared(name)
            if key[0] != INITIALISER
        }


def _inherited(tree: SymbolicClass) -> Iterator[Parameters]:
    """Yield the names and parameters of the methods that a class below may override."""
    return (parameters(method) for method in tree.methods if method.name not in (CONSTRUCTOR, INITIALISER))


def _shared_methods(one: SymbolicClass, other: SymbolicClass) -> Iterator[Reference]:
    """Yield the methods that two classes both declare, as methods of either."""
    for key in {method.key for method in one.methods} & {method.key for method in other.methods}:
        yield from ((one.name, *key), (other.name, *key))
