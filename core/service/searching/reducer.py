"""Reductions of one input by one predicate: for all its failures together, or for each on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.archive.jar import Jar
from core.check.diagnosis import wanted_text
from core.check.findings import Doubt, Finding, NotInteresting, Objection, Sure
from core.check.provisional import Provisional
from core.cluster.cluster_predicate import ClusterPredicate
from core.errors import UsageError
from core.evidence.clues import Clues
from core.evidence.failure import FailureReport, failure_report
from core.model.item_model import ItemModel
from core.predicate import presets
from core.predicate.failures import Statement, Wanted
from core.predicate.from_settings import demanded
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.wording import needed_text
from core.reduction.candidate_tester import CandidateTester, SourceTester
from core.reduction.control import Control, RunLimits
from core.reduction.driver import Driver
from core.reduction.drop_first import drop_first
from core.reduction.phases import Plan, entries_of
from core.reduction.probing.lookahead import Background
from core.reduction.probing.memory import Forgetful, Memory
from core.reduction.records import Reduction, SubInput
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.source import Entries, Source
from core.reduction.sources.whole_source import WholeSource
from core.report.reduction_report import evidence, report, size_of
from core.search.catalogue import Options, PhaseSpec, find
from core.search.item_sets import ItemSet
from core.search.spaces.class_spaces import Space
from core.service.meaning import begins_with_evidence, pinned_by, unwanted_by
from core.service.preparation import Preparation
from core.service.searching.accounts import Accounts
from core.service.searching.confirming import beside_the_search
from core.service.searching.conflicts import class_conflicts, conflicts
from core.service.searching.earlier_result import begin_with
from core.service.searching.evidence_search import Gatherer, pointed
from core.service.searching.failure_groups import groups_of
from core.service.searching.kept_clues import forget_clues
from core.service.searching.saver import Saver
from core.service.searching.testers import Testers
from core.store.other_failures import OtherFailures
from core.version import VERSION


@dataclass(frozen=True)
class Reduced:
    """How a reduction ended, with its report."""

    reduction: Reduction
    report: dict[str, Any]


class Reducer:
    """Runs reductions of the input that ``ready`` has checked; they share what probes said.

    ``on_needed`` hears names of items that probes proved to be needed, ``on_clues`` what is known of what the input's
    run uses.
    """

    def __init__(
        self,
        ready: Preparation,
        emit: events.Listener,
        control: Control,
        on_needed: Callable[[list[str]], None] = lambda names: None,
        on_clues: Callable[[Clues], None] = lambda clues: None,
    ) -> None:
        self._ready = ready
        self._model, self._settings, self._work = ready.model, ready.settings, ready.context.work
        self._predicate, self._outcome, self._rest = ready.predicate, ready.outcome, ready.rest
        self._listener = emit
        self._control = control
        self._on_needed, self._on_clues = on_needed, on_clues
        self._memory: Memory = Forgetful() if ready.memory is None else ready.memory
        self._provisional = Provisional(self._memory)
        self._objection: Objection | None = None
        """The finding that ends the search."""
        self._jobs = ready.jobs
        self._accounts = Accounts(ready.context.watch, ready.spent, ready.rest, ready.used, ready.context.free)
        self._whole = WholeSource(self._model, pinned_by(self._settings))
        fixed = self._settings.timeout is not None
        self._testers = Testers(self._predicate, self._work, len(self._model.items), self._jobs, fixed=fixed)
        self._smallest: dict[str, SubInput] = {}
        self._clues: Clues | None = None
        """What ran, once it is known."""

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
    ) -> Reduced | Objection:
        """Make one reduction. Return the objection of the check instead where that has ended the search.

        With ``failure`` it is for that failure alone, whatever else fails or does not; it begins with the smallest
        candidate that has shown it so far. ``earlier`` is what an earlier reduction came to: where it is interesting,
        this one goes on from there. After a doubt the next call makes the same reduction anew.
        """
        with self._accounts.watch.during("search"):
            try:
                found = self._run(saver, on_best, failure, earlier)
            finally:
                if self._testers.confirmations is not None:
                    self._testers.confirmations.close()
            if isinstance(found, Reduced):
                self._accounts.end_reduction()
                return found
            return self._settled(found, saver.store)

    def _run(
        self, saver: Saver, on_best: Callable[[SubInput], None], failure: str | None, earlier: Entries | None
    ) -> Reduced | Objection:
        self._hold(saver)

        def keep(best: SubInput) -> None:
            on_best(best)
            saver.save(best, self._predicate.packer)
            if self._testers.confirmations is not None:
                self._testers.confirmations.gained(best.bytes)

        start = self._start(failure)
        others = OtherFailures(self._settings.also_interesting, saver.others, lambda name: driver.smallest_with(name))
        listener = others.listening(saver.listening(self._heard, -self._accounts.free))
        driver = self._driver(start.tester, listener, keep, failure)
        plan = self._plan(failure)
        self._begin(driver, start, failure)
        keep(start)

        begun = earlier is not None and begin_with(plan, driver, earlier)
        gatherer = self._search(plan, driver, None if begun else self._gatherer(failure, saver.store))

        if self._objection is None:
            self._await_check(driver)
        if self._objection is not None:
            return self._objection
        with self._accounts.watch.during("confirmation"):
            reduction = driver.reduction()
        keep(reduction.best)
        others.keep()
        self._smallest |= reduction.failures
        found = Reduced(reduction, self._report(reduction, plan, failure) | {"others": others.report()})
        found.report["evidence"] = gatherer.report() if gatherer is not None else []
        saver.finish(reduction.reason, found.report, found.report["seconds"]["total"] - self._accounts.free)
        return found

    def _driver(
        self,
        tester: CandidateTester,
        listener: events.Listener,
        keep: Callable[[SubInput], None],
        failure: str | None,
    ) -> Driver:
        settings, rest = self._settings, self._rest
        return Driver(
            tester,
            listener,
            control=self._control,
            limits=RunLimits(self._accounts.left(settings.time_limit), settings.max_probes),
            on_best=keep,
            on_needed=self._needed,
            workers=self._jobs,
            least=settings.least,
            memory=self._provisional,
            interesting=_shows(failure),
            confirm=1,
            checked=failure not in self._smallest and self._ready.full_was_run,
            between=self._between,
            elsewhere=isinstance(self._predicate, ClusterPredicate),
            on_idle=self._idle,
            far=lambda: rest is None or rest.over,  # until then the command may bear no run beside it that is ended
        )

    def _plan(self, failure: str | None) -> Plan:
        settings, builder = self._settings, self._ready.build_model
        options = Options(settings.classic, settings.thorough)
        plan = Plan(self._whole, self._model_of, self._testers.of, pinned_by(settings), options, self._emit_phase)
        plan.library = builder.library_class
        if settings.evidence:
            known = self._told(failure)
            together = self._together(known, failure)
            plan.suggest, plan.shown = pointed(self._model, known, together=together)
            plan.groups = groups_of(self._model, known) if together else None
        # the models to come are prepared while the whole input is searched
        plan.before_models = Background(builder.step, lambda kept: builder.expect(self._whole.entries(kept)))
        return plan

    def _begin(self, driver: Driver, start: SubInput, failure: str | None) -> None:
        settings, model = self._settings, self._model
        full, count = size_of(model, model.full), len(model.items)
        kept = 1 if failure is not None else demanded(settings, self._outcome.failures)
        self._emit(events.Started(settings.algorithm, count, count, full["classes"], full["bytes"], kept))
        driver.begin(start.items, self._outcome, sum(self._accounts.waited().values()))
        self._testers.confirmations = beside_the_search(
            driver, settings, self._jobs, self._predicate, self._testers.confirming, self._work, self._control.cancel
        )

    def _search(self, plan: Plan, driver: Driver, gatherer: Gatherer | None) -> Gatherer | None:
        """From what is unwanted and what evidence suggests through the phases of the algorithm."""
        settings = self._settings
        entry, granularity = find(settings.algorithm), settings.granularity
        if settings.drop_first:
            needed = drop_first(plan, driver, granularity, unwanted_by(settings), self._blocked)
            if needed:
                self._emit(events.Warned(needed_text(needed)))
        if gatherer is not None:
            gatherer.follow(plan, driver, granularity, self._emit)
            self._clues = gatherer.evidence
            if granularity != "class":
                plan.on_round = partial(gatherer.again, plan, granularity=granularity, emit=self._emit)
        plan.follow(driver, entry, granularity)
        if driver.reconsider():
            plan.follow(driver, entry, granularity)
        if gatherer is not None:
            self._accounts.gathered(gatherer.probes, gatherer.spent)
        return gatherer

    def _await_check(self, driver: Driver) -> None:
        """End the check too; the runs that confirm the result begin beside what is left of the check."""
        wanted = driver.to_confirm and not self._control.cancel.is_set()
        if driver.late and wanted:
            self._emit(events.Warned(self._announcement()))
        if self._testers.confirmations is not None and wanted:
            self._testers.confirmations.at_the_end(late=driver.late)
        driver.searched()
        if self._rest is not None and not self._rest.over:
            self._heed(self._rest.finish(driver.searched))
            driver.searched()

    def _hold(self, saver: Saver) -> None:
        """Keep back what the findings of the check could put in doubt."""
        rest, self._objection = self._rest, None
        going_on = rest is not None and not rest.over
        self._provisional = Provisional(self._memory, verdicts=rest is not None and rest.hurried, acts=going_on)
        saver.begin(self._provisional)

    def _between(self) -> bool:
        """Return whether a finding of the check ends the search."""
        if self._rest is not None:
            self._heed(self._rest.between())
        return self._objection is not None

    def _heed(self, finding: Finding | None) -> None:
        if isinstance(finding, Sure):
            self._provisional.release()
        elif finding is not None:
            self._objection = finding

    def _settled(self, objection: Objection, store: Path | None) -> Objection:
        """Return the objection once it is known whether the command only fails beside other runs."""
        assert self._rest is not None
        if isinstance(objection, Doubt):
            objection = self._rest.settle(objection)
        if self._rest.serial and not isinstance(objection, NotInteresting):
            self._jobs, self._clues = 1, None  # the watched run too went on beside others
            forget_clues(store)
        return objection

    def _emit(self, event: events.Event) -> None:
        """Tell what is tried, unless a finding of the check has ended the search."""
        if self._objection is None:
            self._listener(event)

    def _model_of(self, jar: Jar) -> ItemModel:
        with self._accounts.watch.during("model"):
            return self._ready.build_model(jar)

    def _gatherer(self, failure: str | None, store: Path | None) -> Gatherer | None:
        """What is known before the search, where the algorithm starts from that and it is wanted."""
        settings = self._settings
        if not begins_with_evidence(settings):
            return None
        cancel, limit = self._control.cancel, settings.time_limit
        runs = settings.preset is None or presets.find(settings.preset).runs
        known = self._told(failure)
        together = self._together(known, failure)
        gatherer = Gatherer(
            self._model, self._predicate, self._work, cancel, *known, store, runs, limit, together=together
        )
        gatherer.on_clues = self._on_clues
        if self._clues is not None:
            gatherer.know(self._clues)
        return gatherer

    def _told(self, failure: str | None) -> FailureReport:
        return failure_report(self._settings, self._outcome, self._predicate.reference, failure, self._work)

    def _together(self, known: FailureReport, failure: str | None) -> bool:
        """Whether all of the failures must stay, each as often as the full input has it."""
        return failure is None and demanded(self._settings, known.failures) == len(set(known.failures))

    def _idle(self, neighbour: SubInput) -> None:
        if isinstance(self._predicate, ClusterPredicate) and self._testers.confirmations is not None:
            self._testers.confirmations.idle(lambda: entries_of(neighbour))

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
        tester, full = self._testers.of(self._whole), self._model.full
        return SubInput(tester, full, tester.classes_of(full), tester.bytes_of(full))

    def _heard(self, event: events.Event) -> None:
        self._testers.note(event)
        self._listener(event)
        sure = self._rest is None or self._rest.over
        failed = isinstance(event, events.Probed) and event.verdict != "interesting"  # a gain is told beforehand
        if sure and failed and self._testers.confirmations is not None:
            self._testers.confirmations.probed()

    def _emit_phase(self, number: int, phase: PhaseSpec, source: Source, space: Space) -> None:
        self._emit(events.Searching(number, phase.name, phase.level.value, len(space.elements), source.count))

    def _report(self, reduction: Reduction, plan: Plan, failure: str | None) -> dict[str, Any]:
        settings, accounts = self._settings, self._accounts
        made = report(
            self._model,
            settings.to_json(),
            reduction,
            entries_of(reduction.best),
            accounts.beside(),
            accounts.waited(),
        )
        made["jobs"] = self._jobs
        made["certificate"]["full_input_run"] = self._ready.full_was_run
        made["seconds"]["before"] = round(accounts.used, 3)
        made["certificate"]["one_minimal"] = plan.minimality(reduction)
        made["tools"] = {"jarlet": VERSION} | self._predicate.versions()
        validity = self._ready.build_model.validity
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
