"""From the wish for a reduction to its first candidate: check, model, what a session remembers, a cluster."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.check.as_given import GivenRun, as_given, begun_early
from core.check.beside import RestOfCheck
from core.check.check import check, wanted_text
from core.check.early import EarlyRun
from core.check.passed_check import CheckKeeper, PassedCheck
from core.check.validity import kept
from core.cluster.cluster_predicate import ClusterPredicate
from core.cluster.connection import connected, threads_of
from core.errors import LimitError, NotInterestingError
from core.model.class_model import ClassModel
from core.predicate.from_settings import FIRST_TIMEOUT, condition_of, limits_of, runs_input
from core.predicate.predicate import Calibration, Predicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.commands import StepKey
from core.protocol.settings import Settings
from core.reduction.control import Until
from core.reduction.probing.memory import Memory
from core.reduction.records import Spent
from core.service.ahead import Ahead, seen_ahead
from core.service.meaning import search_of
from core.service.model_builder import ModelBuilder
from core.store.fingerprint import Fingerprint, fingerprint
from core.store.session import Session
from core.system.processors import Busy, cores
from core.system.stopwatch import Stopwatch


class Preparation:
    """The parts of a reduction that are there before its search, in the order of the methods called by :meth:`run`.

    The search may begin once one run of the input was interesting; :attr:`rest` of the check goes on beside it.
    Whoever makes one closes it. ``free``: seconds of ``watch`` that the time limit does not count. ``trusting``: what
    a resident process finds in the full input is enough for that; the rest of the check proves it. ``cold``: a run of
    it in processes of their own that was made before.
    """

    def __init__(
        self,
        model: ClassModel,
        settings: Settings,
        predicate: Predicate,
        folder: Session | None,
        work: Path,
        cancel: Flag,
        emit: events.Listener,
        watch: Stopwatch,
        checks: CheckKeeper,
        *,
        free: float,
        trusting: bool = True,
        cold: Calibration | None = None,
    ) -> None:
        self.model = model
        self.settings = settings
        self.work = work
        self.watch = watch
        self._folder = folder
        self._cancel = cancel
        self._emit = emit
        self._checks = checks
        self._trusting, self._cold = trusting, cold
        self.free = free
        self._begun = time.monotonic() - (watch.elapsed - free)
        self._until = Until(cancel, _end_of_check(self._begun, settings, folder))
        self._client: Any = None
        self._mark: Fingerprint | None = None
        self._ahead = Ahead()
        self._passed: PassedCheck | None = None
        self._calibrated: Predicate | None = None
        """The predicate that compares with the run on the full input, before session and cluster change it."""
        self._checked: events.Checked | None = None
        self._took = 0.0
        self._early: EarlyRun[GivenRun | None] | None = None
        self.predicate = predicate
        self.build_model = ModelBuilder(settings, model.jar)
        self.outcome: Outcome
        """What the predicate said of the full input."""
        self.memory: Memory | None = None
        self.used = 0.0
        """Seconds of the time limit that earlier parts of the session took."""
        self.jobs = 1
        self.rest: RestOfCheck | None = None

    def run(self, start: StepKey | None, hasty: bool) -> None:
        """``start``: the step of an earlier run that the search goes on from. With ``hasty`` a candidate that shows the
        chosen failure is checked in the place of the full input.

        Raises NotInterestingError if the full input does not show the failure, LimitError if time ends the check.
        """
        if self.settings.cluster:
            self._client = connected(self.settings.cluster)
        self._learn_sizes()  # compressing beside another thread that is busy would take five times as long
        self.build_model.begin()
        mark = self._mark = mark_of(self.predicate, self.settings)
        for warning in self._folder.foresee(mark) if self._folder is not None else ():
            self._warn(warning)  # before what has changed is run
        self._passed = self._checks.take(self.settings, mark.digest)
        if self._passed is not None:
            self._use(self._passed)
        else:
            self._check(hasty)
        with self.watch.during("model"):
            self.build_model.settle(kept(self.settings, self.outcome, self._folder))
            self.build_model.finish()
        if self._folder is not None:
            self._remember(self._folder, mark, start)
        if self._client is not None:
            self.predicate = ClusterPredicate(
                self.predicate, self._client, lambda text: self._emit(events.Warned(text))
            )
            self.jobs = self.settings.jobs or threads_of(self._client)  # one more would wait for one not wanted

    @property
    def full_was_run(self) -> bool:
        """Whether the check ran the full input, and not a candidate in its place."""
        return self._ahead.model is None

    @property
    def spent(self) -> Spent:
        """What the check took."""
        checked = self._checked
        return Spent() if checked is None else Spent(checked.probes, self._took, checked.spent, checked.spent)

    def close(self) -> None:
        """Ends what was begun; the predicate stays open where a reduction with the same settings may use it."""
        self.build_model.give_up()
        self._until.set()
        if self._early is not None:
            self._early.end()
        if self.rest is not None:
            self.rest.close()
        sure = self._passed is not None or (self.rest is not None and self.rest.vouched and self.full_was_run)
        checked, calibrated, mark = self._checked, self._calibrated, self._mark
        if sure and checked and calibrated and mark and self._checks.wanted and self._client is None:
            passed = (self.settings, mark.digest, calibrated, checked, self.outcome, self._took, self.jobs)
            self._checks.keep(PassedCheck(*passed))
        else:
            self.predicate.close()
        if self._client is not None:
            self._client.close()  # where the predicate has not done it: what is closed stays so

    def _warn(self, text: str) -> None:
        self._emit(events.Warned(text))

    def _learn_sizes(self) -> None:
        self.predicate.packer.keep(data for _, data in self.model.entries(self.model.full))

    def _use(self, passed: PassedCheck) -> None:
        self.predicate.close()
        self.predicate, self.outcome = passed.predicate, passed.outcome
        self._learn_sizes()
        self._believe(replace(passed.checked, known=True))
        self._calibrated, self._took, self.jobs = passed.predicate, passed.seconds, self.settings.jobs or passed.jobs
        self.predicate = passed.limited(self.jobs)

    def _check(self, hasty: bool) -> None:
        model, settings, busy = self.model, self.settings, Busy()
        if hasty:
            self._ahead = seen_ahead(model, settings, self.predicate, self.build_model, self.work, self._until)
        first = self.predicate.limited(settings.timeout or FIRST_TIMEOUT)
        if self._trusting and self._compares() and self._bears_others():
            self._early = begun_early(model.jar, first, condition_of(settings), self.work, self._until)
        self.predicate, checked, outcome = check(
            self._ahead.model or model,
            settings,
            self.predicate,
            self.work,
            self._until,
            1,
            beside=False,
            empty=self._checks.wanted,
            options=not self._checks.wanted,
            trusting=self._trusting,
            cold=self._cold,
            busy=busy,
            early=self._early,
        )
        ahead = self._ahead
        told, probes = ahead.told(checked.message), checked.probes + ahead.probes
        self.outcome = ahead.outcome(outcome, settings)
        checked = replace(checked, message=told, probes=probes, spent=checked.spent + ahead.seconds)
        if ahead.model is not None:
            checked = replace(checked, failures=sorted(set(self.outcome.failures)), counts=[])
        self._believe(checked)
        self.jobs = settings.jobs or busy.automatic
        self.rest = RestOfCheck(
            ahead.model or model,
            settings,
            self.predicate.limited(settings.timeout or FIRST_TIMEOUT),
            self.outcome,
            self.work,
            self._until,
            runs=settings.check_runs,
            compare=self._compares(),
            parallel=self.jobs > 1 or self._client is not None or self._believed(),
            certain=settings.jobs is not None or not runs_input(settings),
            wanted=wanted_text(settings, self.predicate),
            emit=self._emit,
            watch=self.watch,
            early=self._early,
        )
        self._calibrated, self._took = self.predicate, time.monotonic() - self._begun

    def _compares(self) -> bool:
        """Whether the input is also run as given: where it only has to agree with itself, it might do so for another
        reason than the jar that is on disk."""
        settings = self.settings
        relative = settings.preserve or settings.preset or settings.failures_as
        new = self._folder is None or self._folder.best is None
        return bool(relative) and as_given(self.model.jar) and new and self.full_was_run

    def _believed(self) -> bool:
        """Whether a resident process has answered that a cold run may go on beside."""
        return self._bears_others() and self.predicate.residency.unproven

    def _bears_others(self) -> bool:
        """Whether a cold run may go on beside resident processes."""
        return (
            self.predicate.residency.expected
            and cores() > 1
            and self.settings.jobs != 1
            and not runs_input(self.settings)
        )

    def _believe(self, checked: events.Checked) -> None:
        """Tells what the check found, and goes on only where it was interesting."""
        self._checked = checked
        stopped = self._cancel.is_set()
        if self._until.late and not stopped:
            raise LimitError(
                f"The time limit of {self.settings.time_limit:g} s ended the check of the input, which counts too: no "
                "candidate was tried, and no output was written. Set a longer one."
            )
        if not stopped:
            self._emit(checked)
            if not checked.interesting:
                raise NotInterestingError(f"{checked.message}\nTo repeat it by hand: {checked.command}")

    def _remember(self, folder: Session, mark: Fingerprint, start: StepKey | None) -> None:
        # what changed during the check the command writes itself: a log, not a part of it
        mark = mark.steady(mark_of(self.predicate, self.settings))
        search = search_of(self.settings) | {"validity": self.build_model.validity.taken}
        search |= {"start": asdict(start)} if start is not None else {}
        measured = self.settings.timeout is None
        answers = folder.memory(mark, self.predicate.timeout, search, measured=measured)
        self.predicate, self.memory, self.used = self.predicate.limited(answers.limit), answers, folder.used
        for warning in folder.warnings:
            self._warn(warning)


def mark_of(predicate: Predicate, settings: Settings) -> Fingerprint:
    """What the verdicts depend on besides the candidate: command, tools, scripts, limits."""
    return fingerprint(predicate, condition_of(settings), limits=limits_of(settings), template=settings.predicate)


def _end_of_check(begun: float, settings: Settings, folder: Session | None) -> float | None:
    """When the time limit ends the check, by the monotonic clock. Where earlier parts of a session have used it up, it
    does not: what they found out is shown and confirmed."""
    if settings.time_limit is None:
        return None
    left = settings.time_limit - (folder.used if folder is not None else 0.0)
    return begun + left if left > 0 else None
