"""Chunks: elements that a search by complements drops together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.sets import ItemSet

_Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Elements that go together. It cannot go where one of its ``roots`` is needed; where it cannot go on its own,
    ``own`` is needed."""

    gone: ItemSet
    roots: ItemSet
    own: ItemSet
    level: int = 0
    """Chunks of one level are taken to be as likely to be needed as each other."""
    place: int = 0
    """What it is a chunk of: its class or method."""
    if_needed: Callable[[], Sequence[Chunk]] = tuple
    """What is tried in its place when it cannot go."""
    if_gone: Callable[[], Sequence[Chunk]] = tuple
    """What is tried next when it went."""
    bytes: int = 0
    """What it frees; 0: the bytes of its elements."""
    key: str = ""
    """A name by which later phases know it."""
    where: str = ""
    """The name of its place, by which later phases know what hung."""
    rivals: int = 1
    """It is one of so many of which one at most may go."""


def class_of(name: str) -> str:
    """The class in an item's or an edit's name, the place by which what hung is remembered."""
    return name.split(".", 1)[0].split("!", 1)[0]


@dataclass(frozen=True)
class ChunkTable:
    """What arithmetic needs of n chunks, as numbers: ``columns`` has shape (5, n)."""

    columns: _Ints = field(default_factory=lambda: np.zeros((5, 0), dtype=np.int64))
    names: dict[str, int] = field(default_factory=dict, repr=False)
    """Numbers of the names of places. It grows as chunks come; tables that come of each other share it."""

    @property
    def levels(self) -> _Ints:
        """The level of each chunk."""
        column: _Ints = self.columns[0]
        return column

    @property
    def places(self) -> _Ints:
        """What each is a chunk of."""
        column: _Ints = self.columns[1]
        return column

    @property
    def rivals(self) -> _Ints:
        """Of how many each is one of which one at most may go."""
        column: _Ints = self.columns[2]
        return column

    @property
    def wheres(self) -> _Ints:
        """The names of their places, by their numbers in ``names``."""
        column: _Ints = self.columns[3]
        return column

    def without(self, places: Sequence[int]) -> ChunkTable:
        """The same without those at ``places``."""
        return ChunkTable(np.delete(self.columns, places, axis=1), self.names)

    def and_of(self, chunks: Sequence[Chunk]) -> ChunkTable:
        """With those of ``chunks`` behind them."""
        numbers, names = [], self.names
        for chunk in chunks:
            root = chunk.roots.bit_length() - 1 if chunk.roots.bit_count() == 1 else -1
            where = names.setdefault(chunk.where, len(names))
            numbers.append((chunk.level, chunk.place, chunk.rivals, where, root))
        new = np.asarray(numbers, dtype=np.int64).reshape(-1, 5).T
        return ChunkTable(np.concatenate((self.columns, new), axis=1), names)

    def rooted_in(self, chunks: Sequence[Chunk], needed: ItemSet) -> NDArray[np.bool_]:
        """Which of them, the ``chunks`` of this table, have a root in ``needed``."""
        only = self.columns[4]  # the root where there is one; -1 where there are several
        packed = np.frombuffer(needed.to_bytes(needed.bit_length() // 8 + 1, "little"), dtype=np.uint8)
        flags = np.unpackbits(packed, bitorder="little").astype(bool)
        known = (only >= 0) & (only < len(flags))
        found = np.zeros(len(only), dtype=bool)
        found[known] = flags[only[known]]
        for place in np.flatnonzero(only < 0).tolist():
            found[place] = bool(chunks[place].roots & needed)
        return found
