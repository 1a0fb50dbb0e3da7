"""Sentences of a check for the user: outcomes, likely mistakes in the predicate, and remedies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from core.check.as_given import given_text
from core.check.check_state import CheckState
from core.check.first_run import lacks_of
from core.evidence.missing_libraries import missing_name
from core.evidence.two_runs import first_difference
from core.predicate.aim import Aim
from core.predicate.jvm.stuck import hang_text
from core.predicate.several.every import EveryPredicate
from core.predicate.verdict import ANSWERS, Outcome, Verdict
from core.protocol.wording import WARNING
from core.system.processors import cores
from core.words import counted

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
"""Exit codes of shells."""


def diagnosis(state: CheckState) -> str:
    """Return sentences about the runs of a check, with a remedy if the last run was not interesting."""
    outcomes, aim = state.outcomes, state.aim
    last = outcomes[-1]
    if last.interesting:
        warnings = [f"{WARNING}{text}" for text in state.warnings]
        what = "The full input" if state.substitute is None else "That small input"
        times = times_text(len(outcomes), state, what)
        return " ".join([times, *warnings, *state.notes, *_advice(state)])
    if len(outcomes) > 1:
        first = outcomes[0]
        if isinstance(state.predicate, EveryPredicate):
            out, err = state.predicate.outputs_before(last)
            first = replace(first, stdout=out, stderr=err)
        return _unstable((first, last), f"run 1 on the full input was interesting, run {len(outcomes)} was not")
    if state.changed is not None:
        return _unstable(state.changed, "one run on the full input was interesting, another one was not")
    if last.verdict is Verdict.TIMED_OUT:
        who = "The predicate" if aim.preset is None else "The tool"
        option = "--hangs" if state.context.options else "“Runs that do not end are the failure”"
        return (
            f"{who} does not end on the full input: {last.detail}, with all processes that it had started. "
            f"{hang_text(last.stderr)} Is that the failure? {option} reduces for it. "
            f"If it is slow, set a {'longer' if aim.limits.seconds else 'long enough'} --timeout."
        )
    if state.showed("given"):
        return given_text(state.model.jar, state.others["given"], last, "")
    failures = aim.demand  # the detail names the other demands
    wanted = f" (wanted: {failures.describe()})" if failures is not None else ""
    return " ".join([f"The full input is not interesting: {last.detail}{wanted}.", *_hints(state)])


def stopped_text(seconds: float) -> str:
    """Return a sentence about a check that the user stopped in its first run."""
    return f"The check was stopped after {seconds:.0f} s: the command had not ended. There is no verdict."


def times_text(good: int, state: CheckState, what: str = "The full input") -> str:
    times = "" if state.aim.rare else ": once" if good == 1 else f": {good} times out of {good}"
    return f"{what} is interesting ({state.aim.wanted_text(state.predicate)}){times}."


def _advice(state: CheckState) -> Iterator[str]:
    """Yield a sentence about the number of parallel jobs, if wanted and known."""
    if state.wishes.advise and state.context.options and state.busy.jobs:
        machine = f"this machine's {cores()} cores" if cores() > 1 else "this machine's one core"
        yield f"Suited to {machine}: --jobs {state.busy.jobs}."


def _hints(state: CheckState) -> Iterator[str]:
    """Yield likely reasons why the full input is not interesting, each with its remedy."""
    last, command, aim = state.outcomes[-1], state.command, state.aim
    if command is not None and command.operators_text:
        yield command.operators_text
    yield from (text[0].upper() + text[1:] for text in lacks_of(last))
    if command is not None and command.files_text:
        yield command.files_text
    elif state.showed("here"):
        yield (
            f"In the current folder, {Path.cwd()}, it is interesting: the command or what it runs needs something of "
            "that folder, but each run has a folder of its own. Write {file:PATH} or an absolute path, in scripts too."
        )
    reference = state.predicate.reference
    told = f"{last.stdout}\n{reference.out if reference is not None else ''}"
    tests = aim.trials.tests if aim.trials is not None else ()
    if failing := [f"!{name}" for name in tests if re.search(rf"\b{re.escape(name)}\b", told)]:
        patterns = ",".join([*aim.stored["tests"], *failing])
        yield f"Tests fail on it; without their classes: --tests {shlex.quote(patterns)}."
        if aim.stored.get("held_out"):
            yield "If they only pass after other tests: --held-out 0 runs all classes together."
    if stands := getattr(state.predicate, "limits", aim.limits).stands:
        yield (
            f"No run stayed at one place for {stands:.1f} s, {aim.limits.slower:g} times what the median class takes. "
            "If it is slow all the same, give --slower-than a smaller number."
        )
    if last.exit == _NOT_FOUND:
        yield "Exit code 127 means that a shell did not find a program: is it on the PATH, is its name right?"
    if last.exit == _NOT_EXECUTABLE:
        yield "Exit code 126 means that a file may not be executed: chmod +x it, or name its interpreter."
    if name := missing_name(f"{last.stdout}\n{last.stderr}"):
        yield (
            f"The output says that {name} is missing: if it is a library's, name that with --classpath, "
            "and in the command if it is the command that needs it."
        )
    if aim.condition.also is not None and last.exit == aim.condition.also:
        yield "That is the exit code of --also-interesting: if it is what you are after, name it with --expect-exit."
    told_so = last.stderr.startswith("The program ")
    settings = [each.name for each in aim.preset.settings] if aim.preset is not None else []
    if "pattern" in settings and not last.failures:
        yield (
            "If a text of the tool's output is the failure, name it by the setting pattern: --set 'pattern=REGEX', "
            "such as 'pattern=Error reading .*'."
        )
    elif "main" in settings and last.exit == 0 and not told_so:
        yield (
            "The program ends well. To keep what it prints, run it by a command: "
            "--predicate 'java -cp {jar} MAIN ARGUMENTS' --preserve exit,out."
        )
    elif aim.preset is not None and not last.failures and not told_so:
        command_line = f"'jarlet tools {shlex.join(map(str, state.model.jar.paths))}'"
        place = command_line if state.context.options else "The page Which tools fail (Ctrl+7)"
        yield f"{place} says which other tools fail on it."
    wanted = aim.asked
    if state.context.options and last.failures and wanted is not None and not set(wanted.chosen) <= set(last.failures):
        names = counted(len(set(last.failures)), "name")
        yield f"'jarlet check' with the same options, but without --failures, lists what there is: {names}."
    code = suggested_exit(last, aim)
    if state.context.options and code is not None and aim.condition.expect_exit is None:
        yield f"If this is the failure, say so: --expect-exit {code}, or --match with a part of the output."


def suggested_exit(outcome: Outcome, aim: Aim) -> int | None:
    """Return the exit code of an uninteresting run if this code may be the failure that the user means."""
    own = aim.condition
    if outcome.interesting or outcome.exit == own.also:
        return None
    plain = aim.preset is None and not own.preserve and own.match is None and aim.asked is None
    if plain and own.expect_exit in (None, 0) and outcome.exit not in (0, _NOT_FOUND, _NOT_EXECUTABLE):
        return outcome.exit
    return 0 if plain and own.expect_exit and outcome.exit == 0 else None


def _unstable(outcomes: Sequence[Outcome], how: str) -> str:
    """Return sentences about runs that differ: their first different line, and a remedy."""
    first, last = outcomes[0], outcomes[-1]
    if last.verdict not in ANSWERS:
        return f"The predicate did not answer each time: {how}, because it was {last.detail}. Raise that limit."
    remedy = "Make the command's result the same each time: no time stamps, fixed seeds, a longer timeout."
    said = first_difference(first, last) or remedy
    coin = "If the failure itself comes and goes, --rare keeps how often it shows."
    return f"The predicate is not stable: {how} ({last.detail}): both verdicts on the same bytes. {said} {coin}"
