"""Chunks: elements that a search by complements drops together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.search.item_sets import ItemSet


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
