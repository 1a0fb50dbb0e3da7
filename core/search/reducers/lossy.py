"""Lossy encodings: every clause is reduced to an edge, then binary reduction over closures (GBR21, section 4.3).

A set that is closed under the edges satisfies the clauses, so every candidate is valid. Sets that satisfy a clause in
another way are out of reach.
"""

from __future__ import annotations

from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, phase
from core.search.questions import Algorithm
from core.search.reducers.binary import binary_reduction
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.edge_closures import EdgeClosures


def lossy(space: EdgeClosures) -> Algorithm:
    """Run binary reduction over the closures of a lossy encoding."""
    return binary_reduction(space.elements, space.cost)


@phase("first choices", Level.ITEMS)
def FIRST(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search along edges from the first premise to the first conclusion of each clause."""
    return _cut_down(problem, knowledge, last=False)


@phase("last choices", Level.ITEMS)
def LAST(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search along edges from the last premise to the last conclusion of each clause."""
    return _cut_down(problem, knowledge, last=True)


def _cut_down(problem: SearchProblem, knowledge: Knowledge, *, last: bool) -> Search:
    assert problem.cut_down is not None
    edges = problem.cut_down(last)
    space = EdgeClosures(problem.sizes, edges.variables, edges.pairs, edges.required)
    return Search(space, lossy(space), knowledge)
