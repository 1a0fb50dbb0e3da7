"""The report of one reduction, from what its check, its search and its confirmation have found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.evidence.failure import names_in
from core.evidence.missing_libraries import library_failures
from core.model import class_model
from core.plan.plan_run import PlanRun
from core.predicate.failure_kinds import LibraryFailures
from core.predicate.failures import Statement, Wanted
from core.reduction.elements import jar_of
from core.reduction.records import Reduction
from core.report.reduction_report import evidence as failure_evidence
from core.report.reduction_report import report as plain_report
from core.service.preparation import Preparation
from core.service.searching.accounts import Accounts
from core.service.searching.input_failures import InputFailures
from core.service.searching.nearest import names_left, nearest
from core.service.searching.testers import Testers
from core.version import VERSION


def told(
    ready: Preparation,
    accounts: Accounts,
    failures: InputFailures,
    testers: Testers,
    reduction: Reduction,
    failure: str | None,
    run: PlanRun,
    parts: dict[str, int] | None,
) -> dict[str, Any]:
    """Return the report of a reduction after the search ``run``, for all failures or for one. ``parts``: number of
    parts of the input's classes a kind."""
    aim = ready.aim
    made = plain_report(ready.model, aim.stored, reduction, accounts.beside(), accounts.waited(), parts)
    made["jobs"] = ready.jobs
    made["certificate"]["full_input_run"] = ready.full_was_run
    made["seconds"]["before"] = round(accounts.used, 3)
    made["tools"] = {"jarlet": VERSION} | ready.predicate.versions()
    validity = ready.build_model.validity
    made["validity"] = {"taken": validity.taken, "why": validity.why}
    chosen = Wanted(Statement.CHOSEN, (failure,)).describe() if failure is not None else ""
    outcome = reduction.outcome or ready.outcome
    errors = names_in(outcome)
    renaming = reduction.best.renaming
    certain = dict(failures.of_missing_libraries)
    rest = [error for error in errors if error not in certain]
    if rest:  # a model of a large result takes a minute
        result = class_model.build(jar_of(reduction.best.entries, ready.model.jar))
        certain |= library_failures(rest, ready.model, aim.class_path, aim.jdk, [result]).certain
    made["final"] = {
        "wanted": chosen or aim.wanted_text(ready.predicate),
        "command": ready.predicate.shell_line(Path("work")),
        "limit": testers.confirming().timeout,
        **failure_evidence(outcome, renaming),
        "chosen": list(map(renaming.given, failures.chosen(failure))),
        "new": failures.new(outcome.failures),
        "of_libraries": failures.of_libraries(outcome.failures),
        "missing": LibraryFailures(certain).packages(errors),
        "errors": len(errors),
    }
    made |= _of_search(run, ready.outcome.exit, made["final"]["failures"])
    made["certificate"]["one_minimal"] = run.minimality(reduction)
    for phase, name in zip(made["phases"], run.phase_names, strict=False):
        phase["name"] = name
    return made


def _of_search(run: PlanRun, exit_code: int | None, failures: Collection[str]) -> dict[str, Any]:
    """Return the parts of a report that the finished search tells; ``failures`` are those of its result. ``exit_code``:
    of the full input."""
    found: dict[str, Any] = {
        "nearest": [asdict(each) for each in nearest(run, failures)],
        "skipped": [{"round": number, "phase": name, "why": why} for number, name, why in run.skipped_phases],
        "evidence": [asdict(each) for each in run.evidence.emitted] if run.evidence is not None else [],
    }
    evidence, works = run.evidence, run.aim.works(exit_code)
    if works and evidence is not None and evidence.running:
        first, last = evidence.running
        found["methods"] = {"input": first, "result": last, "hollow": evidence.hollow}
    return found | ({"names": names_left(run)} if run.aim.search.rename else {})
