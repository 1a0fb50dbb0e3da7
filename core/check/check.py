"""The check before a reduction: is the full input, as we write it, interesting, stable, and how fast? And as given?"""

from __future__ import annotations

import statistics
from pathlib import Path
from threading import Event as Flag

from core.check.as_given import AsGivenCheck, GivenRun, OtherRuns
from core.check.diagnosis import diagnosis, suggested_exit
from core.check.early import EarlyRun
from core.check.missing_libraries import missing_libraries
from core.check.validity import departure
from core.evidence.failure import CRASH, crash_logs
from core.model.class_model import ClassModel, Kind
from core.predicate import presets
from core.predicate.from_settings import condition_of, wanted_by
from core.predicate.predicate import Calibration, Predicate, discard
from core.predicate.verdict import Outcome
from core.protocol.events import Checked
from core.protocol.java_names import package_of, simple_name
from core.protocol.settings import Settings
from core.reduction.probing.pace import least_limit, limit_for
from core.system.processors import Busy
from core.system.work_folder import keep_last


def check(
    model: ClassModel,
    settings: Settings,
    predicate: Predicate,
    folder: Path,
    cancel: Flag,
    runs: int,
    *,
    beside: bool = True,
    advise: bool = False,
    trusting: bool = False,
    cold: Calibration | None = None,
    busy: Busy | None = None,
    empty: bool = False,
    options: bool = True,
    early: EarlyRun[GivenRun | None] | None = None,
) -> tuple[Predicate, Checked, Outcome]:
    """Runs the settings' ``predicate`` ``runs`` times on the full input as we write it.

    With ``beside`` the input is then run as it was given, to tell whether it fails for the same reason; where it is not
    interesting, that is done in any case, to tell what that is due to. With ``advise`` a number of jobs is suggested,
    with ``empty`` it is asked whether a jar without entries is interesting as well. ``options``: whether the diagnosis
    names options of the command line; a window has buttons. With ``trusting`` a resident process may be the only one
    that runs it, and who calls makes a cold run; ``cold`` is such a run that was made before. ``busy`` notes what the
    runs take. ``early`` is the run as given, where that was begun beforehand.

    Gives the predicate to reduce with (it compares with the first run and has a time limit),
    the diagnosis, and the outcome of the run that decided. The folder of a run that failed the
    check is moved beside ``folder`` and left there until the next one, so that the run can be repeated by hand.
    """
    entries = model.entries(model.full)
    work = folder / "check-1"
    discard(work)
    busy = busy or Busy()

    def first() -> Outcome:
        nonlocal predicate
        if cold is not None:
            predicate, outcome = predicate.residency.proved(cold, entries, work, cancel), cold[1]
        elif trusting:
            predicate, outcome = predicate.residency.trusting(entries, work, cancel)
        else:
            predicate, outcome = predicate.calibrated(entries, work, cancel)
        return outcome

    outcome = busy.during(first, predicate.residency.residents)
    if early is not None:
        early.first_is_over()
    if predicate.residency.unproven or (predicate.residency.expected and cold is not None):
        busy.was_resident()
    (folder / CRASH).write_text(crash_logs(work), encoding="utf-8")
    outcomes = [outcome]
    while outcome.interesting and len(outcomes) < runs and not cancel.is_set():
        discard(work)
        work = folder / f"check-{len(outcomes) + 1}"
        discard(work)
        outcome = busy.during(lambda work=work: predicate.probe(entries, work, cancel))  # type: ignore[misc]
        if outcome.interesting or not cancel.is_set():
            outcomes.append(outcome)
    outcome = outcomes[-1]  # a run that was cancelled says nothing
    compared, took = OtherRuns(), [outcome.seconds for outcome in outcomes]
    if not cancel.is_set() and (beside or len(outcomes) == 1):
        comparer = AsGivenCheck(model.jar, predicate, condition_of(settings), folder, cancel, early)
        if outcome.interesting and beside:
            compared = comparer.passed(outcome)
        elif not outcome.interesting and len(outcomes) == 1:
            compared = comparer.failed(outcome, entries)
        took += comparer.runs
    if outcome.interesting or cancel.is_set():
        discard(work)
    else:
        work = keep_last(work, folder.parent)
    seconds = statistics.median(outcome.seconds for outcome in outcomes)
    least = least_limit(predicate)
    slowest, jobs = max(outcome.seconds for outcome in outcomes), settings.jobs or busy.automatic
    timeout = settings.timeout or limit_for(slowest, least, jobs)
    nothing = False
    if empty and outcome.interesting and not cancel.is_set():
        work = folder / "check-empty"
        discard(work)
        found = predicate.limited(timeout).probe([], work, cancel)
        discard(work)
        nothing = found.interesting and not cancel.is_set()
        took.append(found.seconds)
    classes = [item.name for item in model.items if item.kind is Kind.CLASS]
    lack = missing_libraries(outcome, {package_of(name) for name in classes}, {simple_name(name) for name in classes})
    said = diagnosis(
        outcomes,
        settings,
        wanted_text(settings, predicate),
        compared,
        busy.jobs if advise else 0,
        empty=nothing,
        options=options,
    )
    checked = Checked(
        interesting=outcome.interesting,
        stable=outcome.interesting or (len(outcomes) == 1 and not (compared.again and compared.again.interesting)),
        runs=len(outcomes),
        seconds=seconds,
        verdict=outcome.verdict.value,
        message=f"{said} {departure(settings, outcome)}".rstrip(),
        command="" if outcome.interesting else predicate.shell_line(work),
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        timeout=timeout,
        failures=sorted(set(outcome.failures)),
        probes=len(took),
        spent=sum(took),
        counts=[outcome.failures.count(name) for name in sorted(set(outcome.failures))],
        slowest=max(each.seconds for each in outcomes),
        empty=nothing,
        missing=[name for name, _ in lack.names],
        missing_errors=[count for _, count in lack.names],
        errors=lack.errors,
        exit=suggested_exit(outcome, settings),
        jobs=busy.jobs if advise and outcome.interesting else 0,
    )
    return predicate.limited(timeout), checked, outcome


def wanted_text(settings: Settings, predicate: Predicate) -> str:
    """What counts as interesting, in words: the predicate's own, else those of the settings."""
    if own := getattr(predicate, "wanted_words", ""):
        return str(own)
    if settings.preset is None:
        return condition_of(settings).describe()
    wanted = wanted_by(settings) or presets.find(settings.preset).wanted
    return wanted.describe() if wanted else "exit code 0"
