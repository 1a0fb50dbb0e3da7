"""Random valid sub-inputs of a jar, as entries."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.archive.jar import read_jar
from core.entries import Entries
from core.library.library import open_library
from core.model import building, class_model
from core.model.rules.base import SRC
from core.model.solver import draw, sampled_files


def sample(
    jar_path: Path,
    count: int,
    seed: int,
    granularity: str = "member",
    validity: str = SRC,
    *,
    class_path: Sequence[Path] = (),
) -> Iterator[Entries]:
    """Yield ``count`` random valid sub-inputs; the same arguments always give the same ones. Raise InputError."""
    if granularity == "class":
        yield from sample_classes(jar_path, count, seed)
        return
    jar = read_jar([jar_path])
    library = open_library(class_path, jar)
    model = building.build(jar, library, granularity, validity, known=sampled_files(granularity))
    for kept in draw(model, count, seed):
        yield model.entries(kept)


def sample_classes(jar_path: Path, count: int, seed: int) -> Iterator[Entries]:
    """Yield unions of a few closures of classes, small ones and large ones."""
    model = class_model.build(read_jar([jar_path]))
    choice = random.Random(seed)
    items = range(len(model.items))
    for _ in range(count):
        kept = model.pinned
        for item in choice.sample(items, min(len(items), 1 << choice.randrange(7))):
            kept |= model.closures[item]
        yield model.entries(kept)
