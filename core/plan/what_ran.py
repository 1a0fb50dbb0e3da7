"""Candidates around the code that runs when the predicate runs on the input, or on the best so far."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from core.evidence.clues import Ran
from core.evidence.dead import DeadCode
from core.evidence.running import ONLY_READS
from core.evidence.suggestions import around_run
from core.model import class_model
from core.model.class_model import ClassModel, Kind
from core.plan.before_phases import begin_with
from core.plan.evidence import GatheredEvidence
from core.plan.plan_run import PlanRun
from core.plan.suggesting import NAME, cut_dead, drop_surplus, tell, try_classes, try_failure_names, try_suggestions
from core.plan.trust import Trust
from core.protocol.events import Evidence as EvidenceEvent
from core.protocol.events import Warned
from core.protocol.run_words import AS_RUN, OUTPUT
from core.protocol.wording import methods_text, outside_text
from core.reduction.control import TargetGain
from core.reduction.elements import large
from core.words import counted

_SMALLER = 0.98
"""Largest share of its bytes at the last watched run that the best may have to be watched again.
See decisions/002-watching-again.md.
"""

_GONE = 0.05
"""Share of its bytes that the best loses in a search of bodies before it is watched again.
See decisions/002-watching-again.md.
"""

_HOLLOW = 0.1
"""Least share, of the methods that ran on the full input, that run in a working result. See
decisions/002-watching-again.md.
"""


def hold_what_ran(run: PlanRun, evidence: GatheredEvidence) -> None:
    """Run the input once, watched. Let those of its items stay that the level of trust asks for."""
    ran, level = evidence.ran(), run.aim.search.trust
    if ran is not None:
        if ran.written:
            run.emit(Warned(outside_text("The program itself", sorted(ran.written))))
        within = ran if level == AS_RUN else replace(ran, dead={})
        tested = run.aim.trials is not None and bool(run.aim.trials.tests)
        trust = Trust(evidence.model, ran, level, run.elements.library, tested=tested)
        run.elements.hold(trust, DeadCode(evidence.model, within))
        run.elements.input_runs = True
    elif not evidence.cancelled and evidence.clues.problem != ONLY_READS:
        run.emit(
            Warned(f"Nothing is sure to stay but the compared output (--trust {OUTPUT}). {evidence.clues.problem}")
        )


def try_what_ran(run: PlanRun, evidence: GatheredEvidence, granularity: str) -> None:
    """Run the input once, watched, and try the code that the run used. Watch the best again if it got smaller."""
    ran, size = evidence.ran(), run.bytes
    if evidence.cancelled:
        return
    if ran is None:
        tell(run, EvidenceEvent("run", evidence.clues.problem))
        if evidence.clues.problem == ONLY_READS:  # so a class that the command names is no main class
            try_classes(run, granularity, evidence.named_in_command())
            if run.bytes == size and evidence.clues.heard and not (run.stopped or run.aim.silent or evidence.sites):
                evidence.name_heard()
                try_failure_names(run, evidence, granularity)
        return
    read = _resources(evidence.model, ran)
    event = EvidenceEvent("run", _used(ran, read), len(ran.loaded), ran.methods, read)
    mostly_used = _try_trusted(run, event)
    if not mostly_used:
        width = "class" if run.elements.dead is not None and large(evidence.model.jar) else granularity
        mostly_used = try_suggestions(run, width, partial(around_run, ran=ran), event)
    # from here on: a second model of the whole input would cost more time than it gains
    run.elements.input_runs = bool(ran.loaded)
    run.knowledge = replace(run.knowledge, mostly_used=mostly_used)
    if run.best is not run.elements.settled:
        _try_without_unused(run, granularity, evidence.model, ran)
    evidence.watched_bytes = size
    if ran.covered and granularity != "class":
        watch_again(run)


def _try_trusted(run: PlanRun, event: EvidenceEvent) -> bool:
    """Try the least of a program that the level of trust lets stay. Return True if it is interesting. If no code of its
    methods may be cut either, the search is over."""
    size, held = run.bytes, run.elements
    if held.dead is None or run.granularity == "class" or run.stopped:
        return False
    found = begin_with(run, held.trusted(), NAME)
    if found:
        title = "what the level of trust asks for"
        tried = {"title": title, "bytes": run.bytes, "classes": run.best.classes, "interesting": True}
        tell(run, replace(event, candidates=[tried]), size)
        held.settled = None if held.dead.methods else run.best
    return found


def watch_again(run: PlanRun) -> None:
    """Watch the best and try the code that its run used. Repeat while the best loses bytes from one watched run to the
    next. Do nothing unless a run showed that most of the input is used.

    Code that only removed code had called no longer runs, even if other code names it.
    """
    evidence = run.evidence
    if evidence is None or not run.knowledge.mostly_used or run.elements.dead is not None:
        return
    while not run.stopped and run.bytes <= _SMALLER * evidence.watched_bytes:
        evidence.watched_bytes = run.bytes
        model = class_model.build(run.elements.jar(run.best))
        ran = evidence.ran_again(model)
        if ran is None or evidence.cancelled:
            return
        _warn_of_hollow(run, evidence)
        event = EvidenceEvent("run", _used(ran, -1, "what is left"), len(ran.loaded), ran.methods)
        try_suggestions(run, run.granularity, partial(around_run, ran=ran), event)
        _try_without_unused(run, run.granularity, model, ran)


def watch_result(run: PlanRun, evidence: GatheredEvidence) -> None:
    """Watch the best of a program at the end of the search, unless the best has been watched, and warn if it is
    hollow."""
    if _is_program(run, evidence) and not run.stopped and (evidence.used or evidence.ran()):
        if run.bytes != evidence.watched_bytes:
            evidence.ran_again(class_model.build(run.elements.jar(run.best)))
        _warn_of_hollow(run, evidence)


def _warn_of_hollow(run: PlanRun, evidence: GatheredEvidence) -> None:
    """Warn if the best of a program only prints what is compared."""
    first, last = evidence.running or (0, 0)
    before, evidence.hollow = evidence.hollow, _is_program(run, evidence) and last < _HOLLOW * first
    if evidence.hollow and not before:
        run.emit(Warned(methods_text(first, last, hollow=True), doubt=True))


def _is_program(run: PlanRun, evidence: GatheredEvidence) -> bool:
    return evidence.watcher is not None and run.aim.works(int(evidence.report.failed))


def watch_from_here(run: PlanRun) -> None:
    """Watch the best for the first time: the search goes on from a result of a program."""
    if run.evidence is not None and run.evidence.watcher is not None:
        run.elements.input_runs = True
        run.knowledge = replace(run.knowledge, mostly_used=True)
        run.evidence.watched_bytes = 2 * run.bytes
        watch_again(run)


def gain_to_watch(run: PlanRun) -> TargetGain | None:
    """Return the gain of a phase after which the best is to be watched again; None if no watched run has shown which
    code of a program runs.
    """
    used = run.evidence.used if run.evidence is not None else None
    if used is None or not used.covered or not run.knowledge.mostly_used:
        return None
    return TargetGain(max(1, int(_GONE * run.bytes)))


def _try_without_unused(run: PlanRun, granularity: str, model: ClassModel, ran: Ran) -> None:
    """Try without the instructions that did not run. If most of the input is used, then try without the items that
    the executed code does not use.
    """
    if granularity == "full" and not run.stopped:
        _cut(run, DeadCode(model, ran), ran)
    if run.knowledge.mostly_used and granularity != "class" and not run.stopped:
        size = run.bytes
        if drop_surplus(run, partial(around_run, ran=ran)):
            tell(run, EvidenceEvent("run", "Dropped in groups: what the code that ran does not use."), size)


def _cut(run: PlanRun, dead: DeadCode, ran: Ran) -> None:
    """Cut the instructions that did not run. If the best gets smaller, try the code that ran again: it needs less by
    now.
    """
    size = run.bytes
    if not dead.methods or not cut_dead(run, dead):
        return
    event = EvidenceEvent(
        "code", f"Of {counted(dead.methods, 'method')} some instructions did not run.", methods=dead.methods
    )
    if run.bytes < size and not run.stopped:
        try_suggestions(run, "full", partial(around_run, ran=ran), event, size)
    else:
        tell(run, event, size)


def _resources(model: ClassModel, ran: Ran) -> int:
    """Return the number of the input's resources that the run read; -1 if unknown."""
    if ran.read is None:
        return -1
    return sum(item.kind is not Kind.CLASS and ran.asked_for(item.name) for item in model.items)


def _used(ran: Ran, resources: int, what: str = "the input") -> str:
    code = f"{counted(ran.methods, 'method')} ran" if ran.covered else "which methods ran is not known"
    read = f", {counted(resources, 'resource')} read" if resources >= 0 else ""
    loaded = counted(len(ran.loaded), "class")
    return f"One watched run of {what}: {loaded} loaded, {code}{read}. {ran.note}".strip()
