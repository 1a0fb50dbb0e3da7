"""Candidates around the names in the user's command, and around the names in the failure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.evidence.clues import Mention
from core.evidence.suggestions import around_command
from core.plan.evidence import GatheredEvidence
from core.plan.search_run import SearchRun
from core.plan.suggesting import search_each_site, tell, try_suggestions
from core.protocol.events import Evidence as EvidenceEvent
from core.reduction.source import large
from core.words import counted


def try_command_names(run: SearchRun, evidence: GatheredEvidence) -> bool:
    """Try the classes that the command names. Return True if the command names any."""
    return _try_classes(run, evidence, evidence.commanded, "the command")


def _try_classes(run: SearchRun, evidence: GatheredEvidence, mentions: Sequence[Mention], named_by: str) -> bool:
    """Try the mentioned classes, bare and then whole. Return True if there are any. ``named_by``: the source of their
    names in words, such as ``the command``.

    For a large input, whole classes are tried first, then the parts of the remaining classes.
    """
    if not mentions:
        return False
    classes = len(mentions)
    names = f"{named_by[0].upper()}{named_by[1:]} names {counted(classes, 'class', 'classes')} of the input."
    event = EvidenceEvent("command", names, classes)
    suggest = partial(around_command, mentions=mentions, named_by=named_by)
    if run.granularity != "class" and large(evidence.model.jar):
        try_suggestions(run, "class", suggest, event)
        if run.stopped or large(run.sources.jar(run.best)):
            return True
    try_suggestions(run, run.granularity, suggest, event)
    return True


def try_failure_names(run: SearchRun, evidence: GatheredEvidence, granularity: str) -> None:
    """Try the names in the failure: each site alone, then all names together."""
    if not evidence.mentions:
        return
    members = sum(bool(mention.member) for mention in evidence.mentions)
    classes = len({mention.name for mention in evidence.mentions})
    names = f"The failure names {counted(classes, 'class', 'classes')} of the input and {counted(members, 'member')}."
    size = run.bytes
    if evidence.sites is not None and granularity != "class":
        search_each_site(run)
        count = evidence.sites.count
        title = f"The failures show in {count} places; each was searched on its own, in the same probes."
        tell(run, EvidenceEvent("failure", title, count, 0), size)
    if run.bytes == size:
        try_suggestions(run, granularity, evidence.around_failures(), EvidenceEvent("failure", names, classes, members))
