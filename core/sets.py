"""Sets of items as bit masks: item *i* is in the set if bit *i* is set. Lists of values with the same key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

ItemSet = int
"""A set of item numbers."""

K = TypeVar("K")
V = TypeVar("V")


def listed_by(key: Callable[[V], K], values: Iterable[V]) -> dict[K, list[V]]:
    """Return the values by their keys, in the order in which they come."""
    found: dict[K, list[V]] = {}
    for value in values:
        found.setdefault(key(value), []).append(value)
    return found


def mask_of(items: Sequence[int], count: int) -> ItemSet:
    """Return the set of ``items``, which are some of ``count`` items."""
    flags = np.zeros(count, dtype=np.uint8)
    flags[np.asarray(items, dtype=np.int64)] = 1
    return mask_of_flags(flags)


def members(items: ItemSet) -> tuple[int, ...]:
    """Return the item numbers of a set, ascending."""
    packed = np.frombuffer(items.to_bytes((items.bit_length() + 7) // 8, "little"), dtype=np.uint8)
    return tuple(np.flatnonzero(np.unpackbits(packed, bitorder="little")).tolist())


def each(items: ItemSet) -> Iterator[int]:
    """Yield the item numbers of a small set, ascending."""
    while items:
        lowest = items & -items
        yield lowest.bit_length() - 1
        items ^= lowest


def union(masks: Iterable[ItemSet]) -> ItemSet:
    """Return the union of sets."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def total(items: ItemSet, values: NDArray[np.int64]) -> int:
    """Return the sum of the ``values`` of the items in a set."""
    packed = np.frombuffer(items.to_bytes((len(values) + 7) // 8, "little"), dtype=np.uint8)
    return int(np.unpackbits(packed, count=len(values), bitorder="little") @ values)


def flags_of(items: ItemSet, count: int) -> NDArray[np.bool_]:
    """Return one flag for each of ``count`` items: is the item in the set?"""
    packed = np.frombuffer(items.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=count, bitorder="little").astype(np.bool_)


def mask_of_flags(flags: NDArray[np.bool_] | NDArray[np.uint8]) -> ItemSet:
    """Return the set of the items with a set flag."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
