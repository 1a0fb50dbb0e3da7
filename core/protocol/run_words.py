"""The words in events and reports for the end of a run, the origin of an answer, and the phases of a search."""

from __future__ import annotations

from enum import StrEnum

from core.words import counted


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


class AnswerSource(StrEnum):
    """Where an answer about a candidate came from."""

    RUN = "run"
    """A probe."""
    CACHE = "cache"
    """An earlier outcome of the same content."""
    INVALID = "invalid"
    """The dependency model: the candidate is not valid."""


_TITLES = {
    "first": "items to drop first", "evidence": "what the failure names and what ran",
    "classes": "classes", "calls": "calls of the program", "items": "members and attributes",
    "bodies": "code of methods", "one by one": "single items",
    "parameters": "parameters of methods", "signatures": "generic types", "nesting": "nested classes",
    "arguments": "arguments of methods", "results": "results of methods",
    "constants": "constants of enums", "abstract": "classes made abstract",
    "catches": "caught types", "fields": "fields turned into variables",
    "versions": "versions of class files", "supertypes": "supertypes in place of classes",
    "merging": "merging of classes",
    "throws": "declared exceptions", "native": "methods made native",
    "regrouping": "merging of classes, second choices",
    "inputs": "values passed in, not computed", "lambdas": "lambdas", "body ends": "earlier ends of methods",
    "items again": "members and attributes, again", "needed items": "members and attributes",
    "no longer needed": "members and attributes, again", "first choices": "members and attributes",
    "last choices": "members and attributes",
    "closures": "dependency closures", "verified": "classes, valid jars only", "tree": "tree of items",
}  # fmt: skip
"""Phases of a search by their names, in words for a person."""

_NOUNS = {"classes": ("class", "classes"), "items": ("item", "items")}
"""Nouns for the elements of a level, one and several."""

_CLOSURES = ("closure", "closures")
_EDITS = ("possible edit", "possible edits")


def phase_title(phase: str) -> str:
    """Return a phase in words."""
    return _TITLES.get(phase, phase)


def phase_words(phase: str, level: str, elements: int) -> str:
    """Return a phase in words, with the number of its elements. The elements of a level without a noun are edits."""
    nouns = _CLOSURES if phase == "closures" else _NOUNS.get(level, _EDITS)
    return f"{phase_title(phase)}: {counted(elements, *nouns)}"
