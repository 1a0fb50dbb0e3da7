"""Reductions of one input by one predicate: for all its failures together, or for each separately."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from core.archive.jar import Jar
from core.check.objections import NotInteresting, Objection
from core.entries import BESIDE, Entries
from core.evidence.clues import Clues, forget_clues
from core.evidence.validity import of_program
from core.evidence.watcher import Watcher
from core.model.item_model import ItemModel
from core.plan.phase_elements import PhaseElements
from core.plan.plan_run import PlanRun
from core.plan.suggesting import try_at_last
from core.predicate.several.rare import RarePredicate
from core.predicate.verdict import Outcome
from core.protocol import events
from core.protocol.run_words import EndReason
from core.reduction.control import Control, RunLimits, Until
from core.reduction.driver import Driver
from core.reduction.elements import WholeElements, content_bytes, large
from core.reduction.probing.lookahead import Background
from core.reduction.probing.memory import InMemory, Memory
from core.reduction.probing.workers import WorkerPool
from core.reduction.records import ReportedReduction, SubInput, sub_input_of
from core.reduction.wiring import Judge, Probing
from core.report.reduction_report import size_of
from core.service.preparation import Preparation
from core.service.searching.accounts import Accounts
from core.service.searching.confirming import Confirmations, may_go_beside, to_be_confirmed
from core.service.searching.course import evidence_before, search
from core.service.searching.input_failures import InputFailures
from core.service.searching.run_report import told
from core.service.searching.saver import Provisional, Saver
from core.service.searching.stalls import Stalls
from core.service.searching.testers import Follower, SearchObserver, Testers
from core.service.searching.unseen import Unseen
from core.store.other_failures import OtherFailures


class Reductions:
    """A runner of reductions of the input that ``ready`` has checked. The reductions share the verdicts of probes, and
    ``follower`` takes what they find.
    """

    def __init__(self, ready: Preparation, emit: events.Listener, control: Control, follower: Follower) -> None:
        self._ready = ready
        self._model, self._work = ready.model, ready.context.work
        self._predicate, self._outcome, self._rest = ready.predicate, ready.outcome, ready.rest
        self._listener = emit
        self._control = control
        self._follower = follower
        self._memory: Memory = InMemory() if ready.memory is None else ready.memory
        self._accounts = Accounts(ready.context.watch, ready.spent, ready.rest, ready.used, ready.context.free)
        self.failures = InputFailures(ready)
        self._whole = WholeElements(self._model, ready.aim.pinned)
        self._whole.beside = [(f"{BESIDE}{path.name}", path.read_bytes()) for path in ready.aim.lines]
        left = partial(self._accounts.left, ready.aim.search.time_limit, 0.0)
        self._testers = Testers(
            self._predicate,
            self._outcome,
            self._work,
            len(self._model.items),
            ready.jobs,
            left,
            fixed=ready.aim.limits.seconds is not None,
        )
        self._smallest: dict[str, SubInput] = {}
        self._parts: dict[str, int] | None = None
        """Number of parts of the input's classes a kind, if a model of all of them was made."""
        self._clues: Clues | None = None
        """Clues with the code that ran; None until they are known."""
        self._trusts = ready.aim.trusts(ready.outcome.exit)
        """True if more of a program must stay than the compared output. If unseen inputs fail past the time limit, one
        more candidate is run."""
        self._elements_before: PhaseElements | None = None
        """The elements of the last search, with what must stay of a program: the time limit may come before the next
        search knows what must stay for more inputs."""
        self._probes = 0
        """Number of probes of earlier searches, which saw fewer inputs."""
        self._unseen: Unseen | None = None
        if ready.aim.trials is not None:
            full = self._model.entries(self._model.full)
            spent = self._accounts.gathered
            self._unseen = Unseen(
                self._predicate, full, self._work, control.cancel, self._emit, spent, early=self._trusts
            )

    def run(
        self, saver: Saver, failure: str | None = None, earlier: Entries | None = None
    ) -> ReportedReduction | Objection:
        """Make one reduction. Return the objection of the check instead if it ended the search.

        With ``failure`` the reduction is for this failure alone; it ignores all others, and begins with the smallest
        candidate that has shown the failure so far. ``earlier`` has the entries of an earlier result: if they are
        interesting, the reduction goes on from there. After a doubt, the next call repeats the same reduction from its
        beginning.
        """
        self._elements_before = None
        with self._accounts.watch.during("search"):
            try:
                found = self._run(saver, failure, earlier)
            finally:
                if self._testers.confirmations is not None:
                    self._testers.confirmations.close()
            if found is not None:
                self._accounts.end_reduction()
                self._follower.finish(found)
                return found
            return self._settled(saver.store)

    def _run(self, saver: Saver, failure: str | None, earlier: Entries | None) -> ReportedReduction | None:
        """Make one reduction; return None if the check ended it by an objection."""
        aim = self._ready.aim
        self._hold(saver)
        start = self._start(failure)
        others = OtherFailures(aim.condition.also, saver.others, lambda name: driver.smallest_with(name))
        keep = partial(saver.note, free=self._accounts.free)
        wanted = None if failure is not None else self.failures.wanted
        stalls = Stalls(self.failures.report(failure), wanted, start.bytes, self._emit)
        observer = SearchObserver(self._ready, self._follower, saver, self._testers, stalls, self._unseen)
        noting = (keep, self._testers.limits.note, self._emit, observer.confirm_ahead, others.note, stalls.note)
        emit = events.to_all(*noting)
        driver = self._driver(start, emit, saver.provisional, observer, failure)
        observer.best(start)

        watch = partial(self._watcher, driver, None if self._probes else saver.store)
        known = evidence_before(self._ready, self.failures, failure, watch, self._clues)
        used = known if aim.search.evidence else None
        self._elements_before = elements = self._elements_before or self._elements()
        run = PlanRun(driver, elements, used, aim, self._emit)
        course = partial(search, run, known, earlier, trusts=self._trusts, again=bool(self._probes))
        driver.search(course, resumed=self._accounts.used > 0)
        self._end_search(run, earlier)
        if self._is_missed(driver):
            return self._run(saver, failure, self._more_seen(driver))

        if not self._refuted:
            self._await_check(driver)
        if self._refuted:
            return None
        saver.provisional.release()
        self._emit(events.Working("confirming and writing the result"))
        with self._accounts.watch.during("confirmation"):
            reduction = driver.reduction()
        observer.best(reduction.best)
        others.keep()
        self._smallest |= reduction.failures
        report = told(self._ready, self._accounts, self.failures, self._testers, reduction, failure, run, self._parts)
        report |= {"others": others.report(), "held": stalls.report()}
        report |= {"unseen": self._unseen.report()} if self._unseen is not None else {}
        used = report["seconds"]["total"] - self._accounts.free
        if reduction.reason is EndReason.TIME:  # what is left is too little for another run
            used = max(used, (aim.search.time_limit or 0.0) - self._accounts.used)
        saver.finish(reduction.reason, report, used)
        return ReportedReduction(reduction, report)

    def _driver(
        self,
        start: SubInput,
        emit: events.Listener,
        memory: Memory,
        observer: SearchObserver,
        failure: str | None,
    ) -> Driver:
        """Return the driver of a reduction that has begun from ``start``."""
        aim, model = self._ready.aim, self._model
        most = aim.search.max_probes
        after = self._outcome.seconds * (1.0 if self._unseen is None else self._unseen.runs)
        left = self._accounts.left(aim.search.time_limit, after)
        limits = RunLimits(left, most and max(0, most - self._probes))
        pool = WorkerPool(self._ready.jobs, remote=self._testers.remote)
        checked = failure not in self._smallest and self._ready.full_was_run

        def shows(outcome: Outcome) -> bool:
            return outcome.interesting if failure is None else failure in outcome.failures

        probing = Probing(emit, self._control, limits, memory, pool)
        judge = Judge(shows, confirm=True, checked=checked, rare=isinstance(self._predicate, RarePredicate))
        driver = Driver(start.tester, probing, judge, observer)
        full, count = size_of(model, model.full), len(model.items)
        size, kept = full["bytes"] + content_bytes(self._whole.beside), self.failures.kept(failure)
        self._emit(events.Started(aim.search.algorithm, count, count, full["classes"], size, kept))
        outcome = self._outcome
        if failure is not None and failure in self._smallest:  # a smaller start need not have the other failures
            outcome = replace(outcome, failures=(failure,))
        driver.begin(start.items, outcome, sum(self._accounts.waited().values()))
        self._testers.confirmations, self._testers.searching = None, True
        if may_go_beside(aim, self._predicate, self._ready.jobs):
            candidates, predicate = partial(to_be_confirmed, driver), self._testers.confirming
            self._testers.confirmations = Confirmations(candidates, predicate, self._work, self._control.cancel)
        return driver

    def _elements(self) -> PhaseElements:
        builder = self._ready.build_model

        def before_models(searched: WholeElements) -> Background:
            step = partial(builder.step, searched.model.jar)
            return Background(step, lambda kept: builder.expect(searched.entries(kept)))

        pinned = self._ready.aim.pinned
        return PhaseElements(
            self._whole, self._model_of, self._testers.of, pinned, builder.library_class, before_models
        )

    def _end_search(self, run: PlanRun, earlier: Entries | None) -> None:
        """Note the costs and results of watched runs. If the search was cut short, end the making of models too, and
        try one candidate if there was no time for any."""
        self._testers.searching = False
        if run.evidence:
            self._clues = run.evidence.clues
        if run.stopped:
            self._ready.build_model.give_up()
            try_at_last(run, self._predicate.timeout, earlier)

    def _is_missed(self, driver: Driver) -> bool:
        """Run the unseen inputs on the result. Return True if the search is to go on because of them."""
        if self._unseen is None or self._refuted or self._control.cancel.is_set():
            return False
        if not self._unseen.missed:
            self._emit(events.Working("running the unseen inputs on the result"))
            self._unseen.look(driver.best.entries, driver.best.bytes, last=True)
        return bool(self._unseen.missed) and (self._trusts or not driver.late)

    def _more_seen(self, driver: Driver) -> Entries | None:
        """Let the search see the inputs that failed. Return the entries of the last step on which they pass: the search
        goes on from there. None for the full input."""
        assert self._unseen is not None
        counts, earlier = driver.counts, self._unseen.last_passing(driver)
        self._accounts.gathered(counts.probes, counts.predicate_seconds)
        self._probes += counts.probes
        self._memory = InMemory()
        if self._clues and self._clues.ran and not driver.late:
            self._clues = self._watcher(driver).watch(self._model, self._clues, more=self._unseen.joined)
        return earlier

    def _await_check(self, driver: Driver) -> None:
        """Wait for the end of the check. The runs that confirm the result begin beside its remaining runs."""
        wanted = driver.to_confirm and not self._control.cancel.is_set()
        if driver.late and wanted:
            self._emit(events.Warned(self._announcement()))
        if self._testers.confirmations is not None and wanted:
            self._testers.confirmations.at_the_end(late=driver.late)
        driver.searched()
        if self._rest is not None and not self._rest.over:
            self._rest.finish(driver.searched)
            driver.searched()

    def _hold(self, saver: Saver) -> None:
        """Hold back results that the check could put in doubt."""
        rest = self._rest
        going_on = rest is not None and not rest.over
        saver.provisional = Provisional(self._memory, verdicts=rest is not None and rest.hurried, acts=going_on)

    @property
    def _refuted(self) -> bool:
        """True if the check objects to the search."""
        return self._rest is not None and self._rest.objection is not None

    def _settled(self, store: Path | None) -> Objection:
        """Return the objection after a test for commands that only fail beside other runs."""
        assert self._rest is not None
        objection = self._rest.settle()
        assert objection is not None
        if self._rest.serial and not isinstance(objection, NotInteresting):
            self._ready.jobs, self._clues = 1, None  # the watched run too went on beside others
            forget_clues(store)
        return objection

    def _emit(self, event: events.Event) -> None:
        """Emit an event, unless the check objects to the search."""
        if not self._refuted:
            self._listener(event)

    def _model_of(self, jar: Jar, input_runs: bool, whole: bool) -> ItemModel:
        builder = self._ready.build_model
        settled = builder.validity
        self._emit(events.Working("building the model of what can be removed"))
        with self._accounts.watch.during("model"):
            if input_runs or (whole and large(jar)):  # a compiler's demands would double the time of a large model
                builder.settle(of_program(self._ready.aim, settled))
            model = builder(jar)
            if not input_runs:
                builder.settle(settled)
            if jar is self._model.jar:
                self._parts = model.kinds(model.full)
            return model

    def _watcher(self, driver: Driver, store: Path | None = None) -> Watcher:
        until = Until(self._control.cancel, lambda: driver.late)
        begun = partial(self._emit, events.Working("watching a run, to see what of the input runs"))
        accounts = self._accounts
        return Watcher(self._predicate, self._work, until, store, self._follower.know, begun, accounts.gathered)

    def _announcement(self) -> str:
        limit = self._predicate.timeout
        most = f", {round(limit, 1):g} s at most" if limit is not None and not self._ready.aim.rare else ""
        return f"The time for the search is over: the best so far is run once more, to confirm it (one probe{most})."

    def _start(self, failure: str | None) -> SubInput:
        """Return the first sub-input of a reduction."""
        known = self._smallest.get(failure) if failure is not None else None
        if known is not None:
            return known
        return sub_input_of(self._testers.of(self._whole), self._model.full)
