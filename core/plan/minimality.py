"""In what a result is 1-minimal, level by level, and why it is not known where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.plan.catalogue import Level
from core.protocol.run_words import EndReason
from core.search.certificate import Certificate

YES, UNCHECKED = "yes", "not checked"

ENDS = {
    EndReason.PATIENCE: "ended by patience",
    EndReason.TIME: "ended by the time limit",
    EndReason.PROBES: "ended by the limit of probes",
    EndReason.STOPPED: "stopped",
}
"""What ends a search before all was tried, in words."""

LEVELS = ("classes", "items", "instructions")


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase that was run. ``before`` and ``after`` are digests of the best's content; ``reason`` is as in
    :class:`core.reduction.records.PhaseResult`; ``singles`` as in :class:`core.plan.catalogue.PhaseSpec`."""

    name: str
    level: Level
    singles: bool
    before: bytes
    after: bytes
    reason: EndReason
    certificate: Certificate | None = None


def one_minimal(stages: Sequence[Stage], final: bytes, ended: EndReason) -> dict[str, str]:
    """For each of ``LEVELS``: ``yes``, or why it is not known.

    ``final`` is the digest of the result, ``ended`` the reason for which the whole search was over. What a phase showed
    of a content that later phases made smaller does not count.

    ``yes`` for items: every largest valid sub-input that lacks one of them was tried, or is part of one that was not
    interesting. It holds for classes then too, which are items. For instructions: a search through all edits of the
    result ended by itself and found nothing; it asks about groups, so that the answer rests, as the implied ones of the
    items do, on the predicate being monotone.
    """
    return {name: _verdict(name, stages, final, ended) for name in LEVELS}


def _verdict(name: str, stages: Sequence[Stage], final: bytes, ended: EndReason) -> str:
    asked = [stage for stage in stages if _proves(name, stage)]
    shown = [stage for stage in asked if stage.reason is EndReason.DONE and stage.after == final]
    if name == "instructions":
        shown = [stage for stage in shown if stage.before == final]  # what is left may have edits of its own
    if any(stage.certificate is None or stage.certificate.complete for stage in shown):
        return YES
    if shown:
        return f"{UNCHECKED}, too many ways to drop an item"
    why = asked[-1].reason if asked and asked[-1].reason in ENDS else ended
    return f"{UNCHECKED}, {ENDS[why]}" if why in ENDS else UNCHECKED


def _proves(name: str, stage: Stage) -> bool:
    """Whether a phase of that kind can show that nothing of that level can go."""
    match name:
        case "classes":
            return stage.name == "minimal" or (stage.level is Level.CLASSES and stage.singles)
        case "items":
            return stage.name == "minimal"
        case _:
            return stage.name == "bodies"
