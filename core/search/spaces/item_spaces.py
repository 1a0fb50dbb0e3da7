"""Spaces whose elements are the items of an input, with validity by clauses (:mod:`core.search.logic`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.search.logic import Logic
from core.search.questions import Candidate
from core.sets import ItemSet, mask_of, members


class Items:
    """The space in which a candidate is a valid set of items. The algorithm must ask about valid sets only.

    ``sizes`` are the items' bytes.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes: NDArray[np.int64] = np.asarray(sizes, dtype=np.int64)
        self.count = len(self._sizes)
        self.elements: Candidate = tuple(range(self.count))

    def items(self, candidate: Candidate) -> ItemSet:
        return mask_of(candidate, self.count)

    def admissible(self, candidate: Candidate) -> bool:
        return True

    def cost(self, candidate: Candidate) -> int:
        return int(self._sizes[np.asarray(candidate, dtype=np.int64)].sum())


class LeastModelSpace:
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

    def admissible(self, candidate: Candidate) -> bool:
        return True

    def cost(self, candidate: Candidate) -> int:
        return self._whole.cost(members(self.items(candidate)))
