"""Candidates that evidence suggests: least valid sub-inputs around what it points to, narrow ones first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.evidence.clues import Mention, Ran
from core.evidence.near import rings
from core.model.class_model import ClassModel, ItemSet, Kind
from core.model.item_model import ItemModel
from core.model.reading.facts import ClassFacts
from core.rewrite.parts import PartKind

Least = Callable[[Iterable[int]], ItemSet]
"""The least valid sub-input that holds some items."""

_ALWAYS = ("META-INF/MANIFEST.MF",)
"""Resources that the launcher reads before any agent is there."""
_EDGES = (PartKind.SUPERCLASS, PartKind.INTERFACE)
_SHOWN = (PartKind.FIELD, PartKind.SIGNATURE, PartKind.ANNOTATION, PartKind.INNER, PartKind.ENCLOSING)
"""What programs ask reflection about, beside methods."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A valid sub-input, and what it is the least one around."""

    title: str
    items: ItemSet


class ItemFinder(Protocol):
    """The items of an input as evidence names them."""

    def names(self) -> Iterable[str]:
        """Internal names of all classes."""

    def bare(self, name: str) -> Sequence[int]:
        """The class, with nothing of it."""

    def whole(self, name: str) -> Sequence[int]:
        """The class, with all that is in it."""

    def member(self, mention: Mention) -> Sequence[int]:
        """The methods (with their code) and fields that are mentioned, in their class."""

    def used(self, name: str, ran: Ran, width: int) -> Sequence[int]:
        """Of a class that was loaded the code that ran and the edges to classes that were loaded, or are a library's.

        ``width`` 1: with what reflection shows of it; 2: with all but the methods that did not run; 3: with these too,
        but not their code."""

    def resources(self, names: frozenset[str] | None) -> Sequence[int]:
        """The resources of these names; None: all of them."""

    @property
    def facts(self) -> Mapping[str, ClassFacts]:
        """What the classes are made of, where they have parts."""


class ByClasses:
    """Classes whole."""

    def __init__(self, model: ClassModel) -> None:
        self._classes = {item.name: number for number, item in enumerate(model.items) if item.kind is Kind.CLASS}
        self._others = [(number, item.name) for number, item in enumerate(model.items) if item.kind is not Kind.CLASS]

    def names(self) -> Iterable[str]:
        return self._classes

    def bare(self, name: str) -> Sequence[int]:
        return [self._classes[name]] if name in self._classes else []

    def whole(self, name: str) -> Sequence[int]:
        return self.bare(name)

    def member(self, mention: Mention) -> Sequence[int]:
        return self.bare(mention.name)

    def used(self, name: str, ran: Ran, width: int) -> Sequence[int]:
        return self.bare(name)

    def resources(self, names: frozenset[str] | None) -> Sequence[int]:
        wanted = None if names is None else Ran(read=names.union(_ALWAYS))
        return [number for number, name in self._others if wanted is None or wanted.asked_for(name)]

    @property
    def facts(self) -> Mapping[str, ClassFacts]:
        return {}


class ByItems(ByClasses):
    """Classes and the parts of classes."""

    def __init__(self, detailed: ItemModel) -> None:
        super().__init__(detailed.model)
        self._detailed = detailed

    def whole(self, name: str) -> Sequence[int]:
        return [*self.bare(name), *(number for number, _ in self._parts(name))]

    def member(self, mention: Mention) -> Sequence[int]:
        """Of a class that it brings nothing if there is no such member."""
        start = f"{mention.name}.{mention.member}:{mention.descriptor}"
        kinds = (PartKind.METHOD, PartKind.CODE, PartKind.FIELD)
        return [
            number
            for number, kind in self._parts(mention.name)
            if kind in kinds and self._detailed.items[number].name.startswith(start)
        ]

    def used(self, name: str, ran: Ran, width: int) -> Sequence[int]:
        found = [*self.bare(name)]
        facts = self._detailed.facts.get(name)
        if facts is None:
            return found
        ran_here = ran.ran(name)
        for (number, kind), part in zip(self._parts(name), facts.parts, strict=True):
            root = part
            while root.parent >= 0:
                root = facts.parts[root.parent]
            if root.kind is PartKind.METHOD:
                method = (name, *facts.method_list[root.element][0])
                code = kind is PartKind.CODE
                wanted = width > 2 and not code
                wanted |= (
                    ran_here and method not in ran.missed and (width > 1 or code or (width > 0 and kind in _SHOWN))
                )
            else:
                edge = kind in _EDGES and (part.target in ran.loaded or part.target not in self._classes)
                wanted = width > 1 or edge or (width > 0 and kind in _SHOWN)
            if wanted:
                found.append(number)
        return found

    @property
    def facts(self) -> Mapping[str, ClassFacts]:
        return self._detailed.facts

    def _parts(self, name: str) -> Iterator[tuple[int, PartKind | None]]:
        for whole in self.bare(name):
            first, end = self._detailed.parts[whole] if whole < len(self._detailed.parts) else (0, 0)
            yield from zip(range(first, end), self._detailed.part_kinds[first:end], strict=True)


def around_mentions(
    places: ItemFinder, mentions: Sequence[Mention], least: Least, heads: Sequence[str] = ()
) -> list[Suggestion]:
    """From the innermost that the failure names outward: a member, its class, all that is named, the package. Where
    several failures must stay, ``heads`` are the classes that they name first: nothing with fewer is tried."""
    if not mentions:
        return []
    if len(heads) > 1:
        return _growing(_around_heads(places, mentions, heads), least)
    first, *_ = mentions
    title = first.name.replace("/", ".")
    family = _families(places, [first.name])
    everyone = list(dict.fromkeys(mention.name for mention in mentions))
    steps: list[tuple[str, list[int]]] = []
    if first.member:
        steps.append((f"{title}.{first.member}", [*places.member(first)]))
    steps.append((title, [*places.whole(first.name)]))
    steps.append((f"{title} and what is nested in it", family))
    if len(mentions) > 1:
        named = [number for mention in mentions for number in [*places.bare(mention.name), *_member(places, mention)]]
        steps.append(("all that the failure names", [*places.whole(first.name), *named]))
        steps.append(("all classes that the failure names", _families(places, everyone)))
    package = _package(first.name)
    steps.append((f"the package {package.replace('/', '.')}", _of_packages(places, {package})))
    return _growing(steps, least)


def _around_heads(
    places: ItemFinder, mentions: Sequence[Mention], heads: Sequence[str]
) -> Iterator[tuple[str, list[int]]]:
    everyone = list(dict.fromkeys(mention.name for mention in mentions))
    yield "the class that each failure names first", [number for name in heads for number in places.whole(name)]
    yield "all classes that the failures name", [number for name in everyone for number in places.whole(name)]
    yield "these classes and what is nested in them", _families(places, everyone)


def around_lost(
    places: ItemFinder, mentions: Sequence[Mention], lost: Sequence[Mention], least: Least
) -> list[Suggestion]:
    """All classes that the failures name, with the packages of those that are named by failures which these classes do
    not show."""
    everyone = list(dict.fromkeys(mention.name for mention in mentions))
    packages = {_package(mention.name) for mention in lost}
    title = "all classes that the failure names, and packages where some of it was lost"
    return _growing([(title, _families(places, everyone) + _of_packages(places, packages))], least)


def around_command(places: ItemFinder, mentions: Sequence[Mention], least: Least) -> list[Suggestion]:
    """The classes that a command names: bare, for it may look for their names alone, then whole."""
    bare = [number for mention in mentions for number in places.bare(mention.name)]
    whole = [number for mention in mentions for number in places.whole(mention.name)]
    return _growing([("the classes that the command names, bare", bare), ("these classes, whole", whole)], least)


def around_run(places: ItemFinder, ran: Ran, least: Least) -> list[Suggestion]:
    """What ran, then more and more of what is near it: classes whole, resources that nobody was seen to read,
    packages."""
    loaded = sorted(ran.loaded)
    read, everything = list(places.resources(ran.read)), list(places.resources(None))
    packages = {name.rpartition("/")[0] for name in loaded}
    near = [name for name in places.names() if name.rpartition("/")[0] in packages]
    wholes = [number for name in loaded for number in places.whole(name)]

    def used(width: int) -> list[int]:
        return [number for name in loaded for number in places.used(name, ran, width)]

    if not loaded:
        return []
    steps = [
        ("the code that ran", used(0) + read),
        ("the code that ran, with what reflection shows of its classes", used(1) + read),
        ("the code that ran, with all other parts of its classes", used(2) + read),
        ("the code that ran, and all else of its classes but other methods' code", used(3) + read),
        ("the classes that were loaded", wholes + read),
        ("the classes that were loaded, and all resources", wholes + everything),
        ("their packages", [number for name in near for number in places.whole(name)] + everything),
    ]
    return _growing(steps, least)


def around_near(places: ItemFinder, ran: Ran, mentions: Sequence[Mention], least: Least) -> list[Suggestion]:
    """Of the code that ran what the failure names, then what is one call away from that, two calls, four, and so on."""
    everything = {
        (name, *member) for name in ran.loaded & places.facts.keys() for member, _ in places.facts[name].method_list
    }
    read = list(places.resources(ran.read))
    steps = []
    for calls, ring in enumerate(rings(places.facts, ran, mentions)):
        if calls & calls - 1 == 0:
            part = replace(ran, missed=frozenset(everything - ring))
            wanted = [number for name in sorted(ran.loaded) for number in places.used(name, part, 0)]
            away = "named by the failure" if not calls else f"at most {calls} call{'s' * (calls > 1)} from the failure"
            steps.append((f"the code that ran {away}", wanted + read))
    return _growing(steps, least)


def _growing(steps: Iterable[tuple[str, list[int]]], least: Least) -> list[Suggestion]:
    """The sub-inputs in this order, each one once."""
    found: dict[ItemSet, str] = {}
    for title, wanted in steps:
        if wanted:
            found.setdefault(least(wanted), title)
    return [Suggestion(title, items) for items, title in found.items()]


def _package(name: str) -> str:
    return name.rpartition("/")[0]


def _of_packages(places: ItemFinder, packages: Collection[str]) -> list[int]:
    return [n for name in places.names() if _package(name) in packages for n in places.whole(name)]


def _families(places: ItemFinder, names: Sequence[str]) -> list[int]:
    heads = tuple(f"{name}$" for name in names)
    chosen = set(names)
    return [n for name in places.names() if name in chosen or name.startswith(heads) for n in places.whole(name)]


def _member(places: ItemFinder, mention: Mention) -> Sequence[int]:
    return places.member(mention) if mention.member else ()
