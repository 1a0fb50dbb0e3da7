"""The results of a hunt: the table of bugs, one for each kind of failure of a tool, and the looks of all tools at all
jars."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import itemgetter
from typing import Any

from core.batch.looks import HuntedJar, Look
from core.batch.tasks import DONE, INTERRUPTED, NOT_INTERESTING
from core.errors import UsageError
from core.known.canonical_form import VERSION
from core.known.known_bugs import KnownBugs
from core.outside_names import file_name_like
from core.report.private_places import is_private, without_places
from core.sets import listed_by

_LONGEST_NAME = 40
_UNKNOWN = 1 << 60
"""Bytes around a failure that names no class, for the order of jars."""

_TOLD = ("failures", "kinds", "aside", "lacking", "missing", "hidden", "seconds", "problem")
"""Parts of a look that are told to machines."""


class BugStatus(StrEnum):
    """The state of a bug in a hunt: its reduction, or the reason why there is none."""

    REDUCED = "reduced"
    LIMIT = "time limit"
    """A limit ended the reduction: its folder has the smallest jar so far."""
    KNOWN = "known"
    """The bug is in a list of known bugs."""
    LEFT = "not reduced"
    """The limit of bugs was reached before."""
    FAILED = "failed"
    """The reduction came to nothing: the note says why."""
    WAITING = "waiting"


@dataclass(frozen=True)
class FoundBug:
    """A bug: a kind of failure of a tool, the jar and the failure to reduce, and the result of the reduction."""

    key: str
    tool: str
    version: str
    jar: HuntedJar
    kind: str
    failure: str
    status: BugStatus = BugStatus.WAITING
    classes: int | None = None
    bytes: int | None = None
    """Bytes of the reduced jar's entries, unpacked."""
    folder: str = ""
    """Place of the bug folder below the hunt's."""
    note: str = ""
    """Sentence for a person."""
    probes: int = 0
    seconds: float = 0.0
    form: str = ""
    """Hash of the reduced jar's canonical form; empty if there is none."""
    texts: str = ""
    """Hash of the strings of that form."""
    issue: str = ""
    """The issue of a known bug."""
    seen: tuple[tuple[str, int], ...] = ()
    """Names of the jars that show the bug, each with the number of failures."""
    also: tuple[FoundBug, ...] = ()
    """The same bug under other kinds of failures: their reduced jars have the same canonical form."""

    def to_json(self) -> dict[str, Any]:
        """Return the row of the bug for machines."""
        return vars(self) | {
            "jar": self.jar.name,
            "seconds": round(self.seconds, 3),
            "seen": [{"jar": name, "failures": failures} for name, failures in self.seen],
            "also": [{"key": one.key, "kind": one.kind, "failure": one.failure} for one in self.also],
        }


def bug_key(tool: str, kind: str) -> str:
    """Return the name of a bug and of its folder: failures with one name are one bug."""
    digest = hashlib.sha256(f"{tool}\0{kind}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{file_name_like(tool, _LONGEST_NAME)}-{digest[:12]}"


def bugs_in(looks: Iterable[tuple[HuntedJar, Look]]) -> list[FoundBug]:
    """Return the bugs, those of most jars first. Each is reduced in the jar with the fewest bytes around a failure."""
    found: dict[str, list[tuple[int, FoundBug]]] = {}
    for jar, look in looks:
        for seen in look.kinds:
            key = bug_key(look.tool, seen.kind)
            places = ((jar.name, seen.failures),)
            bug = FoundBug(key, look.tool, look.version, jar, seen.kind, seen.failure, seen=places)
            found.setdefault(key, []).append((seen.bytes or _UNKNOWN, bug))
    merged = []
    for key, each in found.items():
        cost, first = min(each, key=itemgetter(0))
        seen_in = tuple(place for _, bug in each for place in bug.seen)
        merged.append((-len(each), cost, key, replace(first, seen=seen_in)))
    return [bug for *_, bug in sorted(merged, key=itemgetter(0, 1, 2))]


def told_apart(bugs: Iterable[FoundBug], known: KnownBugs) -> list[FoundBug]:
    """Return the bugs, those of one tool with equal canonical forms and strings of their reduced jars as one. Bugs with
    a known form are marked as known."""
    groups = listed_by(lambda bug: (bug.tool, bug.form or bug.key, bug.texts), bugs)
    found = []
    for group in groups.values():
        first = min(group, key=lambda bug: bug.bytes or 0)
        others = tuple(bug for bug in group if bug is not first)
        counts: Counter[str] = Counter()
        for bug in (first, *others):
            counts.update(dict(bug.seen))
        one = replace(first, also=others, seen=tuple(counts.items()))
        listed = known.find(one.form, one.tool)
        found.append(one if listed is None else replace(one, status=BugStatus.KNOWN, issue=listed.issue))
    return found


@dataclass(frozen=True)
class JarResult:
    """The looks of the tools at one jar, by the tools' names; a tool that was not run yet is missing."""

    jar: HuntedJar
    looks: Mapping[str, Look]

    def to_json(self) -> dict[str, Any]:
        """Return the row of the jar for machines."""
        looks = {
            name: {
                **{part: getattr(look, part) for part in _TOLD},
                "kinds": len(look.kinds),
                "seconds": round(look.seconds, 3),
            }
            for name, look in self.looks.items()
        }
        return {"jar": self.jar.name, "problem": self.jar.problem, "tools": looks}


@dataclass(frozen=True)
class HuntResults:
    """All results. ``tools``: titles with versions, by the tools' names; ``stopped``: True if there is more to do."""

    tools: Mapping[str, str]
    jars: tuple[JarResult, ...]
    bugs: tuple[FoundBug, ...]
    stopped: bool

    @property
    def new(self) -> int:
        """The number of bugs that are not known."""
        return sum(bug.status is not BugStatus.KNOWN for bug in self.bugs)

    @property
    def pairs(self) -> int:
        """The number of runs of tools on jars that can be read."""
        return len(self.tools) * sum(not row.jar.problem for row in self.jars)

    @property
    def ran(self) -> int:
        """The number of those runs that are done."""
        return sum(len(row.looks) for row in self.jars)

    @property
    def missing(self) -> list[tuple[str, list[tuple[str, str, int]]]]:
        """The packages of missing libraries, sorted, each with the failures that come from it: jar, tool, number."""
        found: dict[str, list[tuple[str, str, int]]] = {}
        for row in self.jars:
            for tool, look in row.looks.items():
                for package, failures in look.missing.items():
                    found.setdefault(package, []).append((row.jar.name, tool, failures))
        return sorted(found.items())

    @property
    def base(self) -> str:
        """The folder that all jars are in, with a slash at its end; empty if it is the current one."""
        with suppress(ValueError):  # of relative and absolute paths
            folder = os.path.commonpath([os.path.dirname(row.jar.name) for row in self.jars])
            return folder and os.path.join(folder, "")
        return ""

    @property
    def unread(self) -> bool:
        """True if no jar could be read."""
        return all(jar.jar.problem for jar in self.jars)

    @property
    def silent(self) -> list[str]:
        """The tools that were run and gave an answer on no jar."""
        looks = {name: [row.looks[name] for row in self.jars if name in row.looks] for name in self.tools}
        return [name for name, taken in looks.items() if taken and all(look.problem for look in taken)]

    @property
    def exit(self) -> int:
        """The exit code: 0 without a new bug, 1 with one, 2 if no jar could be read or a tool gave no answer, 130
        interrupted."""
        if self.stopped:
            return INTERRUPTED
        if self.unread or self.silent:
            return UsageError.exit_code
        return NOT_INTERESTING if self.new else DONE

    def to_json(self) -> dict[str, Any]:
        """Return the results for machines: bytes unpacked, seconds. Jars in a folder of this machine's are named from
        there on."""
        told = {
            "schema": 1,
            "exit": self.exit,
            "form_version": VERSION,
            "tools": dict(self.tools),
            "bugs": [bug.to_json() for bug in self.bugs],
            "jars": [jar.to_json() for jar in self.jars],
        }
        return without_places(told, self.base if is_private(self.base) else "")
