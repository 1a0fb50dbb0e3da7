"""Spaces: elements, and the items that a candidate of elements keeps.

A space turns candidates (tuples of element numbers) into item sets (bit masks). The space also decides which candidates
are *admissible*: worth a run of the predicate. Every minimiser runs in every space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.search.logic import BytesOf, Logic
from core.search.questions import Candidate
from core.sets import ItemSet, each, listed_by, mask_of, members, total, union

LARGE_INPUT = 1_000
"""Number of items from which on whole classes are searched first: a model of all parts would be most of the wait for
the first probe. See decisions/010-classes-of-large-inputs.md.
"""

_FEW = 16
"""Largest number of items whose sizes are added one by one. See decisions/031-memory-of-a-search.md."""


@dataclass(frozen=True)
class Edges:
    """Dependencies that are plain edges. ``pairs`` has shape (m, 2): the dependent, the dependency."""

    variables: int
    """Number of items and derived facts: the numbers in ``pairs`` are below this number."""
    pairs: NDArray[np.int32]
    required: Sequence[int]


@dataclass(frozen=True)
class SearchProblem:
    """The input of an algorithm: ``count`` items, their sizes in bytes, and their dependencies."""

    count: int
    sizes: Sequence[int]
    closures: Sequence[ItemSet] = ()
    """Closure of each item: the item and all its dependencies, direct or not; empty if only ``logic`` knows them."""
    near: Callable[[], Sequence[ItemSet]] = tuple
    """Function that returns for each whole class the part of its closure read by a tool with the class: mentioned
    classes, and the supertypes.
    """
    required: ItemSet = 0
    """Items that every candidate keeps (closed under ``closures``, valid by ``logic``)."""
    logic: Logic | None = None
    """The dependencies between items, if they are more than closures."""
    parents: Sequence[int] = ()
    """The parent of each item: the item that it is a part of, or -1."""
    groups: Sequence[Sequence[str]] = ()
    """Names of the groups around each item without a parent, outermost first: its packages; of a whole class or
    resource its opened jar, empty for the input's own; of an edit the numbers of its class and its method.
    """
    cut_down: Callable[[bool], Edges] | None = None
    """Function that returns the clauses, each reduced to one edge: from the first premise to the first conclusion,
    or (True) from the last to the last.
    """
    chains: Sequence[Candidate] = ()
    """Rows of items in which the removal of one makes the later ones moot (cuts of a method body)."""
    alternatives: Sequence[Candidate] = ()
    """Rows of items of which at most one can sensibly go, such as the possible constant targets of a switch."""
    kinds: Sequence[int] = ()
    """The kind of each item, numbered alike in every problem of edits; empty if all items are alike."""

    names: Callable[[int], str] = lambda item: ""
    """Function that returns the name of an item, equal in all phases; empty if the item has none."""

    kind_of: Callable[[int], str] = lambda item: ""
    """The kind of an item in words, such as ``class``, ``resource`` or ``annotation``; empty where all items are alike.
    The words are the values of :class:`core.parts.parts.PartKind` and :class:`core.model.class_model.Kind`.
    """

    write: BytesOf | None = None
    """Function that returns the bytes of a set of items as written; None if the sizes are exact."""

    def written_bytes(self, items: ItemSet) -> int:
        """Return the bytes of a set of items as written, with all items that every candidate keeps."""
        return self.write(items | self.required) if self.write is not None else self.bytes_of(items)

    @cached_property
    def tops(self) -> list[int]:
        """The outermost class or resource around each item."""
        found = list(range(self.count))
        for item, parent in enumerate(self.parents):
            if parent >= 0:
                found[item] = found[parent]
        return found

    @cached_property
    def families(self) -> dict[str, list[int]]:
        """The items of each top-level class, nested classes included, by its name."""
        return listed_by(lambda item: self.names(self.tops[item]).partition("$")[0], range(len(self.tops)))

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return np.asarray(self.sizes, dtype=np.int64)

    def bytes_of(self, items: ItemSet) -> int:
        """Return the summed size of a set of items, in bytes."""
        if items.bit_count() <= _FEW and items.bit_length() <= self.count:
            return sum(self.sizes[item] for item in each(items))
        return total(items, self._sizes)


class Space(Protocol):
    """The elements of a search, and the items that a candidate keeps."""

    elements: Candidate

    def items(self, candidate: Candidate) -> ItemSet:
        """Return the items that the candidate keeps."""

    def admissible(self, candidate: Candidate) -> bool:
        """Return False if the candidate needs no probe, because the answer is no."""
        return True

    def cost(self, candidate: Candidate) -> int:
        """Return the bytes that the candidate keeps."""


class Classes(Space):
    """The space with one element per class or resource. Any subset is a candidate (``ddmin`` of JR19)."""

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.elements: Candidate = tuple(i for i in range(problem.count) if not problem.required >> i & 1)

    def items(self, candidate: Candidate) -> ItemSet:
        return mask_of(candidate, self.problem.count) | self.problem.required

    def cost(self, candidate: Candidate) -> int:
        return self.problem.bytes_of(self.items(candidate))


class VerifiedClasses(Classes):
    """The space :class:`Classes` without candidates that lack a dependency: these get no probe (``verify`` of JR19)."""

    def admissible(self, candidate: Candidate) -> bool:
        items = self.items(candidate)
        # stops at the first class that needs something outside the choice: nearly always early
        return all(not self.problem.closures[element] & ~items for element in candidate)


class Closures(Space):
    """The space with one element per distinct transitive closure, by rising bytes. All candidates are valid (JR19,
    section 3).
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        distinct = dict.fromkeys(closure | problem.required for closure in problem.closures)
        distinct.pop(problem.required, None)
        self.closures = sorted(distinct, key=problem.bytes_of)
        self.elements: Candidate = tuple(range(len(self.closures)))
        self._found: tuple[Candidate, ItemSet] = (), problem.required

    def items(self, candidate: Candidate) -> ItemSet:
        return union(self.closures[element] for element in candidate) | self.problem.required

    def cost(self, candidate: Candidate) -> int:
        found, last = candidate[:-1], candidate[-1:]
        if self._found[0] != found:  # a round weighs each of the rest beside the same found elements
            self._found = found, self.items(found)
        return self.problem.bytes_of(self._found[1] | self.items(last))


class Items(Space):
    """The space in which a candidate is a valid set of items. The algorithm must ask about valid sets only.

    ``sizes`` are the items' bytes.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes: NDArray[np.int64] = np.asarray(sizes, dtype=np.int64)
        self.count = len(self._sizes)
        self.elements: Candidate = tuple(range(self.count))

    def items(self, candidate: Candidate) -> ItemSet:
        return mask_of(candidate, self.count)

    def cost(self, candidate: Candidate) -> int:
        return int(self._sizes[np.asarray(candidate, dtype=np.int64)].sum())


class LeastModelSpace(Space):
    """The space in which any set of items is a candidate. The candidate keeps the least valid set that holds these
    items.
    """

    def __init__(self, logic: Logic, sizes: Sequence[int]) -> None:
        self._logic = logic
        self._whole = Items(sizes)
        always = logic.least()
        self.elements: Candidate = tuple(i for i in range(logic.count) if not always >> i & 1)

    def items(self, candidate: Candidate) -> ItemSet:
        return self._logic.least(candidate)

    def cost(self, candidate: Candidate) -> int:
        return self._whole.cost(members(self.items(candidate)))
