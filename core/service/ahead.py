"""A failure that is chosen by name may show before the full input is ever run: in the least that its name points to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.evidence.failure import mentions
from core.evidence.item_finder import ByItems
from core.evidence.mentions import ClassNames
from core.evidence.suggestions import Suggestion, around_mentions
from core.model import class_model
from core.model.class_model import ClassModel
from core.predicate import presets
from core.predicate.failures import Statement
from core.predicate.from_settings import wanted_by
from core.predicate.predicate import Predicate, discard
from core.predicate.verdict import Outcome
from core.protocol.settings import Settings
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.source import entry_numbers, jar_of
from core.service.meaning import begins_with_evidence, pinned_by
from core.service.model_builder import ModelBuilder

_MOST, _SMALL = 3, 0.1
"""How many candidates are tried, and the share of the input's bytes that one may have: a larger one may take as long
as the input itself."""


@dataclass(frozen=True)
class Ahead:
    """A candidate that shows the chosen failure, as an input of its own; no ``model`` if none was found."""

    model: ClassModel | None = None
    title: str = ""
    probes: int = 0
    """Candidates that were run until then."""
    seconds: float = 0.0
    """What these runs took."""

    def told(self, message: str) -> str:
        """The check's words, with what they are about."""
        if self.model is None:
            return message
        classes = self.model.class_items.bit_count()
        what = f"{classes} {'class' if classes == 1 else 'classes'} around {self.title}"
        return f"The full input was not run: {what}, to which the chosen failure's name points, show it. {message}"

    def outcome(self, outcome: Outcome, settings: Settings) -> Outcome:
        """What is known of the full input by the outcome of the candidate: that it has the chosen failure."""
        if self.model is None:
            return outcome
        return replace(outcome, failures=tuple(name for name in outcome.failures if name in _chosen(settings)))


def seen_ahead(
    model: ClassModel, settings: Settings, predicate: Predicate, build_model: ModelBuilder, folder: Path, cancel: Flag
) -> Ahead:
    """The first small candidate around what the chosen failure names that shows it; nothing where no failure is chosen,
    something else of the full input must be known, or none does."""
    chosen = _chosen(settings)
    if not chosen:
        return Ahead()
    named = mentions(ClassNames(model), chosen, "", failed=False)
    if not named:
        return Ahead()
    item_model = build_model(model.jar)
    build_model.put_back(model.jar, item_model)
    source = PartSource(item_model, entry_numbers(model), pinned_by(settings))
    logic = source.problem.logic
    assert logic is not None
    most = _SMALL * sum(item.bytes for item in model.items)
    found = around_mentions(ByItems(item_model), logic.least, named)
    probes, seconds = 0, 0.0
    for each in [each for each in found if source.bytes_of(each.items) <= most][:_MOST]:
        if cancel.is_set():
            break
        outcome = _run(source, each, predicate, folder / "ahead", cancel)
        probes, seconds = probes + 1, seconds + outcome.seconds
        if outcome.interesting and set(chosen) <= set(outcome.failures):
            small = class_model.build(jar_of(source.entries(each.items), model.jar))
            return Ahead(small, each.title, probes, seconds)
    return Ahead(probes=probes, seconds=seconds)


def _run(source: PartSource, each: Suggestion, predicate: Predicate, work: Path, cancel: Flag) -> Outcome:
    try:
        return predicate.calibrated(source.entries(each.items), work, cancel)[1]
    finally:
        discard(work)


def _chosen(settings: Settings) -> tuple[str, ...]:
    """The failures that are chosen by name, where nothing else is asked that only the full input's run can tell."""
    wanted = wanted_by(settings)
    if wanted is None or wanted.statement is not Statement.CHOSEN or wanted.no_new or settings.preserve:
        return ()
    if settings.preset is not None and presets.find(settings.preset).preserve:
        return ()
    if not begins_with_evidence(settings) or settings.granularity == "class" or settings.drop_first:
        return ()
    return wanted.chosen
