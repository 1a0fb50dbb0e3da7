"""Chunks: sets of elements that a search by complements drops as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.sets import ItemSet


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
