"""Reductions of one input by one predicate: for all its failures together, or for each on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.jar import Jar
from core.cluster.cluster_predicate import ClusterPredicate
from core.errors import UsageError
from core.evidence.clues import Clues
from core.evidence.failure import named
from core.evidence.mentions import ClassNames
from core.model.class_model import ClassModel
from core.model.item_model import ItemModel
from core.predicate import presets
from core.predicate.failures import Statement, Wanted
from core.predicate.predicate import CommandPredicate, Predicate
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
from core.reduction.probing.memory import Forgetful, Memory, Pending
from core.reduction.probing.pace import LEAST, LEAST_RESIDENT, Pace
from core.reduction.records import Reduction, Spent, SubInput
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.source import Entries, Source
from core.reduction.sources.whole_source import WholeSource
from core.reduction.time_left import TimeLeft
from core.report.reduction_report import evidence, report, size_of
from core.search.catalogue import Options, PhaseSpec, find
from core.search.item_sets import ItemSet
from core.search.spaces.class_spaces import Space
from core.service.checking.beside import DoubtError, RestOfCheck
from core.service.checking.check import wanted_text
from core.service.checking.told import Told, told
from core.service.meaning import begins_with_evidence, pinned_by, unwanted_by
from core.service.model_builder import ModelBuilder
from core.service.searching.confirming import Confirmations, beside_the_search
from core.service.searching.conflicts import class_conflicts, conflicts
from core.service.searching.earlier_result import begin_with
from core.service.searching.evidence_search import Gatherer, forget_clues
from core.service.searching.saver import Saver
from core.store.other_failures import OtherFailures
from core.system.stopwatch import Stopwatch
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
    took; ``check``: what the check took, which counts too. ``jobs``: probes at a time; ``rest``: what is left of the
    check; ``watch`` has counted since the user began to wait, ``free`` seconds of that not towards the time
    limit.
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
        jobs: int = 1,
        rest: RestOfCheck | None = None,
        watch: Stopwatch | None = None,
        free: float = 0.0,
    ) -> None:
        self._model = model
        self._settings = settings
        self._predicate = predicate
        self._outcome = outcome
        self._work = work
        self._emit: events.Listener = TimeLeft(emit)
        self._control = control
        self._on_needed = on_needed
        self._memory = Pending(Forgetful() if memory is None else memory)
        self._used = used
        self._check = check or Spent()
        self._jobs = jobs
        self._rest = rest
        self._watch = watch or Stopwatch("search")
        self._free = free
        self._before = self._began = self._watch.spent
        self._whole = WholeSource(model, pinned_by(settings))
        self._build_model = build_model
        self._smallest: dict[str, SubInput] = {}
        self.on_clues: Callable[[Clues], None] = lambda clues: None
        """Hears what is known of what the input's run uses."""
        self.full_was_run = True
        """Whether the check ran the full input, and not a candidate in its place."""
        self._watched: Clues | None = None
        """What ran, once it is known."""
        self._watching = Spent()
        """What it took to know that."""
        self._confirmations: Confirmations | None = None
        least = LEAST_RESIDENT if getattr(predicate, "warm", False) else LEAST
        self._pace = Pace(predicate.timeout, least, jobs, fixed=settings.timeout is not None)

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

    def run(
        self,
        saver: Saver,
        on_best: Callable[[SubInput], None],
        failure: str | None = None,
        earlier: Entries | None = None,
    ) -> Reduced:
        """One reduction. With ``failure`` it is for that failure alone, whatever else fails or does not; it begins
        with the smallest candidate that has shown it so far. ``earlier`` is what an earlier reduction came to: where
        it is interesting, this one goes on from there.

        Where the rest of the check puts verdicts in doubt, it begins anew without them."""
        known = dict(self._smallest)
        self._began = self._watch.spent
        with self._watch.during("search"):
            while True:
                try:
                    return self._run(saver, on_best, failure, earlier)
                except DoubtError as doubt:
                    self._memory.forget()
                    saver.drop()
                    self._smallest = dict(known)
                    if self._rest is not None:
                        self._rest.settle()
                        if self._rest.serial:  # the watched run too went on beside others
                            self._jobs, self._watched = 1, None
                            forget_clues(saver.store)
                    text = "the search begins anew, and its verdicts until now do not count."
                    self._emit(events.Warned(f"{doubt}: {text}"))
                finally:
                    if self._confirmations is not None:
                        self._confirmations.close()

    def _waited(self) -> dict[str, float]:
        """Seconds of each part of what the user waited for this reduction until now."""
        now = self._watch.spent
        return {name: self._before.get(name, 0.0) + now[name] - self._began.get(name, 0.0) for name in now}

    def _run(
        self, saver: Saver, on_best: Callable[[SubInput], None], failure: str | None, earlier: Entries | None
    ) -> Reduced:
        settings, model, rest = self._settings, self._model, self._rest
        waited = sum(self._waited().values())
        if rest is not None and not rest.over:
            saver.hold()
            if rest.hurried:
                self._memory.hold()
            rest.on_sure = partial(self._sure, saver)
        entry = find(settings.algorithm)
        start = self._start(failure)

        def keep(best: SubInput) -> None:
            on_best(best)
            saver.save(best, self._predicate.packer)
            if self._confirmations is not None:
                self._confirmations.gained(best.bytes)

        others = OtherFailures(settings.also_interesting, saver.others, lambda name: driver.smallest_with(name))
        limited = waited - self._free
        seconds = None if settings.time_limit is None else settings.time_limit - self._used - limited
        driver = Driver(
            start.tester,
            others.listening(saver.listening(self._heard, -self._free)),
            control=self._control,
            limits=RunLimits(seconds, settings.max_probes),
            on_best=keep,
            on_needed=self._needed,
            workers=self._jobs,
            least=settings.least,
            memory=self._memory,
            interesting=_shows(failure),
            confirm=1,
            between=self._between,
            elsewhere=isinstance(self._predicate, ClusterPredicate),
            far=lambda: rest is None or rest.over,  # until then the command may bear no run beside it that is ended
        )
        options = Options(settings.classic, settings.thorough)
        if settings.evidence:
            options.named = lambda: named(ClassNames(model), *self._told(failure))
        plan = Plan(self._whole, self._model_of, self._tester, pinned_by(settings), options, self._emit_phase)
        plan.before_models = self._before_models()
        full = size_of(model, model.full)
        count = len(model.items)
        self._emit(events.Started(settings.algorithm, count, count, full["classes"], full["bytes"]))
        driver.begin(start.items, self._outcome, waited)
        self._confirmations = beside_the_search(
            driver, settings, self._predicate, self._confirming, self._work, self._control.cancel
        )
        keep(start)
        begun = earlier is not None and begin_with(plan, driver, earlier)
        if settings.drop_first:
            needed = drop_first(plan, driver, settings.granularity, unwanted_by(settings), self._blocked)
            if needed:
                self._emit(events.Warned(needed_text(needed)))
        gatherer = self._evidence(failure, saver.store) if not begun else None
        if gatherer is not None:
            gatherer.on_clues = self.on_clues
            gatherer.follow(plan, driver, settings.granularity, self._emit)
            self._watched = gatherer.evidence
            if settings.granularity != "class":
                plan.on_round = partial(gatherer.again, plan, granularity=settings.granularity, emit=self._emit)
        plan.follow(driver, entry, settings.granularity)
        if driver.reconsider():
            plan.follow(driver, entry, settings.granularity)
        if gatherer is not None:
            known = self._watching
            self._watching = Spent(
                probes=known.probes + gatherer.probes,
                predicate_seconds=known.predicate_seconds + gatherer.spent,
                predicate_alone=known.predicate_alone + gatherer.spent,
            )
        if driver.late and not self._control.cancel.is_set():
            self._emit(events.Warned(self._announcement()))
        if rest is not None:
            rest.finish()
        with self._watch.during("confirmation"):
            if self._confirmations is not None and not self._control.cancel.is_set():
                self._confirmations.at_the_end(late=driver.late)
            reduction = driver.reduction()
        keep(reduction.best)
        saver.release()
        others.keep()
        self._smallest |= reduction.failures
        found = Reduced(reduction, self._report(reduction, plan, failure) | {"others": others.report()})
        found.report["evidence"] = gatherer.report() if gatherer is not None else []
        saver.finish(reduction.reason, found.report, found.report["seconds"]["total"] - self._free)
        return found

    def _between(self) -> None:
        if self._rest is not None:
            self._rest.between()

    def _sure(self, saver: Saver) -> None:
        """The verdicts until now are as sure as they will be."""
        self._memory.release()
        saver.release()

    def _model_of(self, jar: Jar) -> ItemModel:
        with self._watch.during("model"):
            return self._build_model(jar)

    def _before_models(self) -> Background:
        """The models to come are prepared while the whole input is searched."""
        builder, whole = self._build_model, self._whole
        return Background(builder.step, lambda kept: builder.expect(whole.entries(kept)))

    def _evidence(self, failure: str | None, store: Path | None) -> Gatherer | None:
        """What is known before the search, where the algorithm starts from that and it is wanted."""
        settings = self._settings
        if not begins_with_evidence(settings):
            return None
        cancel, limit = self._control.cancel, settings.time_limit
        runs = settings.preset is None or presets.find(settings.preset).runs
        known = self._told(failure)
        gatherer = Gatherer(self._model, self._predicate, self._work, cancel, *known, store, runs, limit)
        if self._watched is not None:
            gatherer.know(self._watched)
        return gatherer

    def _told(self, failure: str | None) -> Told:
        return told(self._settings, self._outcome, self._predicate.reference, failure, self._work)

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
        paced, confirming = self._predicate.limited(self._pace.next_phase()), self._confirming()
        if isinstance(paced, CommandPredicate):
            paced = paced.hurried(self._pace.haste)
        return SourceTester(
            source, paced, self._work, len(self._model.items), confirming=confirming, confirmed=self._confirmed
        )

    def _confirmed(self, entries: Entries, cancel: Flag) -> Outcome | None:
        return None if self._confirmations is None else self._confirmations.take(entries, cancel)

    @property
    def _limit(self) -> float:
        return self._predicate.timeout or 0.0

    def _heard(self, event: events.Event) -> None:
        self._pace.note(event)
        self._emit(event)
        sure = self._rest is None or self._rest.over
        failed = isinstance(event, events.Probed) and event.verdict != "interesting"  # a gain is told beforehand
        if sure and failed and self._confirmations is not None:
            self._confirmations.probed()

    def _confirming(self) -> Predicate:
        """The predicate with the time limit of confirmations."""
        limit = self._pace.limit
        if self._pace.fixed:
            return self._predicate
        return self._predicate.limited(None if limit is None else _SLOWER * max(limit, self._limit))

    def _emit_phase(self, number: int, phase: PhaseSpec, source: Source, space: Space) -> None:
        self._emit(events.Searching(number, phase.name, phase.level.value, len(space.elements), source.count))

    def _spent(self) -> Spent:
        """What the check took with its rest, and the watched run."""
        check, rest, watching = self._check, self._rest, self._watching
        more = (rest.probes, rest.spent, rest.waited) if rest is not None else (0, 0.0, 0.0)
        return replace(
            check,
            probes=check.probes + more[0] + watching.probes,
            predicate_seconds=check.predicate_seconds + more[1] + watching.predicate_seconds,
            predicate_alone=check.predicate_alone + more[2] + watching.predicate_alone,
        )

    def _report(self, reduction: Reduction, plan: Plan, failure: str | None) -> dict[str, Any]:
        settings = self._settings
        made = report(
            self._model, settings.to_json(), reduction, entries_of(reduction.best), self._spent(), self._waited()
        )
        made["jobs"] = self._jobs
        made["certificate"]["full_input_run"] = self.full_was_run
        made["seconds"]["before"] = round(self._used, 3)
        made["certificate"]["one_minimal"] = plan.minimality(reduction)
        made["tools"] = {"jarlet": VERSION} | self._predicate.versions()
        validity = self._build_model.validity
        made["validity"] = {"taken": validity.taken, "why": validity.why}
        chosen = Wanted(Statement.CHOSEN, (failure,)).describe() if failure is not None else ""
        made["final"] = {
            "wanted": chosen or wanted_text(settings, self._predicate),
            "command": self._predicate.shell_line(Path("work")),
            **evidence(reduction.outcome or self._outcome),
        }
        return made


def _shows(failure: str | None) -> Callable[[Outcome], bool]:
    if failure is None:
        return lambda outcome: outcome.interesting
    return lambda outcome: failure in outcome.failures
