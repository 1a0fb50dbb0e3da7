"""Edits of source, and the sources that they are made in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.recompile.compiler import Complaint
from core.recompile.known_names import KnownNames


@dataclass(frozen=True, slots=True, order=True)
class SourceEdit:
    """Another text in the place of a part of a source file."""

    path: str
    begin: int
    end: int
    text: str


Edits = tuple[SourceEdit, ...]


@dataclass(frozen=True)
class Broken:
    """Sources with the complaints about them."""

    texts: Mapping[str, str]
    known: KnownNames

    def part(self, said: Complaint) -> str:
        """Return the text of the tree that a complaint is about."""
        return self.texts[said.path][said.begin : said.end]

    def wrapped(self, said: Complaint, begin: int, end: int, before: str, behind: str) -> Edits:
        """Return the edits that put two texts around a part of a file."""
        return (SourceEdit(said.path, begin, begin, before), SourceEdit(said.path, end, end, behind))

    def cast(self, said: Complaint, begin: int, end: int, *types: str) -> Edits:
        """Return the edits that cast an expression, to the last type first."""
        casts = "".join(f"({each})" for each in types)
        return self.wrapped(said, begin, end, f"({casts}(", "))")


Repair = Callable[[Broken, Complaint], Iterator[Edits]]


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
