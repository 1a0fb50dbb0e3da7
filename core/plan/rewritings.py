"""The searches of rewritings, one phase for each kind: all edits at once, then halves."""

from __future__ import annotations

from core.rewrite.programs.kinds import KINDS
from core.search.phases import Knowledge, Level, Phase, PhaseEffort, Pointers, Search, Skip
from core.search.reducers.hints.suggested import without_groups
from core.search.spaces.class_spaces import Classes, SearchProblem

_MOST = 15
"""Largest number of probes for one kind: enough for three levels of halves. See decisions/038-rewriting.md."""


def _start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Ask for the input after all edits of the kind, the edits that save most first among the halves."""
    space, everything = Classes(problem), (1 << problem.count) - 1
    if problem.written_bytes(everything) - problem.written_bytes(0) < max(1, effort.worth):
        return Skip("too few bytes would go with all edits")
    heavy = sorted(space.elements, key=lambda element: -problem.sizes[element])
    return Search(space, without_groups(space.elements, [(element,) for element in heavy], _MOST), knowledge)


_PHASES = {kind: Phase(kind.name, Level.REWRITING, _start, weighs=True) for kind in KINDS.values()}

REWRITINGS = tuple(phase for kind, phase in _PHASES.items() if not kind.moves)
"""One phase for each kind of rewriting that only takes away, in the order of the kinds."""

LAST_REWRITINGS = tuple(phase for kind, phase in _PHASES.items() if kind.moves)
"""One phase for each kind that moves code, which is done once nothing can be taken away."""
