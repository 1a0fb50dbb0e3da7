"""Inputs of the simulator: models of real jars, kept on disk, and the failures planted in them."""

from __future__ import annotations

import pickle
import random
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model import building
from core.model.formula import Formula
from core.model.model_logic import ModelLogic, lossy
from core.search.spaces.class_spaces import Edges, SearchProblem
from core.sets import ItemSet

CACHE = Path(tempfile.gettempdir()) / "jarlet-simulator"


@dataclass(frozen=True)
class Stored:
    """What the simulator needs of a jar's model: items with their bytes, clauses, and the classes on their own."""

    title: str
    formula: Formula
    sizes: NDArray[np.int64]
    closures: tuple[ItemSet, ...]
    """Closures of the items of granularity ``class``, which are the first items."""
    pinned: ItemSet
    parts: tuple[tuple[int, int], ...]
    parents: tuple[int, ...]
    names: tuple[str, ...]


class Input:
    """A jar's model, ready for simulated runs."""

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self.title = stored.title
        self.sizes: list[int] = np.maximum(stored.sizes, 1).tolist()
        self.weights = np.asarray(self.sizes, dtype=np.int64)
        self.count = len(self.sizes)
        self.bytes = int(self.weights.sum())
        self.logic = ModelLogic(stored.formula)
        self._orders: dict[bool, list[int]] = {}

    @cached_property
    def items(self) -> SearchProblem:
        """The items of granularity ``member``."""
        return SearchProblem(
            self.count,
            self.sizes,
            logic=self.logic,
            required=self.logic.least(),
            parents=self.stored.parents,
            groups=[tuple(name.split("/")[:-1]) for name in self.stored.names],
            cut_down=self._cut_down,
        )

    def _cut_down(self, last: bool) -> Edges:
        formula = lossy(self.stored.formula, last=last)
        return Edges(formula.variables, formula.edges, formula.conclusions.tolist())

    @cached_property
    def classes(self) -> SearchProblem:
        """The classes and resources."""
        sizes = [self.size(self.whole(1 << number)) for number in range(len(self.stored.closures))]
        return SearchProblem(len(sizes), sizes, self.stored.closures, self.stored.pinned)

    def linked(self, items: ItemSet) -> bool:
        """Whether each class (or resource) that is kept has all that it needs."""
        closures = self.stored.closures
        classes = items & ((1 << len(closures)) - 1)
        # stops at the first that lacks something: nearly always early
        return all(not closures[number] & ~classes for number in range(len(closures)) if classes >> number & 1)

    def order(self, *, weighted: bool) -> list[int]:
        """The variable order, with or without weights."""
        if weighted not in self._orders:
            self._orders[weighted] = self.logic.order(self.sizes if weighted else None)
        return self._orders[weighted]

    def whole(self, classes: ItemSet) -> ItemSet:
        """The items of some classes: themselves and their parts."""
        items = classes
        for number, (first, end) in enumerate(self.stored.parts):
            if classes >> number & 1:
                items |= (1 << end) - (1 << first)
        return items

    def size(self, items: ItemSet) -> int:
        """Bytes of a set of items."""
        packed = np.frombuffer(items.to_bytes((self.count + 7) // 8, "little"), dtype=np.uint8)
        return int(np.unpackbits(packed, count=self.count, bitorder="little") @ self.weights)

    def plant(self, needed: int, seed: int) -> ItemSet:
        """A failure: the items that must be there together, drawn from the classes and their parts."""
        dice = random.Random(f"{self.title} {needed} {seed}")
        classes = [number for number, (first, end) in enumerate(self.stored.parts) if first < end]
        items = classes + list(range(len(self.stored.closures), self.count))
        return sum(1 << item for item in dice.sample(items, min(needed, len(items))))


def load(jar: Path, *, fresh: bool = False) -> Input:
    """The model of a jar, granularity ``member``, validity ``src``; from the disk if it was built before."""
    path = CACHE / f"{jar.stem}-{jar.stat().st_mtime_ns}.pickle"
    if fresh or not path.exists():
        library = open_library()
        model = building.build(read_jar([jar]), library)
        library.close()
        stored = Stored(
            jar.stem,
            model.formula,
            np.array([item.bytes for item in model.items], dtype=np.int64),
            tuple(model.model.closures),
            model.model.pinned,
            model.parts,
            tuple(model.parents),
            tuple(item.name for item in model.items),
        )
        CACHE.mkdir(exist_ok=True)
        path.write_bytes(pickle.dumps(stored))
    return Input(pickle.loads(path.read_bytes()))
