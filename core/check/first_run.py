"""Sentences about the first run of the full input, once it shows the failure: what may be wrong with the command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.check.check_state import CheckState
from core.predicate.aim import Aim
from core.predicate.condition import PRESERVABLE
from core.predicate.output.unfit_tools import unread_text
from core.predicate.output.written_files import written_files
from core.predicate.several.every import EveryPredicate
from core.predicate.verdict import Outcome
from core.protocol.run_words import OUTPUT
from core.protocol.wording import outside_text

_IDLE_TOO = (
    "the program prints nothing that is compared, so one that does nothing would do. Let the command print what "
    "counts. --preserve exit,out,files compares what it writes in its folder."
)
_LACKS = (
    ("a display", r"HeadlessException|X11 DISPLAY|cannot open display"),
    ("the network", r"UnknownHostException|\bConnectException\b|NoRouteToHost|Network is unreachable"),
    ("a terminal", r"Inappropriate ioctl|not a (?:tty|terminal)|System\.console\(\)"),
)
"""Things that a program may lack in a run, each with a pattern of the message about it."""
_ABSOLUTE = re.compile(r"(?<![\w./])/[^\s'\";|&]+")
SHOWN, _MOST_FILES = 120, 3
"""Number of characters of a line, and of files, that a sentence names."""


def warnings_of(state: CheckState, outcome: Outcome) -> Iterator[str]:
    """Yield warnings about an interesting run and its command; some may be empty."""
    yield unread_text(outcome, state.entries)
    if "exit" in state.aim.condition.preserve and outcome.exit:
        several = state.predicate.failing if isinstance(state.predicate, EveryPredicate) else []
        which = f" for the inputs {', '.join(map(repr, several[:_MOST_FILES]))}" if several else ""
        told = state.aim.condition.keeps_working(0) and not state.aim.works(outcome.exit)
        more = f" Nothing else of it is sure to stay (--trust {OUTPUT})." if told else ""
        ends = f"the program ends with exit code {outcome.exit} on the full input{which}"
        yield f"{ends}, and that is what is kept.{more}"
    files = state.predicate.reference is not None and state.predicate.reference.files.lines
    yield "" if files else _idle_text(state.aim, outcome)
    if state.command is not None:
        yield state.command.operators_text
    yield from lacks_of(outcome, ", and that is what is kept")
    yield _outside(state)


def lacks_of(outcome: Outcome, kept: str = "") -> Iterator[str]:
    """Yield a sentence for each thing that a run seems to have lacked."""
    for what, pattern in _LACKS:
        if found := re.search(f"^.*(?:{pattern}).*$", f"{outcome.stderr}\n{outcome.stdout}", re.MULTILINE):
            yield f"the program seems to lack {what} here{kept}: {found[0].strip()[:SHOWN]!r}."


def _outside(state: CheckState) -> str:
    """Return a warning of a file that the command names by an absolute path and has written; empty if there is none."""
    trials = state.aim.trials
    text = " ".join([state.aim.wording, *(trials.commands if trials is not None else ())])
    with suppress(OSError, ValueError):  # an earlier check's run left no folder
        begin = min(path.stat().st_mtime for path in state.work.iterdir())
        for path in map(Path, _ABSOLUTE.findall(text)):
            if path.is_file() and path.stat().st_mtime > begin:
                return outside_text("the command", [str(path)]) + " Name it without a folder."
    return ""


def uncompared(state: CheckState, outcome: Outcome) -> str:
    """Return a note on what a program prints or writes and nothing compares; empty if there is nothing."""
    condition = state.aim.condition
    compared = condition.preserve
    if not condition.keeps_working(outcome.exit) or condition.expect_exit is not None:
        return ""
    streams = {"out": outcome.stdout.strip(), "err": outcome.stderr.strip()}
    files = () if "files" in compared else tuple(written_files(state.work, str(state.work)).lines)
    more = [name for name, text in streams.items() if text and name not in compared]
    seen = [*map(PRESERVABLE.__getitem__, more), *files[:_MOST_FILES]]
    wanted = ",".join(name for name in PRESERVABLE if name in compared or name in more or (name == "files" and files))
    return f"It writes {', '.join(seen)}, which nothing compares: --preserve {wanted} compares it." if seen else ""


def _idle_text(aim: Aim, outcome: Outcome) -> str:
    """Return a warning if an idle program, without output, would meet the conditions of the settings; else an empty
    text."""
    streams = {"out": outcome.stdout, "err": outcome.stderr}
    condition = aim.condition
    compared = condition.preserve & streams.keys()
    code = outcome.exit if "exit" in condition.preserve else condition.expect_exit
    more = condition.match is not None or aim.demand is not None
    return "" if not compared or any(streams[name] for name in compared) or code or more else _IDLE_TOO
