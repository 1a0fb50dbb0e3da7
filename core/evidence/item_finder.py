"""Items of an input by their names in evidence: classes, members, code that ran, resources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from core.archive.entry_names import class_path, opened_jar
from core.archive.manifest import classes_of_service
from core.classfile.flags import STATIC
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.evidence.clues import Mention, Method, Ran
from core.evidence.mentions import is_called
from core.model.class_model import ClassModel, Kind
from core.model.item_model import ItemModel
from core.sets import ItemSet, members

_ALWAYS = ("META-INF/MANIFEST.MF",)
"""Resources that the launcher reads before any agent starts."""
_MEMBERS = (PartKind.METHOD, PartKind.FIELD)
_IN_LAMBDAS = {"<init>": "new", "<clinit>": "static"}
"""Names of constructors and initialisers in javac's names of lambdas."""
_EDGES = (PartKind.SUPERCLASS, PartKind.INTERFACE)
_REFLECTED_KINDS = (PartKind.FIELD, PartKind.SIGNATURE, PartKind.ANNOTATION, PartKind.INNER, PartKind.ENCLOSING)
"""Kinds of parts, besides methods, that programs read by reflection."""


@dataclass(frozen=True, slots=True)
class MethodItems:
    """The items of a method: all of them, and the item of its code (empty if the code is no item)."""

    whole: ItemSet = 0
    code: ItemSet = 0


class ItemFinder:
    """A lookup of an input's items by their names in evidence: here of whole classes."""

    def __init__(self, model: ClassModel) -> None:
        self._classes = {item.name: number for number, item in enumerate(model.items) if item.kind is Kind.CLASS}
        self._others = [(number, item.name) for number, item in enumerate(model.items) if item.kind is not Kind.CLASS]
        self._entries = [model.jar.entries[item.entry] for item in model.items]

    def names(self) -> Iterable[str]:
        """Return the internal names of all classes."""
        return self._classes

    def bare(self, name: str) -> Sequence[int]:
        """Return the item of a class without its parts."""
        return [self._classes[name]] if name in self._classes else []

    def whole(self, name: str) -> Sequence[int]:
        """Return the items of a class with all its parts."""
        return self.bare(name)

    def member(self, mention: Mention) -> Sequence[int]:
        """Return the mentioned methods and fields with all their parts and surroundings: the methods that set a field,
        lambdas, classes declared in a method, and the surrounding classes without their parts. Return nothing if the
        class has no such member.
        """
        return self.bare(mention.name)

    def used(self, name: str, ran: Ran, width: int) -> Sequence[int]:
        """Return the executed code of a loaded class, and its edges to loaded classes and to library classes.

        ``width`` 1: also the parts that reflection shows; 2: all parts but the code of unexecuted methods.
        """
        return self.bare(name)

    def called(self, name: str, words: Set[str]) -> Sequence[int]:
        """Return what a compiler reads of a class for a source file of these words: supertypes, and the
        members that are called, without code."""
        return self.bare(name)

    def alone(self, wanted: Sequence[int], held: Sequence[int]) -> list[int]:
        """Return as much of what ``wanted`` items need as there is with the classes that ``held`` items need. Return
        nothing where that is all, or where classes are whole.
        """
        return []

    def resources(self, names: frozenset[str] | None) -> Sequence[int]:
        """Return the resources with these names; None stands for all resources."""
        wanted = None if names is None else Ran(read=names.union(_ALWAYS))
        return [number for number, name in self._others if wanted is None or wanted.asked_for(name)]

    def readers(self, ran: Ran) -> Iterator[tuple[int, tuple[str, str]]]:
        """Yield the resources that a run asked for, each with every method (class and name) on the stack."""
        for number, name in self._others:
            for frame in ran.readers.get(name, ran.readers.get(class_path(name), ())):
                yield number, frame

    def services(self, names: Collection[str]) -> list[int]:
        """Return the files of services that name one of the classes."""
        others = ((number, self._entries[number]) for number, _ in self._others)
        return [
            n for n, entry in others if not classes_of_service(class_path(entry.name), entry.data).isdisjoint(names)
        ]

    def jar(self, name: str) -> Sequence[int]:
        """Return all items of an opened jar."""
        inside = {number for number, entry in enumerate(self._entries) if opened_jar(entry.name) == name}
        classes = [number for each, item in self._classes.items() if item in inside for number in self.whole(each)]
        return [*classes, *(number for number, _ in self._others if number in inside)]


class ByItems(ItemFinder):
    """A finder of classes and their parts."""

    def __init__(self, detailed: ItemModel) -> None:
        super().__init__(detailed.model)
        self._detailed = detailed

    def whole(self, name: str) -> Sequence[int]:
        return [*self.bare(name), *(number for number, _ in self._rooted(name))]

    def member(self, mention: Mention) -> Sequence[int]:
        facts = self._detailed.facts.get(mention.name)
        if facts is None:
            return []
        names = {mention.member}
        for (name, _), access in facts.field_list:
            if name == mention.member:
                names.add("<clinit>" if access & STATIC else "<init>")
        lambdas = tuple(f"lambda${_IN_LAMBDAS.get(name, name)}$" for name in names)
        found = [
            number
            for number, (part, _) in self._rooted(mention.name)
            if part.kind in _MEMBERS and _is_of(part.name, mention, names, lambdas)
        ]
        if not found:
            return []
        inside = [n for name in self._declared_in(mention) for n in self.whole(name)]
        return [*found, *inside, *self._around(mention.name)]

    def used(self, name: str, ran: Ran, width: int) -> Sequence[int]:
        found = [*self.bare(name)]
        facts = self._detailed.facts.get(name)
        if facts is None:
            return found
        ran_here = ran.ran(name)
        for number, (root, part) in self._rooted(name):
            kind = part.kind
            shown = width > 1 or (width > 0 and kind in _REFLECTED_KINDS)
            if root.kind is PartKind.METHOD:
                method = (name, *facts.method_list[root.element][0])
                code = kind is PartKind.CODE
                ran_too = ran_here and method not in ran.missed
                wanted = (ran_too and (shown or code)) or (width > 1 and not code)
            else:
                wanted = shown or (kind in _EDGES and (part.target in ran.loaded or part.target not in self._classes))
            if wanted:
                found.append(number)
        return found

    def called(self, name: str, words: Set[str]) -> Sequence[int]:
        found = [*self.bare(name), *self._around(name)]
        for number, (root, part) in self._rooted(name):
            if root.kind in _MEMBERS:
                member = root.name.removeprefix(f"{name}.").partition(":")[0]
                wanted = part.kind is not PartKind.CODE and is_called(name, member, words)
            else:
                wanted = root.kind in (*_EDGES, PartKind.SIGNATURE)
            if wanted:
                found.append(number)
        return found

    def alone(self, wanted: Sequence[int], held: Sequence[int]) -> list[int]:
        logic, needed = self._detailed.logic, self._detailed.least(wanted)
        further = self._detailed.model.class_items & ~self._detailed.least(held)
        kept = logic.largest_without(needed, further) or 0
        return [] if kept == needed else [*members(kept)]

    def methods(self) -> Mapping[Method, MethodItems]:
        """Return the items of each method."""
        found: dict[Method, MethodItems] = {}
        for name, facts in self._detailed.facts.items():
            for number, (root, part) in self._rooted(name):
                if root.kind is PartKind.METHOD:
                    method = (name, *facts.method_list[root.element][0])
                    body = found.get(method, MethodItems())
                    item = 1 << number
                    found[method] = MethodItems(body.whole | item, body.code | item * (part.kind is PartKind.CODE))
        return found

    def _declared_in(self, mention: Mention) -> list[str]:
        """Return the local and anonymous classes of a method, with the classes nested in them."""
        nested = [name for name in self._classes if name.startswith(f"{mention.name}$")]
        enclosing = ((name, self._detailed.facts[name].enclosing) for name in nested if name in self._detailed.facts)
        inside = [
            name for name, method in enclosing if method is not None and method[:2] == (mention.name, mention.member)
        ]
        return [name for name in nested if name in inside or name.startswith(tuple(f"{outer}$" for outer in inside))]

    def _rooted(self, name: str) -> Iterator[tuple[int, tuple[Part, Part]]]:
        """Yield the items of a class: each part with the part directly below the class that contains it."""
        facts = self._detailed.facts.get(name)
        if facts is None:
            return
        for whole in self.bare(name):
            first, _ = self._detailed.parts[whole]
            for number, part in enumerate(facts.parts, first):
                root = part
                while root.parent >= 0:
                    root = facts.parts[root.parent]
                yield number, (root, part)

    def _around(self, name: str) -> Iterator[int]:
        """Yield the classes around a nested class, and the attributes that declare the nesting."""
        ends = [place for place, sign in enumerate(name) if sign == "$"]
        chain = [outer for outer in [*(name[:end] for end in ends), name] if outer in self._classes]
        for outer in chain:
            yield from self.bare(outer)
            for number, (part, _) in self._rooted(outer):
                if part.kind is PartKind.INNER and part.target in chain:
                    yield number


def _is_of(part: str, mention: Mention, names: Collection[str], lambdas: tuple[str, ...]) -> bool:
    """Return True if a member's item has one of the names and the mentioned descriptor, or is a lambda of one."""
    name, _, descriptor = part.removeprefix(f"{mention.name}.").partition(":")
    if name == mention.member:
        return descriptor.startswith(mention.descriptor)
    return name in names or name.startswith(lambdas)
