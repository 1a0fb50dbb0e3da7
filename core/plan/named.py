"""Candidates around the names in the user's command, and around the names in the failure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.evidence import failure
from core.evidence.clues import Mention
from core.evidence.suggestions import Suggest, around_command, around_lost
from core.plan.evidence import GatheredEvidence
from core.plan.search_run import SearchRun
from core.plan.sources import large
from core.plan.suggesting import add_lacking, search_each_site, shown_by_widest, tell, try_suggestions
from core.protocol.events import Evidence as EvidenceEvent
from core.words import counted

_MOST_LOST = 0.5
"""Share of the failures that a candidate may lack. Below this share, the classes that the lost failures need are
searched. See decisions/004-lost-failures.md.
"""

_REPAIRS = 3
"""Number of repairs of one suggestion, by the classes around its lost and new failures.
See decisions/004-lost-failures.md.
"""


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
    """Try the names in the failure: each site alone, then all names together, then with the items that these
    candidates lack.
    """
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
    if run.bytes == size:
        _Repair(run, evidence, granularity).try_all()


class _Repair:
    """Repairs of candidates around the failures: additions until all wanted failures show and no others."""

    def __init__(self, run: SearchRun, evidence: GatheredEvidence, granularity: str) -> None:
        self._run = run
        self._evidence = evidence
        self._granularity = granularity
        self._report = evidence.report._replace(failures=evidence.failures)
        self._suggests: list[Suggest] = [evidence.around_failures()]

    def try_all(self) -> None:
        """Try additions around lost and new failures. If few failures are lost, search the classes that these need."""
        run, size = self._run, self._run.bytes
        if len(self._report.failures) > 1:
            self._try_around_lost()
        if run.bytes < size or run.stopped or self._granularity == "class" or not self._report.failures:
            return
        if add_lacking(run, self._suggests, self._trouble):
            tell(run, EvidenceEvent("failure", "What these lacked was looked for in the rest."), size)

    def _try_around_lost(self) -> None:
        run, size, report = self._run, self._run.bytes, self._report
        lost: dict[Mention, None] = {}
        others: dict[Mention, None] = {}
        for _ in range(_REPAIRS):
            shown = shown_by_widest(run, self._granularity, self._suggests[-1])
            if shown is None:
                return
            gone, new = sorted(report.lost(shown)), sorted(report.new(shown))
            before = len(lost) + len(others)
            lost |= dict.fromkeys(self._named(gone, self._evidence.report.output))
            others |= dict.fromkeys(self._named(new, ""))
            if run.stopped or len(lost) + len(others) == before:
                return
            title = (
                f"Of {len(report.failures)} failures the last candidate lacks {len(gone)}, and shows"
                f" {counted(len(new), 'other')}."
            )
            event = EvidenceEvent("failure", title, len({mention.name for mention in (*lost, *others)}), 0)
            known = self._evidence.mentions
            self._suggests.append(partial(around_lost, mentions=known, lost=tuple(lost), others=tuple(others)))
            try_suggestions(run, self._granularity, self._suggests[-1], event)
            if run.bytes < size:
                return

    def _named(self, failures: Sequence[str], output: str) -> Sequence[Mention]:
        return failure.mentions(self._evidence.names, failures, output) if failures else ()

    def _trouble(self, shown: frozenset[str]) -> tuple[int, int] | None:
        """Return the number of source files with lost or new failures, and the number of lost failures; None if too
        many are lost.

        A class that one source file lacks may add or remove several failures of this file.
        """
        lost = self._report.lost(shown)
        if len(lost) > _MOST_LOST * len(self._report.failures):
            return None
        return len({name.partition(": ")[0] for name in (*lost, *self._report.new(shown))}), len(lost)
