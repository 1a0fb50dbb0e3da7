"""Evidence as plain data, which a session keeps: a search that is gone on with must ask the same questions again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Method = tuple[str, str, str]
"""Internal name of the class, name, descriptor."""

Spans = tuple[tuple[int, int], ...]
"""Offsets of instructions: the first, and the one behind the last, ascending."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A class of the input that the failure names, and perhaps a member of it."""

    name: str
    """Internal name of the class."""
    member: str = ""
    descriptor: str = ""
    """Empty: any member of that name."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of the full input used of it. ``covered`` are the classes of which it is known what ran."""

    loaded: frozenset[str] = frozenset()
    """Classes that were loaded."""
    covered: frozenset[str] = frozenset()
    missed: frozenset[Method] = frozenset()
    """Methods of ``covered`` classes of which no instruction ran. All others of these classes are taken to have run:
    JaCoCo says nothing of those that a compiler made."""
    dead: Mapping[Method, Spans] = field(default_factory=dict)
    """Of methods that ran, the instructions that did not."""
    read: frozenset[str] | None = None
    """Names of entries and files that were asked for; None: that could not be seen."""
    methods: int = 0
    """Number of methods that ran."""
    note: str = ""
    """Why no more is known: a sentence."""

    def ran(self, name: str) -> bool:
        """Whether code of that class may have run."""
        return name in self.covered or (not self.covered and name in self.loaded)

    def asked_for(self, name: str) -> bool:
        """Whether an entry of that name was asked for, as an entry or as a file of a folder."""
        read = self.read or frozenset()
        return name in read or any(path.endswith(f"/{name}") for path in read if path.startswith("/"))


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known, and why the rest is not."""

    mentions: tuple[Mention, ...] = ()
    """What the failure names, innermost first."""
    ran: Ran | None = None
    problem: str = ""
    """Why it is not known what ran: a sentence."""

    def to_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        ran = None
        if self.ran is not None:
            ran = {
                "loaded": sorted(self.ran.loaded),
                "covered": sorted(self.ran.covered),
                "missed": [list(method) for method in sorted(self.ran.missed)],
                "dead": [[list(method), list(map(list, spans))] for method, spans in sorted(self.ran.dead.items())],
                "read": None if self.ran.read is None else sorted(self.ran.read),
                "methods": self.ran.methods,
                "note": self.ran.note,
            }
        mentions = [[mention.name, mention.member, mention.descriptor] for mention in self.mentions]
        return {"mentions": mentions, "ran": ran, "problem": self.problem}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Clues:
        """The inverse of :meth:`to_json`. Raises KeyError, TypeError or ValueError for anything else."""
        ran, mentions = values["ran"], tuple(Mention(*map(str, row)) for row in values["mentions"])
        if ran is None:
            return cls(mentions, None, str(values["problem"]))
        found = Ran(
            frozenset(map(str, ran["loaded"])),
            frozenset(map(str, ran["covered"])),
            frozenset(_method(row) for row in ran["missed"]),
            {_method(row): tuple((int(low), int(high)) for low, high in spans) for row, spans in ran["dead"]},
            None if ran["read"] is None else frozenset(map(str, ran["read"])),
            int(ran["methods"]),
            str(ran.get("note", "")),
        )
        return cls(mentions, found, str(values["problem"]))


def _method(row: Any) -> Method:
    name, member, descriptor = map(str, row)
    return name, member, descriptor
