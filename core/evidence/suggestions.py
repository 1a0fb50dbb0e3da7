"""Candidates that evidence suggests: least valid sub-inputs around items, narrow ones first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from core.archive.entry_names import class_path, is_versioned
from core.classfile.descriptors import outermost
from core.evidence.clues import Mention, Ran
from core.evidence.item_finder import ItemFinder
from core.protocol.java_names import package_of
from core.sets import ItemSet

Least = Callable[[Iterable[int]], ItemSet]
"""Function from items to the least valid sub-input with all of them."""

_ALONE = "without what needs further classes"
"""End of a suggestion's title."""
_FEWEST = "with the fewest other classes"
_USED = "what the sources use of the named classes"
_DECLARED = "what the named classes declare"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A valid sub-input, the least one around the items that its title names."""

    title: str
    items: ItemSet


Suggest = Callable[[ItemFinder, Least], Iterable[Suggestion]]
"""Function that returns the suggestions of some evidence for an input, in the order of trial."""


def around_mentions(
    places: ItemFinder,
    least: Least,
    mentions: Sequence[Mention],
    heads: Sequence[Mention] = (),
    jars: Sequence[str] = (),
    *,
    words: Set[str] = frozenset(),
    above: Sequence[str] = (),
    leading_out: Sequence[str] = (),
) -> list[Suggestion]:
    """Return suggestions from the innermost name in the failure outward: a member, its class, all names, the
    package, the opened ``jars`` that it names. Where source files of these ``words`` are compiled against the input,
    and no member is named, what they use of the named classes and of those ``above`` comes first, then what the named
    ones declare without their code: a compiler reads none. A class that cannot be read needs no supertypes but those
    ``leading_out`` of the input to a missing one, so both come with the fewest other classes first.

    If several failures are wanted, ``heads`` are the places where they show, or the first names in them. Each
    suggestion then holds all heads.
    """

    def steps() -> Iterator[tuple[str, list[int]]]:
        named = [*heads, *mentions]
        if words and not any(mention.member for mention in named):
            everyone = dict.fromkeys(mention.name for mention in named)
            used = [n for name in (*everyone, *above) for n in places.called(name, words)]
            declared = [*used, *(n for name in everyone for n in places.used(name, Ran(), 2))]
            named_alone = [n for name in (*everyone, *leading_out) for n in places.bare(name)]
            for title, wanted in ((_USED, used), (_DECLARED, declared)):
                yield f"{title}, {_FEWEST}", places.alone(wanted, named_alone)
                yield title, wanted
        yield from _steps_around(places, mentions, heads)
        yield "the named classes for each Java", _copies(places, named)
        if mentions and len(heads) < 2:
            package = package_of(mentions[0].name)
            inside = [name for name in places.names() if package_of(name) == package]
            yield f"the package {package}", _wholes(places, inside)
        whole = _wholes(places, (mention.name for mention in named))
        for jar in jars:
            yield f"the jar {jar}", [*places.jar(jar), *whole]
        if jars:
            yield "the jars that the failure names", [*(number for jar in jars for number in places.jar(jar)), *whole]

    return list(_growing(steps(), least))


def around_site(
    places: ItemFinder, least: Least, mentions: Sequence[Mention], heads: Sequence[Mention], several: bool
) -> Iterator[Suggestion]:
    """Yield suggestions around the failures of one site, up to all classes that these failures name. ``several``: there
    is more than one failure, so each suggestion holds all heads.

    A package is no step beyond: it may hold most of the input, where a failure needs two more classes.
    """
    return _growing((_around_heads if several else _steps_around)(places, mentions, heads), least)


def _steps_around(
    places: ItemFinder, mentions: Sequence[Mention], heads: Sequence[Mention]
) -> Iterator[tuple[str, list[int]]]:
    if len(heads) > 1:
        yield from _around_heads(places, mentions, heads)
    elif mentions:
        yield from _around_first(places, mentions)


def _around_first(places: ItemFinder, mentions: Sequence[Mention]) -> Iterator[tuple[str, list[int]]]:
    first, *_ = mentions
    title = first.name.replace("/", ".")
    family = _families(places, [first.name])
    everyone = [mention.name for mention in mentions]
    if first.member:
        yield f"{title}.{first.member}", [*places.member(first)]
        members = [number for mention in mentions for number in _member(places, mention)]
        yield "the members that the failure names", members
    whole = _wholes(places, [first.name])
    yield f"{title}, {_ALONE}", places.alone(whole, places.called(first.name, frozenset()))
    yield title, whole
    yield f"{title} and its copies for other Java", _copies(places, [first])
    if services := places.services(everyone):
        yield f"{title} and the files of services", [*whole, *services]
    yield f"{title} and what is nested in it", family
    if len(mentions) > 1:
        named = [number for mention in mentions for number in [*places.bare(mention.name), *_member(places, mention)]]
        yield "all that the failure names", [*whole, *named]
        yield "all classes that the failure names", _families(places, everyone)


def around_heads(places: ItemFinder, least: Least, heads: Sequence[Mention]) -> list[Suggestion]:
    """Return the suggestion of the classes in which several failures show, without their parts; none for a single
    class.
    """
    names = dict.fromkeys(head.name for head in heads)
    if len(names) < 2:
        return []
    shown = [n for name in names for n in places.bare(name)]
    return list(_growing([("the classes in which failures show", shown)], least))


def _around_heads(
    places: ItemFinder, mentions: Sequence[Mention], heads: Sequence[Mention]
) -> Iterator[tuple[str, list[int]]]:
    first = [head.name for head in heads]
    everyone = [*first, *(mention.name for mention in mentions)]
    if any(head.member for head in heads):
        shown = [n for head in heads for n in (places.member(head) if head.member else places.whole(head.name))]
        yield "the members in which the failures show", shown
    yield "the class that each failure names first, and what is nested in it", _families(places, first)
    yield "all classes that the failures name", _families(places, everyone)


def around_others(places: ItemFinder, least: Least, others: Sequence[Mention]) -> list[Suggestion]:
    """Return the suggestion of the whole classes in unwanted failures."""
    everyone = _families(places, [mention.name for mention in others])
    return list(_growing([("the classes of unwanted failures", everyone)], least))


def around_command(places: ItemFinder, least: Least, mentions: Sequence[Mention]) -> list[Suggestion]:
    """Return suggestions of the classes that a command names.

    The classes come first without their parts, because a command may search for their names only, then whole.
    """
    bare = [number for mention in mentions for number in places.bare(mention.name)]
    whole = _wholes(places, (mention.name for mention in mentions))
    return list(_growing([("the classes that the command names, bare", bare), ("these classes, whole", whole)], least))


def around_run(places: ItemFinder, least: Least, ran: Ran) -> list[Suggestion]:
    """Return suggestions of the code that ran, then of growing surroundings, up to whole classes and all resources."""
    loaded = sorted(ran.loaded)
    read = list(places.resources(ran.read))

    def used(width: int) -> list[int]:
        return [number for name in loaded for number in places.used(name, ran, width)]

    if not loaded:
        return []
    # where no code is known to have run, a class may have failed to load
    declared = [] if ran.covered else [number for name in loaded for number in places.called(name, frozenset())]
    steps = [
        ("the loaded classes with their supertypes", declared),
        ("the code that ran", used(0) + read),
        ("the code that ran, with what reflection shows of its classes", used(1) + read),
        ("the classes that were loaded, and all resources", [*_wholes(places, loaded), *places.resources(None)]),
    ]
    return list(_growing(steps, least))


def _growing(steps: Iterable[tuple[str, list[int]]], least: Least) -> Iterator[Suggestion]:
    """Yield the least valid sub-inputs of the steps in order, each once."""
    found: set[ItemSet] = set()
    for title, wanted in steps:
        items = least(wanted) if wanted else 0
        if wanted and items not in found:
            found.add(items)
            yield Suggestion(title, items)


def _wholes(places: ItemFinder, names: Iterable[str]) -> list[int]:
    """Return the items of some classes with all their parts."""
    return [number for name in names for number in places.whole(name)]


def _families(places: ItemFinder, names: Sequence[str]) -> list[int]:
    heads = tuple(f"{name}$" for name in names)
    chosen = set(names)
    return _wholes(places, (name for name in places.names() if name in chosen or name.startswith(heads)))


def _copies(places: ItemFinder, mentions: Iterable[Mention]) -> list[int]:
    """Return the items of some classes and of what is nested in them, for each Java, with the manifest, without which
    tools pass over them; nothing if all have one copy.
    """
    names = {class_path(outermost(mention.name)) for mention in mentions}
    found = [name for name in places.names() if class_path(name).partition("$")[0] in names]
    return [*_wholes(places, found), *places.resources(frozenset())] if any(map(is_versioned, found)) else []


def _member(places: ItemFinder, mention: Mention) -> Sequence[int]:
    return places.member(mention) if mention.member else ()
