"""The words in settings, events and reports for the pieces that go, the validity, the end of a run, the origin of an
answer, and the phases of a search."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from core.words import counted

GRANULARITIES = ("class", "member", "full")
"""The kinds of items that can be removed: classes; their members too; parts of method bodies too."""

VALIDITIES = ("jvm", "linked", "src")
"""The readers that a candidate must satisfy, each with more demands than the one before: the JVM; loaders of every
named class (reflection, shrinkers, analysers); decompilers and compilers."""

AUTOMATIC = "auto"
"""The validity that follows from the predicate and its answer on the full input: see :mod:`core.evidence.validity`."""

TRUST = AS_RUN, CAREFUL, WHOLE_CLASSES, OUTPUT = "as-run", "careful", "whole-classes", "output"
"""The levels of trust in a program that must still run: see :mod:`core.plan.trust`. The last one is none: whatever
does not change the compared output may go."""

NO_NAMES = "none"
"""The way of naming failures by which nothing in a command's output counts as a failure, nor as evidence."""

NAMING = ("chosen", "kinds but", "kinds at least but")
"""The demands on failures behind which the names of failures stand, a line each."""
NO_NEW = "no new kinds"


def demand_parts(text: str) -> tuple[str, str, bool]:
    """Return the parts of a demand on failures: the relation to those of the full input, the names behind it, and True
    if kinds that the full input lacks may not come."""
    body, comma, end = text.strip().rpartition(",")
    no_new = bool(comma) and end.strip() == NO_NEW
    body = (body if no_new else text).strip()
    begin = next((each for each in NAMING if body.startswith(f"{each} ")), body)
    return begin, body.removeprefix(begin).strip(), no_new


class EndReason(StrEnum):
    """Why a phase or a whole reduction ended."""

    DONE = "done"
    """The algorithm came to its end."""
    STOPPED = "stopped"
    """The user stopped the run."""
    TIME = "time"
    PROBES = "probes"
    """The limit of time, or of probes, was reached."""
    PATIENCE = "patience"
    """The last probes of the phase gained too little."""
    ENOUGH = "enough"
    """The phase gained so much that another one goes first."""
    CHECK = "check"
    """A check beside the search found its answers to be wrong or in doubt."""
    LOST = "lost"
    """The start of the phase was not interesting, so that the phase asked nothing else."""


class AnswerOrigin(StrEnum):
    """The origin of an answer about a candidate."""

    RUN = "run"
    """A probe."""
    CACHE = "cache"
    """An earlier outcome of the same content."""
    INVALID = "invalid"
    """The dependency model: the candidate is not valid."""


class Rewriting(NamedTuple):
    """A kind of rewriting as a user knows it. Its edits are in :mod:`core.edits.programs.kinds`."""

    title: str
    """The kind in words, for the phase of a search."""
    last: bool = False
    """True for a kind that is made once nothing else gains. Such a kind moves removable code, takes code from other
    kinds, or makes classes beyond their reach."""


REWRITINGS = {
    "constants": Rewriting("constants of enums"),
    "nesting": Rewriting("nested classes"),
    "throws": Rewriting("declared exceptions"),
    "arguments": Rewriting("arguments of methods"),
    "results": Rewriting("results of methods"),
    "lambdas": Rewriting("lambdas"),
    "fields": Rewriting("fields turned into variables"),
    "supertypes": Rewriting("supertypes in place of classes", last=True),
    "merging": Rewriting("merging of classes", last=True),
    "regrouping": Rewriting("merging of classes, second choices", last=True),
    "inputs": Rewriting("values passed in, not computed", last=True),
    "abstract": Rewriting("classes made abstract", last=True),
    "native": Rewriting("methods made native", last=True),
    "versions": Rewriting("versions of class files"),
}
"""The kinds of rewriting by their names, in the order in which a plan tries them: cheap and likely kinds first."""

_TITLES = {
    "first": "items to drop first", "evidence": "what the failure names and what ran",
    "classes alone": "classes", "class by class": "classes",
    "calls": "calls of the program", "items": "members and attributes",
    "bodies": "code of methods", "one by one": "single items",
    "parameters": "parameters of methods", "lines": "lines of text files",
    "body ends": "earlier ends of methods",
    "items again": "members and attributes, again", "needed items": "members and attributes",
    "no longer needed": "members and attributes, again", "first choices": "members and attributes",
    "last choices": "members and attributes",
    "closures": "dependency closures", "verified": "classes, valid jars only", "tree": "tree of items",
    **{name: each.title for name, each in REWRITINGS.items()},
}  # fmt: skip
"""Phases of a search by their names, in words for a person."""

_NOUNS = {"closures": ["closure"], "jars": ["jar"]}
"""Nouns for the elements of phases that have other elements than their level."""
_LEVELS = {"classes": ["class or file", "classes and files"], "items": ["item"], "lines": ["line"]}
"""Nouns for the elements of a level."""


def phase_title(phase: str) -> str:
    """Return a phase in words."""
    return _TITLES.get(phase, phase)


def phase_words(phase: str, level: str, elements: int) -> str:
    """Return a phase in words, with the number of its elements. The elements of a level without a noun are edits."""
    nouns = _NOUNS.get(phase) or _LEVELS.get(level, ["possible edit"])
    return f"{phase_title(phase)}: {counted(elements, *nouns)}"
