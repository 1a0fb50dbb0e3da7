"""Edits of source, and the repairs of calls that they make: casts of the receiver and of the arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.recompile.compiler import Complaint
from core.recompile.known_names import KnownNames, NamedMember

_WORD = re.compile(r"[\w$]+")
_LAST_WORD = re.compile(r"[\w$]*\Z")
_NEW = re.compile(r"\bnew\s+\Z")
_BRACKETS = {")": "(", "]": "["}


def call(broken: Broken) -> Iterator[Edits]:
    """Cast the arguments of a call to their types in the class file, or its receiver to a raw class, for which no type
    arguments count. Leave out arguments if there are no parameters."""
    raw = list(_raw_receiver(broken))
    if "capture#" in broken.message:  # no cast leads to a type without a name
        yield from raw
    yield from arguments(broken)
    if "capture#" not in broken.message:
        yield from raw
    if "required: no arguments" in broken.message and broken.arguments:  # those that javac adds for an anonymous class
        yield broken.put(broken.arguments[0][0], broken.arguments[-1][1], "")


def arguments(broken: Broken) -> Iterator[Edits]:
    """Cast the arguments of a call to the types that the class file has for them."""
    if not broken.arguments:
        return
    before = _up_to_the_name(broken)
    name = next(iter(_WORD.findall(before)[-1:]), "")
    made = re.search(r"\bnew\s+[\w$.]+$", before) is not None or name in ("this", "super")
    for member in broken.known.methods("<init>" if made else name, len(broken.arguments)):
        if not made or name in ("this", "super") or member.owner.rpartition(".")[2] == name:
            yield tuple(
                edit
                for (begin, end), wanted in zip(broken.arguments, member.parameters or (), strict=True)
                for edit in broken.cast(begin, end, wanted)
            )


def receiver(broken: Broken) -> Iterator[Edits]:
    """Cast the receiver of a call, or of a field, to the class that has the member."""
    part = broken.part
    before, dot, name = part.rpartition(".")
    found = _WORD.match(name.strip())
    if not dot or found is None:
        return
    members = (member for member in broken.known.members.get(found[0], ()) if _fits(member, broken))
    for owner in dict.fromkeys(member.owner for member in members):
        yield broken.cast(broken.begin, broken.begin + len(before), owner)
    if found[0] == "length":
        yield broken.cast(broken.begin, broken.begin + len(before), "Object[]")


def _raw_receiver(broken: Broken) -> Iterator[Edits]:
    """Cast the receiver of a call to the called class of the class file, without type arguments. This takes no
    instruction."""
    if broken.arguments:
        before, dot, name = _up_to_the_name(broken).rpartition(".")
        begin = _begin(before)
        for member in broken.known.methods(name, len(broken.arguments)):
            static = member.owner == before[begin:] or member.owner.endswith(f".{before[begin:]}")
            if dot and not static:
                yield broken.cast(begin, len(before), member.owner)


def _up_to_the_name(broken: Broken) -> str:
    """Return the text of the file up to the name of the method that is called."""
    before = broken.text[: broken.arguments[0][0]].rstrip().removesuffix("(").rstrip()
    return re.sub(r"<[^()]*>$", "", before).rstrip()


def _begin(text: str) -> int:
    """Return the start offset of the last expression of a text: names, calls and indices with dots between."""
    at = len(text)
    while True:
        while text[:at].endswith(tuple(_BRACKETS)):
            at = _opened(text, at - 1)
        at -= len(_LAST_WORD.findall(text[:at])[0])
        if not text[:at].endswith("."):
            made = _NEW.search(text[:at])
            return made.start() if made else at
        at -= 1


def _opened(text: str, closed: int) -> int:
    """Return the offset of the opening bracket of a closing one; 0 if there is none."""
    depth = 0
    for at in range(closed, -1, -1):
        depth += (text[at] == text[closed]) - (text[at] == _BRACKETS[text[closed]])
        if depth == 0:
            return at
    return 0


def _fits(member: NamedMember, broken: Broken) -> bool:
    return member.parameters is None or not broken.arguments or len(member.parameters) == len(broken.arguments)


@dataclass(frozen=True, slots=True, order=True)
class SourceEdit:
    """Another text in the place of a part of a source file."""

    path: str
    begin: int
    end: int
    text: str


Edits = tuple[SourceEdit, ...]


@dataclass(frozen=True, kw_only=True)
class Broken(Complaint):
    """A complaint with the sources that it is about."""

    texts: Mapping[str, str]
    known: KnownNames

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.texts[self.path]

    @property
    def before(self) -> str:
        """The text of the file up to the tree that the complaint is about."""
        return self.text[: self.begin]

    @property
    def part(self) -> str:
        """The text of the tree that the complaint is about."""
        return self.text[self.begin : self.end]

    def put(self, begin: int, end: int, text: str) -> Edits:
        """Return the edit that puts a text in the place of a part of the file."""
        return (SourceEdit(self.path, begin, end, text),)

    def wrapped(self, begin: int, end: int, before: str, behind: str) -> Edits:
        """Return the edits that put two texts around a part of the file."""
        return (*self.put(begin, begin, before), *self.put(end, end, behind))

    def cast(self, begin: int, end: int, *types: str) -> Edits:
        """Return the edits that cast an expression, to the last type first."""
        casts = "".join(f"({each})" for each in types)
        return self.wrapped(begin, end, f"({casts}(", "))")


Repair = Callable[[Broken], Iterator[Edits]]


def apart(repaired: Iterable[Edits]) -> list[Edits]:
    """Return the repairs without those that overlap an earlier one."""
    taken: list[Edits] = []
    for edits in repaired:
        path, begin, end = edits[0].path, min(edit.begin for edit in edits), max(edit.end for edit in edits)
        if not any(path == edit.path and begin <= edit.end and edit.begin <= end for one in taken for edit in one):
            taken.append(edits)
    return taken


def applied(texts: Mapping[str, str], repaired: Iterable[Edits]) -> dict[str, str]:
    """Return the sources after repairs that do not overlap."""
    found = dict(texts)
    for edit in sorted((edit for edits in repaired for edit in edits), reverse=True):
        text = found[edit.path]
        found[edit.path] = text[: edit.begin] + edit.text + text[edit.end :]
    return found
