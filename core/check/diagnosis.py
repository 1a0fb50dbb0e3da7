"""The wording of a check: its outcomes, mistakes in the predicate, and remedies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from core.check.check_state import CheckState, shows
from core.evidence.lack import missing_name
from core.predicate.from_settings import wanted_text
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.protocol.wording import WARNING
from core.system.processors import cores

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
"""Exit codes of shells."""
_SHOWN = 120
"""Largest number of characters that a message quotes from a line of output."""


def diagnosis(state: CheckState) -> str:
    """Return sentences about the runs of a check, and a remedy. The last run decides."""
    outcomes, settings, options = state.outcomes, state.settings, state.wishes.options
    last, wanted = outcomes[-1], wanted_text(settings, state.predicate)
    if last.interesting:
        advice = _advice(state.busy.jobs) if state.wishes.advise and options else ""
        return " ".join(filter(None, [times_text(len(outcomes), wanted), *_said(state), advice]))
    if len(outcomes) > 1:
        return _unstable(outcomes)
    if state.again is not None and state.again.interesting:
        return _unstable([state.again, last], "one run on the full input was interesting, another one was not")
    if last.verdict is Verdict.TIMED_OUT:
        return (
            f"The predicate did not end on the full input: {last.detail}, with all processes that it had started. "
            + ("Set a longer --timeout." if settings.timeout else "Set a --timeout that is long enough.")
        )
    if state.given is not None and state.given.interesting:
        return _only_as_given(last, state.given, signed=state.signed)
    command = state.command
    hints = [
        command.operators_text if command is not None else "",
        (command.files_text if command is not None else "") or _folder(state),
        _program(last),
        _classes(last),
        _other_exit(last, settings),
        _exit(last, settings) if options else "",
    ]
    return " ".join([f"The full input is not interesting: {last.detail} (wanted: {wanted}).", *filter(None, hints)])


def stopped_text(seconds: float) -> str:
    """Return a sentence about a check that the user stopped in its first run."""
    return f"The check was stopped after {seconds:.0f} s: the command had not ended. There is no verdict."


def doubts(state: CheckState) -> list[str]:
    """Return the warnings of a check of an interesting input, each without its first word."""
    return [text.removeprefix(WARNING) for text in _said(state) if text.startswith(WARNING)]


def _said(state: CheckState) -> list[str]:
    """Return what is to be said of an interesting input beside that; warnings begin with their word."""
    operators = state.command.operators_text if state.command is not None else ""
    return [compared_text(state), *state.notes, f"{WARNING}{operators}" if operators else ""]


def times_text(good: int, wanted: str) -> str:
    """Return a sentence that all ``good`` runs of the full input were interesting."""
    times = "once" if good == 1 else f"{good} times out of {good}"
    return f"The full input is interesting ({wanted}): {times}."


def compared_text(state: CheckState) -> str:
    """Return sentences about the run of the input as given; a warning if this run did not show the same failure as
    the run of the input as written.
    """
    given, notes = state.given, []
    if given is not None and not given.interesting:
        notes.append(
            f"{WARNING}as it was given it is not interesting ({given.detail}), only as Jarlet writes it: the failure "
            "may come from the writing. Does the command look at the file itself, or change its answer?"
        )
    elif state.differs:
        notes.append(
            f"{WARNING}as it was given it fails for another reason: {state.differs}. The reduction would be for what "
            "fails as Jarlet writes it; --match with a part of the output keeps it on one of them."
        )
    elif given is not None:
        notes.append("As it was given it is interesting too.")
    if state.signed:
        notes.append("It is signed: the signature cannot stay, since it covers the whole jar.")
    return " ".join(notes)


def _advice(jobs: int) -> str:
    if not jobs:
        return ""
    machine = f"this machine's {cores()} cores" if cores() > 1 else "this machine's one core"
    return f"Suited to {machine}: --jobs {jobs}."


def _only_as_given(last: Outcome, given: Outcome, *, signed: bool) -> str:
    what = "The command seems to look at the file itself: its size, its digest, the times or the order of its entries."
    return (
        f"The full input is interesting as it was given ({given.detail}), but not as Jarlet writes it "
        f"({last.detail}). {what} Jarlet writes every candidate anew: the same names and contents in the same order, "
        "all times 1980, compressed in its own way. Let the command look at the entries only."
        + (" The input is signed, and its signature may be what is looked at." if signed else "")
    )


def _folder(state: CheckState) -> str:
    """Return a sentence if the command needs the user's current folder."""
    if not shows(state.here):
        return ""
    return (
        f"In the current folder, {Path.cwd()}, it is interesting: the command or what it runs needs something of that "
        "folder, but each run has a folder of its own. Write {file:PATH} or an absolute path, in scripts too."
    )


def _other_exit(outcome: Outcome, settings: Settings) -> str:
    if settings.also_interesting is None or outcome.exit != settings.also_interesting:
        return ""
    return "That is the exit code of --also-interesting: if it is what you are after, name it with --expect-exit."


def _unstable(outcomes: Sequence[Outcome], how: str = "") -> str:
    """Return sentences about runs that differ: their first different line, and a remedy."""
    last = outcomes[-1]
    how = how or f"run 1 on the full input was interesting, run {len(outcomes)} was not"
    text = f"The predicate is not stable: {how} ({last.detail})."
    for name, before, after in (
        ("standard output", outcomes[0].stdout, last.stdout),
        ("standard error", outcomes[0].stderr, last.stderr),
    ):
        found = _difference(before, after)
        if found is not None:
            number, one, other = found
            text += f" The first difference in {name} is in line {number}: {one!r}, then {other!r}."
            if re.sub(r"\d+", "0", one) == re.sub(r"\d+", "0", other):
                text += " Only numbers differ: a time or a random one? Print it no more, or use --match."
            return text
    return text + " Make the command's result the same each time: no time stamps, fixed seeds, a longer timeout."


def _difference(before: str, after: str) -> tuple[int, str, str] | None:
    """Return the first line in which two texts differ: its number from 1, and its text in both."""
    for number, (one, other) in enumerate(zip_longest(before.splitlines(), after.splitlines(), fillvalue=""), 1):
        if one != other:
            return number, one[:_SHOWN], other[:_SHOWN]
    return None


def _program(outcome: Outcome) -> str:
    if outcome.exit == _NOT_FOUND:
        return "Exit code 127 means that a shell did not find a program: is it on the PATH, is its name right?"
    if outcome.exit == _NOT_EXECUTABLE:
        return "Exit code 126 means that a file may not be executed: chmod +x it, or name its interpreter."
    return ""


def _classes(outcome: Outcome) -> str:
    name = missing_name(f"{outcome.stdout}\n{outcome.stderr}")
    if not name:
        return ""
    return (
        f"The output says that {name} is missing: if it is a library's, name that with --classpath, "
        "and in the command if it is the command that needs it."
    )


def suggested_exit(outcome: Outcome, settings: Settings) -> int | None:
    """Return the exit code of an uninteresting run if this code may be the failure that the user means."""
    if outcome.interesting or outcome.exit == settings.also_interesting:
        return None
    plain = settings.preset is None and not settings.preserve and settings.match is None and settings.failures is None
    if plain and settings.expect_exit in (None, 0) and outcome.exit not in (0, _NOT_FOUND, _NOT_EXECUTABLE):
        return outcome.exit
    return 0 if plain and settings.expect_exit and outcome.exit == 0 else None


def _exit(outcome: Outcome, settings: Settings) -> str:
    code = suggested_exit(outcome, settings)
    if code is None or settings.expect_exit is not None:
        return ""
    return f"If this is the failure, say so: --expect-exit {code}, or --match with a part of the output."
