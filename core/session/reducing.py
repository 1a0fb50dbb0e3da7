"""Reductions of one input by one predicate: for all its failures together, or for each on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import UsageError
from core.jar.archive import Jar, write_jar
from core.jar.library import open_library
from core.model.detailed import Detailed, load_or_build
from core.model.items import Model
from core.model.stored import default_folder
from core.predicate.failures import Statement, Wanted
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome
from core.run import events
from core.run.control import Control, Limits
from core.run.driver import Driver
from core.run.judge import SourceJudge
from core.run.memory import Forgetful, Memory
from core.run.plan import Plan, Refine, entries_of
from core.run.records import Finding, Reduction
from core.run.report import evidence, minimality, report, size_of
from core.run.sources import Source, WholeSource
from core.search.catalogue import Options, Phase, find
from core.search.spaces import Space
from core.session.check import wanted_text
from core.session.folder import SessionFolder
from core.session.settings import Settings
from core.version import VERSION


@dataclass(frozen=True)
class Reduced:
    """How a reduction ended, with its report."""

    reduction: Reduction
    report: dict[str, Any]


class Reducer:
    """Runs reductions of ``model``. ``outcome`` is what the predicate said of the full input.

    ``work`` is a folder for the probes; ``memory`` remembers outcomes, and is shared by all reductions.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        predicate: Predicate,
        outcome: Outcome,
        work: Path,
        tell: events.Listener,
        control: Control,
        memory: Memory | None = None,
    ) -> None:
        self._model = model
        self._settings = settings
        self._predicate = predicate
        self._outcome = outcome
        self._work = work
        self._tell = tell
        self._control = control
        self._memory: Memory = Forgetful() if memory is None else memory
        self._whole = WholeSource(model, settings.pinned())
        self._refine = _refine(settings, model.jar)
        self._smallest: dict[str, Finding] = {}

    @property
    def failures(self) -> list[str]:
        """The failures that the full input names, each once, sorted. Raises UsageError where there are none."""
        names = sorted(set(self._outcome.failures))
        if not names:
            raise UsageError(
                "The failures have no names, so there is nothing to tell apart: use a preset that names them, or "
                "--failures-as."
            )
        return names

    def run(self, saver: Saver, on_best: Callable[[Finding], None], failure: str | None = None) -> Reduced:
        """One reduction. With ``failure`` it is for that failure alone, whatever else fails or does not; it begins
        with the smallest candidate that has shown it so far."""
        settings, model = self._settings, self._model
        entry = find(settings.algorithm)
        start = self._start(failure)

        def keep(best: Finding) -> None:
            on_best(best)
            saver.save(best)

        driver = Driver(
            start.judge,
            saver.listening(self._tell),
            control=self._control,
            limits=Limits(settings.time_limit, settings.max_probes),
            on_best=keep,
            workers=settings.jobs,
            least=settings.least,
            memory=self._memory,
            interesting=_shows(failure),
            confirm=1,
        )
        options = Options(settings.classic, settings.thorough)
        plan = Plan(self._whole, self._refine, self._judge, settings.pinned(), options, self._tell_phase)
        full = size_of(model, model.full)
        count = len(model.items)
        self._tell(events.Started(settings.algorithm, count, count, full["classes"], full["bytes"]))
        driver.begin(start.items, self._outcome)
        keep(start)
        plan.follow(driver, entry, settings.granularity)
        reduction = driver.reduction()
        keep(reduction.best)
        self._smallest |= reduction.failures
        found = Reduced(reduction, self._report(reduction, options, failure))
        saver.finish(reduction.reason, found.report)
        return found

    def _start(self, failure: str | None) -> Finding:
        """What a reduction begins with."""
        known = self._smallest.get(failure) if failure is not None else None
        if known is not None:
            return known
        judge, full = self._judge(self._whole), self._model.full
        return Finding(judge, full, judge.classes_of(full), judge.bytes_of(full))

    def _judge(self, source: Source) -> SourceJudge:
        return SourceJudge(source, self._predicate, self._work, len(self._model.items))

    def _tell_phase(self, number: int, phase: Phase, source: Source, space: Space) -> None:
        self._tell(events.Searching(number, phase.name, phase.level.value, len(space.elements), source.count))

    def _report(self, reduction: Reduction, options: Options, failure: str | None) -> dict[str, Any]:
        settings = self._settings
        made = report(self._model, settings.to_json(), reduction, entries_of(reduction.best))
        made["certificate"] |= minimality(reduction, options.certificates)
        made["tools"] = {"jarlet": VERSION} | self._predicate.versions()
        wanted = Wanted(Statement.CHOSEN, (failure,)).describe() if failure is not None else wanted_text(settings)
        made["final"] = {
            "wanted": wanted,
            "command": self._predicate.shell_line(Path("work")),
            **evidence(reduction.outcome or self._outcome),
        }
        return made


class Saver:
    """Writes the best so far to the output file, each time whole, and to the session."""

    def __init__(self, output: Path | None = None, folder: SessionFolder | None = None) -> None:
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
        """Writes it, unless it is what was written last."""
        key = best.judge.key(best.items)
        if key != self._key:  # fewer items may be the same bytes
            self._saved, self._key = best, key
            if self._output is not None:
                write_jar(self._output, entries_of(best))

    def finish(self, reason: str, report: dict[str, Any]) -> None:
        """The run is over: the session keeps its report."""
        if self._folder is not None:
            self._folder.finish(reason, report)


def _shows(failure: str | None) -> Callable[[Outcome], bool]:
    if failure is None:
        return lambda outcome: outcome.interesting
    return lambda outcome: failure in outcome.failures


def _refine(settings: Settings, origin: Jar) -> Refine:
    """Builds models below the class as the settings wish; those of the input itself are kept on disk."""
    library = None

    def refine(jar: Jar) -> Detailed:
        nonlocal library
        library = library or open_library(settings.class_path)
        cache = default_folder() if jar is origin else None
        return load_or_build(jar, library, settings.granularity, settings.validity, cache=cache)

    return refine
