"""What went wrong with the predicate on the full input, and what to do about it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from core.check.as_given import OtherRuns
from core.predicate.command import PredicateCommand
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.system.processors import cores

_MISSING_CLASS = re.compile(
    r"(?:ClassNotFoundException|NoClassDefFoundError): ([\w./$]+)|package ([\w.]+) does not exist|"
    r"class file for ([\w.$]+) not found"
)
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_SHOWN = 120
_EMPTY = (
    "Warning: an empty jar is interesting too, so the result may be empty. Does the command look at the jar at all? "
    "Ask for something that only the failure shows."
)


def diagnosis(
    outcomes: Sequence[Outcome],
    settings: Settings,
    wanted: str,
    beside: OtherRuns | None = None,
    jobs: int = 0,
    *,
    empty: bool = False,
    options: bool = True,
) -> str:
    """One or more sentences on the runs of a check, the last of which decided; ``wanted`` is the condition in words,
    ``beside`` what other runs showed, ``jobs`` how many at a time are suggested (0: nothing is said of it), ``empty``
    whether a jar without entries is interesting; ``options``: whether options of the command line are named."""
    last, beside = outcomes[-1], beside or OtherRuns()
    if last.interesting:
        times = "once" if len(outcomes) == 1 else f"{len(outcomes)} times out of {len(outcomes)}"
        text = f"The full input is interesting ({wanted}): {times}."
        return " ".join(
            filter(None, [text, compared_text(beside), _EMPTY if empty else "", _advice(jobs) if options else ""])
        )
    if len(outcomes) > 1:
        return _unstable(outcomes)
    if beside.again is not None and beside.again.interesting:
        return _unstable([beside.again, last], "one run on the full input was interesting, another one was not")
    if last.verdict is Verdict.TIMED_OUT:
        return (
            f"The predicate did not end on the full input: {last.detail}, with all processes that it had started. "
            + ("Set a longer --timeout." if settings.timeout else "Set a --timeout that is long enough.")
        )
    if beside.given is not None and beside.given.interesting:
        return _only_as_given(last, beside)
    hints = [_files(settings) or _folder(beside), _program(last), _classes(last), _other(last, settings)]
    hints += [_exit(last, settings) if options else ""]
    return " ".join([f"The full input is not interesting: {last.detail} (wanted: {wanted}).", *filter(None, hints)])


def compared_text(beside: OtherRuns) -> str:
    """What a run as given showed: the same failure?"""
    given, notes = beside.given, []
    if given is not None and not given.interesting:
        notes.append(
            f"Warning: as it was given it is not interesting ({given.detail}), only as Jarlet writes it: the failure "
            "may come from the writing. Does the command look at the file itself, or change its answer?"
        )
    elif beside.differs:
        notes.append(
            f"Warning: as it was given it fails for another reason: {beside.differs}. The reduction would be for what "
            "fails as Jarlet writes it; --match with a part of the output keeps it on one of them."
        )
    elif given is not None:
        notes.append("As it was given it is interesting too.")
    if beside.signed:
        notes.append("It is signed: the signature cannot stay, since it covers the whole jar.")
    return " ".join(notes)


def _advice(jobs: int) -> str:
    if not jobs:
        return ""
    machine = f"this machine's {cores()} cores" if cores() > 1 else "this machine's one core"
    return f"Suited to {machine}: --jobs {jobs}."


def _only_as_given(last: Outcome, beside: OtherRuns) -> str:
    assert beside.given is not None
    what = "The command seems to look at the file itself: its size, its digest, the times or the order of its entries."
    return (
        f"The full input is interesting as it was given ({beside.given.detail}), but not as Jarlet writes it "
        f"({last.detail}). {what} Jarlet writes every candidate anew: the same names and contents in the same order, "
        "all times 1980, compressed in its own way. Let the command look at the entries only."
        + (" The input is signed, and its signature may be what is looked at." if beside.signed else "")
    )


def _folder(beside: OtherRuns) -> str:
    """Whether the command needs the folder that the user is in."""
    if beside.here is None or not beside.here.interesting:
        return ""
    return (
        f"In the current folder, {Path.cwd()}, it is interesting: the command or what it runs needs something of that "
        "folder, but each run has a folder of its own. Write {file:PATH} or an absolute path, in scripts too."
    )


def _other(outcome: Outcome, settings: Settings) -> str:
    if settings.also_interesting is None or outcome.exit != settings.also_interesting:
        return ""
    return "That is the exit code of --also-interesting: if it is what you are after, name it with --expect-exit."


def _unstable(outcomes: Sequence[Outcome], how: str = "") -> str:
    """The runs differ: where?"""
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
    """The first line in which two texts differ: its number from 1, and what it is in both."""
    for number, (one, other) in enumerate(zip_longest(before.splitlines(), after.splitlines(), fillvalue=""), 1):
        if one != other:
            return number, one[:_SHOWN], other[:_SHOWN]
    return None


def _files(settings: Settings) -> str:
    """Words of the command that are files of the folder that the user is in: a run does not see them."""
    command = PredicateCommand.parse(settings.predicate) if settings.preset is None else None
    if command is None or not command.relative:
        return ""
    named = ", ".join(shlex.quote(word) for word in command.relative)
    return (
        f"The command runs in a folder of its own, so it cannot see {named} of the current folder: "
        f"write {{file:{command.relative[0]}}}, or an absolute path."
    )


def _program(outcome: Outcome) -> str:
    if outcome.exit == _NOT_FOUND:
        return "Exit code 127 means that a shell did not find a program: is it on the PATH, is its name right?"
    if outcome.exit == _NOT_EXECUTABLE:
        return "Exit code 126 means that a file may not be executed: chmod +x it, or name its interpreter."
    return ""


def _classes(outcome: Outcome) -> str:
    match = _MISSING_CLASS.search(f"{outcome.stdout}\n{outcome.stderr}")
    if match is None:
        return ""
    name = next(group for group in match.groups() if group)
    return (
        f"The output says that {name} is missing: if it is a library's, name that with --classpath, "
        "and in the command if it is the command that needs it."
    )


def suggested_exit(outcome: Outcome, settings: Settings) -> int | None:
    """The exit code of a run that was not interesting, where it may be the failure that the user means."""
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
