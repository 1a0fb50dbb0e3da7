"""The tree of calls as chunks: a method's body with all methods that run only because of it.

A method whose body goes returns the default value of its type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, members

_MOST = 0.9
"""Largest share of the bytes of a failed chunk that a part may have to be tried as a whole.
See decisions/054-calls.md.
"""


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
    """Return one chunk for each method with at most ``_MOST`` of the bytes of the input. For a larger chunk, and for
    one whose body stays, return the chunks of the called methods.
    """
    return _chunks(problem, called, problem.bytes_of((1 << problem.count) - 1))


def _chunks(problem: SearchProblem, called: Sequence[CallNode], failed: int) -> Sequence[Chunk]:
    """Return the chunks of ``called`` after a chunk of ``failed`` bytes around them could not go. What holds nearly
    all of those bytes can hardly go either.
    """
    found: list[Chunk] = []
    waiting = list(reversed(called))  # no recursion, however long a chain of calls is
    while waiting:
        method = waiting.pop()
        code = method.code & ~problem.required
        gone = code | method.below & ~problem.required
        size = problem.bytes_of(gone)
        if code and size <= _MOST * failed:
            (number,) = members(code)
            level, name = int(method.has_result), problem.names(number)
            below = partial(_chunks, problem, method.calls, size)
            found.append(Chunk(gone, code, code, level, number, below, key=name, where=class_of(name)))
        else:
            waiting.extend(reversed(method.calls))
    return found
