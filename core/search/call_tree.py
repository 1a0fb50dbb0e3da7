"""The tree of calls between the methods that ran, as chunks: a method's body, with all that runs only because of it.

A method whose body goes returns the default value of its type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.spaces.class_spaces import SearchProblem
from core.search.tree_chunks import CALLS
from core.sets import ItemSet, members


@dataclass(frozen=True)
class CallNode:
    """A method in the tree of calls."""

    code: ItemSet
    """The item of the method's body; empty where the body is no item."""
    below: ItemSet
    """Items of the methods that run only because this one calls them, directly or not."""
    has_result: bool
    calls: Sequence[CallNode]
    """The methods that this one immediately dominates: all chains of calls to them lead through it."""


def call_chunks(problem: SearchProblem, called: Sequence[CallNode]) -> Sequence[Chunk]:
    """Return one chunk per method; instead of a method whose body stays, the chunks of the methods that it calls."""
    found: list[Chunk] = []
    for method in called:
        code, below = method.code & ~problem.required, partial(call_chunks, problem, method.calls)
        if code:
            (number,) = members(code)
            gone, level, name = (
                code | method.below & ~problem.required,
                CALLS + method.has_result,
                problem.names(number),
            )
            found.append(Chunk(gone, code, code, level, number, below, key=name, where=class_of(name)))
        else:
            found += below()
    return found
