"""The difference between two runs of the full input, in words for the user."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import zip_longest

from core.evidence.failure import names_in
from core.predicate.condition import PRESERVABLE, Reference
from core.predicate.predicate import Calibration, Predicate
from core.predicate.several.every import EveryPredicate
from core.predicate.verdict import Outcome
from core.words import some_of

_NUMBERED = re.compile(r"-?\w*\d\w*")
_SHOWN = 120
"""Largest number of characters that a message quotes from a line of output."""


def first_difference(first: Outcome, last: Outcome) -> str:
    """Return sentences about the first different line in the outputs of two runs; empty if the outputs are equal."""
    outputs = (("standard output", first.stdout, last.stdout), ("standard error", first.stderr, last.stderr))
    for name, before, after in outputs:
        lines = zip_longest(before.splitlines(), after.splitlines(), fillvalue="")
        for number, (one, other) in enumerate(lines, 1):
            if one != other:
                one, other = one[:_SHOWN], other[:_SHOWN]
                text = f"The first difference in {name} is in line {number}: {one!r}, then {other!r}."
                by_chance = _NUMBERED.sub("0", one) == _NUMBERED.sub("0", other)
                remedy = " Only words with numbers differ: a time or a random one? Print it no more, or use --match."
                return text + remedy if by_chance else text
    return ""


def difference(given: Calibration, written: Calibration, preserve: Collection[str]) -> str:
    """Return the difference between two interesting runs; empty if they fail alike.

    ``preserve`` names the parts that must be equal.
    """
    one, other = names_in(given[1]), names_in(written[1])
    if one != other:
        gone, more = sorted(set(one) - set(other)), sorted(set(other) - set(one))
        parts = [f"as given there is {_listed(gone)}"] if gone else []
        parts += [f"as Jarlet writes it there is {_listed(more)}"] if more else []
        return ", ".join(parts) or "the same failures occur a different number of times"
    for before, after in zip(_references(given[0]), _references(written[0]), strict=True):
        for what, name in PRESERVABLE.items():
            if what in preserve and what != "files" and getattr(before, what) != getattr(after, what):
                return f"the {name} differs"
        if files := before.files.difference(after.files):
            return files
    return ""


def _references(predicate: Predicate) -> list[Reference]:
    """Return what a predicate compares with: one run for each of its inputs."""
    found = predicate.references if isinstance(predicate, EveryPredicate) else (predicate.reference,)
    return [reference for reference in found if reference is not None]


def _listed(names: list[str]) -> str:
    return some_of((repr(re.sub(r"\s+", " ", name)[:200]) for name in names), 2)
