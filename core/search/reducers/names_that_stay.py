"""The search for neutral names, after everything else: all at once, then halves of the names that the failure needs."""

from __future__ import annotations

from core.search.phases import Knowledge, Level, Phase, PhaseEffort, Pointers, Search
from core.search.reducers.hints.suggested import without_groups
from core.search.spaces.class_spaces import Classes, SearchProblem

_MOST = 100
"""Largest number of probes: enough for half a dozen names that the failure needs, among a thousand.
See decisions/051-neutral-names.md."""


def _start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Ask for the input with neutral names everywhere, then for halves: packages come first, strings last."""
    space = Classes(problem)
    return Search(space, without_groups(space.elements, [(element,) for element in space.elements], _MOST), knowledge)


NEUTRAL_NAMES = Phase("names", Level.NAMES, _start)
"""The phase of neutral names, the only one that frees no bytes."""
