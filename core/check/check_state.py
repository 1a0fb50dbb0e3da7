"""The state of a check: its settings, the runs so far, and their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import Jar
from core.check.wanted_libraries import adding_text
from core.entries import Entries
from core.evidence.failure import names_in
from core.model.class_model import ClassModel
from core.model.item_model import ItemModel
from core.predicate.aim import Aim
from core.predicate.command import PredicateCommand
from core.predicate.failure_kinds import LibraryFailures
from core.predicate.predicate import Calibration, CommandPredicate, Predicate, discard
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.reduction.probing.time_limits import least_limit, limit_for
from core.system.processors import Busy
from core.system.stopwatch import Stopwatch
from core.system.thread_call import ThreadCall
from core.system.work_folder import keep_last


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
    options: bool = True
    """True if messages name options of the command line."""


@dataclass(frozen=True)
class Wishes:
    """The runs beside the first one, and ways to begin a search before all runs are made, as wished by whoever asks for
    the check. A check without a search takes no such way."""

    runs: int = 1
    """Number of interesting runs of the full input."""
    compare: bool = False
    """True to run the input also as given if the full input is interesting."""
    empty: bool = False
    """True to run also a jar without entries."""
    advise: bool = False
    """True to suggest a number of parallel jobs."""

    trusting: bool = False
    """True if a resident process may make the first run; a run in new processes follows later."""
    early: bool = False
    """True if the run as given may begin beside a slow first run."""
    cold: Calibration | None = None
    """Run of the full input in new processes that an earlier check made: it serves as the first run."""
    model_of: Callable[[Jar], ItemModel] | None = None
    """Function that makes the model of an input's members; None if no candidate may replace the full input."""


@dataclass(frozen=True)
class Substitute:
    """A small candidate that shows the chosen failures and is checked instead of the full input."""

    model: ClassModel
    says: str
    """Sentence for the user about the candidate."""


@dataclass(eq=False)
class CheckState:
    """The runs of one check so far. Runs are declared in :mod:`core.check.runs`."""

    full_model: ClassModel
    """Model of the full input."""
    aim: Aim
    predicate: Predicate
    """The predicate; after the first run, the predicate relative to this run."""
    context: RunContext
    wishes: Wishes
    substitute: Substitute | None = field(init=False, default=None)
    outcomes: list[Outcome] = field(init=False, default_factory=list)
    """Outcomes of the full input as written by Jarlet; the last one decides."""
    others: dict[str, Outcome] = field(init=False, default_factory=dict)
    """Outcomes of all other runs: of another jar, or of the full input in another way, by the name of the run."""
    seconds: list[float] = field(init=False, default_factory=list)
    """Seconds of every run of the predicate."""
    of_libraries: LibraryFailures = field(init=False, default_factory=LibraryFailures)
    """Failures of the first run that have to do with missing libraries."""
    alike: bool = field(init=False, default=False)
    """True if the input failed as given in the same way as written by Jarlet."""
    warnings: list[str] = field(init=False, default_factory=list)
    """Sentences about an interesting input that speak against the predicate."""
    notes: list[str] = field(init=False, default_factory=list)
    """Other sentences about an interesting input."""
    busy: Busy = field(init=False, default_factory=Busy)
    early: ThreadCall[Calibration | None] | None = field(init=False, default=None)
    """The run as given beside the first run, if it may begin early. Its result is None if the first run was over."""
    first_over: Flag = field(init=False, default_factory=Flag)
    """Flag that is set once the first run is over."""
    may_disturb: bool = field(init=False, default=False)
    """True if runs go on at the same time, and nobody knows whether runs of the command disturb each other."""
    work: Path = field(init=False)
    """Folder of the last run of the full input."""
    checked: events.Checked = field(init=False)
    """The event about the check, once all its runs before a search are made."""
    known: bool = field(init=False, default=False)
    """True if the runs were made for an earlier command."""

    def __post_init__(self) -> None:
        self.work = self.context.work / "check-1"

    @property
    def model(self) -> ClassModel:
        """The model of the checked input or candidate."""
        return self.full_model if self.substitute is None else self.substitute.model

    @property
    def entries(self) -> Entries:
        """Names and bytes of the checked entries."""
        return self.model.entries(self.model.full)

    @property
    def command(self) -> PredicateCommand | None:
        """The user's command; None for a preset, and for a predicate that is a Python function."""
        predicate, own = self.predicate, self.aim.preset is None
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
    def failed(self) -> bool:
        """True if the first run ended without the failure. Then other runs may explain why."""
        return len(self.outcomes) == 1 and self.outcomes[0].verdict is Verdict.NOT_INTERESTING

    @property
    def good(self) -> int:
        """Number of interesting runs of the full input: as written, as given, and in new processes."""
        return sum(outcome.interesting for outcome in self.outcomes) + self.alike + self.showed("cold")

    @property
    def outcome(self) -> Outcome:
        """The deciding outcome. For a substitute, only the chosen failures remain."""
        last = self.outcomes[-1]
        if self.substitute is None:
            return last
        chosen = self.aim.chosen_failures
        return replace(last, failures=tuple(name for name in last.failures if name in chosen))

    @cached_property
    def adding(self) -> str:
        """Sentences on the options that add missing libraries. Empty if no failure comes from a missing library, if
        there are no options, or if libraries may be missing."""
        missing = self.of_libraries.packages(names_in(self.outcomes[-1]))
        wanted = missing and self.interesting and self.context.options and not self.aim.stored["allow_missing"]
        return adding_text(self.full_model, list(missing), self.aim.class_path) if wanted else ""

    @property
    def jobs(self) -> int:
        """Number of parallel probes of a search: that of the settings, else the one suited to this machine."""
        return self.aim.search.jobs or self.busy.automatic

    @property
    def limit(self) -> float:
        """Time limit of a probe, in seconds."""
        slowest = max(outcome.seconds for outcome in self.outcomes)
        return self.aim.limits.seconds or limit_for(slowest, least_limit(self.predicate), self.jobs)

    def showed(self, name: str) -> bool:
        """Return True if the run ``name`` of :attr:`others` was made and was interesting."""
        return name in self.others and self.others[name].interesting

    @property
    def changed(self) -> tuple[Outcome, Outcome] | None:
        """Two runs of the same bytes, an interesting one and another one; None without such runs."""
        ways = (
            (self.outcomes[0], "repeated"),
            (self.others.get("given"), "given-again"),
            (self.others.get("here"), "here-again"),
        )
        for one, name in ways:
            other = self.others.get(name)
            if one is not None and other is not None and one.interesting is not other.interesting:
                return (one, other) if one.interesting else (other, one)
        return None

    @contextmanager
    def folder(self, name: str) -> Iterator[Path]:
        """Yield the path of a run's folder, which is removed before and after."""
        work = self.context.work / f"check-{name}"
        discard(work)
        try:
            yield work
        finally:
            discard(work)

    def run_other(self, name: str, predicate: Predicate, entries: Entries) -> Calibration:
        """Run ``predicate`` on ``entries`` in a folder of its own, and record the outcome under ``name``."""
        with self.folder(name) as work:
            found = predicate.calibrated(entries, work, self.context.cancel)
        self.record(name, found[1])
        return found

    def record(self, name: str, outcome: Outcome) -> None:
        """Record an outcome in :attr:`others`."""
        self.others[name] = outcome
        self.seconds.append(outcome.seconds)

    def next_folder(self) -> Path:
        """Return the folder of the next run of the full input, and remove that of the last run."""
        discard(self.work)
        self.work = self.context.work / f"check-{len(self.outcomes) + 1}"
        discard(self.work)
        return self.work

    def probe(self, work: Path) -> Outcome:
        """Run the full input once more, in the folder ``work``."""
        outcome = self.predicate.probe(self.entries, work, self.context.cancel)
        self.seconds.append(outcome.seconds)
        return outcome

    def keep_folder(self) -> str:
        """Keep the folder of the last run of the full input. Return a line for the user's shell that repeats the run
        there."""
        return self.predicate.shell_line(keep_last(self.work, self.context.work.parent))

    def close(self) -> None:
        """Wait for an early run, and remove the last run's folder. Call this method once the check is cancelled or
        over.
        """
        if self.early is not None:
            self.early.wait()
        discard(self.work)
