"""The granularities in which a result is 1-minimal, and for the others the reason why this is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.protocol.run_words import EndReason
from core.search.certificate import Certificate
from core.search.phases import Minimal

YES, UNCHECKED = "yes", "not checked"

ENDS = {
    EndReason.PATIENCE: "ended since the last probes gained little",
    EndReason.ENOUGH: "ended early to watch the program again",
    EndReason.TIME: "ended by the time limit",
    EndReason.PROBES: "ended by the limit of probes",
    EndReason.STOPPED: "stopped",
}
"""Reasons that end a search before everything was tried, in words of the report."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A finished phase: the granularities in which its result may be 1-minimal, and its end."""

    proves: frozenset[Minimal]
    before: bytes
    """Digest of the best's content before the phase."""
    after: bytes
    """Digest of the best's content after the phase."""
    reason: EndReason
    """Reason of the end, as in :class:`core.reduction.records.PhaseResult`."""
    certificate: Certificate | None = None


def one_minimal(stages: Sequence[Stage], final: bytes, ended: EndReason) -> dict[str, str]:
    """Return for each :class:`Minimal` ``yes``, or the reason why it is not known.

    ``final`` is the digest of the result, ``ended`` the reason of the end of the whole search. A proof about a content
    that later phases made smaller does not count.

    ``yes`` for items: every largest valid sub-input that lacks one of the items was tried, or is a subset of an
    uninteresting one. Then it holds for classes too, because classes are items. ``yes`` for instructions: a search
    through all edits of the result ended by itself and found nothing. The search asks about groups, so this answer
    assumes a monotone predicate, as implied candidates do for items.
    """
    return {each.value: _verdict(each, stages, final, ended) for each in Minimal}


def _verdict(subject: Minimal, stages: Sequence[Stage], final: bytes, ended: EndReason) -> str:
    asked = [stage for stage in stages if subject in stage.proves]
    proved = [stage for stage in asked if stage.reason is EndReason.DONE and stage.after == final]
    if subject is Minimal.INSTRUCTIONS:
        proved = [stage for stage in proved if stage.before == final]  # what is left may have edits of its own
    if any(stage.certificate is None or stage.certificate.complete for stage in proved):
        return YES
    if proved:
        return f"{UNCHECKED}, not every way to drop an item was tried"
    why = asked[-1].reason if asked and asked[-1].reason in ENDS else ended
    return f"{UNCHECKED}, {ENDS.get(why, 'no phase tried them')}"
