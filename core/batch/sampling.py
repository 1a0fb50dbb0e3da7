"""Random valid sub-inputs: food for the referee."""

from __future__ import annotations

import random
from collections.abc import Iterator

from core.model.cache.class_files import ClassFileCache
from core.model.item_model import ItemModel
from core.sets import ItemSet

_REWRITERS = 1 << 20  # bytes of class files whose rewriters are kept: random sub-inputs have few in common


def sampled_files(granularity: str) -> ClassFileCache:
    """Return a memory of class files for a model of which random sub-inputs are written."""
    return ClassFileCache(granularity, _REWRITERS)


def draw(model: ItemModel, count: int, seed: int) -> Iterator[ItemSet]:
    """Yield ``count`` sub-inputs: the least models of some random items, with choices in a random order.

    How many items are wished for is log-uniform between one and a tenth of all: small sub-inputs cut many
    ties, and large ones show how parts go together.
    """
    dice = random.Random(seed)
    items = len(model.items)
    for _ in range(count):
        rank = list(range(items))
        dice.shuffle(rank)
        wished = max(1, round((items / 10) ** dice.random()))
        wanted = dice.sample(range(items), min(wished, items))
        bits = bytearray((items + 7) // 8)
        for variable in model.propagator.ranked(rank).least(wanted):
            if variable < items:
                bits[variable >> 3] |= 1 << (variable & 7)
        yield int.from_bytes(bits, "little")
