"""Failures grouped by bug: two failures are one bug if their reduced jars have equal canonical forms. If only strings
differ, the failures must be of one kind too, because another string may lead to another bug.

Families of near bugs are the connected components of a relation between two bugs, so they depend on no order. Many a
cause has several forms: the number of families is close to a person's count of causes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product, starmap
from typing import Any

import networkx

from core.known.canonical_form import CanonicalForm
from core.known.known_bugs import KnownBug, KnownBugs
from core.words import counted

NEAR = 0.6
"""Share of common traits from which two bugs are near. See decisions/052-bugs-by-canonical-form.md."""

_WORD = re.compile(r"[\w#]+|\S")
_TYPES = (re.compile(r"[A-Z]\w*|#"), re.compile(r"boolean|byte|char|short|int|long|float|double"))
"""Patterns of the names of classes, where ``#`` stands for one of the input, and of primitive types."""

_Group = tuple["ReducedFailure", ...]
"""Failures with equal canonical forms, those with the smallest jars first."""


@dataclass(frozen=True, slots=True)
class ReducedFailure:
    """A failure with its reduced jar."""

    failure: str
    kind: str
    """Kind of the failure; empty where it has none."""
    jar: str
    """Path or name of the jar, for the user."""
    bytes: int
    form: CanonicalForm
    tool: str = ""
    where: str = ""
    """The input in which the failure was seen."""


@dataclass(frozen=True, slots=True)
class Bug:
    """Failures with equal canonical forms, those with the smallest jars first."""

    failures: tuple[ReducedFailure, ...]
    family: int
    """Number of the bugs that are near each other, from 1."""
    known: KnownBug | None

    @property
    def smallest(self) -> ReducedFailure:
        """The failure with the smallest jar."""
        return self.failures[0]

    @property
    def where(self) -> list[str]:
        """The inputs in which the bug was seen."""
        return list(dict.fromkeys(each.where for each in self.failures if each.where))


def bugs_of(failures: Iterable[ReducedFailure], known: KnownBugs | None) -> list[Bug]:
    """Return the bugs, the same in any order of the failures. Near ones stand together, those that explain most
    failures first.

    Failures of two tools are two bugs, also with equal jars.
    """
    told, graph = list(failures), networkx.Graph()
    for number, failure in enumerate(told):
        for common in (("strings", failure.form.texts), ("kind", failure.kind)):
            graph.add_edge(number, (failure.form.hash, failure.tool, common))
    equal = [[told[each] for each in found if isinstance(each, int)] for found in networkx.connected_components(graph)]
    groups = [tuple(sorted(each, key=lambda one: (one.bytes, one.failure, one.jar))) for each in equal]
    listed = known or KnownBugs()
    return [
        Bug(group, number, listed.find(group[0].form.hash, group[0].tool))
        for number, family in enumerate(_families(groups), 1)
        for group in family
    ]


def _families(groups: Sequence[_Group]) -> list[list[_Group]]:
    """Return the connected components of near groups, those that explain most failures first, and so in each."""
    graph = networkx.Graph()
    graph.add_nodes_from(groups)
    graph.add_edges_from((one, other) for one, other in combinations(groups, 2) if _near(one, other))
    found = [sorted(family, key=_rank) for family in networkx.connected_components(graph)]
    return sorted(found, key=lambda family: (-sum(map(len, family)), _rank(family[0])))


def _rank(group: _Group) -> tuple[int, int, str, str]:
    first = group[0]
    return -len(group), first.bytes, first.form.hash, first.tool


def _near(one: _Group, other: _Group) -> bool:
    """Return True if two groups are of one tool, and have failures of kinds that differ in one type at most, or do
    mostly the same."""
    if one[0].tool != other[0].tool:
        return False
    kinds = product({each.kind for each in one if each.kind}, {each.kind for each in other if each.kind})
    return any(starmap(_alike, kinds)) or one[0].form.nearness(other[0].form) >= NEAR


def _alike(kind: str, other: str) -> bool:
    """Return True for kinds of failures that are equal, or differ in the name of one class alone, or of one primitive
    type: a missing cast to ``Integer`` and one to ``String``."""
    words, others = _WORD.findall(kind), _WORD.findall(other)
    if len(words) != len(others):
        return False
    different = [(word, each) for word, each in zip(words, others, strict=True) if word != each]
    return not different or (len(different) == 1 and any(all(map(sort.fullmatch, different[0])) for sort in _TYPES))


def bugs_title(bugs: Sequence[Bug]) -> str:
    """Return the number of failures, bugs and families of near bugs, in words."""
    failures = sum(len(bug.failures) for bug in bugs)
    told = f"{counted(failures, 'failure')}, {counted(len(bugs), 'bug')}"
    families = len({bug.family for bug in bugs})
    return f"{told} in {counted(families, 'family')} of near ones" if families < len(bugs) else told


def bug_table(bugs: Sequence[Bug]) -> list[tuple[str, ...]]:
    """Return rows for the user, the head first: number of the bug, failures, smallest jar, its places, its known
    issue.
    """
    rows: list[tuple[str, ...]] = [("bug", "failures", "bytes", "smallest jar", "where", "known as")]
    for number, bug in enumerate(bugs, 1):
        near = ", ".join(map(str, near_ones(bugs, number)))
        title = f"{number}, near {near}" if near else str(number)
        known = bug.known.shown if bug.known is not None else ""
        where = ", ".join(bug.where)
        rows.append((title, str(len(bug.failures)), str(bug.smallest.bytes), bug.smallest.jar, where, known))
    return rows


def bugs_json(bugs: Sequence[Bug]) -> list[dict[str, Any]]:
    """Return the bugs as JSON has them."""
    return [
        {
            "bug": number,
            "hash": bug.smallest.form.hash,
            "failures": [{"failure": each.failure, "jar": each.jar, "bytes": each.bytes} for each in bug.failures],
            "jar": bug.smallest.jar,
            "bytes": bug.smallest.bytes,
            "tool": bug.smallest.tool,
            "where": bug.where,
            "near": near_ones(bugs, number),
            "known": None if bug.known is None else bug.known.issue,
        }
        for number, bug in enumerate(bugs, 1)
    ]


def near_ones(bugs: Sequence[Bug], number: int) -> list[int]:
    """Return the numbers of the other bugs that are near a bug; numbers begin with 1."""
    family = bugs[number - 1].family
    return [each for each, other in enumerate(bugs, 1) if other.family == family and each != number]
