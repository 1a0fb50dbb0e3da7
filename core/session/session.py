"""One input and what is done with it: open, check, reduce, export. Used by window and command line alike."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import NotInterestingError, OutputError, UsageError
from core.jar.archive import read_jar, write_jar
from core.model import items
from core.model.items import Model
from core.run import events
from core.run.control import Control, Limits
from core.run.driver import Driver, Reduction
from core.run.judge import ModelJudge, problem_of
from core.run.report import report, size_of
from core.search.catalogue import CATALOGUE
from core.search.spaces import ItemSet
from core.session.check import check
from core.session.settings import Settings
from core.session.workdir import WorkFolder

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
        self.best: ItemSet = 0
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
        self.model, self.best, self.last_report = model, model.full, None
        gc.freeze()  # the model lives as long as the session: no need to search it for garbage
        self.tell(_opened(model, notes, time.monotonic() - start))
        return model

    def begin(self) -> None:
        """Forgets an earlier stop or pause. To be called when a run is asked for, not when it starts:
        a stop in between must not be lost."""
        self.control = Control()

    def check(self, settings: Settings, runs: int | None = None) -> events.Checked:
        """Runs the predicate on the full input and tells what came of it."""
        _, checked, _ = check(self.opened, settings, self._work.path, self.control.cancel, runs or settings.check_runs)
        self.tell(checked)
        return checked

    def reduce(self, settings: Settings, output: Path | None = None) -> Reduction:
        """Checks, reduces and checks the result once more.

        ``output`` is written at each accepted step, so that the best so far outlives whatever
        happens. Raises NotInterestingError if the full input does not show the failure.
        """
        model = self.opened
        if output is not None:
            _refuse_input(model, output)
        predicate, checked, _ = check(model, settings, self._work.path, self.control.cancel, settings.check_runs)
        if not self.control.cancel.is_set():
            self.tell(checked)
            if not checked.interesting:
                raise NotInterestingError(f"{checked.message}\nTo repeat it by hand: {checked.command}")
        problem = problem_of(model)
        entry = CATALOGUE[settings.algorithm]
        space = entry.space(problem)
        judge = ModelJudge(model, problem, predicate, self._work.path, self.control.cancel)
        self.best = model.full
        saver = _Saver(model, output)
        driver = Driver(
            space,
            judge,
            self.tell,
            control=self.control,
            limits=Limits(settings.time_limit, settings.max_probes),
            on_best=lambda kept: self._keep(kept, saver),
        )
        full = size_of(model, model.full)
        self.tell(
            events.Started(settings.algorithm, len(space.elements), len(model.items), full["classes"], full["bytes"])
        )
        reduction = driver.run(entry.start(space, settings.classic), model.full)
        self.best = reduction.items
        saver.save(reduction.items)
        self._finish(model, settings, reduction, judge)
        return reduction

    def stop(self) -> None:
        """Ends what is running, from any thread, and lets nothing new begin before the next command."""
        self.control.stop()

    def write_best(self, path: Path) -> None:
        """Writes the best so far (the input itself before a reduction) as a jar. Raises OutputError."""
        _refuse_input(self.opened, path)
        write_jar(path, self.opened.entries(self.best))

    @property
    def opened(self) -> Model:
        """The opened input's model. Raises UsageError before there is one."""
        if self.model is None:
            raise UsageError("Open a jar first.")
        return self.model

    def _keep(self, kept: ItemSet, saver: _Saver) -> None:
        self.best = kept
        saver.save(kept)

    def _finish(self, model: Model, settings: Settings, reduction: Reduction, judge: ModelJudge) -> None:
        checks = interesting = 0
        if reduction.reason != "stopped":
            checks = 1
            interesting = judge.probe(reduction.items, reduction.counts.probes + 1).interesting
        self.last_report = report(model, settings.to_json(), reduction, checks, int(interesting))
        size = size_of(model, reduction.items)
        self.tell(
            events.Finished(
                reason=reduction.reason,
                message=_summary(reduction, checks, int(interesting)),
                kept=events.pack(reduction.items, len(model.items)),
                classes=size["classes"],
                bytes=size["bytes"],
                probes=reduction.counts.probes,
                seconds=reduction.seconds,
                report=self.last_report,
            )
        )


class _Saver:
    """Writes the best so far to the output file, each time whole."""

    def __init__(self, model: Model, output: Path | None) -> None:
        self._model = model
        self._output = output
        self._saved: ItemSet | None = None

    def save(self, kept: ItemSet) -> None:
        if self._output is not None and kept != self._saved:
            write_jar(self._output, self._model.entries(kept))
            self._saved = kept


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
