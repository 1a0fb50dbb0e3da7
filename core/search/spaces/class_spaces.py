"""Spaces: what an element is, and which items a candidate of elements keeps.

A space turns candidates (tuples of element numbers) into item sets (bit masks) and knows
which of them are *admissible*, that is worth a run of the predicate. Every minimiser runs in
every space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.search.logic import Logic
from core.search.questions import Candidate
from core.sets import ItemSet, each, total, union

LARGE_INPUT = 10_000
"""Number of items from which on whole classes are searched first: a model of all their parts would cost more than any
probe. See decisions/010-classes-where-they-pay.md."""

_FEW = 16
"""Items up to which they are looked up one by one. See decisions/031-memory-of-a-search.md."""


@dataclass(frozen=True)
class Edges:
    """Ties that are nothing but edges. ``pairs`` has shape (m, 2): what needs, what is needed."""

    variables: int
    """Items and derived facts: the numbers in ``pairs`` are below this."""
    pairs: NDArray[np.int32]
    required: Sequence[int]


@dataclass(frozen=True)
class SearchProblem:
    """The input as an algorithm may see it: ``count`` items, their sizes in bytes, and what each needs."""

    count: int
    sizes: Sequence[int]
    closures: Sequence[ItemSet] = ()
    """For each item, itself and everything that it needs, directly or not; empty where only ``logic`` knows."""
    required: ItemSet = 0
    """Items that every candidate keeps (closed under ``closures``, valid by ``logic``)."""
    logic: Logic | None = None
    """What ties the items together, where that is more than closures."""
    parents: Sequence[int] = ()
    """For each item the one that it is a part of, or -1."""
    groups: Sequence[Sequence[str]] = ()
    """For each item that is part of none the names of the groups around it (its package), outermost first."""
    cut_down: Callable[[bool], Edges] | None = None
    """The clauses each cut down to an edge, from the first (or last) premise to the first (or last) conclusion."""
    chains: Sequence[Candidate] = ()
    """Items of which the first that goes makes the later ones of its row moot (cuts of a method body)."""
    alternatives: Sequence[Candidate] = ()
    """Items of which one at most may go with any sense (targets that a switch always goes to)."""
    alone: ItemSet = 0
    """Items with which nothing else can ever go."""
    kinds: Sequence[int] = ()
    """For each item what it is, of the same number in every problem of that sort; empty where all are alike."""

    names: Callable[[int], str] = lambda item: ""
    """What an item is called, the same in every phase as long as it is the same; empty where nobody knows."""

    kind_of: Callable[[int], str] = lambda item: ""
    """The kind of an item in words, such as ``annotation`` or ``method``; empty where all items are alike."""

    write: Callable[[ItemSet], int] | None = None
    """Bytes of what would be written for a set of items, where the sizes are only an estimate of that."""

    def written_bytes(self, items: ItemSet) -> int:
        """Bytes of what is written for a set of items, with all that every candidate keeps."""
        return self.write(items | self.required) if self.write is not None else self.bytes_of(items)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return np.asarray(self.sizes, dtype=np.int64)

    def bytes_of(self, items: ItemSet) -> int:
        """Summed size of a set of items, in bytes."""
        if items.bit_count() <= _FEW and items.bit_length() <= self.count:
            return sum(self.sizes[item] for item in each(items))
        return total(items, self._sizes)


class Space(Protocol):
    """Elements, and what keeping some of them means."""

    elements: Candidate

    def items(self, candidate: Candidate) -> ItemSet:
        """The items that the candidate keeps."""

    def admissible(self, candidate: Candidate) -> bool:
        """Whether the predicate should be asked; if not, the answer is no."""

    def cost(self, candidate: Candidate) -> int:
        """Bytes that the candidate keeps."""


class Classes:
    """One element a class (or resource); any choice is tried (``ddmin`` of JR19)."""

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.elements: Candidate = tuple(i for i in range(problem.count) if not problem.required >> i & 1)

    def items(self, candidate: Candidate) -> ItemSet:
        bits = bytearray((self.problem.count + 7) // 8)
        for element in candidate:
            bits[element >> 3] |= 1 << (element & 7)
        return int.from_bytes(bits, "little") | self.problem.required

    def admissible(self, candidate: Candidate) -> bool:
        return True

    def cost(self, candidate: Candidate) -> int:
        return self.problem.bytes_of(self.items(candidate))


class VerifiedClasses(Classes):
    """The same, but a choice that lacks something it needs is turned down unasked (``verify`` of JR19)."""

    def admissible(self, candidate: Candidate) -> bool:
        items = self.items(candidate)
        # stops at the first class that needs something outside the choice: nearly always early
        return all(not self.problem.closures[element] & ~items for element in candidate)


class Closures:
    """One element a distinct transitive closure, in ascending order of bytes: always valid (JR19, section 3)."""

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        distinct = dict.fromkeys(closure | problem.required for closure in problem.closures)
        distinct.pop(problem.required, None)
        self.closures = sorted(distinct, key=problem.bytes_of)
        self.elements: Candidate = tuple(range(len(self.closures)))

    def items(self, candidate: Candidate) -> ItemSet:
        return union(self.closures[element] for element in candidate) | self.problem.required

    def admissible(self, candidate: Candidate) -> bool:
        return True

    def cost(self, candidate: Candidate) -> int:
        return self.problem.bytes_of(self.items(candidate))
