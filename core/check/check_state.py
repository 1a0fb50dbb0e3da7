"""The state of a check: what is wished for, what was run so far, and what the runs showed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import Jar
from core.check.as_given import EarlyRun, OtherRuns
from core.entries import Entries
from core.model.class_model import ClassModel
from core.model.item_model import ItemModel
from core.predicate.predicate import Calibration, Predicate, discard
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.protocol.settings import Settings
from core.reduction.probing.time_limits import least_limit, limit_for
from core.system.processors import Busy
from core.system.stopwatch import Stopwatch


@dataclass(frozen=True)
class RunContext:
    """The surroundings of a check, and of the reduction that follows."""

    work: Path
    """Folder for the files of runs."""
    cancel: Flag
    """Flag that ends all runs."""
    emit: events.Listener
    """Listener for all events."""
    watch: Stopwatch
    """Stopwatch that has run since the user began to wait."""
    free: float = 0.0
    """Seconds of ``watch`` that the time limit does not count."""


@dataclass(frozen=True)
class Wishes:
    """The runs that are wished for, and the words for their results."""

    runs: int = 1
    """Number of interesting runs of the full input."""
    compare: bool = False
    """Whether the input is also run as given where the full input is interesting."""
    empty: bool = False
    """Whether a jar without entries is also run."""
    trusting: bool = False
    """Whether a resident process may make the first run alone."""
    cold: Calibration | None = None
    """First run in new processes, where an earlier check has made one."""
    early: bool = False
    """Whether the run as given may begin beside a first run that takes long."""
    model_of: Callable[[Jar], ItemModel] | None = None
    """Maker of the model below the class; None where no candidate may stand in for the full input."""
    options: bool = True
    """Whether messages name options of the command line."""
    advise: bool = False
    """Whether messages suggest a number of parallel jobs."""


@dataclass(frozen=True)
class Substitute:
    """A small candidate that shows the chosen failures and is checked in place of the full input."""

    model: ClassModel
    title: str
    """Place that the names of the failures point to."""
    failures: tuple[str, ...]
    """Failures that were chosen."""


class CheckState:
    """The runs of one check so far. Runs are declared in :mod:`core.check.runs`."""

    def __init__(
        self, model: ClassModel, settings: Settings, predicate: Predicate, context: RunContext, wishes: Wishes
    ) -> None:
        self.settings, self.context, self.wishes = settings, context, wishes
        self.predicate = predicate
        """The predicate; once the first run is made, the one that compares with that run."""
        self.substitute: Substitute | None = None
        self.outcomes: list[Outcome] = []
        """Outcomes of the full input as Jarlet writes it; the last one decides."""
        self.good = 0
        """Number of interesting runs of the full input, in any way."""
        self.seconds: list[float] = []
        """Seconds of every run of the predicate."""
        self.other = OtherRuns()
        self.empty = False
        """Whether a jar without entries is interesting."""
        self.notes: list[str] = []
        """Sentences of runs for the message of an interesting input."""
        self.busy = Busy()
        self.early: EarlyRun | None = None
        self.serial = True
        """Whether only one run goes on at a time."""
        self.certain = False
        """Whether the command is known to bear other runs beside it."""
        self.work = context.work / "check-1"
        """Folder of the last run of the full input."""
        self._model = model

    @property
    def model(self) -> ClassModel:
        """The model of what is checked."""
        return self._model if self.substitute is None else self.substitute.model

    @property
    def entries(self) -> Entries:
        """Names and bytes of the entries that are checked."""
        return self.model.entries(self.model.full)

    @property
    def cancelled(self) -> bool:
        """Whether no further run is to be made."""
        return self.context.cancel.is_set()

    @property
    def interesting(self) -> bool:
        """Whether the last run of the full input was interesting."""
        return self.outcomes[-1].interesting

    @property
    def failed(self) -> bool:
        """Whether the first run ended and did not show the failure, so that other runs may explain why."""
        return len(self.outcomes) == 1 and self.outcomes[0].verdict is Verdict.NOT_INTERESTING

    @property
    def outcome(self) -> Outcome:
        """The outcome that decides, with those failures that are known of the full input."""
        last = self.outcomes[-1]
        if self.substitute is None:
            return last
        return replace(last, failures=tuple(name for name in last.failures if name in self.substitute.failures))

    @property
    def limit(self) -> float:
        """Seconds that a probe may take."""
        slowest = max(outcome.seconds for outcome in self.outcomes)
        jobs = self.settings.jobs or self.busy.automatic
        return self.settings.timeout or limit_for(slowest, least_limit(self.predicate), jobs)

    @contextmanager
    def folder(self, name: str) -> Iterator[Path]:
        """Give the path of a run's folder, which is removed before and after."""
        work = self.context.work / name
        discard(work)
        try:
            yield work
        finally:
            discard(work)

    def next_folder(self) -> Path:
        """Return the folder of the next run of the full input, in place of the last one."""
        discard(self.work)
        self.work = self.context.work / f"check-{len(self.outcomes) + 1}"
        discard(self.work)
        return self.work

    def calibrate(self, predicate: Predicate, entries: Entries, name: str) -> Calibration:
        """Run ``entries`` by ``predicate`` in the folder ``name``, and note the seconds."""
        with self.folder(name) as work:
            found = predicate.calibrated(entries, work, self.context.cancel)
        self.seconds.append(found[1].seconds)
        return found

    def probe(self, work: Path) -> Outcome:
        """Run the full input once more, in the folder ``work``."""
        outcome = self.predicate.probe(self.entries, work, self.context.cancel)
        self.seconds.append(outcome.seconds)
        return outcome

    def note(self, outcome: Outcome) -> None:
        """Take in the outcome of a run of the full input."""
        self.outcomes.append(outcome)
        self.good += outcome.interesting

    def close(self) -> None:
        """End a run that began early, and remove the last run's folder."""
        if self.early is not None:
            self.early.end()
        discard(self.work)
