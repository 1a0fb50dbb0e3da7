"""The course of one search: steps before the algorithm, the algorithm, and steps after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.entries import Entries
from core.evidence.clues import Clues
from core.evidence.watcher import ONLY_READS, Watcher
from core.plan.auto import try_evidence
from core.plan.before_phases import begin_with, drop_unwanted, lacking
from core.plan.catalogue import find
from core.plan.evidence import GatheredEvidence
from core.plan.plan_run import PlanRun
from core.plan.prices import UNDER_NEW_NAMES
from core.plan.what_ran import hold_what_ran, watch_from_here, watch_result
from core.protocol import events
from core.protocol.wording import needed_text
from core.reduction.elements import Elements, PartElements
from core.search.reducers.by_halves import LINES, NEUTRAL_NAMES
from core.search.reducers.valid_minimal import ONE_BY_ONE
from core.service.meaning import begins_with_evidence
from core.service.preparation import Preparation
from core.service.searching.conflicts import class_conflicts, conflicts
from core.service.searching.input_failures import InputFailures


def evidence_before(
    ready: Preparation, failures: InputFailures, failure: str | None, watch: Callable[[], Watcher], clues: Clues | None
) -> GatheredEvidence | None:
    """Return the evidence before the search for all failures, or for one; None if it may not be used. Only ``auto``
    watches the input. ``clues``: with the code that ran, if it is known."""
    aim = ready.aim
    trusts = aim.trusts(ready.outcome.exit)
    if not aim.search.evidence and not trusts:
        return None
    report = failures.report(failure)
    watcher = watch() if begins_with_evidence(aim) or trusts else None
    evidence = GatheredEvidence(ready.model, report, together=failures.together(report, failure), watcher=watcher)
    if watcher is not None and not aim.runs_input:
        evidence.know(Clues(problem=ONLY_READS))
    if clues:
        evidence.know(clues)
    return evidence


def search(run: PlanRun, known: GatheredEvidence | None, earlier: Entries | None, *, trusts: bool, again: bool) -> None:
    """Search: first without unwanted items, then by suggestions of evidence, then by the phases of the algorithm.

    If ``earlier`` entries are interesting, the search goes on from them: evidence has been tried for them. ``trusts``:
    the level of trust says what stays of a program; ``again``: an earlier search saw fewer inputs.
    """
    if known and trusts:
        hold_what_ran(run, known)
    aim, model = run.aim, run.elements.whole.model
    algorithm = find(aim.search.algorithm)
    begun = earlier is not None and not lacking(model, earlier, run.elements.pinned) and begin_with(run, earlier)
    if aim.search.drop_first:
        needed = drop_unwanted(run, aim.unwanted, partial(_blocked, run))
        if needed:
            run.emit(events.Warned(needed_text(needed)))
    if not begun:
        algorithm.first(run)
    elif again and algorithm.first is try_evidence:
        watch_from_here(run)
    algorithm.plan(run)
    if aim.lines:
        _drop_lines(run)
    if aim.search.rename:
        run.phase(NEUTRAL_NAMES)
        if ONE_BY_ONE in algorithm.phases:  # the neighbours that were tried before have the old names
            run.phase(ONE_BY_ONE, end=UNDER_NEW_NAMES)
    if known is not None:
        watch_result(run, known)


def _drop_lines(run: PlanRun) -> None:
    """Drop lines of the text files of the command, and the items that were needed for these lines alone."""
    before = run.bytes
    run.phase(LINES)
    if run.bytes < before:
        run.phase(ONE_BY_ONE)


def _blocked(run: PlanRun, elements: Elements, names: list[str]) -> None:
    kept, unwanted = run.aim.pinned, frozenset(names).__contains__
    if isinstance(elements, PartElements):
        found = conflicts(elements.item_model, kept, unwanted)
    else:
        found = class_conflicts(run.elements.whole.model, kept, unwanted)
    for conflict in found:
        run.emit(events.Warned(conflict.text()))
