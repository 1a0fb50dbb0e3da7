"""The state of a check: the wishes, the runs so far, and their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import Jar
from core.check.as_given import EarlyRun
from core.entries import Entries
from core.model.class_model import ClassModel
from core.model.item_model import ItemModel
from core.predicate.command import PredicateCommand
from core.predicate.predicate import Calibration, CommandPredicate, Predicate, discard
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
    """The runs that are wished for, and the wording of their results."""

    runs: int = 1
    """Number of interesting runs of the full input."""
    compare: bool = False
    """True to run the input also as given if the full input is interesting."""
    empty: bool = False
    """True to run also a jar without entries."""
    trusting: bool = False
    """True if a resident process may make the first run alone."""
    cold: Calibration | None = None
    """First run in new processes, if an earlier check has made one."""
    early: bool = False
    """True if the run as given may begin beside a slow first run."""
    model_of: Callable[[Jar], ItemModel] | None = None
    """Maker of the model below the class; None if no candidate may replace the full input."""
    options: bool = True
    """True if messages name options of the command line."""
    advise: bool = False
    """True if messages suggest a number of parallel jobs."""


@dataclass(frozen=True)
class Substitute:
    """A small candidate that shows the chosen failures and is checked instead of the full input."""

    model: ClassModel
    title: str
    """Name of the place around which the candidate was made."""
    failures: tuple[str, ...]
    """Names of the chosen failures."""


class CheckState:
    """The runs of one check so far. Runs are declared in :mod:`core.check.runs`."""

    def __init__(
        self, model: ClassModel, settings: Settings, predicate: Predicate, context: RunContext, wishes: Wishes
    ) -> None:
        self.settings, self.context, self.wishes = settings, context, wishes
        self.predicate = predicate
        """The predicate; after the first run, the predicate relative to this run."""
        self.substitute: Substitute | None = None
        self.outcomes: list[Outcome] = []
        """Outcomes of the full input as written by Jarlet; the last one decides."""
        self.good = 0
        """Number of interesting runs of the full input, as written or as given."""
        self.seconds: list[float] = []
        """Seconds of every run of the predicate."""
        self.given: Outcome | None = None
        """Outcome of the input's own file."""
        self.again: Outcome | None = None
        """Outcome of the input once more, after an interesting run elsewhere."""
        self.here: Outcome | None = None
        """Outcome of the input in the user's current folder."""
        self.differs = ""
        """Difference between the runs as given and as written, if both are interesting: the end of a sentence."""
        self.signed = False
        """True if the input has a signature, which is looked for with the run as given."""
        self.empty = False
        """True if a jar without entries is interesting."""
        self.notes: list[str] = []
        """Sentences of runs for the message of an interesting input."""
        self.busy = Busy()
        self.early: EarlyRun | None = None
        self.serial = True
        """True if only one run goes on at a time."""
        self.certain = False
        """True if the command is known to bear other runs beside it."""
        self.work = context.work / "check-1"
        """Folder of the last run of the full input."""
        self._model = model

    @property
    def model(self) -> ClassModel:
        """The model of the checked input or candidate."""
        return self._model if self.substitute is None else self.substitute.model

    @property
    def entries(self) -> Entries:
        """Names and bytes of the checked entries."""
        return self.model.entries(self.model.full)

    @property
    def command(self) -> PredicateCommand | None:
        """The user's command; None for a preset, and for a predicate that is a Python function."""
        predicate, own = self.predicate, self.settings.preset is None
        return predicate.command if own and isinstance(predicate, CommandPredicate) else None

    @property
    def cancelled(self) -> bool:
        """True if no further run may be made."""
        return self.context.cancel.is_set()

    @property
    def interesting(self) -> bool:
        """True if the last run of the full input was interesting."""
        return self.outcomes[-1].interesting

    @property
    def alike(self) -> bool:
        """True if the input failed as given in the same way as written by Jarlet."""
        return shows(self.given) and not self.differs

    @property
    def failed(self) -> bool:
        """True if the first run ended without the failure. Then other runs may explain why."""
        return len(self.outcomes) == 1 and self.outcomes[0].verdict is Verdict.NOT_INTERESTING

    @property
    def outcome(self) -> Outcome:
        """The deciding outcome. For a substitute, only the chosen failures remain."""
        last = self.outcomes[-1]
        if self.substitute is None:
            return last
        return replace(last, failures=tuple(name for name in last.failures if name in self.substitute.failures))

    @property
    def limit(self) -> float:
        """Time limit of a probe, in seconds."""
        slowest = max(outcome.seconds for outcome in self.outcomes)
        jobs = self.settings.jobs or self.busy.automatic
        return self.settings.timeout or limit_for(slowest, least_limit(self.predicate), jobs)

    @contextmanager
    def folder(self, name: str) -> Iterator[Path]:
        """Yield the path of a run's folder, which is removed before and after."""
        work = self.context.work / name
        discard(work)
        try:
            yield work
        finally:
            discard(work)

    def next_folder(self) -> Path:
        """Return the folder of the next run of the full input, and remove that of the last run."""
        discard(self.work)
        self.work = self.context.work / f"check-{len(self.outcomes) + 1}"
        discard(self.work)
        return self.work

    def calibrate(self, predicate: Predicate, entries: Entries, name: str) -> Calibration:
        """Run ``entries`` by ``predicate`` in the folder ``name``, and record the seconds."""
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
        """Record the outcome of a run of the full input."""
        self.outcomes.append(outcome)
        self.good += outcome.interesting

    def close(self) -> None:
        """End an early run, and remove the last run's folder."""
        if self.early is not None:
            self.early.end()
        discard(self.work)


def shows(outcome: Outcome | None) -> bool:
    """Return True if a run was made and was interesting."""
    return outcome is not None and outcome.interesting
