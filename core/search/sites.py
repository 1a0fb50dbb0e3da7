"""An input in parts, where a probe tells in which of them something is amiss."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from core.search.item_sets import ItemSet


@dataclass(frozen=True, slots=True)
class Blame:
    """What a candidate tells that is not interesting."""

    guilty: Collection[int]
    """The parts in which failures are lost, or others show."""
    hidden: bool = False
    """Whether only the others are told, and what they hide: nothing is known of the rest."""


class Sites(Protocol):
    """Where several failures show: the input in parts, each with failures of its own."""

    def of(self, name: str) -> int:
        """The number of the part that a class lies in."""

    def blamed(self, items: ItemSet) -> Blame:
        """What a candidate tells that was asked about and is not interesting."""
