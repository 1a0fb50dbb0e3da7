"""The search of calls: the body of a method goes, with all methods that ran through its calls alone."""

from __future__ import annotations

from dataclasses import replace

from core.search.call_tree import call_chunks
from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, SearchEnding, phase
from core.search.priors import Priors
from core.search.reducers.complements import complements
from core.search.reducers.needed_items import algebra_of, with_constants
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.item_spaces import Items

_EXPECTED = (0.7, 0.8)
"""Prior chance of being needed: of a method without a result, of one with a result. See decisions/054-calls.md."""


@phase("calls", Level.ITEMS, weighs=True)
def CALLS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search the tree of calls of the methods that ran, from the top down."""
    learnt, ending = knowledge.copy(), SearchEnding()
    problem = replace(problem, sizes=with_constants(problem))
    priors = Priors(_EXPECTED, set() if effort.thorough else learnt.needed, learnt.history, "calls")
    algebra, chunks = algebra_of(problem, ending), call_chunks(problem, pointers.calls())
    search = complements((1 << problem.count) - 1, chunks, priors, algebra, effort.worth)
    return Search(Items(problem.sizes), search, learnt, ending)
