"""One input and what is done with it: open, check, reduce, export. Used by window and command line alike."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import NotInterestingError, OutputError, UsageError
from core.jar.archive import Jar, read_jar, write_jar
from core.jar.library import open_library
from core.model import items
from core.model.detailed import Detailed, load_or_build
from core.model.items import Model
from core.model.stored import default_folder
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome
from core.run import events
from core.run.control import Control, Limits
from core.run.driver import Driver
from core.run.judge import SourceJudge
from core.run.memory import Memory
from core.run.plan import Plan, Refine, entries_of
from core.run.records import Finding, Reduction
from core.run.report import evidence, minimality, report, size_of
from core.run.sources import Entries, Source, WholeSource
from core.search.catalogue import Options, Phase, find
from core.search.spaces import ItemSet, Space
from core.session.check import FIRST_TIMEOUT, check, wanted_text
from core.session.fingerprint import Fingerprint, fingerprint
from core.session.folder import SessionFolder
from core.session.predicates import predicate_of
from core.session.settings import Settings
from core.session.workdir import WorkFolder
from core.version import VERSION

_LOADING_EVERY = 0.1
"""Seconds between two events of a load's progress."""


class Session:
    """Holds the model of the opened input and the best sub-input found so far.

    Events go to ``listener`` on the thread that calls; ``control`` may be used from any thread.
    """

    def __init__(self, listener: events.Listener, work: Path | None = None) -> None:
        self.tell = listener
        self._work = WorkFolder(work)
        self.control = Control()
        self.model: Model | None = None
        self.best: Finding | None = None
        """The smallest sub-input that showed the failure; None before a reduction."""
        self.last_report: dict[str, Any] | None = None

    def close(self) -> None:
        """Removes the session's temporary files."""
        self._work.close()

    def open(self, paths: list[str], notes: Sequence[str] = ()) -> Model:
        """Reads an input and builds its class graph; ``notes`` are told with its warnings. Raises InputError."""
        start = time.monotonic()
        last = 0.0

        def progress(done: int, total: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _LOADING_EVERY:
                last = now
                self.tell(events.Loading(done, total))

        model = items.build(read_jar([Path(path) for path in paths]), progress)
        self.model, self.best, self.last_report = model, None, None
        gc.freeze()  # the model lives as long as the session: no need to search it for garbage
        self.tell(_opened(model, notes, time.monotonic() - start))
        return model

    def begin(self) -> None:
        """Forgets an earlier stop or pause. To be called when a run is asked for, not when it starts:
        a stop in between must not be lost."""
        self.control = Control()

    def check(self, settings: Settings, runs: int | None = None) -> events.Checked:
        """Runs the predicate on the full input and tells what came of it."""
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        try:
            cancel = self.control.cancel
            _, checked, _ = check(
                self.opened, settings, predicate, self._work.path, cancel, runs or settings.check_runs
            )
            self.tell(checked)
            return checked
        finally:
            predicate.close()

    def reduce(self, settings: Settings, output: Path | None = None, folder: SessionFolder | None = None) -> Reduction:
        """Checks, reduces and checks the result once more.

        ``output`` is written at each accepted step, so that the best so far outlives whatever happens. With
        ``folder`` every verdict is remembered there, and those that it has are not asked for again. Raises
        NotInterestingError if the full input does not show the failure.
        """
        model = self.opened
        if output is not None:
            _refuse_input(model, output)
        predicate = predicate_of(settings, FIRST_TIMEOUT)
        try:
            before = _mark(predicate, settings)
            cancel = self.control.cancel
            predicate, checked, outcome = check(
                model, settings, predicate, self._work.path, cancel, settings.check_runs
            )
            if not self.control.cancel.is_set():
                self.tell(checked)
                if not checked.interesting:
                    raise NotInterestingError(f"{checked.message}\nTo repeat it by hand: {checked.command}")
            memory: Memory | None = None
            if folder is not None:
                # what changed during the check the command writes itself: a log, not a part of it
                mark = before.steady(_mark(predicate, settings))
                answers = folder.memory(mark, predicate.timeout, settings.search, measured=settings.timeout is None)
                predicate, memory = predicate.limited(answers.limit), answers
                for warning in folder.warnings:
                    self.tell(events.Warned(warning))
            return self._reduce(settings, predicate, outcome, memory, _Saver(output, folder))
        finally:
            predicate.close()

    def _reduce(
        self,
        settings: Settings,
        predicate: Predicate,
        outcome: Outcome,
        memory: Memory | None,
        saver: _Saver,
    ) -> Reduction:
        model, entry = self.opened, find(settings.algorithm)
        whole = WholeSource(model, settings.pinned())

        def judge(source: Source) -> SourceJudge:
            return SourceJudge(source, predicate, self._work.path, len(model.items))

        driver = Driver(
            judge(whole),
            saver.listening(self.tell),
            control=self.control,
            limits=Limits(settings.time_limit, settings.max_probes),
            on_best=lambda best: self._keep(best, saver),
            workers=settings.jobs,
            least=settings.least,
            memory=memory,
            confirm=1,
        )
        options = Options(settings.classic, settings.thorough)
        plan = Plan(whole, self._refine(settings), judge, settings.pinned(), options, self._tell_phase)
        full = size_of(model, model.full)
        self.tell(
            events.Started(settings.algorithm, len(model.items), len(model.items), full["classes"], full["bytes"])
        )
        driver.begin(model.full, outcome)
        self.best = driver.best
        plan.follow(driver, entry, settings.granularity)
        reduction = driver.reduction()
        self._keep(reduction.best, saver)
        self._finish(settings, reduction, predicate, options, outcome)
        saver.finish(reduction.reason, self.last_report or {})
        return reduction

    def _refine(self, settings: Settings) -> Refine:
        """Builds models below the class as the settings wish; those of the input itself are kept on disk."""
        library = None

        def refine(jar: Jar) -> Detailed:
            nonlocal library
            library = library or open_library(settings.class_path)
            cache = default_folder() if jar is self.opened.jar else None
            return load_or_build(jar, library, settings.granularity, settings.validity, cache=cache)

        return refine

    def _tell_phase(self, number: int, phase: Phase, source: Source, space: Space) -> None:
        self.tell(events.Searching(number, phase.name, phase.level.value, len(space.elements), source.count))

    def stop(self) -> None:
        """Ends what is running, from any thread, and lets nothing new begin before the next command."""
        self.control.stop()

    def write_best(self, path: Path) -> None:
        """Writes the best so far (the input itself before a reduction) as a jar. Raises OutputError."""
        _refuse_input(self.opened, path)
        write_jar(path, self.entries)

    @property
    def entries(self) -> Entries:
        """Names and contents of the entries of the best so far: of the input itself before a reduction."""
        return entries_of(self.best) if self.best is not None else self.opened.entries(self.opened.full)

    @property
    def kept(self) -> ItemSet:
        """The class-level items of the input that are kept, whole or in part."""
        return self.best.judge.shown(self.best.items) if self.best is not None else self.opened.full

    @property
    def opened(self) -> Model:
        """The opened input's model. Raises UsageError before there is one."""
        if self.model is None:
            raise UsageError("Open a jar first.")
        return self.model

    def _keep(self, best: Finding, saver: _Saver) -> None:
        self.best = best
        saver.save(best)

    def _finish(
        self, settings: Settings, reduction: Reduction, predicate: Predicate, options: Options, outcome: Outcome
    ) -> None:
        best = reduction.best
        self.last_report = report(self.opened, settings.to_json(), reduction, entries_of(best))
        self.last_report["certificate"] |= minimality(reduction, options.certificates)
        self.last_report["tools"] = {"jarlet": VERSION} | predicate.versions()
        self.last_report["final"] = {
            "wanted": wanted_text(settings),
            "command": predicate.shell_line(Path("work")),
            **evidence(outcome),
        }
        checks, interesting = reduction.confirmed
        self.tell(
            events.Finished(
                reason=reduction.reason,
                message=_summary(reduction, checks, interesting),
                kept=events.pack(self.kept, len(self.opened.items)),
                classes=best.classes,
                bytes=best.bytes,
                probes=reduction.counts.probes,
                seconds=reduction.seconds,
                report=self.last_report,
            )
        )


class _Saver:
    """Writes the best so far to the output file, each time whole, and to the session."""

    def __init__(self, output: Path | None, folder: SessionFolder | None) -> None:
        self._output = output
        self._folder = folder
        self._saved: Finding | None = None
        self._key = b""
        self._noted = b""

    def listening(self, tell: events.Listener) -> events.Listener:
        """The listener, with each accepted step noted in the session as well."""

        def listener(event: events.Event) -> None:
            if isinstance(event, events.Accepted) and self._saved is not None and self._key != self._noted:
                self._noted = self._key
                if self._folder is not None:
                    self._folder.accept(event, entries_of(self._saved))
            tell(event)

        return listener

    def save(self, best: Finding) -> None:
        key = best.judge.key(best.items)
        if key != self._key:  # fewer items may be the same bytes
            self._saved, self._key = best, key
            if self._output is not None:
                write_jar(self._output, entries_of(best))

    def finish(self, reason: str, report: dict[str, Any]) -> None:
        """The run is over: the session keeps its report."""
        if self._folder is not None:
            self._folder.finish(reason, report)


def _mark(predicate: Predicate, settings: Settings) -> Fingerprint:
    return fingerprint(predicate, settings.condition(), limits=settings.limits, template=settings.predicate)


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file in one go. Raises OutputError naming the file and the reason."""
    part = path.with_name(f".{path.name}.{threading.get_ident()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written ({error.strerror or error}).") from error


def _refuse_input(model: Model, output: Path) -> None:
    if any(source.resolve() == output.resolve() for source in model.jar.sources):
        raise UsageError(f"{output} is the input itself, which is never written to: choose another file.")


def _opened(model: Model, notes: Sequence[str], seconds: float) -> events.Opened:
    graph = model.graph
    warnings = [*notes, *model.jar.warnings]
    warnings += [
        f"{model.jar.entries[entry].name}: this class file cannot be parsed ({problem}). It is kept whole."
        for entry, problem in graph.problems
    ]
    full = size_of(model, model.full)
    return events.Opened(
        sources=[str(path) for path in model.jar.sources],
        title=model.jar.title,
        bytes=full["bytes"],
        classes=full["classes"],
        kinds=[item.kind.value for item in model.items],
        names=[item.name for item in model.items],
        sizes=[item.bytes for item in model.items],
        parents=[-1] * len(model.items),
        components=list(model.components),
        component_count=len(graph.components),
        edges=[number for edge in model.edges for number in edge],
        pinned=[number for number in range(len(model.items)) if model.pinned >> number & 1],
        warnings=warnings,
        unresolved=len(graph.unresolved),
        seconds=seconds,
    )


def _summary(reduction: Reduction, checks: int, interesting: int) -> str:
    reasons = {
        "done": "The reduction is done.",
        "stopped": "The reduction was stopped: the result is the best so far.",
        "time": "The time limit is reached: the result is the best so far.",
        "probes": "The limit of probes is reached: the result is the best so far.",
    }
    text = reasons[reduction.reason]
    if interesting < checks:
        text += " Warning: the result was run once more and was not interesting: the predicate is not stable."
    return text
