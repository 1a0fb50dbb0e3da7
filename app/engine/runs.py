"""The runs of one input, and which of them are about the same failure. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.engine.event_decoder import Bits, unpack
from core.protocol.commands import StepKey
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding, declarations


@dataclass(frozen=True, slots=True)
class StepSummary:
    """The best so far after an accepted candidate."""

    at: float
    probes: int
    classes: int
    bytes: int
    items: int = 0
    """Items of its phase: with the bytes they tell the step from others."""
    probe: int = 0
    """Its number in the run, 0 = the input itself."""
    kept: str = ""
    """Class-level items that are kept, packed as in events; empty = all."""
    run: int = 0
    """Number of its run."""

    @property
    def title(self) -> str:
        """``step 4 of reduction 2``."""
        name = f"step {self.probe}" if self.probe > 0 else "the result" if self.probe else "the input"
        return f"{name} of reduction {self.run}"

    def bits(self, items: int) -> Bits:
        """Return the kept items as booleans."""
        return unpack(self.kept, items) if self.kept else np.ones(items, np.bool_)


@dataclass(slots=True)
class RunRecord:
    """One reduction: ``steps`` are the input and what was accepted; ``reason`` is empty while it goes on."""

    number: int
    settings: Settings
    steps: list[StepSummary] = field(default_factory=list)
    reason: str = ""
    proved: bool = False
    """True if no class or item, as the granularity says, of the result can be removed alone."""

    @property
    def reduced(self) -> bool:
        """Return True if a probe of a smaller candidate was accepted. Otherwise there is no result."""
        return len(self.steps) > 1 and self.steps[-1].bytes < self.steps[0].bytes

    def end(self, reason: str, one_minimal: Mapping[str, str]) -> None:
        """Note the reason of the end, and the certificate's answers for classes and items."""
        level = "classes" if self.settings.granularity == "class" else "items"
        last_class = level == "classes" and self.reduced and self.steps[-1].classes == 1
        self.reason, self.proved = reason, one_minimal.get(level) == "yes" or last_class


def about(settings: Settings) -> dict[str, Any]:
    """Return the settings that identify the failure. Two runs for which they are equal have comparable results."""
    return {name: getattr(settings, name) for name in deciding(Decides.CHECK)}


def same_failure(one: Settings | None, other: Settings | None) -> bool:
    """Return whether the failure is the same in both settings."""
    return one is not None and other is not None and about(one) == about(other)


def same_check(one: Settings | None, other: Settings | None) -> bool:
    """Return whether a check of both settings has one outcome. The choice among the failures does not change it."""
    if one is None or other is None:
        return False
    return same_failure(replace(one, failures=None), replace(other, failures=None))


def searching_as(running: Settings, wanted: Settings) -> Settings:
    """Return the settings of a run with the search and the limits of other settings: the changes that a paused run
    allows."""
    changed = declarations().keys() - deciding(Decides.CHECK)
    return replace(running, **{name: getattr(wanted, name) for name in changed})


def smallest(runs: Iterable[RunRecord], settings: Settings, holding: Iterable[int], items: int) -> StepSummary | None:
    """Return the smallest accepted step with the items ``holding``, of all runs about that failure; None = there is
    none."""
    wanted = list(holding)
    found = [
        step
        for run in runs
        if run.reduced and same_failure(run.settings, settings)
        for step in run.steps[1:]
        if not wanted or step.bits(items)[wanted].all()
    ]
    return min(found, key=lambda step: step.bytes, default=None)


def is_done(runs: Iterable[RunRecord], settings: Settings, step: StepSummary) -> bool:
    """Return True if the step is the result of a run with that failure and search, and nothing of it can be removed."""
    same = (*deciding(Decides.CHECK), *deciding(Decides.SEARCH))
    return any(
        run.proved and run.steps[-1:] == [step] and all(getattr(run.settings, n) == getattr(settings, n) for n in same)
        for run in runs
    )


def key_of(step: StepSummary) -> StepKey:
    """Return the key by which the engine identifies a step."""
    return StepKey(abs(step.probe), step.bytes, step.items)
