"""Evidence as plain data, kept with a session: a resumed search must ask the same questions again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import Any

from core.archive.entry_names import class_path
from core.system.files import write_whole

Method = tuple[str, str, str]
"""Internal name of the class, name of the method, descriptor."""

Spans = tuple[tuple[int, int], ...]
"""Spans of instruction offsets, ascending: each the first offset, and the offset behind the last instruction."""

_STEM = "evidence"
"""Stem of the names of a session's files."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A class of the input that evidence names, perhaps with a member."""

    name: str
    """Internal name of the class."""
    member: str = ""
    descriptor: str = ""
    """Descriptor of the member; empty for any member of the name."""


@dataclass(frozen=True, slots=True)
class Ran:
    """The parts of the input that one run used. ``covered`` are the classes whose execution was recorded."""

    loaded: frozenset[str] = frozenset()
    """Internal names of loaded classes."""
    covered: frozenset[str] = frozenset()
    missed: frozenset[Method] = frozenset()
    """Methods of ``covered`` classes of which no instruction ran. All other methods of these classes count as run,
    because JaCoCo does not report methods that a compiler made.
    """
    dead: Mapping[Method, Spans] = field(default_factory=dict)
    """The unreached instructions, by executed method."""
    read: frozenset[str] | None = None
    """Names of requested entries and files; None if they could not be seen."""
    readers: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    """By the name of a requested entry, the methods (class and name) on the stack at each request."""
    written: frozenset[str] = frozenset()
    """Absolute names of the files that the run wrote outside its folder and left there."""
    methods: int = 0
    """Number of methods that ran."""
    note: str = ""
    """Sentence with the reason why no more is known; empty if there is none."""

    def ran(self, name: str) -> bool:
        """Return True if code of a class may have run."""
        return name in self.covered or (not self.covered and name in self.loaded)

    def asked_for(self, name: str) -> bool:
        """Return True if an entry was requested: as an entry, by its name on the class path, or as a file of a
        folder.
        """
        read = self.read or frozenset()
        asked = not read.isdisjoint((name, class_path(name)))
        return asked or any(path.endswith(f"/{name}") for path in read if path.startswith("/"))


@dataclass(frozen=True, slots=True)
class Clues:
    """The evidence of an input, with the reason for missing parts."""

    mentions: tuple[Mention, ...] = ()
    """Classes and members that the failure names, innermost first."""
    ran: Ran | None = None
    problem: str = ""
    """Sentence with the reason why the code that ran is unknown; empty if it is known."""
    heard: tuple[str, ...] = ()
    """The output of a watched run that only reads the input, then a text for each exception, the last one first."""

    def to_json(self) -> dict[str, Any]:
        """Return the clues as a JSON object, but for sets."""
        ran = None if self.ran is None else asdict(self.ran) | {"dead": sorted(self.ran.dead.items())}
        mentions = list(map(astuple, self.mentions))
        return {"mentions": mentions, "ran": ran, "problem": self.problem, "heard": self.heard}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Clues:
        """Return the clues of a JSON object made by :meth:`to_json`. Raises KeyError, TypeError or ValueError for
        anything else.
        """
        ran, mentions = values["ran"], tuple(Mention(*map(str, row)) for row in values["mentions"])
        found = (
            None
            if ran is None
            else Ran(
                frozenset(map(str, ran["loaded"])),
                frozenset(map(str, ran["covered"])),
                frozenset(_method(row) for row in ran["missed"]),
                {_method(row): tuple((int(low), int(high)) for low, high in spans) for row, spans in ran["dead"]},
                None if ran["read"] is None else frozenset(map(str, ran["read"])),
                {
                    str(name): frozenset((str(a), str(b)) for a, b in rows)
                    for name, rows in ran.get("readers", {}).items()
                },
                frozenset(map(str, ran.get("written", ()))),
                int(ran["methods"]),
                str(ran.get("note", "")),
            )
        )
        return cls(mentions, found, str(values["problem"]), tuple(map(str, values.get("heard", ()))))


def kept_clues(store: Path | None, turn: int = 0) -> Clues | None:
    """Return the session's clues about the input, or about the best at watched run number ``turn``; None if missing
    or damaged.
    """
    if store is None:
        return None
    try:
        return Clues.from_json(json.loads((store / _file(turn)).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not there, or damaged: it is gathered again


def forget_clues(store: Path | None) -> None:
    """Remove the session's clues, because they are in doubt."""
    if store is not None:
        for path in store.glob(f"{_STEM}*.json"):
            path.unlink(missing_ok=True)


def write_clues(store: Path | None, evidence: Clues, turn: int = 0) -> None:
    """Write clues to the session, if there is one."""
    if store is not None:
        write_whole(store / _file(turn), (json.dumps(evidence.to_json(), default=sorted) + "\n").encode())


def _file(turn: int) -> str:
    return f"{_STEM}-{turn}.json" if turn else f"{_STEM}.json"


def _method(row: Any) -> Method:
    name, member, descriptor = map(str, row)
    return name, member, descriptor
