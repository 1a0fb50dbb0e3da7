"""One input and what is done with it: open, check, reduce, export. Used by window and command line alike."""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.archive.jar import read_jar, write_jar
from core.errors import LimitError, NotInterestingError, OutputError, UsageError
from core.evidence.clues import Clues
from core.model import class_model
from core.model.class_model import ClassModel
from core.predicate.predicate import Predicate
from core.protocol import events
from core.protocol.settings import Settings
from core.reduction.control import Control, Until
from core.reduction.phases import entries_of
from core.reduction.probing.memory import Memory
from core.reduction.records import Reduction, Spent, SubInput
from core.reduction.sources.source import Entries
from core.search.item_sets import ItemSet
from core.service.ahead import Ahead, seen_ahead
from core.service.check import FIRST_TIMEOUT, check
from core.service.evidence_search import watched
from core.service.meaning import condition_of, limits_of, search_of, understood
from core.service.model_builder import ModelBuilder
from core.service.predicates import predicate_of
from core.service.reads import all_read, inputs_read
from core.service.reducer import Reduced, Reducer, Saver
from core.service.workspace_events import opened_event, summary, used_event
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

    def __init__(self, listener: events.Listener, work: Path | None = None) -> None:
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
        self.clues: Clues | None = None
        """What is known of what the input's run uses, and of what the failure names."""
        self.needed: set[str] = set()
        """Names of items below the class, and of classes, that probes of the last reduction proved to be needed."""

    def close(self) -> None:
        """Removes the session's temporary files."""
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
        self.model, self.best, self.last_report, self.clues = model, None, None, None
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
        """Runs the predicate on the full input and emits what came of it."""
        self.reads = all_read(self.opened.jar.sources, understood(settings))
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        try:
            cancel = self.control.cancel
            _, checked, _ = check(
                self.opened, settings, predicate, self._work.path, cancel, runs or settings.check_runs, advise=True
            )
            self.emit(checked)
            return checked
        finally:
            predicate.close()

    def watch(self, settings: Settings) -> None:
        """Runs the predicate on the full input once, to see what it uses, and tells that."""
        self.reads = all_read(self.opened.jar.sources, understood(settings))
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        try:
            most, cancel = settings.timeout or FIRST_TIMEOUT, self.control.cancel
            clues = watched(self.opened, settings, predicate, self._work.path, most, cancel, self.clues)
            self.clues = None  # it is told, whatever was known before
            self._know(clues)
        finally:
            predicate.close()

    def reduce(self, settings: Settings, output: Path | None = None, folder: Session | None = None) -> Reduction:
        """Checks, reduces and checks the result once more.

        ``output`` is written at each accepted step, so that the best so far outlives whatever happens. With
        ``folder`` every verdict is remembered there, and those that it has are not asked for again. Raises
        NotInterestingError if the full input does not show the failure.
        """
        self.reads = all_read(self.opened.jar.sources, understood(settings))
        if output is not None:
            guard([Output(output, "the output", parents=True)], self.reads)
        with self._reducer(settings, folder, early=True) as reducer:
            found = reducer.run(Saver(output, folder, self.reads), self._keep)
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
    def _reducer(self, settings: Settings, folder: Session | None, early: bool = False) -> Iterator[Reducer]:
        """What reduces the opened input, once the check has passed. With ``early`` a candidate that shows the chosen
        failure is checked in the place of the full input."""
        model = self.opened
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        build_model = ModelBuilder(settings, model.jar)
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
            ahead = Ahead()
            if early:
                ahead = seen_ahead(model, settings, predicate, build_model, self._work.path, until)
            predicate, checked, outcome = check(
                ahead.model or model,
                settings,
                predicate,
                self._work.path,
                until,
                settings.check_runs,
                beside=relative and ahead.model is None and (folder is None or folder.best is None),
            )
            probes, seconds = checked.probes + ahead.probes, checked.spent + ahead.seconds
            checked = replace(checked, message=ahead.told(checked.message), probes=probes, spent=seconds)
            outcome = ahead.outcome(outcome, settings)
            if until.late and not self.control.cancel.is_set():
                raise LimitError(
                    f"The time limit of {settings.time_limit:g} s ended the check of the input, which counts too: no "
                    "candidate was tried, and no output was written. Set a longer one."
                )
            if not self.control.cancel.is_set():
                self.emit(checked)
                if not checked.interesting:
                    raise NotInterestingError(f"{checked.message}\nTo repeat it by hand: {checked.command}")
            build_model.finish()
            memory: Memory | None = None
            used = 0.0
            if folder is not None:
                # what changed during the check the command writes itself: a log, not a part of it
                mark = before.steady(_mark(predicate, settings))
                answers = folder.memory(mark, predicate.timeout, search_of(settings), measured=settings.timeout is None)
                predicate, memory, used = predicate.limited(answers.limit), answers, folder.used
                for warning in folder.warnings:
                    self.emit(events.Warned(warning))
            self.needed = needed = set[str]()
            work, emit, control = self._work.path, self.emit, self.control
            spent = Spent(checked.probes, time.monotonic() - begun, checked.spent)
            reducer = Reducer(
                model,
                settings,
                predicate,
                build_model,
                outcome,
                work,
                emit,
                control,
                memory,
                needed.update,
                used,
                spent,
            )
            reducer.on_clues = self._know
            reducer.full_was_run = ahead.model is None
            yield reducer
        finally:
            build_model.give_up()
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

    def _know(self, clues: Clues) -> None:
        if clues != self.clues:
            self.clues = clues
            self.emit(used_event(self.opened, clues))

    def _finish(self, found: Reduced) -> None:
        reduction, best = found.reduction, found.reduction.best
        self.last_report = found.report
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
