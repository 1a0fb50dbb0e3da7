"""Random valid sub-inputs of a jar: of classes, until the product can draw finer ones."""

from __future__ import annotations

import importlib
import inspect
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from core.archive.jar import read_jar
from core.entries import Entries
from core.model.class_model import build


class Sampler(Protocol):
    """Draws *count* sub-inputs; the same arguments always give the same ones."""

    def __call__(
        self, jar_path: Path, count: int, seed: int, granularity: str, validity: str, *, class_path: Sequence[Path]
    ) -> Iterable[Entries]: ...


def sampler(granularity: str) -> Sampler:
    """The product's own sampler, ``core.batch.sampling.sample``; that of classes for granularity ``class``."""
    if granularity == "class":
        return sample_classes
    sample = importlib.import_module("core.batch.sampling").sample
    if "class_path" in inspect.signature(sample).parameters:
        return sample  # type: ignore[no-any-return]
    return lambda *arguments, class_path: sample(*arguments)


def sample_classes(
    jar_path: Path, count: int, seed: int, granularity: str, validity: str, *, class_path: Sequence[Path] = ()
) -> Iterator[Entries]:
    """Unions of a few closures of classes, small ones and large ones."""
    model = build(read_jar([jar_path]))
    choice = random.Random(seed)
    items = range(len(model.items))
    for _ in range(count):
        kept = model.pinned
        for item in choice.sample(items, min(len(items), 1 << choice.randrange(7))):
            kept |= model.closures[item]
        yield model.entries(kept)
