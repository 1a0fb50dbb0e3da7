"""The dependencies between items, in the form that algorithms use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from core.sets import ItemSet

BytesOf = Callable[[ItemSet], int]
"""Function that returns the bytes of a set of items."""


class Progressive(Protocol):
    """Clauses over items, as generalized binary reduction needs them. A set of items is *valid* if the set satisfies
    all clauses.
    """

    count: int
    """Number of items, numbered from 0."""

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """Return D0, D1, ...: the items of the least valid set, then the items that each further item of ``order``
        adds.

        The union of every prefix is valid. ``within`` is a valid set to which all sets are restricted. Only D0 may be
        empty.
        """


class Logic(Progressive, Protocol):
    """The clauses over the items of an input."""

    def order(self, weights: Sequence[int] | None = None) -> list[int]:
        """Return the variable order of GBR21, section 4.4: dependencies come before their users.

        With ``weights`` (bytes of each item) heavy items come as late as possible.
        """

    def least(self, wanted: Iterable[int] = (), learned: Sequence[Iterable[int]] = ()) -> ItemSet:
        """Return the least valid set that holds ``wanted`` and one item of each learned set."""

    def beyond(self, wanted: Iterable[int]) -> Callable[[Iterable[int]], list[int]]:
        """Return a function that returns the items that others add to the least valid set that holds ``wanted``."""

    def forced(self, wanted: Iterable[int]) -> ItemSet:
        """Return the items of every valid set that holds ``wanted``, as far as they follow without a choice."""

    def largest(self, within: ItemSet) -> ItemSet | None:
        """Return a maximal valid subset of ``within``; None if ``within`` lacks something that every valid set
        holds.
        """

    def largest_without(self, kept: ItemSet, gone: ItemSet) -> ItemSet | None:
        """Return a maximal valid subset of the valid set ``kept`` without ``gone``; None if there is none."""
