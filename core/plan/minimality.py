"""In what a result is 1-minimal, level by level, and why it is not known where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.protocol.run_words import EndReason
from core.search.certificate import Certificate
from core.search.phases import Minimal

YES, UNCHECKED = "yes", "not checked"

ENDS = {
    EndReason.PATIENCE: "ended since little came of the last probes",
    EndReason.TIME: "ended by the time limit",
    EndReason.PROBES: "ended by the limit of probes",
    EndReason.STOPPED: "stopped",
}
"""What ends a search before all was tried, in words."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A phase that was run: in what it proves its result to be 1-minimal, and how it ended."""

    proves: frozenset[Minimal]
    before: bytes
    """Digest of the content of the best before the phase."""
    after: bytes
    """Digest of the content of the best after the phase."""
    reason: EndReason
    """Why it ended, as in :class:`core.reduction.records.PhaseResult`."""
    certificate: Certificate | None = None


def one_minimal(stages: Sequence[Stage], final: bytes, ended: EndReason) -> dict[str, str]:
    """Return for each :class:`Minimal` ``yes``, or why it is not known.

    ``final`` is the digest of the result, ``ended`` the reason for which the whole search was over. What a phase proved
    of a content that later phases made smaller does not count.

    ``yes`` for items: every largest valid sub-input that lacks one of them was tried, or is part of one that was not
    interesting. It holds for classes then too, which are items. For instructions: a search through all edits of the
    result ended by itself and found nothing; it asks about groups, so that the answer rests, as the implied ones of the
    items do, on the predicate being monotone.
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
    return f"{UNCHECKED}, {ENDS[why]}" if why in ENDS else UNCHECKED
