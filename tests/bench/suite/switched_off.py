"""A reduction with heuristics switched off, in a process of its own, as :mod:`core.batch.tasks` starts one.

The first line of its input has the settings and the file of known answers, as JSON; the second one is a job of
:mod:`core.batch.job`. Each setting is a module, a name in this module, and the source of the new value. The name is set
before anything else imports it. No other part of Jarlet knows of this.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.entries import Entries
    from core.predicate.condition import Reference
    from core.predicate.jvm.warm import WarmPredicate
    from core.predicate.predicate import Calibration
    from core.predicate.verdict import Outcome
    from core.reduction.candidate_tester import CandidateTester
    from core.reduction.probing.workers import Job

    Checked = tuple[WarmPredicate, Outcome]
    Known = tuple[Reference, Outcome, int]


def switch_off(settings: Sequence[Sequence[str]]) -> None:
    """Set each name of a module to a value, which is evaluated among the names of the module."""
    for module_name, name, source in settings:
        module = importlib.import_module(module_name)
        getattr(module, name)  # a name that is not there would have no effect
        setattr(module, name, eval(source, vars(module)))


class SharedAnswers:
    """Outcomes of a case's candidates by content, and that of the check, in a file that the runs of the case share.

    One candidate has one answer in all runs, so that runs differ by what they ask alone.
    """

    def __init__(self, file: Path) -> None:
        self._rows = sqlite3.connect(file, check_same_thread=False, timeout=60)
        self._rows.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, outcome TEXT)")
        self._rows.execute("CREATE TABLE IF NOT EXISTS checks (number INTEGER PRIMARY KEY, check_ BLOB)")

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()

    def get(self, key: bytes) -> Outcome | None:
        """Return the outcome of a candidate if one is known."""
        from core.predicate.verdict import Outcome, verdict_of

        row = self._rows.execute("SELECT outcome FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        values = json.loads(row[0])
        return Outcome(**{**values, "verdict": verdict_of(values["verdict"]), "failures": tuple(values["failures"])})

    def put(self, key: bytes, outcome: Outcome) -> None:
        """Keep the outcome of a candidate, without the texts that its run printed."""
        values: dict[str, Any] = {name: getattr(outcome, name) for name in outcome.__slots__}
        values |= {"verdict": outcome.verdict.value, "stdout": "", "stderr": ""}
        with self._rows:
            self._rows.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, json.dumps(values)))

    def check(self) -> Known | None:
        """Return what the check of the full input found if there was one, and the number of the command that starts
        resident processes which find it."""
        row = self._rows.execute("SELECT check_ FROM checks WHERE number = 1").fetchone()
        return None if row is None else pickle.loads(row[0])

    def put_check(self, reference: Reference, outcome: Outcome, command: int) -> None:
        """Keep what the check of the full input found, and forget the answers that came before it."""
        known = pickle.dumps((reference, outcome, command))
        with self._rows:
            self._rows.execute("DELETE FROM answers")
            self._rows.execute("INSERT OR REPLACE INTO checks VALUES (1, ?)", (known,))


def check_once(answers: SharedAnswers) -> None:
    """Let resident processes run the full input in the first run of a case alone.

    A later run compares with what the first one found at last: where resident processes were wrong, with the cold run's
    failures. It starts a process for the first candidate that is not known.
    """
    from core.predicate.jvm.warm import WarmPredicate
    from core.service.preparation import Preparation

    trusting, proved, known = WarmPredicate.trusting, WarmPredicate.proved, answers.check()

    def keep(predicate: WarmPredicate, outcome: Outcome) -> None:
        if outcome.interesting and predicate.reference is not None:
            answers.put_check(predicate.reference, outcome, predicate._hosts.using)

    def first(self: WarmPredicate, entries: Entries, work: Path, cancel: Flag | None = None) -> Checked:
        predicate, outcome = trusting(self, entries, work, cancel)
        keep(predicate, outcome)
        return predicate, outcome

    def anew(
        self: WarmPredicate, known: Calibration, entries: Entries, work: Path, cancel: Flag | None = None
    ) -> WarmPredicate:
        predicate = proved(self, known, entries, work, cancel)
        keep(predicate, known[1])
        return predicate

    def later(self: WarmPredicate, entries: Entries, work: Path, cancel: Flag | None = None) -> Checked:
        assert known is not None
        reference, outcome, command = known
        self._hosts.adopt(self.commands, work.parent, command)
        return WarmPredicate(replace(self.cold, reference=reference), self.commands, self._hosts), outcome

    WarmPredicate.trusting = first if known is None else later  # type: ignore[method-assign]
    if known is None:
        WarmPredicate.proved = anew  # type: ignore[method-assign]
    else:
        WarmPredicate.start = lambda self, work: None  # type: ignore[method-assign]
        Preparation._compares = lambda self: False  # type: ignore[method-assign]


def ask_once(answers: SharedAnswers, *, confirm: bool) -> None:
    """Let each candidate be run at most once in all runs of a case, and be run anew to ``confirm`` a result."""
    from core.predicate.verdict import Verdict
    from core.reduction.candidate_tester import CandidateTester

    told = (Verdict.INTERESTING, Verdict.NOT_INTERESTING, Verdict.TIMED_OUT)
    prepare = CandidateTester.prepare

    def prepare_once(self: CandidateTester, items: int, number: int, afresh: bool = False) -> Job:
        job = prepare(self, items, number, afresh)
        if afresh and confirm:
            return job
        key = self.key(items)

        def once(cancel: Flag, seconds: float | None) -> Outcome:
            outcome = answers.get(key)
            if outcome is None:
                outcome = job(cancel, seconds)
                if outcome.verdict in told and not cancel.is_set():
                    answers.put(key, outcome)
            return outcome

        return once

    CandidateTester.prepare = prepare_once  # type: ignore[method-assign]


def main() -> None:
    """Run the job with the settings."""
    asked = json.loads(sys.stdin.readline())
    switch_off(asked["settings"])
    from core.batch import worker

    worker.WORN = 0  # the next task has settings of its own, and so a process
    answers = SharedAnswers(Path(asked["answers"]))
    check_once(answers)
    ask_once(answers, confirm=not asked["settings"])
    worker.main()


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # the thread that reads the input must not be waited for
