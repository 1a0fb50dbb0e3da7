"""The sentences on the end of a reduction: the result, its failure, and the reasons to doubt it. No Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from app import text
from app.engine.run_state import RunState
from app.words import END_WORDS
from core.protocol.run_words import EndReason
from core.protocol.wording import matching_line, missing_text, unstable_text
from core.words import share

_THREAD = re.compile(r'^Exception in thread "[^"]*" ')
_LINE = 160
"""Characters of a failure that are shown."""

_UNCHECKED = "The check was stopped: it is not known whether the whole jar fails, and nothing was reduced."
_LIMITS = (EndReason.TIME, EndReason.PROBES)


class Remedy(Enum):
    """The button that helps with a doubtful result."""

    NONE = ""
    COMMAND = "Change the command"
    LIBRARY = "Add library…"
    CHECK = "Check again"
    GO_ON = "Continue…"


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The end of a reduction: a ``message``, its ``kind`` as :class:`MessageBar` has it, and the remedy."""

    message: str
    kind: str
    remedy: Remedy = Remedy.NONE
    exportable: bool = True
    """True if there is a result to write, and to look at in the source."""


def end_of(state: RunState, where: str = "") -> RunEnd:
    """Return the end of the last reduction. ``where`` has the places of missing libraries."""
    finished = state.finished
    assert finished is not None
    if finished.reason == "failed":
        return RunEnd(finished.message, "error", exportable=False)
    how = END_WORDS.get(finished.reason)
    ended = f"The reduction {how}." if how else finished.message
    if not state.runs or not state.runs[-1].reduced:
        if finished.reason == EndReason.STOPPED and state.checked is None:
            return RunEnd(_UNCHECKED, "info", exportable=False)
        kind, remedy = ("warning", Remedy.GO_ON) if finished.reason in _LIMITS else ("info", Remedy.NONE)
        return RunEnd(f"{ended} No smaller jar failed: no result.", kind, remedy, exportable=False)
    parts = [] if finished.reason == EndReason.DONE else [ended]
    final = finished.report.get("final", {})
    lack = lacking(final)
    said, remedy = _doubt(state, lack, where)
    return RunEnd(
        " ".join([*parts, *said, result_text(state)]),  # the bar shows the first sentence: a doubt, if there is one
        "warning" if said or finished.reason in _LIMITS else "good" if finished.reason == EndReason.DONE else "info",
        remedy,
    )


def lacking(final: Mapping[str, Any]) -> str:
    """Return a sentence on the missing packages of which the run of the result tells; empty if there are none."""
    missing = final.get("missing", {})
    return missing_text(list(missing), list(missing.values()), int(final.get("errors", 0)))


def _doubt(state: RunState, lack: str, where: str) -> tuple[list[str], Remedy]:
    """Return the reasons to doubt the result, and the remedy for the first of them."""
    assert state.finished is not None
    said, remedies = [], []
    certificate = state.finished.report.get("certificate", {})
    if lack:
        said.append(" ".join(filter(None, [lack, where])))
        remedies.append(Remedy.LIBRARY)
    unstable = unstable_text(certificate)
    if unstable:
        said.append(unstable)
        remedies.append(Remedy.CHECK)
    doubts = list(dict.fromkeys([*(state.checked.doubts if state.checked is not None else []), *state.doubts]))
    said += map(text.capital, doubts)
    remedies += [Remedy.COMMAND if state.checked is not None and state.checked.empty else Remedy.CHECK] * bool(doubts)
    if state.finished.reason in _LIMITS and not state.runs[-1].proved:
        remedies.append(Remedy.GO_ON)
    return said, remedies[0] if remedies else Remedy.NONE


def result_text(state: RunState) -> str:
    """Return the size of the result, its failure, and its proof; empty without a result.

    For example ``4 of 266 classes, 0.2 % of bytes. It fails with “A.java: …” (1 of 3 kinds). Run once more, it failed
    again. No part can be removed alone.``
    """
    jar, finished = state.jar, state.finished
    if finished is None or not state.runs or not state.runs[-1].reduced:
        return ""
    left = share(finished.bytes, jar.bytes)
    words = [f"{text.count(finished.classes)} of {text.classes(jar.classes)}, {left} of bytes."]
    failure = failure_line(finished.report)
    if failure and not state.must_run:
        words.append(f"It fails with “{failure}”{_kinds(state)}.")
    certificate = finished.report.get("certificate", {})
    if certificate.get("final_checks") and certificate.get("final_interesting") == certificate["final_checks"]:
        words.append(f"Run once more, it {'ran as before' if state.must_run else 'failed again'}.")
    levels = certificate.get("one_minimal", {})
    if levels.get("items") == "yes":
        words.append("No part of it can be removed alone.")
    elif levels.get("classes") == "yes":
        words.append("No class of it can be removed alone.")
    return " ".join(words)


def failure_line(report: Mapping[str, Any]) -> str:
    """Return the first line of the result's failure, with the names in the result; of several failures, the chosen
    one's. Empty if nothing names it."""
    final, settings = report.get("final", {}), report.get("settings", {})
    line, names = "", final.get("chosen") or final.get("shown") or final.get("failures")
    if names:
        line = str(names[0]).strip().partition("\n")[0]
    elif settings.get("match"):
        line = matching_line(str(settings["match"]), f"{final.get('stdout', '')}\n{final.get('stderr', '')}")
    line = _THREAD.sub("", line)
    if not line and final.get("exit"):
        line = f"exit code {final['exit']}"
    return line.rstrip(".") if len(line) <= _LINE else f"{line[:_LINE]}…"


def _kinds(state: RunState) -> str:
    """Return `` (1 of 3 kinds of failures)`` if the input shows several."""
    checked, finished = state.checked, state.finished
    if checked is None or finished is None or len(checked.failures) < 2:
        return ""
    left = set(finished.report.get("final", {}).get("failures", ()))
    if len(checked.kinds) == len(checked.failures):
        number = dict(zip(checked.failures, checked.kinds, strict=True))
        return _of({number[name] for name in left if name in number}, set(checked.kinds), "kind of failures")
    return _of(left & set(checked.failures), checked.failures, "failure")


def _of(left: set[Any], all_: Sequence[Any] | set[Any], noun: str) -> str:
    return f" ({len(left)} of {text.counted(len(all_), noun)})" if left and len(all_) > 1 else ""
