"""One version of a tool on an input: does it fail in the same way, in another way, not at all, or not even start?"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Event as Flag

from core.entries import CONTROL, Entries
from core.errors import JarletError, UsageError
from core.predicate.aim import Aim
from core.predicate.condition import Reference
from core.predicate.failures import Statement, Wanted
from core.predicate.output.unfit_tools import not_started
from core.predicate.predicate import CommandPredicate
from core.predicate.releases.release import Release, running
from core.predicate.tool_chain import StepsPredicate
from core.predicate.tools import Tool
from core.predicate.verdict import ANSWERS, Outcome
from core.protocol.questions.background import VersionAnswer, VersionRan
from core.system.work_folder import temporary_folder

VARIABLE = "JARLET_TOOL"
"""Name of the environment variable that gives a command the class path of the version."""

_LEAST = 60.0
"""Least time limit of a run in one version, in seconds."""

_COMPLAINT = re.compile(
    r"(?!at )(?!0 ).*(?:Exception|Error|\b(?:error|fatal|fail(?:ed|ure)?|abort|can(?:not|'t)|could not|unable to))\b",
    re.IGNORECASE,
)
"""A line of output that tells of an error, and is no frame of a stack trace."""

Run = StepsPredicate | CommandPredicate


@dataclass(frozen=True)
class Trial:
    """The runs of an input in versions of a tool.

    ``tool`` is the one of the preset whose versions are tried; None for a command, which has the class path of
    the version in ``JARLET_TOOL``.
    """

    aim: Aim
    tool: Tool | None
    entries: Entries
    cancel: Flag
    reference: Reference | None
    """The run with the intended failure."""
    limit: float = 300.0
    """Time limit of a run, in seconds, where the user set none."""
    exit: int | None = 0
    """Exit code on :data:`CONTROL`, in the version with the wanted failure, of a command or a preset that runs the
    input; 0 for other presets."""

    @property
    def _runs(self) -> bool:
        return self.aim.preset is None or self.aim.preset.runs

    def predicate(self, release: Release) -> Run:
        """Return the predicate with a version of the tool. Raises JarletError where it cannot be had."""
        jars = release.place()
        aim = replace(_relaxed(self.aim), warm=False)
        if aim.preset is None or self.tool is None:
            found = aim.predicate(self.limit).observed({VARIABLE: os.pathsep.join(map(str, jars))})
        else:
            aim = replace(aim, preset=running(aim.preset, self.tool, release, jars))
            found = aim.predicate(self.limit).portable()
        if not isinstance(found, StepsPredicate | CommandPredicate):
            raise UsageError("Two tools are compared here: ask about the versions of one, with its own preset.")
        return replace(found, reference=self.reference)

    def calibrated(self, release: Release) -> tuple[Trial, Outcome]:
        """Return the trial that looks for the failure of this version, and the outcome of the version's run. Raises
        JarletError where the version cannot be run."""
        predicate = self.predicate(release)
        with temporary_folder() as folder:
            if self.reference is None:
                calibrated, outcome = predicate.calibrated(self.entries, folder / "run", self.cancel)
            else:
                calibrated, outcome = predicate, predicate.probe(self.entries, folder / "run", self.cancel)
        limit = max(_LEAST, 5 * outcome.seconds)
        exit_code = self._control(release).exit if self._runs else 0
        return replace(self, reference=calibrated.reference, limit=limit, exit=exit_code), outcome

    def run(self, release: Release, row: VersionRan) -> VersionRan:
        """Return the row of a version with its answer."""
        try:
            predicate = self.predicate(release)
            with temporary_folder() as folder:
                outcome = predicate.probe(self.entries, folder / "run", self.cancel)
                return self.judged(release, outcome, row)
        except (JarletError, OSError) as error:
            return replace(row, date=release.date(), answer=VersionAnswer.NONE, detail=str(error))

    def judged(self, release: Release, outcome: Outcome, row: VersionRan) -> VersionRan:
        """Return the row of a version with the answer that the outcome of its run means."""
        answer, detail = self._answer(release, outcome)
        measured = replace(row, failures=list(outcome.failures), seconds=outcome.seconds)
        return replace(measured, date=release.date(), answer=answer, detail=detail)

    def _answer(self, release: Release, outcome: Outcome) -> tuple[VersionAnswer, str]:
        if outcome.verdict not in ANSWERS:
            return VersionAnswer.NONE, outcome.detail
        fails = outcome.failures or outcome.exit
        problem = self._problem(release) if fails and not (self._runs and outcome.interesting) else ""
        if problem:
            return VersionAnswer.NONE, f"does not start: {problem}"
        if outcome.interesting:
            return VersionAnswer.FAILS, outcome.detail
        if self.aim.preset is None or not fails:
            return VersionAnswer.FINE, outcome.detail
        return VersionAnswer.OTHER, _first(outcome)

    def _problem(self, release: Release) -> str:
        """Return the version's complaint about an input on which it has no reason to fail; empty if it has none, or
        ends like the failing version there."""
        outcome = self._control(release)
        ends_well = not outcome.exit or outcome.exit == self.exit
        sound = outcome.verdict in ANSWERS and ends_well and (self._runs or not outcome.failures)
        return "" if sound else not_started(outcome.stderr) or _first(outcome)

    def _control(self, release: Release) -> Outcome:
        with temporary_folder() as folder:
            predicate = replace(replace(self, aim=self.aim.without_files).predicate(release), reference=None)
            return predicate.probe(CONTROL, folder / "run", self.cancel)


def _relaxed(aim: Aim) -> Aim:
    """Return the aim without the demand that there be no more failures: a version with one more failure still has the
    intended one."""
    wanted = aim.demand
    if wanted is None or wanted.statement not in (Statement.SAME, Statement.KINDS):
        return aim
    relaxed = Statement.AT_LEAST if wanted.statement is Statement.SAME else Statement.KINDS_AT_LEAST
    return aim.wanting(Wanted(relaxed))


def _first(outcome: Outcome) -> str:
    """Return the first failure of an outcome, else the first line that tells of an error, else the first line, else the
    exit code."""
    lines = output_lines(outcome)
    complaints = [line for line in lines if _COMPLAINT.match(line)]
    return next(iter(outcome.failures or complaints or lines), f"exit code {outcome.exit}")[:300]


def output_lines(outcome: Outcome) -> Sequence[str]:
    """Return the lines of an outcome's output that have a text, those of the standard error first."""
    return [line.strip() for line in f"{outcome.stderr}\n{outcome.stdout}".splitlines() if line.strip()]
