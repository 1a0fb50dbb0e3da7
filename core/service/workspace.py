"""One input and its use cases: open, check, reduce, export. Window and command line share this module."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from core.archive.jar import read_jar
from core.archive.jar_folders import end_of, write_result
from core.check.check import check
from core.check.check_state import CheckState, RunContext, Wishes
from core.check.diagnosis import stopped_text
from core.check.objections import Doubt, Mistaken, NotInteresting, Objection
from core.check.runs import CHECK_ALONE
from core.crash import explained
from core.entries import BESIDE, Entries, beside, renaming_of
from core.errors import NotInterestingError, OutputError, UsageError
from core.evidence.clues import Clues
from core.model import class_model
from core.model.class_model import ClassModel
from core.plan.before_phases import lacking
from core.predicate.aim import Aim
from core.predicate.releases.input_words import Resolved, resolved
from core.protocol import events
from core.protocol.commands import StepKey
from core.protocol.java_names import item_title
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings
from core.reduction.candidate_tester import PROBE
from core.reduction.control import Control
from core.reduction.records import Reduction, ReportedReduction, SubInput
from core.reduction.time_left import TimeLeft
from core.renaming import NOT_NEUTRAL, NOTHING_RENAMED, Renaming
from core.service.aims import aim_of, completed
from core.service.head_start import HeadStart
from core.service.preparation import CheckKeeper, Preparation
from core.service.reads import all_read, inputs_read, result_outputs
from core.service.searching.reductions import Reductions
from core.service.searching.saver import Saver
from core.service.workspace_events import finished_event, opened_event, used_event
from core.sets import ItemSet
from core.store.fingerprint import mark_of
from core.store.names_file import keep_names
from core.store.session import Session
from core.system.outputs import Origin, Output, guard, refuse_filled, refuse_read
from core.system.remains import remains_text
from core.system.removal import remove
from core.system.stopwatch import Stopwatch

T = TypeVar("T")

_LOADING_EVERY = 0.1
"""Seconds between two events of a load's progress. See decisions/034-events-a-second.md."""


@dataclass(frozen=True)
class OneOfEach:
    """The reduction for one failure of several. Without a result, the exit code and the sentence of the error."""

    failure: str
    exit: int = 0
    message: str = ""
    found: ReportedReduction | None = None


class Workspace:
    """The opened input: its model and the best sub-input so far.

    Events go to ``listener`` on the thread that calls; ``control`` may be used from any thread. ``began``: start of the
    user's wait on the monotonic clock; by default :meth:`begin`, or now. ``begun``: a head start to use instead of a
    new folder in ``work``; the workspace closes it.
    """

    def __init__(
        self,
        listener: events.Listener,
        work: Path | None = None,
        began: float | None = None,
        *,
        keeps_checks: bool = False,
        begun: HeadStart | None = None,
    ) -> None:
        self.emit = listener
        self._begun = begun or HeadStart(work)
        self._work, self.shelf = self._begun.work, self._begun.shelf
        self.control = Control()
        self._watch = Stopwatch("start", began)
        self.model: ClassModel | None = None
        self._brought = Resolved()
        self.best: SubInput | None = None
        """The smallest sub-input that showed the failure; None before a reduction."""
        self.last_report: dict[str, Any] | None = None
        self.reads: list[Origin] = []
        """Files that are read, and never overwritten: the input, and the needs of the last reduction or check."""
        self.clues: Clues | None = None
        """Clues about the code that the input's run uses, and about names in the failure."""
        self.needed: set[str] = set()
        """Names of classes and parts of classes that probes of the last reduction proved to be needed."""
        self.proved = False
        """True if the last reduction has shown that no item of its result can be removed alone."""
        self.checks = CheckKeeper(keeps_checks)

    def close(self) -> str:
        """End resident processes and remove the temporary files. Return a sentence on the files that cannot
        be removed."""
        self.checks.forget()
        return self._begun.close()

    def stuck(self) -> str:
        """Return a sentence on the folders of probes that cannot be removed; empty before a probe has left one."""
        left = (name for path in self._work.path.glob(f"{PROBE}*") for name in remove(path))
        return remains_text(self._work.path, tuple(left))

    def open(
        self,
        paths: Sequence[str],
        notes: Sequence[str] = (),
        *,
        nested: bool = False,
        merge: bool = False,
        fetch: bool = False,
        with_dependencies: bool = False,
    ) -> ClassModel:
        """Read an input, with ``nested`` its nested jars too, with ``merge`` several as one jar, and build its class
        graph; ``notes`` are added to its warnings. ``fetch`` and ``with_dependencies``: see
        :func:`core.predicate.releases.input_words.resolved`. Raises InputError.
        """
        last = 0.0

        def progress(done: int, total: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _LOADING_EVERY:
                last = now
                self.emit(events.Loading(done, total))

        with self._watch.during("reading"):
            brought = resolved(paths, fetch=fetch, dependencies=with_dependencies)
            start = time.monotonic()
            model = class_model.build(read_jar(brought.words, nested=nested, merge=merge), progress)
            if self.model is not None:
                self.forget()
            self.model, self._brought = model, brought
            self.reads = inputs_read(model.jar.paths)
            self.needed = set()
            gc.freeze()  # the model lives as long as the workspace: no need to search it for garbage
            self.emit(opened_event(model, notes, time.monotonic() - start))
            return model

    def forget(self) -> None:
        """Drop the input and its results; resident processes stay."""
        self.checks.forget()
        self.model = self.best = self.last_report = self.clues = None
        gc.unfreeze()
        gc.collect()

    def begin(self) -> None:
        """Forget an earlier stop or pause, and start the clock of the user's wait.

        Call this method when a run is asked for, not when it starts: a stop in between must not be lost.
        """
        self.control = Control()
        self._watch = Stopwatch("start")

    def _context(self, emit: events.Listener, free: float = 0.0) -> RunContext:
        options = not self.checks.wanted  # the window, which keeps checks, has no options
        return RunContext(self._work.path, self.control.cancel, emit, self._watch, free, options)

    def _aim(self, settings: Settings) -> Aim:
        """Note the files that are read. Return the aim of the settings for the input. Raise UsageError."""
        jar = self.opened.jar
        aim = aim_of(completed(settings, self._brought), jar.inputs, jar.contents)
        self.reads = all_read(jar.paths, aim)
        return aim

    def check(self, settings: Settings, runs: int | None = None) -> events.Checked:
        """Run the predicate on the full input and emit the result. If checks are kept, a reduction with equal
        settings does not repeat this check.
        """
        aim = self._aim(settings)
        self.checks.forget()
        predicate = self._begun.predicate(aim)
        passed = False
        try:
            mark, begun = mark_of(predicate, aim), time.monotonic()
            wishes = Wishes(runs or aim.runs, compare=not aim.condition.hangs, empty=True, advise=not aim.rare)
            state = CheckState(self.opened, aim, predicate, self._context(self.emit), wishes)
            checked = check(state, CHECK_ALONE)
            passed = self.checks.wanted and checked.interesting and checked.stable and not state.cancelled
            if passed:
                self.checks.keep(state, mark.digest)
            if state.cancelled and not checked.interesting:
                checked = replace(checked, stopped=True, message=stopped_text(time.monotonic() - begun), command="")
            self.emit(checked)
            return checked
        finally:
            if not passed:
                predicate.close()

    def reduce(
        self,
        settings: Settings,
        output: Path | None = None,
        session: Session | None = None,
        start: StepKey | None = None,
        earlier: Entries | None = None,
    ) -> Reduction:
        """Check, reduce, and confirm the result.

        ``output`` is written at each accepted step, so that the best so far survives any crash. With ``session``, every
        verdict is stored there, and stored verdicts are not asked for again. ``earlier`` has the entries of the step
        ``start`` of an earlier run, from which this run goes on. Raises NotInterestingError if the full input does not
        show the failure, UsageError if a pinned item is not in ``earlier``.
        """
        aim = self._aim(settings)
        if output is not None:
            inputs = self.opened.jar.inputs
            guard(result_outputs(output, "the output", inputs, aim.search.rename, aim.lines, parents=True), self.reads)
        gone = lacking(self.opened, earlier, aim.pinned) if earlier is not None else ""
        if gone:
            raise UsageError(f"{item_title(gone)} is pinned, but the earlier result does not have it: start over.")

        def run(reductions: Reductions) -> ReportedReduction | Objection:
            return reductions.run(Saver(output, session, self.reads, self.opened.jar.inputs), earlier=earlier)

        return self._reduced(run, aim, session, start, may_substitute=earlier is None).reduction

    def reduce_each(self, settings: Settings, outputs: Path) -> tuple[list[OneOfEach], Mapping[str, str]]:
        """Make a reduction for each failure that the full input names. Return their results, and the failures that come
        from a missing library, each with its package: for these no reduction is made.

        An error in one reduction does not end the others; a stop ends all. The folder ``outputs``, new or empty, gets
        ``1.jar``, ``2.jar`` and so on, in the order of the names. All probes are shared: a reduction begins with the
        smallest candidate that has shown its failure so far.
        """
        aim = self._aim(replace(settings, allow_missing=True))
        guard([Output(outputs, "the folder of results", folder=True)], self.reads)
        refuse_filled(outputs, "--each")
        with OutputError.telling(f"{outputs}: the folder cannot be made"):
            outputs.mkdir(parents=True, exist_ok=True)

        def run(reductions: Reductions) -> tuple[list[OneOfEach], Mapping[str, str]] | Objection:
            found: list[OneOfEach] = []
            failures = reductions.failures.names
            for number, failure in enumerate(failures, 1):
                self.emit(events.Reducing(number, len(failures), failure))
                try:
                    place = outputs / f"{number}{end_of(self.opened.jar.inputs)}"
                    saver = Saver(place, reads=self.reads, inputs=self.opened.jar.inputs)
                    reduced = reductions.run(saver, failure)
                except Exception as error:
                    found.append(OneOfEach(failure, *explained(error, str(outputs))))
                    continue
                if not isinstance(reduced, ReportedReduction):
                    return reduced
                found.append(OneOfEach(failure, found=reduced))
                if reduced.reduction.reason is not EndReason.DONE:
                    break
            return found, reductions.failures.of_missing_libraries

        return self._reduced(run, aim)

    def _reduced(
        self,
        run: Callable[[Reductions], T | Objection],
        aim: Aim,
        session: Session | None = None,
        start: StepKey | None = None,
        *,
        may_substitute: bool = False,
    ) -> T:
        """Return the result of ``run``. Repeat ``run`` if an objection of the check puts its result in doubt.

        After a doubt, the search is repeated; after wrong resident processes, the check too. With ``may_substitute`` a
        candidate that shows the chosen failure may be checked instead of the full input.
        """
        watch, free = self._watch, self._watch.elapsed  # seconds that the time limit does not count
        mistake: Mistaken | None = None
        while True:
            watch.turn("check")
            emit = TimeLeft(self._listen)
            context = self._context(emit, free)
            predicate = self._begun.predicate(aim)
            ready = Preparation(self.opened, aim, predicate, context, session, self.checks)
            try:
                ready.run(start, mistake, may_substitute=may_substitute and mistake is None)
                self.needed, self.proved = set(), False
                reductions = Reductions(ready, emit, self.control, self)
                while isinstance(found := run(reductions), Doubt):
                    text = "the search begins anew, and its verdicts until now do not count."
                    self.emit(events.Warned(f"{found.message}: {text}"))
            finally:
                ready.close()
                self._watch = Stopwatch("start")  # what is wanted next begins now
            if isinstance(found, NotInteresting):
                raise NotInterestingError(found.message)
            if not isinstance(found, Mistaken):
                return found
            mistake, self._watch = found, watch  # the user has waited all along, and the time limit goes on
            text = "the reduction begins anew with the failures that this one finds."
            self.emit(events.Warned(f"{found.message}: {text}"))

    @property
    def report(self) -> dict[str, Any]:
        """The report of the last reduction. Raises UsageError before the first one ended."""
        if self.last_report is None:
            raise UsageError("There is no report yet: it is written when a reduction has ended.")
        return self.last_report

    def stop(self) -> None:
        """End the current run, from any thread, and let no new run begin before the next command."""
        self.control.stop()

    def write_best(self, path: Path) -> None:
        """Write the best so far (before a reduction, the input itself). Raises UsageError and OutputError."""
        self.write(path, self.entries)

    def write(self, path: Path, entries: Entries) -> None:
        """Write a sub-input in the shape of the input, with the files beside it. Raises UsageError and OutputError."""
        inputs, renamed = self.opened.jar.inputs, renaming_of(entries).neutral != NOT_NEUTRAL
        lines = [Path(name.removeprefix(BESIDE)) for name, _ in beside(entries)]
        guard(result_outputs(path, "the file to write", inputs, renamed, lines, parents=True), self.reads)
        write_result(path, entries, inputs)
        keep_names(path, entries)

    def refuse(self, path: Path) -> None:
        """Raise UsageError if the file to write is one that is read: the input, a library, a script."""
        refuse_read(path, self.reads)

    @property
    def renaming(self) -> Renaming:
        """The changes by rewriting, from the input to the best so far."""
        return self.best.renaming if self.best is not None else NOTHING_RENAMED

    @property
    def entries(self) -> Entries:
        """Names and contents of the entries of the best so far; before a reduction, of the input itself."""
        return self.best.entries if self.best is not None else self.opened.entries(self.opened.full)

    @property
    def kept(self) -> ItemSet:
        """The items of whole classes and resources of the input that are kept, whole or in part."""
        return self.best.tester.shown(self.best.items) if self.best is not None else self.opened.full

    @property
    def opened(self) -> ClassModel:
        """The opened input's model. Raises UsageError if no input is open."""
        if self.model is None:
            raise UsageError("Open a jar first.")
        return self.model

    def know(self, clues: Clues) -> None:
        """Take clues about the code that the input's run uses, and emit them if they are new."""
        if clues != self.clues:
            self.clues = clues
            self.emit(used_event(self.opened, clues))

    def _listen(self, event: events.Event) -> None:
        if isinstance(event, events.Searching):
            self.needed = set()  # another phase, another best: so far nothing is needed of it
        self.emit(event)

    def finish(self, found: ReportedReduction) -> None:
        """Take a finished reduction, and emit it."""
        reduction = found.reduction
        self.last_report = found.report
        if reduction.reason is EndReason.DONE:
            self.needed = set()  # what was needed of something larger need not be
        self.proved = found.report["certificate"]["one_minimal"].get("items") == "yes"
        self.emit(finished_event(reduction, found.report, events.pack(self.kept, len(self.opened.items))))
