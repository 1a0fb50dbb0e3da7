"""Valid items of an input in parts: which part a chunk lies in, and which parts lack something of a valid set.

A class lies in one part, a package may reach into several: of such only what is in it is asked about. What falls with
an item to keep the rest valid may lie in any.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.chunks import Chunk, class_of
from core.search.item_sets import ItemSet, members
from core.search.reducers.by_site import DividedInput
from core.search.sites import Sites
from core.search.spaces.class_spaces import SearchProblem
from core.search.specs import logic_of


class DividedItems:
    """The items of ``start``, each in the part of its class."""

    def __init__(self, problem: SearchProblem, start: ItemSet, sites: Sites) -> None:
        self._start = start
        self._masks: dict[int, ItemSet] = {}
        """The items of each part."""
        for item in members(start):
            number = sites.of(class_of(problem.names(item)))
            self._masks[number] = self._masks.get(number, 0) | 1 << item
        self._logic = logic_of(problem)
        self.whole = DividedInput(start, problem.count, sites.blamed, self._valid, self._touched)

    def chunks(self, chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
        """The chunks that lie in each part alone, by the numbers of the parts."""
        found: dict[int, list[Chunk]] = {}
        waiting = list(chunks)
        while waiting:
            chunk = waiting.pop()
            owners = self._owners(chunk.gone & self._start)
            if len(owners) == 1:
                found.setdefault(owners[0], []).append(chunk)
            elif owners:
                waiting += chunk.if_needed()
        return dict(sorted(found.items()))

    def _valid(self, items: ItemSet) -> ItemSet:
        """The largest valid subset."""
        found = self._logic.largest(items)
        return self._start if found is None else found

    def _touched(self, _: int, gone: ItemSet) -> list[int]:
        return self._owners(gone)

    def _owners(self, gone: ItemSet) -> list[int]:
        return [number for number, mask in self._masks.items() if mask & gone]
