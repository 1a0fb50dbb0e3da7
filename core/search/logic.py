"""What ties items together, as far as an algorithm may see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from core.sets import ItemSet


class Progressive(Protocol):
    """What generalized binary reduction asks of the clauses over items; a set of items is *valid* if it satisfies them
    all."""

    count: int
    """Number of items, numbered from 0."""

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """D0, D1, ...: the items of the least valid set, then what each further item of ``order`` adds.

        Every prefix's union is valid. ``within`` restricts the whole to a valid set. No part is empty but D0.
        """


class Logic(Progressive, Protocol):
    """The clauses over the items of an input."""

    def order(self, weights: Sequence[int] | None = None) -> list[int]:
        """The variable order of GBR21, section 4.4: what is depended on comes first.

        With ``weights`` (bytes an item) heavy items come as late as that allows.
        """

    def least(self, wanted: Iterable[int] = (), learned: Sequence[Iterable[int]] = ()) -> ItemSet:
        """The least valid set that holds ``wanted`` and one of each learned set."""

    def forced(self, wanted: Iterable[int]) -> ItemSet:
        """The items of every valid set that holds ``wanted``, as far as no choice is involved."""

    def largest(self, within: ItemSet) -> ItemSet | None:
        """A maximal valid subset of ``within``; None if what every valid set holds is not in it."""

    def largest_without(self, kept: ItemSet, gone: ItemSet) -> ItemSet | None:
        """The same within what is left of the valid set ``kept`` when ``gone`` is dropped."""

    def some_without(self, kept: ItemSet, gone: ItemSet) -> ItemSet | None:
        """A valid subset of the same, found in less time; where clauses leave a choice it need not be maximal."""
