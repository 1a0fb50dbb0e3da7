"""Reductions of one input by one predicate: for all its failures together, or for each on its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.archive.packer import Packer
from core.archive.writer import write_jar
from core.errors import OutputError, UsageError
from core.evidence.clues import Clues
from core.model.class_model import ClassModel
from core.predicate import presets
from core.predicate.failures import Statement, Wanted
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.settings import Settings
from core.protocol.wording import needed_text
from core.reduction.candidate_tester import CandidateTester, SourceTester
from core.reduction.control import Control, RunLimits
from core.reduction.driver import Driver
from core.reduction.drop_first import drop_first
from core.reduction.phases import Plan, entries_of
from core.reduction.probing.lookahead import Background
from core.reduction.probing.memory import Forgetful, Memory
from core.reduction.probing.pace import LEAST, LEAST_RESIDENT, Pace
from core.reduction.records import Reduction, Spent, SubInput
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.source import Source
from core.reduction.sources.whole_source import WholeSource
from core.report.reduction_report import evidence, report, size_of
from core.search.catalogue import Options, PhaseSpec, find
from core.search.item_sets import ItemSet
from core.search.spaces.class_spaces import Space
from core.service.check import CRASH, wanted_text
from core.service.conflicts import class_conflicts, conflicts
from core.service.evidence_search import Gatherer
from core.service.meaning import begins_with_evidence, pinned_by, unwanted_by, wanted_by
from core.service.model_builder import ModelBuilder
from core.store.other_failures import OTHERS, OtherFailures, OtherFailureStore
from core.store.session import Session
from core.system.outputs import Origin
from core.version import VERSION

_SLOWER = 2.0
"""A confirmation, and what was killed for its time and is asked again, may take so many times the limit of a probe."""


@dataclass(frozen=True)
class Reduced:
    """How a reduction ended, with its report."""

    reduction: Reduction
    report: dict[str, Any]


class Reducer:
    """Runs reductions of ``model``. ``outcome`` is what the predicate said of the full input.

    ``build_model`` builds models below the class; ``work`` is a folder for the probes; ``memory`` remembers outcomes,
    and is shared by all reductions. ``used``: the seconds of the time limit that earlier runs of the same reduction
    took; ``check``: what the check took, which counts too.
    """

    def __init__(
        self,
        model: ClassModel,
        settings: Settings,
        predicate: Predicate,
        build_model: ModelBuilder,
        outcome: Outcome,
        work: Path,
        emit: events.Listener,
        control: Control,
        memory: Memory | None = None,
        on_needed: Callable[[list[str]], None] = lambda names: None,
        used: float = 0.0,
        check: Spent | None = None,
    ) -> None:
        self._model = model
        self._settings = settings
        self._predicate = predicate
        self._outcome = outcome
        self._work = work
        self._emit = emit
        self._control = control
        self._on_needed = on_needed
        self._memory: Memory = Forgetful() if memory is None else memory
        self._used = used
        self._check = check or Spent()
        self._whole = WholeSource(model, pinned_by(settings))
        self._build_model = build_model
        self._smallest: dict[str, SubInput] = {}
        self.on_clues: Callable[[Clues], None] = lambda clues: None
        """Hears what is known of what the input's run uses."""
        self.full_was_run = True
        """Whether the check ran the full input, and not a candidate in its place."""
        self._watched: Clues | None = None
        """What ran, once it is known."""
        least = LEAST_RESIDENT if getattr(predicate, "warm", False) else LEAST
        self._pace = Pace(predicate.timeout, least, settings.jobs, fixed=settings.timeout is not None)

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

    def run(self, saver: Saver, on_best: Callable[[SubInput], None], failure: str | None = None) -> Reduced:
        """One reduction. With ``failure`` it is for that failure alone, whatever else fails or does not; it begins
        with the smallest candidate that has shown it so far."""
        settings, model = self._settings, self._model
        entry = find(settings.algorithm)
        start = self._start(failure)

        def keep(best: SubInput) -> None:
            on_best(best)
            saver.save(best, self._predicate.packer)

        others = OtherFailures(settings.also_interesting, saver.others, lambda name: driver.smallest_with(name))
        seconds = None if settings.time_limit is None else settings.time_limit - self._used - self._check.seconds
        driver = Driver(
            start.tester,
            others.listening(saver.listening(self._heard, self._check.seconds)),
            control=self._control,
            limits=RunLimits(seconds, settings.max_probes),
            on_best=keep,
            on_needed=self._needed,
            workers=settings.jobs,
            least=settings.least,
            memory=self._memory,
            interesting=_shows(failure),
            confirm=1,
        )
        options = Options(settings.classic, settings.thorough)
        plan = Plan(self._whole, self._build_model, self._tester, pinned_by(settings), options, self._emit_phase)
        plan.before_models = self._before_models()
        full = size_of(model, model.full)
        count = len(model.items)
        self._emit(events.Started(settings.algorithm, count, count, full["classes"], full["bytes"]))
        driver.begin(start.items, self._outcome)
        keep(start)
        if settings.drop_first:
            needed = drop_first(plan, driver, settings.granularity, unwanted_by(settings), self._blocked)
            if needed:
                self._emit(events.Warned(needed_text(needed)))
        gatherer = self._evidence(failure, saver.store)
        if gatherer is not None:
            gatherer.on_clues = self.on_clues
            gatherer.follow(plan, driver, settings.granularity, self._emit)
            self._watched = gatherer.evidence
        plan.follow(driver, entry, settings.granularity)
        if driver.reconsider():
            plan.follow(driver, entry, settings.granularity)
        if driver.late and not self._control.cancel.is_set():
            self._emit(events.Warned(self._announcement()))
        reduction = driver.reduction()
        keep(reduction.best)
        others.keep()
        self._smallest |= reduction.failures
        found = Reduced(reduction, self._report(reduction, plan, failure) | {"others": others.report()})
        found.report["evidence"] = gatherer.report() if gatherer is not None else []
        saver.finish(reduction.reason, found.report)
        return found

    def _before_models(self) -> Background:
        """The models to come are prepared while the whole input is searched."""
        builder, whole = self._build_model, self._whole
        return Background(builder.step, lambda kept: builder.expect(whole.entries(kept)))

    def _evidence(self, failure: str | None, store: Path | None) -> Gatherer | None:
        """What is known before the search, where the algorithm starts from that and it is wanted."""
        settings, reference = self._settings, self._predicate.reference
        if not begins_with_evidence(settings):
            return None
        wanted = wanted_by(settings)
        chosen = wanted.chosen if wanted is not None else ()
        names = (failure,) if failure is not None else chosen or self._outcome.failures
        outcome = self._outcome
        texts = [outcome.stdout, outcome.stderr] if reference is None else [reference.out, reference.err]
        with suppress(OSError):
            texts.append((self._work / CRASH).read_text(encoding="utf-8"))
        cancel, output = self._control.cancel, "\n".join(texts)
        runs = settings.preset is None or presets.find(settings.preset).runs
        failed, limit = bool(outcome.exit), settings.time_limit
        gatherer = Gatherer(self._model, self._predicate, self._work, cancel, names, output, failed, store, runs, limit)
        if self._watched is not None:
            gatherer.know(self._watched)
        return gatherer

    def _needed(self, tester: CandidateTester, items: ItemSet) -> None:
        assert isinstance(tester, SourceTester)
        self._on_needed(tester.source.named(items))

    def _blocked(self, source: Source, names: list[str]) -> None:
        kept, unwanted = pinned_by(self._settings), frozenset(names).__contains__
        if isinstance(source, PartSource):
            found = conflicts(source.item_model, kept, unwanted)
        else:
            found = class_conflicts(self._model, kept, unwanted)
        for conflict in found:
            self._emit(events.Warned(conflict.text()))

    def _announcement(self) -> str:
        limit = self._predicate.timeout
        most = f", {limit:.3g} s at most" if limit is not None else ""
        return f"The time limit is reached: the best so far is run once more, to confirm it (one probe{most})."

    def _start(self, failure: str | None) -> SubInput:
        """What a reduction begins with."""
        known = self._smallest.get(failure) if failure is not None else None
        if known is not None:
            return known
        tester, full = self._tester(self._whole), self._model.full
        return SubInput(tester, full, tester.classes_of(full), tester.bytes_of(full))

    def _tester(self, source: Source) -> SourceTester:
        paced = self._predicate.limited(self._pace.next_phase())
        slow = self._predicate.limited(None if paced.timeout is None else _SLOWER * max(paced.timeout, self._limit))
        confirming = self._predicate if self._pace.fixed else slow
        return SourceTester(source, paced, self._work, len(self._model.items), confirming=confirming)

    @property
    def _limit(self) -> float:
        return self._predicate.timeout or 0.0

    def _heard(self, event: events.Event) -> None:
        self._pace.note(event)
        self._emit(event)

    def _emit_phase(self, number: int, phase: PhaseSpec, source: Source, space: Space) -> None:
        self._emit(events.Searching(number, phase.name, phase.level.value, len(space.elements), source.count))

    def _report(self, reduction: Reduction, plan: Plan, failure: str | None) -> dict[str, Any]:
        settings = self._settings
        made = report(self._model, settings.to_json(), reduction, entries_of(reduction.best), self._check)
        made["certificate"]["full_input_run"] = self.full_was_run
        made["seconds"]["before"] = round(self._used, 3)
        made["certificate"]["one_minimal"] = plan.minimality(reduction)
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

    def __init__(
        self, output: Path | None = None, folder: Session | None = None, sources: Sequence[Origin] = ()
    ) -> None:
        self._output = output
        self._folder = folder
        self._sources = sources
        self._written: tuple[int, ...] = ()
        self._saved: SubInput | None = None
        self._key = b""
        self._noted = b""

    @property
    def store(self) -> Path | None:
        """The session's folder, if there is one."""
        return self._folder.path if self._folder is not None else None

    @property
    def others(self) -> OtherFailureStore | None:
        """Where jars that show another failure go: to the session, else beside the output, else nowhere."""
        if self._folder is not None:
            return OtherFailureStore(self._folder.path / OTHERS)
        if self._output is not None:
            return OtherFailureStore(self._output.parent, f"{self._output.stem}-", self._sources)
        return None

    def listening(self, emit: events.Listener, before: float = 0.0) -> events.Listener:
        """The listener, with each accepted step and the time used noted in the session as well: on top of ``before``
        seconds that the check took."""

        def listener(event: events.Event) -> None:
            if isinstance(event, events.Counted) and self._folder is not None:
                self._folder.spent(before + event.at)
            if isinstance(event, events.Accepted) and self._saved is not None and self._key != self._noted:
                self._noted = self._key
                if self._folder is not None:
                    self._folder.accept(event, entries_of(self._saved))
            emit(event)

        return listener

    def save(self, best: SubInput, packer: Packer) -> None:
        """Writes it, unless it is what was written last. What ``packer`` knows need not be compressed again."""
        key = best.tester.key(best.items)
        if key != self._key:  # fewer items may be the same bytes
            self._saved, self._key = best, key
            self._write(packer)

    def _write(self, packer: Packer | None = None) -> None:
        if self._output is None or self._saved is None:
            return
        entries = entries_of(self._saved)
        try:
            write_jar(self._output, entries, packer=packer, parents=True)
        except OutputError:  # perhaps a full disk: old steps are worth less than the result
            if self._folder is None or not self._folder.relieve():
                raise
            write_jar(self._output, entries, packer=packer, parents=True)
        self._written = _facts(self._output)

    def finish(self, reason: str, report: dict[str, Any]) -> None:
        """The run is over: the session keeps its report. What somebody removed or changed is written again."""
        if self._output is not None and self._written != _facts(self._output):
            self._write()
        if self._folder is not None:
            self._folder.spent(report["seconds"]["total"], last=True)
            self._folder.finish(reason, report)


def _facts(path: Path) -> tuple[int, ...]:
    """What tells whether a file is still the one that was written; nothing if there is none."""
    try:
        facts = path.stat()
    except OSError:
        return ()
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


def _shows(failure: str | None) -> Callable[[Outcome], bool]:
    if failure is None:
        return lambda outcome: outcome.interesting
    return lambda outcome: failure in outcome.failures
