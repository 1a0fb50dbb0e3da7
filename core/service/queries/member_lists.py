"""The parts of classes, in the input and in the best so far, which the window shows below a class and finds by
their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from core.classfile.class_file import parse
from core.classfile.descriptors import method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.errors import UsageError
from core.model.class_model import ClassModel, Kind
from core.parts.parts import parts
from core.protocol.events import FoundMember, Members, MembersFound, Used
from core.protocol.java_names import hump_pattern
from core.protocol.questions.items import FindMembers, ListMembers, ListUsed
from core.service.queries.desk import Desk, once_per_input
from core.service.workspace import Workspace
from core.service.workspace_events import used_event

GRANULARITY = "full"
_MEMBERS = (PartKind.FIELD, PartKind.METHOD)
_OBJECT = "Ljava/lang/Object;"

_MOST = 60
"""Number of members with a name that are told."""


class MemberLister:
    """The parts of the classes of one opened input. Parts that were read once are remembered."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._model = workspace.opened
        self._places = {item.name: item.entry for item in self._model.items if item.kind is Kind.CLASS}
        self._known: dict[str, tuple[Part, ...]] = {}

    @property
    def model(self) -> ClassModel:
        """The model of the input."""
        return self._model

    @property
    def classes(self) -> Collection[str]:
        """Internal names of the input's classes."""
        return self._places.keys()

    def of(self, classes: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Yield a record of :class:`core.protocol.events.Members` for each class, given by its internal name.

        Raises UsageError for a class that the input does not have.
        """
        best = self._workspace.best
        left = dict(self._workspace.entries) if best is not None else None
        for name in classes:
            yield self._record(name, left)

    def input_data(self, name: str) -> bytes:
        """Return a class file of the input. Raises UsageError for a class that the input does not have."""
        return self._model.jar.entries[self._place(name)].data

    def entry_name(self, name: str) -> str:
        """Return the name of the entry that holds a class."""
        return self._model.jar.entries[self._place(name)].name

    def _place(self, name: str) -> int:
        if name not in self._places:
            raise UsageError(f"There is no class {name!r} in the input.")
        return self._places[name]

    def _record(self, name: str, left: dict[str, bytes] | None) -> dict[str, Any]:
        before = self.parts_of(name)
        data = left.get(self.entry_name(name)) if left is not None else self.input_data(name)
        kept = self._kept(before, name, data, left is None)
        needed, proved = self._workspace.needed, self._workspace.proved
        return {
            "class": name,
            "kinds": [part.kind.value for part in before],
            "names": [part.name for part in before],
            "parents": [part.parent for part in before],
            "sizes": _whole_sizes(before),
            "kept": kept,
            "needed": [there and (proved or part.name in needed) for part, there in zip(before, kept, strict=True)],
            "left": len(data) if data is not None else 0,
        }

    def parts_of(self, name: str) -> tuple[Part, ...]:
        """Return the parts of a class of the input. A part stands after the part that contains it."""
        if name not in self._known:
            self._known[name] = _parts_of(self.input_data(name))
        return self._known[name]

    def _kept(self, before: tuple[Part, ...], name: str, data: bytes | None, untouched: bool) -> list[bool]:
        """Return whether each part is still there, by its name.

        Bootstrap entries are renumbered when others go: as many are taken to be there as are left.
        """
        if data is None:
            return [False] * len(before)
        if untouched or data == self.input_data(name):
            return [True] * len(before)
        after = _parts_of(data)
        there = names_before(before, after)
        left = Counter(part.kind for part in after if "[bootstrap " in part.name)
        found = []
        for part in before:
            if "[bootstrap " in part.name:
                found.append(left[part.kind] > 0)
                left[part.kind] -= 1
            else:
                found.append(part.name in there)
        return found


@once_per_input
def lister(desk: Desk) -> MemberLister:
    """Return the lister of the opened input. Raises UsageError where no input is open."""
    return MemberLister(desk.workspace)


def list_members(desk: Desk, wish: ListMembers) -> Members:
    """Return the parts of some classes."""
    return Members(list(lister(desk).of(wish.classes)))


def list_used(desk: Desk, wish: ListUsed) -> Used:
    """Return the known classes and resources that a run of the input used."""
    return used_event(desk.workspace.opened, desk.workspace.clues)


@once_per_input
def _simple_names(desk: Desk) -> list[tuple[str, str, str]]:
    """Return the simple name, the name as in ``members``, and the class of each member."""
    found, listed = [], lister(desk)
    for place in listed.classes:
        for part in listed.parts_of(place):
            if part.kind in _MEMBERS:
                simple = part.name.removeprefix(place).lstrip(".").partition(":")[0]
                if not simple.startswith("<"):
                    found.append((simple, part.name, place))
    return found


def find_members(desk: Desk, wish: FindMembers) -> MembersFound:
    """Return the members with a text in their names (``reciprocal``, ``Rational.rec``), the best first.

    The order: equal names; names that begin with the text; names with its camel humps; other names with the text in
    them. Among these short names come first, and then the order of the input counts.
    """
    owner, _, wanted = wish.text.strip().replace("#", ".").removesuffix("()").rpartition(".")
    lowered, above = wanted.lower(), owner.lower()
    if len(lowered) < 2:
        return MembersFound(wish.text)
    humps = hump_pattern(wanted)
    ranked = []
    for number, (simple, name, place) in enumerate(_simple_names(desk)):
        small = simple.lower()
        if above and not place.lower().replace("/", ".").replace("$", ".").endswith(above):
            continue
        if small == lowered:
            rank = 0
        elif small.startswith(lowered):
            rank = 1
        elif humps is not None and humps.match(simple):
            rank = 2
        elif lowered in small:
            rank = 3
        else:
            continue
        ranked.append((rank, len(simple), number, FoundMember(name, place)))
    ranked.sort()
    best = [found for *_, found in ranked[:_MOST]]
    return MembersFound(wish.text, best, len(ranked) - len(best))


def names_before(before: Sequence[Part], after: Sequence[Part]) -> set[str]:
    """Return the names that parts ``after`` a reduction had ``before``.

    A reduction turns types of a member into Object and removes parameters, so the descriptor may have changed. Such a
    member takes the name of one that is gone otherwise, if its descriptor may have become the new one.
    """
    old = {part.name: part for part in before if part.kind in _MEMBERS}
    new = [part for part in after if part.kind in _MEMBERS and part.name not in old]
    free = [name for name in old if name not in {part.name for part in after}]
    names: dict[str, str] = {}
    for part in new:
        found = next((name for name in free if old[name].kind is part.kind and _became(name, part.name)), None)
        if found is not None:
            free.remove(found)
            names[part.name] = found
    tops = [after[_top(after, number)].name for number in range(len(after))]
    return {names.get(top, top) + part.name[len(top) :] for part, top in zip(after, tops, strict=True)}


def _top(listed: Sequence[Part], number: int) -> int:
    """Return the number of the outermost part that contains a part."""
    while listed[number].parent >= 0:
        number = listed[number].parent
    return number


def _became(before: str, after: str) -> bool:
    """Return whether a member may have the name ``after``, when types became Object and parameters went."""
    name, _, was = before.partition(":")
    other, _, now = after.partition(":")
    if name != other or was.startswith("(") != now.startswith("("):
        return False
    if not was.startswith("("):
        return _erased(was, now)
    (old, result), (new, other_result) = method_types(was), method_types(now)
    left = iter(old)
    return _erased(result, other_result) and all(any(_erased(type_, each) for type_ in left) for each in new)


def _erased(before: str, after: str) -> bool:
    return before == after or after == f"{'[' * (len(before) - len(before.lstrip('[')))}{_OBJECT}"


def _parts_of(data: bytes) -> tuple[Part, ...]:
    try:
        return parts(parse(data), GRANULARITY)
    except ClassFormatError:
        return ()  # it is kept whole, and shown so


def _whole_sizes(listed: tuple[Part, ...]) -> list[int]:
    """Return the number of bytes of each part together with the parts inside it."""
    sizes = [part.bytes for part in listed]
    for number in range(len(listed) - 1, -1, -1):  # children come after their parents
        if listed[number].parent >= 0:
            sizes[listed[number].parent] += sizes[number]
    return sizes
