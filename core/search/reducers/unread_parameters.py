"""The search of method parameters that nothing reads: all at once, then halves."""

from __future__ import annotations

from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, Skip, phase
from core.search.reducers.hints.suggested import without_groups
from core.search.spaces.class_spaces import Classes, SearchProblem

_MOST = 15
"""Largest number of probes: enough for three levels of halves. See decisions/021-parameters.md."""

_WORTH = 0.01
"""Least share of the bytes that all parameters together must free. Later phases ask about the remaining
parameters again.
See decisions/021-parameters.md.
"""


@phase("parameters", Level.PARAMETERS, weighs=True)
def PARAMETERS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Ask for methods without the parameters that no method reads."""
    space, whole = Classes(problem), problem.written_bytes((1 << problem.count) - 1)
    worth = 1 if effort.thorough else max(1, _WORTH * whole)
    if whole - problem.written_bytes(0) < worth:
        return Skip("too few bytes would go with all parameters")
    return Search(space, without_groups(space.elements, [(element,) for element in space.elements], _MOST), knowledge)
