"""Drops calls: the body of a method, with all methods that run only because that method calls them.

A method whose body goes returns the default value of its type. The tree of calls is searched coarse to fine: where a
method's body cannot go, the methods that it calls are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.phases import Knowledge, PhaseEffort, Search, SearchEnding
from core.search.priors import Priors
from core.search.reducers.complements import complements
from core.search.reducers.needed_items import algebra_of, with_constants
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.item_spaces import Items
from core.sets import ItemSet, members

_EXPECTED = (0.7, 0.8)
"""Prior chance of being needed: of a method without a result, of one with a result. See decisions/054-calls.md."""


@dataclass(frozen=True)
class CallNode:
    """A method in the tree of calls."""

    code: ItemSet
    """The item of the method's body."""
    below: ItemSet
    """Items of the methods that run only because this one calls them, directly or not."""
    has_result: bool
    calls: Sequence[CallNode]
    """The methods that this one immediately dominates."""


def without_calls(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, called: Sequence[CallNode]
) -> Search:
    """Drop calls, as long as a probe promises ``effort.worth`` bytes. ``called``: the methods at the top of the
    tree.
    """
    learnt, ending = knowledge.copy(), SearchEnding()
    priors = Priors(_EXPECTED, set() if effort.thorough else learnt.needed, learnt.history, "calls")
    problem = replace(problem, sizes=with_constants(problem))
    algebra, chunks = algebra_of(problem, ending), _chunks(problem, called)
    search = complements((1 << problem.count) - 1, chunks, priors, algebra, effort.worth)
    return Search(Items(problem.sizes), search, learnt, ending)


def _chunks(problem: SearchProblem, called: Sequence[CallNode]) -> Sequence[Chunk]:
    """Return one chunk per method; instead of a method whose body stays, the chunks of the methods that it calls."""
    found: list[Chunk] = []
    for method in called:
        code, below = method.code & ~problem.required, partial(_chunks, problem, method.calls)
        if code:
            (number,) = members(code)
            name = problem.names(number)
            gone = code | method.below & ~problem.required
            found.append(Chunk(gone, code, code, int(method.has_result), number, below, key=name, where=class_of(name)))
        else:
            found += below()
    return found
