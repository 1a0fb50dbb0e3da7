"""Parameters of methods that nothing reads: all at once, then halves."""

from __future__ import annotations

from core.search.questions import Algorithm
from core.search.reducers.hints.suggested import without_groups
from core.search.spaces.class_spaces import Classes, SearchProblem, Space
from core.search.specs import Level, Options, phase

_MOST = 15
"""Probes at most: halves of halves of halves."""

_WORTH = 0.01
"""Share of the bytes that must go with all of them: what follows asks about the rest once more."""


@phase("parameters", Level.PARAMETERS, patient=True)
def PARAMETERS(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Parameters that no method reads; none as long as the search in bodies only begins."""
    space, whole = Classes(problem), problem.written_bytes((1 << problem.count) - 1)
    worth = 1 if options.thorough else max(1, _WORTH * whole)
    if options.freeing or whole - problem.written_bytes(0) < worth:
        space.elements = ()
    return space, without_groups(space.elements, [(element,) for element in space.elements], _MOST)
