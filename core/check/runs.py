"""The runs of a check, each declared once: its condition, its function, and its proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.check.ahead import chosen_failures, find_substitute
from core.check.as_given import (
    EarlyRun,
    OtherRuns,
    all_entries,
    difference,
    given_predicate,
    is_signed,
    run_as_given,
)
from core.check.check_state import CheckState
from core.check.diagnosis import WARNING, diagnosis
from core.check.findings import Doubt, Mistaken, NotInteresting, Objection
from core.check.tool_words import resident_text
from core.errors import OutputError
from core.evidence.failure import CRASH, crash_logs
from core.predicate.from_settings import condition_of
from core.predicate.output.left_files import SWITCHED_OFF, left_files, to_compare, told
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome
from core.protocol.settings import NO_NAMES
from core.protocol.wording import by_hand
from core.system.work_folder import keep_last

_BESIDE = "check-beside"
"""Name of the folder of runs that are compared with runs of the full input."""

_EMPTY_TOO = (
    f"{WARNING}an empty jar is interesting too, so the result may be empty. Does the command look at the jar at all? "
    "Ask for something that only the failure shows."
)


@dataclass(frozen=True)
class CheckRun:
    """One kind of run."""

    name: str
    proves: str
    """Statement that the run confirms or refutes."""
    may_run: Callable[[CheckState], bool]
    """Condition for making the run now."""
    make: Callable[[CheckState], Objection | None]
    """Function that makes the run, records its outcome in the state, and returns an objection to the search or None."""


def perform(order: Iterable[CheckRun], state: CheckState) -> Objection | None:
    """Make the runs of ``order`` whose condition holds, one after another. Return the last objection.

    A cancelled check makes the first run alone: its outcome is needed in any case.
    """
    objection = None
    for run in order:
        if state.outcomes and state.cancelled:
            break
        if run.may_run(state):
            objection = run.make(state) or objection
    return objection


def _look_ahead(state: CheckState) -> None:
    state.substitute = find_substitute(state)


def _run_first(state: CheckState) -> None:
    context, before = state.context, state.predicate
    if state.wishes.early and state.substitute is None:
        run = partial(run_as_given, state.model.jar, before, context.work / _BESIDE)
        state.early = EarlyRun(run, context.cancel)
    work = state.next_folder()
    outcome = state.busy.during(lambda: _calibrate(state, work), before.residency.residents)
    if state.early is not None:
        state.early.first_is_over()
    if state.predicate.residency.unproven or state.wishes.cold is not None:
        state.busy.was_resident()
    _note_failures(context.work, crash_logs(work) + _left_by_command(state, work, outcome))
    state.seconds.append(outcome.seconds)
    state.note(outcome)


def _note_failures(folder: Path, text: str) -> None:
    """Write what the first run left where the search looks for it. Raise OutputError."""
    try:
        (folder / CRASH).write_text(text, encoding="utf-8")
    except FileNotFoundError as error:
        raise OutputError(
            f"The command has deleted {folder}, the folder of all runs: a command may change its own folder alone, "
            "$JARLET_WORK."
        ) from error


def _left_by_command(state: CheckState, work: Path, outcome: Outcome) -> str:
    """Return the text of the files in which the user's command left failures, and note what the command tells."""
    settings = state.settings
    if settings.preset is not None or not settings.evidence or not isinstance(state.predicate, CommandPredicate):
        return ""
    if settings.failures_as == NO_NAMES:
        state.notes.append(SWITCHED_OFF)
        return ""
    files = left_files(work)
    if outcome.interesting:
        output = f"{outcome.stdout}\n{outcome.stderr}"
        state.notes.append(told(output, files))
        state.notes += filter(
            None,
            [
                to_compare(output, files) if settings.failures_as is None and settings.rewrite else "",
                resident_text(settings),
            ],
        )
    return "".join(f"\n{file.text}" for file in files)


def _calibrate(state: CheckState, work: Path) -> Outcome:
    """Make the first run, or take over an earlier one. Later runs are compared with this run."""
    known, entries, cancel = state.wishes.cold, state.entries, state.context.cancel
    residency = state.predicate.residency
    if known is not None:
        state.predicate = residency.proved(known, entries, work, cancel)
        return known[1]
    calibrate = residency.trusting if state.wishes.trusting else state.predicate.calibrated
    state.predicate, outcome = calibrate(entries, work, cancel)
    return outcome


def _run_again(state: CheckState) -> Objection | None:
    while state.good < state.wishes.runs and state.interesting and not state.cancelled:
        probe = partial(state.probe, state.next_folder())
        outcome = state.busy.during(probe) if state.wishes.advise else probe()
        if outcome.interesting or not state.cancelled:
            state.note(outcome)
    return None if state.interesting else _unstable(state)


def _run_two_at_once(state: CheckState) -> Objection | None:
    def run(name: str) -> Outcome:
        with state.folder(name) as work:
            return state.probe(work)

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(run, ("check-2", "check-3")))
    if state.cancelled:
        return None
    for outcome in sorted(found, key=lambda outcome: not outcome.interesting):
        state.note(outcome)
    return None if state.interesting else _unstable(state)


def _run_as_given(state: CheckState) -> None:
    jar, cancel = state.model.jar, state.context.cancel
    given = state.early.result() if state.early is not None else None
    given = given or run_as_given(jar, state.predicate, state.context.work / _BESIDE, cancel)
    if given is None:
        state.other = OtherRuns(signed=is_signed(jar))
        return
    state.seconds.append(given[1].seconds)
    both = state.interesting and given[1].interesting
    written, preserve = (state.predicate, state.outcomes[0]), condition_of(state.settings).preserve
    differs = difference(given, written, preserve) if both else ""
    state.other = OtherRuns(given[1], differs=differs, signed=is_signed(jar))
    state.good += state.other.alike


def _run_after_given(state: CheckState) -> None:
    _, outcome = state.calibrate(state.predicate, state.entries, "check-after")
    state.other = replace(state.other, again=outcome)


def _run_here(state: CheckState) -> None:
    jar = state.model.jar
    assert isinstance(state.predicate, CommandPredicate)
    here = replace(state.predicate, place=Path.cwd())
    own = given_predicate(jar, here)
    entries = state.entries if own is None else all_entries(jar)
    _, outcome = state.calibrate(own or here, entries, "check-here")
    state.other = replace(state.other, here=outcome)
    if outcome.interesting and not state.cancelled:  # perhaps it is the answer that changes, and not the folder
        _run_after_given(state)


def _may_run_here(state: CheckState) -> bool:
    """Return True if the failure may need the user's folder. A program started from a desktop runs in the home or
    root folder, which never counts.
    """
    given, place = state.other.given, Path.cwd()
    as_given = given is not None and given.interesting
    somewhere = place not in (Path.home(), Path(place.anchor))
    return state.failed and not as_given and isinstance(state.predicate, CommandPredicate) and somewhere


def _run_cold(state: CheckState) -> Objection | None:
    residency = state.predicate.residency
    cold, outcome = state.calibrate(residency.cold, state.entries, "check-cold")
    if state.cancelled:
        return None
    state.good += outcome.interesting
    if outcome.interesting and residency.agrees(cold):
        return None
    message = "A resident Java process finds other failures than the command in processes of its own"
    return Mistaken(message, (cold, outcome) if outcome.interesting else None)


def _run_empty(state: CheckState) -> None:
    with state.folder("check-empty") as work:
        outcome = state.predicate.limited(state.limit).probe([], work, state.context.cancel)
    state.seconds.append(outcome.seconds)
    state.empty = outcome.interesting and not state.cancelled
    if state.empty:
        state.notes.append(_EMPTY_TOO)


def _unstable(state: CheckState) -> Objection:
    """Return the objection of an uninteresting run after an interesting one."""
    if state.serial or state.certain:
        return repeatable(state, diagnosis(state))
    beside = "The command fails when two runs of it go on at the same time; --jobs 1 says so"
    return Doubt(beside, NotInteresting(diagnosis(state)))


def repeatable(state: CheckState, message: str) -> NotInteresting:
    """Return the finding with a line that repeats the last run of the full input, whose folder stays."""
    kept = keep_last(state.work, state.context.work.parent)
    return NotInteresting(f"{message}\n{by_hand(state.predicate.shell_line(kept))}")


AHEAD = CheckRun(
    "ahead",
    "the chosen failures show in a small candidate, so the full input need not be run",
    lambda state: state.wishes.model_of is not None and bool(chosen_failures(state.settings)),
    _look_ahead,
)
FIRST = CheckRun("first", "the full input is interesting", lambda state: not state.outcomes, _run_first)
AGAIN = CheckRun(
    "again",
    "the full input is interesting each time",
    lambda state: state.good < state.wishes.runs and state.interesting,
    _run_again,
)
TWO_AT_ONCE = CheckRun(
    "two at once",
    "the command bears another run beside it",
    lambda state: state.interesting and not state.serial and not state.certain,
    _run_two_at_once,
)
AS_GIVEN = CheckRun(
    "as given",
    "the failure does not come from the way in which Jarlet writes jars",
    lambda state: state.failed or (state.interesting and state.wishes.compare),
    _run_as_given,
)
AFTER_GIVEN = CheckRun(
    "after given",
    "Jarlet's writing hides the failure, and not a predicate that changes its answer",
    lambda state: state.failed and state.other.given is not None and state.other.given.interesting,
    _run_after_given,
)
HERE = CheckRun("here", "the command needs the user's current folder", _may_run_here, _run_here)
COLD = CheckRun(
    "cold",
    "resident processes find what new processes find; a run as given that fails alike proves that, too",
    lambda state: state.interesting and state.predicate.residency.unproven and not state.other.alike,
    _run_cold,
)
EMPTY = CheckRun(
    "empty",
    "the predicate looks at the jar: one without entries is not interesting",
    lambda state: state.interesting and state.wishes.empty,
    _run_empty,
)

CHECK_ALONE = (FIRST, AGAIN, AS_GIVEN, AFTER_GIVEN, HERE, EMPTY)
"""Runs of a check without a search, in their order."""

BEFORE_SEARCH = (AHEAD, FIRST, AS_GIVEN, AFTER_GIVEN, HERE, EMPTY)
"""Runs before a search, in their order."""

BESIDE_SEARCH = (TWO_AT_ONCE, AS_GIVEN, COLD, AGAIN)
"""Runs beside a search, in their order."""
