"""Sets of items as bit masks: item *i* is in the set if bit *i* is set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

ItemSet = int


def mask_of(items: Sequence[int], count: int) -> ItemSet:
    """The set of some of ``count`` items as a bit mask."""
    flags = np.zeros(count, dtype=np.uint8)
    flags[np.asarray(items, dtype=np.int64)] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def members(items: ItemSet) -> tuple[int, ...]:
    """The item numbers of a set, ascending."""
    packed = np.frombuffer(items.to_bytes((items.bit_length() + 7) // 8, "little"), dtype=np.uint8)
    return tuple(np.flatnonzero(np.unpackbits(packed, bitorder="little")).tolist())


def each(items: ItemSet) -> Iterator[int]:
    """The item numbers of a small set, ascending."""
    while items:
        lowest = items & -items
        yield lowest.bit_length() - 1
        items ^= lowest


def union(masks: Iterable[ItemSet]) -> ItemSet:
    """Set union of bit masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result
