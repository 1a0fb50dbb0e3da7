"""Chunks: sets of elements that a search by complements drops as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.sets import ItemSet

_Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A set of elements that go together. The chunk cannot go if one of its ``roots`` is needed. If the chunk alone
    cannot go, one of ``own`` is needed.
    """

    gone: ItemSet
    roots: ItemSet
    own: ItemSet
    level: int = 0
    """Level of the tree. Chunks of one level share a prior chance of being needed."""
    place: int = 0
    """Number of the class or method that holds the chunk."""
    if_needed: Callable[[], Sequence[Chunk]] = tuple
    """Function that returns the chunks to try instead if this one cannot go."""
    if_gone: Callable[[], Sequence[Chunk]] = tuple
    """Function that returns the chunks to try next after this one went."""
    bytes: int = 0
    """Bytes that the chunk frees; 0 stands for the sum of the sizes of its elements."""
    key: str = ""
    """Name by which later phases recognise the chunk; empty if they cannot."""
    where: str = ""
    """Name of the chunk's place. Later phases recognise by it places that hung."""
    rivals: int = 1
    """Number of chunks, this chunk included, of which at most one may go."""


def class_of(name: str) -> str:
    """Return the class in the name of an item or an edit. Hangs are remembered by class."""
    return name.split(".", 1)[0].split("!", 1)[0]


@dataclass(frozen=True)
class ChunkTable:
    """The numbers of n chunks, for vector arithmetic: ``columns`` has shape (5, n)."""

    columns: _Ints = field(default_factory=lambda: np.zeros((5, 0), dtype=np.int64))
    names: dict[str, int] = field(default_factory=dict, repr=False)
    """Number of each place, by name. The dictionary grows with new chunks, and derived tables share it."""

    @property
    def levels(self) -> _Ints:
        """The level of each chunk."""
        column: _Ints = self.columns[0]
        return column

    @property
    def places(self) -> _Ints:
        """The place of each chunk."""
        column: _Ints = self.columns[1]
        return column

    @property
    def rivals(self) -> _Ints:
        """The number of rivals of each chunk."""
        column: _Ints = self.columns[2]
        return column

    @property
    def wheres(self) -> _Ints:
        """The number of each chunk's place in ``names``."""
        column: _Ints = self.columns[3]
        return column

    def without(self, places: Sequence[int]) -> ChunkTable:
        """Return the table without the chunks at the indices ``places``."""
        return ChunkTable(np.delete(self.columns, places, axis=1), self.names)

    def and_of(self, chunks: Sequence[Chunk]) -> ChunkTable:
        """Return the table with ``chunks`` appended."""
        numbers, names = [], self.names
        for chunk in chunks:
            root = chunk.roots.bit_length() - 1 if chunk.roots.bit_count() == 1 else -1
            where = names.setdefault(chunk.where, len(names))
            numbers.append((chunk.level, chunk.place, chunk.rivals, where, root))
        new = np.asarray(numbers, dtype=np.int64).reshape(-1, 5).T
        return ChunkTable(np.concatenate((self.columns, new), axis=1), names)

    def rooted_in(self, chunks: Sequence[Chunk], needed: ItemSet) -> NDArray[np.bool_]:
        """Return, for each of the table's ``chunks``, a flag: is a root of the chunk in ``needed``?"""
        only = self.columns[4]  # the only root; -1 for several
        packed = np.frombuffer(needed.to_bytes(needed.bit_length() // 8 + 1, "little"), dtype=np.uint8)
        flags = np.unpackbits(packed, bitorder="little").astype(bool)
        known = (only >= 0) & (only < len(flags))
        found = np.zeros(len(only), dtype=bool)
        found[known] = flags[only[known]]
        for place in np.flatnonzero(only < 0).tolist():
            found[place] = bool(chunks[place].roots & needed)
        return found
