"""A failure that is a slow run: it stands at one place for many times the processor time of a run on a usual class.

A few classes of about the median size are run alone first. The median of their times is that of the *median class*.
"""

from __future__ import annotations

import statistics
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.packer import Packer
from core.entries import Entries
from core.predicate.predicate import AroundPredicate, CommandPredicate, Predicate, discard
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Outcome

_MEDIANS = 3
"""Number of classes that are run alone. See decisions/057-hangs.md."""
_SUFFIX = ".class"


class SlowPredicate(AroundPredicate[CommandPredicate | StepsPredicate]):
    """A predicate that learns by its first run how long one of ``inner`` may stand at a place: ``slower`` times the
    processor time of the median class."""

    def __init__(self, inner: CommandPredicate | StepsPredicate, slower: int) -> None:
        super().__init__(inner)
        self._slower = slower

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[Predicate, Outcome]:
        took = []
        for number, classes in enumerate(median_classes(entries)):
            place = work.with_name(f"{work.name}-median-{number}")
            took.append(self.inner.probe(classes, place, cancel).processor)
            discard(place)
        stands = self._slower * statistics.median(took) if any(took) else None
        return replace(self.inner, limits=replace(self.inner.limits, stands=stands)).calibrated(entries, work, cancel)

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        return self.inner.probe(entries, work, cancel, seconds)

    def repacked(self, packer: Packer) -> Predicate:
        return self._around(self.inner.repacked(packer))

    def _around(self, inner: Any) -> SlowPredicate:
        return SlowPredicate(inner, self._slower)


def median_classes(entries: Entries) -> list[Entries]:
    """Return a few candidates of one class with its nested ones, those nearest to the median size."""
    families: dict[str, list[tuple[str, bytes]]] = {}
    for name, data in entries:
        if name.endswith(_SUFFIX):
            families.setdefault(name.removesuffix(_SUFFIX).partition("$")[0], []).append((name, data))
    sizes = {name: sum(len(data) for _, data in family) for name, family in families.items()}
    middle = statistics.median(sizes.values()) if sizes else 0
    return [families[name] for name in sorted(sizes, key=lambda name: (abs(sizes[name] - middle), name))[:_MEDIANS]]
