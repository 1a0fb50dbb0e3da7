"""The runs of a check. Each is declared once: its name, its proof, its condition, and its function.

The lists at the end have the runs of a check without a search, before a search and beside one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.check.ahead import find_substitute
from core.check.as_given import begin_early, given_predicate, given_text, run_as_given
from core.check.check_state import CheckState
from core.check.diagnosis import diagnosis
from core.check.first_run import SHOWN, uncompared, warnings_of
from core.check.objections import Doubt, Mistaken, NotInteresting, Objection
from core.entries import CONTROL
from core.evidence.failure import keep_failures, names_in
from core.evidence.mentions import ClassNames
from core.evidence.missing_libraries import library_failures
from core.evidence.two_runs import difference
from core.predicate.command import resident_text
from core.predicate.output import listening
from core.predicate.output.left_files import HEARD, SILENT, left_files
from core.predicate.predicate import Calibration, CommandPredicate, Predicate
from core.predicate.several.rare import RarePredicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.wording import NOTHING_TO_REDUCE, by_hand

_TURNS = 2
"""Repetitions of two runs that differ. See decisions/028-check-beside-the-search.md."""
_EMPTY_TOO = "an empty jar is interesting too, so the result may be empty."
_ANY_TOO = "a jar with one empty interface is interesting too, so any class may show this."
_LOOK = (
    "Does the command look at the jar at all? Or does the tool fail over its own options, libraries or JDK? Ask for "
    "something that only the failure shows, a text of its output for instance."
)


@dataclass(frozen=True)
class CheckRun:
    """One kind of run."""

    name: str
    proves: str
    """Statement that the run confirms or refutes."""
    when: Callable[[CheckState], bool]
    """Condition for making the run now."""
    make: Callable[[CheckState], Objection | None]
    """Function that makes the run, records its outcome in the state, and returns an objection to the search or None."""


def perform(
    order: Sequence[CheckRun], state: CheckState, emit: Callable[[events.Checking], None] = lambda event: None
) -> Objection | None:
    """Make the runs of ``order`` whose condition holds, one after another, and tell of each before it begins. Return
    the first objection: no run follows it.

    A cancelled check makes the first run alone: its outcome is needed in any case.
    """
    for part, run in enumerate(order, 1):
        if state.outcomes and state.cancelled:
            break
        if run.when(state):
            emit(events.Checking(run.proves, part, len(order)))
            objection = run.make(state)
            if objection is not None:
                return objection
    return None


def run(name: str, proves: str, when: Callable[[CheckState], bool]) -> Callable[..., CheckRun]:
    """Return a decorator that declares a function as a run. ``when``: condition for making it now."""
    return partial(CheckRun, name, proves, when)


@run(
    "ahead",
    "the chosen failures show in a small candidate, so the full input need not be run",
    when=lambda state: state.wishes.model_of is not None and bool(state.aim.chosen_failures),
)
def AHEAD(state: CheckState) -> None:
    state.substitute = find_substitute(state)


@run("first", "the full input shows what is asked for", when=lambda state: not state.outcomes)
def FIRST(state: CheckState) -> None:
    if state.wishes.early and state.substitute is None:
        begin_early(state)
    context, residents, work = state.context, state.predicate.residents, state.next_folder()
    try:
        outcome = state.busy.during(lambda: _calibrate(state, work), residents)
    finally:
        state.first_over.set()
    if state.predicate.unproven or state.wishes.cold is not None:
        state.busy.was_resident()
    names = ClassNames(state.model) if state.command is not None else None
    state.notes += keep_failures(state.aim, outcome, work, context.work, names)
    if outcome.interesting:
        state.notes += filter(None, [resident_text(state.aim.wording) if names is not None else ""])
        state.warnings += filter(None, warnings_of(state, outcome))
        state.notes += filter(None, [uncompared(state, outcome)])
    state.seconds.append(outcome.seconds)
    state.outcomes.append(outcome)
    _tell_libraries(state, outcome)


def _tell_libraries(state: CheckState, outcome: Outcome) -> None:
    """Note the failures that have to do with missing libraries, for the predicate too. Raise InputError for a class
    path that cannot be used."""
    aim = state.aim
    state.of_libraries = library_failures(names_in(outcome), state.full_model, aim.class_path, aim.jdk)
    reference = state.predicate.reference
    if reference is not None and state.of_libraries.certain:
        state.predicate = state.predicate.relative_to(replace(reference, libraries=state.of_libraries))


def _calibrate(state: CheckState, work: Path) -> Outcome:
    """Make the first run, or take over an earlier one. Later runs are compared with this run."""
    known, entries, cancel = state.wishes.cold, state.entries, state.context.cancel
    if known is not None:
        state.predicate = state.predicate.proved(known, entries, work, cancel)
        return known[1]
    if isinstance(state.predicate, RarePredicate):
        state.predicate.tell = lambda rate: state.context.emit(events.Working(f"running the full input, {rate}"))
    calibrate = state.predicate.trusting if state.wishes.trusting else state.predicate.calibrated
    state.predicate, outcome = calibrate(entries, work, cancel)
    return outcome


def _keeps_to_itself(state: CheckState) -> bool:
    """Return True if the command calls javac and shows none of javac's errors."""
    return state.interesting and SILENT in state.notes and listening.starts_javac(state.aim.wording)


@run("listened", "the errors of a javac whose output the command throws away say where to begin", when=_keeps_to_itself)
def LISTENED(state: CheckState) -> None:
    if not _listen(state, listening.plug_in()):
        _listen(state, None)


def _listen(state: CheckState, plugin: Path | None) -> bool:
    """Run the command with a javac that writes its messages to a file. Return False if this javac took no plug-in."""
    context = state.context
    with state.folder("listened") as work:
        variables = listening.variables(work, plugin, os.environ)
        outcome = state.predicate.observed(variables).probe(state.entries, work, context.cancel)
        state.record("listened", outcome)
        if plugin is not None and listening.refused(work):
            return False
        if left_files(work):
            keep_failures(state.aim, outcome, work, context.work, ClassNames(state.model))
            state.notes[state.notes.index(SILENT)] = HEARD
    return True


@run(
    "again",
    "the full input shows this each time",
    when=lambda state: state.good < state.wishes.runs and state.interesting,
)
def AGAIN(state: CheckState) -> Objection | None:
    while state.good < state.wishes.runs and state.interesting and not state.cancelled:
        probe = partial(state.probe, state.next_folder())
        outcome = state.busy.during(probe) if state.wishes.advise else probe()
        if outcome.interesting or not state.cancelled:
            state.outcomes.append(outcome)
    return None if state.interesting else _unstable(state)


@run(
    "two at once",
    "two runs of the command at the same time do not disturb each other",
    when=lambda state: state.interesting and state.may_disturb,
)
def TWO_AT_ONCE(state: CheckState) -> Objection | None:
    def probe(name: str) -> Outcome:
        with state.folder(name) as work:
            return state.probe(work)

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(probe, ("2", "3")))
    if state.cancelled:
        return None
    state.outcomes += sorted(found, key=lambda outcome: not outcome.interesting)
    return None if state.interesting else _unstable(state)


def _given(state: CheckState) -> Calibration | None:
    """Return the run of the input as given, which may have begun early, and record its outcome."""
    given = state.early.result() if state.early is not None else None
    given = given or run_as_given(state, state.predicate)
    if given is not None:
        state.record("given", given[1])
    return given


@run("as given", "Jarlet's writing does not hide the failure", when=lambda state: state.failed)
def AS_GIVEN(state: CheckState) -> None:
    _given(state)


@run(
    "compared",
    "the way in which Jarlet writes jars changes nothing",
    when=lambda state: state.interesting and state.wishes.compare and state.substitute is None,
)
def COMPARED(state: CheckState) -> Objection | None:
    given = _given(state)
    if given is not None and (given[1].interesting or not state.cancelled):
        written, preserve = (state.predicate, state.outcomes[0]), state.aim.condition.preserve
        different = difference(given, written, preserve) if given[1].interesting else ""
        state.alike = given[1].interesting and not different
        text = given_text(state.model.jar, given[1], written[1], different)
        (state.notes if state.alike else state.warnings).insert(0, text)
        if not given[1].interesting:
            _repeat(state, "given")
            if state.changed is not None:
                state.outcomes.append(given[1])
                return _unstable(state)
    elif len(state.model.jar.inputs) != 1 and not state.model.jar.is_class_path:
        state.notes.append("The inputs are joined to one jar, and that jar is what candidates are compared with.")
    if state.model.jar.is_signed:
        state.notes.append("It is signed: the signature cannot stay, since it covers the whole jar.")
    return None


def _may_need_folder(state: CheckState) -> bool:
    """Return True if the failure may need the user's folder. A program started from a desktop runs in the home or
    root folder, which never counts.
    """
    place = Path.cwd()
    somewhere = place not in (Path.home(), Path(place.anchor))
    return state.failed and not state.showed("given") and isinstance(state.predicate, CommandPredicate) and somewhere


@run("here", "the command needs the user's current folder", when=_may_need_folder)
def HERE(state: CheckState) -> None:
    state.run_other("here", _here(state), state.entries)


def _here(state: CheckState) -> Predicate:
    """Return the predicate that runs the input as given in the current folder."""
    assert isinstance(state.predicate, CommandPredicate)
    here = replace(state.predicate, place=Path.cwd())
    return given_predicate(state.model.jar, here) or here


@run(
    "repeated",
    "the file or the folder makes the difference: the predicate does not change its answer",
    when=lambda state: state.failed and (state.showed("given") or state.showed("here")),
)
def REPEATED(state: CheckState) -> None:
    _repeat(state, "given" if state.showed("given") else "here")


def _repeat(state: CheckState, other: str) -> None:
    """Run the full input again, in turns as Jarlet writes it and in the ``other`` way, which had another answer. Stop
    at the first answer that changes on the same bytes: it comes from the predicate."""
    written, interesting = state.predicate, state.interesting
    way = _here(state) if other == "here" else given_predicate(state.model.jar, written)
    assert way is not None
    for _ in range(_TURNS):
        for name, predicate, answer in ("repeated", written, interesting), (f"{other}-again", way, not interesting):
            if state.cancelled or state.run_other(name, predicate, state.entries)[1].interesting is not answer:
                return


@run(
    "cold",
    "resident processes find what new processes find (a run as given that fails in the same way proves that, too)",
    when=lambda state: state.interesting and state.predicate.unproven and not state.alike,
)
def COLD(state: CheckState) -> Objection | None:
    hosted = state.predicate
    cold, outcome = state.run_other("cold", hosted.cold, state.entries)
    if state.cancelled or (outcome.interesting and hosted.agrees(cold)):
        return None
    message = "A resident Java process finds other failures than the command in processes of its own"
    return Mistaken(message, (cold, outcome) if outcome.interesting else None)


@run(
    "empty",
    "the predicate looks at the jar (one without a class, or with an empty one, must not be interesting)",
    when=lambda state: state.interesting and state.wishes.empty,
)
def EMPTY(state: CheckState) -> None:
    for name, entries, too in ("empty", [], _EMPTY_TOO), ("any class", CONTROL, _ANY_TOO):
        if entries and (state.command is None or state.showed("empty") or state.aim.condition.hangs):
            return
        with state.folder(name) as work:
            outcome = state.predicate.limited(state.limit).probe(entries, work, state.context.cancel)
        state.record(name, outcome)
        if outcome.interesting:
            unseen = state.command.files_text if state.command is not None else ""
            said = next(filter(str.strip, f"{outcome.stderr}\n{outcome.stdout}".splitlines()), "")
            told = f" The command says: {said.strip()[:SHOWN]!r}." if said else ""
            state.warnings.append(f"{too} {unseen or _LOOK}{told}")


@run("nothing", EMPTY.proves, when=EMPTY.when)
def NOTHING(state: CheckState) -> Objection | None:
    EMPTY.make(state)
    return NotInteresting(nothing_text(state.warnings)) if state.showed("empty") else None


def nothing_text(warnings: Iterable[str]) -> str:
    """Return sentences on a search that would end with an empty jar, by the ``warnings`` of its check."""
    (why,) = (each for each in warnings if each.startswith(_EMPTY_TOO))
    return f"{NOTHING_TO_REDUCE}{why}"


def _unstable(state: CheckState) -> Objection:
    """Return the objection of an uninteresting run after an interesting one."""
    if not state.may_disturb:
        return repeatable(state, diagnosis(state))
    return Doubt("The command fails when two runs of it go on at the same time; --jobs 1 says so")


def repeatable(state: CheckState, message: str) -> NotInteresting:
    """Return the objection with a line that repeats the last run of the full input. The folder of the run stays."""
    return NotInteresting(f"{message}\n{by_hand(state.keep_folder())}")


CHECK_ALONE = (FIRST, LISTENED, AGAIN, AS_GIVEN, COMPARED, HERE, REPEATED, EMPTY)
"""Runs of a check without a search, in their order."""

BEFORE_SEARCH = (AHEAD, FIRST, LISTENED, AS_GIVEN, HERE, REPEATED)
"""Runs before a search, in their order."""

BESIDE_SEARCH = (NOTHING, TWO_AT_ONCE, COMPARED, COLD, AGAIN)
"""Runs beside a search, in their order."""
