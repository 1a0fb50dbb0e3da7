"""One input and what is done with it: open, check, reduce, export. Used by window and command line alike."""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.archive.jar import read_jar, write_jar
from core.errors import LimitError, NotInterestingError, OutputError, UsageError
from core.model import class_model
from core.model.class_model import ClassModel
from core.predicate.predicate import Predicate
from core.protocol import events
from core.protocol.commands import StepKey
from core.protocol.java_names import item_title
from core.protocol.settings import Settings
from core.reduction.control import Control, Until
from core.reduction.phases import entries_of
from core.reduction.probing.memory import Memory
from core.reduction.records import Reduction, Spent, SubInput
from core.reduction.sources.source import Entries
from core.search.item_sets import ItemSet
from core.service.check import FIRST_TIMEOUT, check
from core.service.earlier_result import lacking
from core.service.meaning import condition_of, limits_of, pinned_by, search_of, understood
from core.service.model_builder import ModelBuilder
from core.service.passed_check import CheckKeeper, PassedCheck
from core.service.predicates import predicate_of
from core.service.reads import all_read, inputs_read
from core.service.reducer import Reduced, Reducer, Saver
from core.service.workspace_events import opened_event, summary
from core.store.fingerprint import Fingerprint, fingerprint
from core.store.session import Session
from core.system.outputs import Origin, Output, guard, refuse_filled, refuse_source
from core.system.work_folder import WorkFolder

_SWITCH = 0.0005
"""Seconds after which a busy thread makes way for another one, instead of Python's 0.005: those that start and watch
the predicate ask for the interpreter hundreds of times a run, while the main thread makes what comes next."""

_LOADING_EVERY = 0.1
"""Seconds between two events of a load's progress."""


class Workspace:
    """Holds the model of the opened input and the best sub-input found so far.

    Events go to ``listener`` on the thread that calls; ``control`` may be used from any thread.
    """

    def __init__(self, listener: events.Listener, work: Path | None = None, *, keeps_checks: bool = False) -> None:
        sys.setswitchinterval(_SWITCH)
        self.emit = listener
        self._work = WorkFolder(work)
        self.control = Control()
        self.model: ClassModel | None = None
        self.best: SubInput | None = None
        """The smallest sub-input that showed the failure; None before a reduction."""
        self.last_report: dict[str, Any] | None = None
        self.reads: list[Origin] = []
        """What is read, and never written to: the input, and what the last reduction or check needed besides."""
        self.needed: set[str] = set()
        """Names of items below the class, and of classes, that probes of the last reduction proved to be needed."""
        self.proved = False
        """Whether the last reduction has shown that no item of its result can be removed alone."""
        self.checks = CheckKeeper(keeps_checks)

    def close(self) -> None:
        """Removes the session's temporary files."""
        self.checks.forget()
        self._work.close()

    def open(self, paths: list[str], notes: Sequence[str] = ()) -> ClassModel:
        """Reads an input and builds its class graph; ``notes`` go out with its warnings. Raises InputError."""
        start = time.monotonic()
        last = 0.0

        def progress(done: int, total: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _LOADING_EVERY:
                last = now
                self.emit(events.Loading(done, total))

        model = class_model.build(read_jar([Path(path) for path in paths]), progress)
        self.checks.forget()
        self.model, self.best, self.last_report = model, None, None
        self.reads = inputs_read(model.jar.sources)
        self.needed = set()
        gc.freeze()  # the model lives as long as the session: no need to search it for garbage
        self.emit(opened_event(model, notes, time.monotonic() - start))
        return model

    def begin(self) -> None:
        """Forgets an earlier stop or pause. To be called when a run is asked for, not when it starts:
        a stop in between must not be lost."""
        self.control = Control()

    def check(self, settings: Settings, runs: int | None = None) -> events.Checked:
        """Runs the predicate on the full input and emits what came of it. A reduction with the same settings does not
        repeat it, where checks are kept."""
        self.reads = all_read(self.opened.jar.sources, understood(settings))
        self.checks.forget()
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        passed = False
        try:
            cancel, runs = self.control.cancel, runs or settings.check_runs
            mark, begun = _mark(predicate, settings), time.monotonic()
            found, checked, outcome = check(
                self.opened,
                settings,
                predicate,
                self._work.path,
                cancel,
                runs,
                advise=True,
                empty=True,
                options=not self.checks.wanted,
            )
            if self.checks.wanted and checked.interesting and checked.stable and not cancel.is_set():
                passed = True
                self.checks.keep(PassedCheck(settings, mark.digest, found, checked, outcome, time.monotonic() - begun))
            self.emit(checked)
            return checked
        finally:
            if not passed:
                predicate.close()

    def reduce(
        self,
        settings: Settings,
        output: Path | None = None,
        folder: Session | None = None,
        start: StepKey | None = None,
        earlier: Entries | None = None,
    ) -> Reduction:
        """Checks, reduces and checks the result once more.

        ``output`` is written at each accepted step, so that the best so far outlives whatever happens. With
        ``folder`` every verdict is remembered there, and those that it has are not asked for again. ``earlier`` are the
        entries of the step ``start`` of an earlier run, from which this one goes on. Raises NotInterestingError if the
        full input does not show the failure, UsageError if something that is pinned is not in ``earlier``.
        """
        self.reads = all_read(self.opened.jar.sources, understood(settings))
        if output is not None:
            guard([Output(output, "the output", parents=True)], self.reads)
        gone = lacking(self.opened, earlier, pinned_by(settings)) if earlier is not None else ""
        if gone:
            raise UsageError(f"{item_title(gone)} is pinned, but the earlier result does not have it: start over.")
        with self._reducer(settings, folder, start) as reducer:
            found = reducer.run(Saver(output, folder, self.reads), self._keep, earlier=earlier)
            self._finish(found)
            return found.reduction

    def reduce_each(self, settings: Settings, outputs: Path) -> list[tuple[str, Reduced]]:
        """A reduction for each failure that the full input names: one jar a bug, with what came of it.

        The folder ``outputs`` gets ``1.jar``, ``2.jar`` and so on, in the order of the names. All probes are shared: a
        reduction begins with the smallest candidate that showed its failure before. A stop ends them all. The folder
        must be new or empty: nothing in it is ever replaced.
        """
        self.reads = all_read(self.opened.jar.sources, understood(settings))
        guard([Output(outputs, "the folder of results", folder=True)], self.reads)
        refuse_filled(outputs, "--each")
        try:
            outputs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{outputs}: the folder cannot be made ({error.strerror or error}).") from error
        found: list[tuple[str, Reduced]] = []
        with self._reducer(settings, None) as reducer:
            for number, failure in enumerate(reducer.failures, 1):
                self.emit(events.Reducing(number, len(reducer.failures), failure))
                reduced = reducer.run(Saver(outputs / f"{number}.jar", sources=self.reads), self._keep, failure)
                self._finish(reduced)
                found.append((failure, reduced))
                if reduced.reduction.reason != "done":
                    break
        return found

    @contextlib.contextmanager
    def _reducer(self, settings: Settings, folder: Session | None, start: StepKey | None = None) -> Iterator[Reducer]:
        """What reduces the opened input, once the check has passed."""
        model = self.opened
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        build_model = ModelBuilder(settings, model.jar)
        kept: PassedCheck | None = None
        try:
            # compressing beside another thread that is busy would take five times as long
            predicate.packer.learn(data for _, data in model.entries(model.full))
            build_model.begin()
            before = _mark(predicate, settings)
            for warning in folder.foresee(before) if folder is not None else ():
                self.emit(events.Warned(warning))  # before what has changed is run
            begun = time.monotonic()
            until = Until(self.control.cancel, _end_of_check(begun, settings, folder))
            # where the full input only has to agree with itself, it might do so for another reason than as given
            relative = bool(settings.preserve or settings.preset or settings.failures_as)
            passed = self.checks.take(settings, before.digest)
            if passed is not None:
                predicate.close()
                predicate, checked, outcome = passed.limited(settings.jobs), passed.checked, passed.outcome
                predicate.packer.learn(data for _, data in model.entries(model.full))
            else:
                predicate, checked, outcome = check(
                    model,
                    settings,
                    predicate,
                    self._work.path,
                    until,
                    settings.check_runs,
                    beside=relative and (folder is None or folder.best is None),
                    advise=self.checks.wanted,
                    empty=self.checks.wanted,
                    options=not self.checks.wanted,
                )
            if until.late and not self.control.cancel.is_set():
                raise LimitError(
                    f"The time limit of {settings.time_limit:g} s ended the check of the input, which counts too: no "
                    "candidate was tried, and no output was written. Set a longer one."
                )
            if not self.control.cancel.is_set():
                self.emit(checked)
                if not checked.interesting:
                    raise NotInterestingError(f"{checked.message}\nTo repeat it by hand: {checked.command}")
            took = time.monotonic() - begun
            if self.checks.wanted and not until.is_set():
                took = passed.seconds if passed is not None else took
                kept = PassedCheck(settings, before.digest, predicate, checked, outcome, took)
                self.checks.keep(kept)
            build_model.finish()
            memory: Memory | None = None
            used = 0.0
            if folder is not None:
                # what changed during the check the command writes itself: a log, not a part of it
                mark = before.steady(_mark(predicate, settings))
                search = search_of(settings) | ({"start": asdict(start)} if start is not None else {})
                answers = folder.memory(mark, predicate.timeout, search, measured=settings.timeout is None)
                predicate, memory, used = predicate.limited(answers.limit), answers, folder.used
                for warning in folder.warnings:
                    self.emit(events.Warned(warning))
            self.needed, self.proved = set(), False
            work, emit, control = self._work.path, self._listen, self.control
            spent = Spent(checked.probes, took, checked.spent)
            yield Reducer(
                model,
                settings,
                predicate,
                build_model,
                outcome,
                work,
                emit,
                control,
                memory,
                self._note_needed,
                used,
                spent,
            )
        finally:
            build_model.give_up()
            if kept is None:
                predicate.close()

    def stop(self) -> None:
        """Ends what is running, from any thread, and lets nothing new begin before the next command."""
        self.control.stop()

    def write_best(self, path: Path) -> None:
        """Writes the best so far (the input itself before a reduction) as a jar. Raises OutputError."""
        self.refuse(path)
        write_jar(path, self.entries, parents=True)

    def refuse(self, path: Path) -> None:
        """Raises UsageError if a file to be written is one that is read: the input, a library, a script."""
        refuse_source(path, self.reads)

    @property
    def entries(self) -> Entries:
        """Names and contents of the entries of the best so far: of the input itself before a reduction."""
        return entries_of(self.best) if self.best is not None else self.opened.entries(self.opened.full)

    @property
    def kept(self) -> ItemSet:
        """The class-level items of the input that are kept, whole or in part."""
        return self.best.tester.shown(self.best.items) if self.best is not None else self.opened.full

    @property
    def opened(self) -> ClassModel:
        """The opened input's model. Raises UsageError before there is one."""
        if self.model is None:
            raise UsageError("Open a jar first.")
        return self.model

    def _keep(self, best: SubInput) -> None:
        self.best = best

    def _note_needed(self, names: Iterable[str]) -> None:
        self.needed.update(names)

    def _listen(self, event: events.Event) -> None:
        if isinstance(event, events.Searching):
            self.needed = set()  # another phase, another best: so far nothing is needed of it
        self.emit(event)

    def _finish(self, found: Reduced) -> None:
        reduction, best = found.reduction, found.reduction.best
        self.last_report = found.report
        self.needed = set()  # what was needed of something larger need not be
        self.proved = found.report["certificate"]["one_minimal"].get("items") == "yes"
        self.emit(
            events.Finished(
                reason=reduction.reason,
                message=summary(reduction, *reduction.confirmed),
                kept=events.pack(self.kept, len(self.opened.items)),
                classes=best.classes,
                bytes=best.bytes,
                probes=reduction.counts.probes,
                seconds=reduction.seconds,
                report=found.report,
            )
        )


def _end_of_check(begun: float, settings: Settings, folder: Session | None) -> float | None:
    """When the time limit ends the check, by the monotonic clock. Where earlier parts of a session have used it up, it
    does not: what they found out is shown and confirmed."""
    if settings.time_limit is None:
        return None
    left = settings.time_limit - (folder.used if folder is not None else 0.0)
    return begun + left if left > 0 else None


def _mark(predicate: Predicate, settings: Settings) -> Fingerprint:
    return fingerprint(predicate, condition_of(settings), limits=limits_of(settings), template=settings.predicate)
