"""The interface of predicates, and the plainest predicate, a command with its condition: candidate entries in, outcome
out."""

from __future__ import annotations

import re
import statistics
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event as Flag
from typing import ClassVar, Generic, Self, TypeVar

from core.archive.packer import Packer
from core.entries import Entries, beside, renaming_of
from core.predicate import process
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition, Reference
from core.predicate.effort import Haste
from core.predicate.jvm.stuck import HANG, UNKNOWN
from core.predicate.jvm.tool_hosts import ToolHosts
from core.predicate.limits import ProbeLimits, median_classes
from core.predicate.output.written_files import WrittenFiles, written_files
from core.predicate.verdict import Outcome
from core.system.removal import remove

FIRST_TIMEOUT = 300.0
"""Time limit of a check's run when the user set none, in seconds. See decisions/025-limits-of-a-probe.md."""

_LINES = "lines"
"""Folder of the candidate's text files in the folder of a run."""
_STAMP = 2.0
"""Seconds between two runs whose files are compared: the unit of the times in a zip. See
decisions/025-limits-of-a-probe.md."""


class Predicate(ABC):
    """A tool that runs on candidates, with the judgement of its results; several runs at once from several threads.

    ``work`` is a folder for the run: it must not exist yet, and is left behind. Times are seconds. Resident processes
    may answer in place of new ones; a predicate without any has nothing to add to what is said of them here.
    """

    timeout: float | None
    """The time limit of a probe."""
    reference: Reference | None
    """The run on the full input that later ones are compared with."""
    packer: Packer
    """The packer that compresses the candidates, each class file once."""
    expected: ClassVar[bool] = False
    """True if the predicate is made for resident processes, started or not."""
    unproven: bool = False
    """True if later runs are compared with a resident process's answer that no cold run has confirmed yet."""

    @property
    def warm(self) -> bool:
        """Return True if resident processes answer."""
        return False

    @property
    def cold(self) -> Predicate:
        """The predicate that runs each candidate in new processes alone."""
        return self

    def residents(self) -> Sequence[int]:
        """Return the process numbers of the living resident processes."""
        return ()

    def start(self, work: Path) -> None:  # noqa: B027 - without resident processes there is nothing to start
        """Have a resident process start in ``work`` while something else is done."""

    def trusting(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Calibration:
        """Calibrate by a resident process alone if it finds ``entries`` interesting; else as usual."""
        return self.calibrated(entries, work, cancel)

    def proved(self, known: Calibration, entries: Entries, work: Path, cancel: Flag | None = None) -> Predicate:
        """Return the predicate that compares with the interesting cold run ``known`` of ``entries``."""
        return known[0]

    def agrees(self, other: Predicate) -> bool:
        """Return whether ``other`` compares with a run that showed the same failures."""
        return True

    @abstractmethod
    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[Predicate, Outcome]:
        """Return the predicate that compares with this run on the full input, and the run's own outcome."""

    @abstractmethod
    def limited(self, timeout: float | None) -> Predicate:
        """Return the predicate with another time limit. Shares what it holds: close one of them."""

    @abstractmethod
    def relative_to(self, reference: Reference) -> Predicate:
        """Return the predicate that compares with this run. Shares what it holds: close one of them."""

    @abstractmethod
    def repacked(self, packer: Packer) -> Predicate:
        """Return a predicate with the same command on candidates that ``packer`` writes. Its processes share
        nothing."""

    @abstractmethod
    def observed(self, environment: Mapping[str, str]) -> Predicate:
        """Return a predicate with the same command and these additional variables. Its processes share nothing."""

    @abstractmethod
    def portable(self) -> Predicate:
        """Return the same predicate in a form that can be pickled, for a machine with the same files. The form holds no
        resources yet."""

    @abstractmethod
    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        """Return the outcome for a candidate; ``seconds`` shortens the predicate's own time limit."""

    @abstractmethod
    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        """Return the outcome of a run that shares no process with any other, as the user would repeat it by hand."""

    @abstractmethod
    def describe(self) -> str:
        """Return the command and the wanted outcome, in words."""

    @abstractmethod
    def shell_line(self, work: Path) -> str:
        """Return a line for the user's shell that repeats a run in its kept folder."""

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """Return the version of each tool that takes part, by name."""

    @abstractmethod
    def close(self) -> None:
        """End all running processes. No probe may come after."""


Calibration = tuple[Predicate, Outcome]
"""The predicate that compares with a run of the full input, and the outcome of this run."""


@dataclass(frozen=True, kw_only=True)
class ToolPredicate(Predicate):
    """Base of the predicates that run something themselves."""

    condition: Condition
    timeout: float | None = None
    reference: Reference | None = None
    packer: Packer = field(default_factory=Packer)
    """Compresses each class file once, for all candidates."""
    limits: ProbeLimits = field(default_factory=ProbeLimits)
    extra: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment beside those that are always set."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """Version of each tool that is known to take part, by name."""
    hosts: ToolHosts | None = None
    """Resident processes that may run tools. Runs that share nothing get none."""
    lines: tuple[Path, ...] = ()
    """Text files of which lines go too. A candidate has its own version of each, which the command gets."""
    haste: Haste = field(default_factory=Haste)
    """Limits of processor time."""

    def limited(self, timeout: float | None) -> Self:
        return replace(self, timeout=timeout, haste=Haste())

    def hurried(self, haste: Haste) -> Self:
        """Return the same predicate with additional limits of processor time."""
        return replace(self, haste=haste)

    def relative_to(self, reference: Reference) -> Self:
        return replace(self, reference=reference)

    def repacked(self, packer: Packer) -> Self:
        return replace(self, packer=packer, hosts=None)

    def observed(self, environment: Mapping[str, str]) -> Self:
        return replace(self, extra={**self.extra, **environment}, hosts=None)

    def portable(self) -> Self:
        return replace(self, packer=Packer(), hosts=None)

    def versions(self) -> dict[str, str]:
        return dict(self.tools)

    def close(self) -> None:
        """End the resident processes; nothing else outlives a probe."""
        if self.hosts is not None:
            self.hosts.close()

    @property
    def hang(self) -> str | None:
        """The hang that ends a run, as :attr:`Haste.hang` has it. The first run tells its hang in any case."""
        if self.reference is None:
            return "" if self.condition.hangs else UNKNOWN
        return next((name for name in self.reference.failures if name.startswith(HANG)), None)

    def paced(self, entries: Entries, work: Path, cancel: Flag | None) -> Self:
        """Return the predicate that knows for how long a slow run stands at one place."""
        if self.limits.slower is None:
            return self
        place, took, told = work.with_name(f"{work.name}-median"), [], []
        for (name, data), *_ in median_classes(entries):
            outcome = self.probe([(name, data)], place, cancel)
            took.append(outcome.processor)
            told.append(Path(name).stem in outcome.stdout + outcome.stderr)
            discard(place)
        stands = self.limits.slower * statistics.median(took or [0.0])
        tells = bool(told) and all(told)
        return replace(self, limits=replace(self.limits, stands=stands or None, tells=tells))

    def judged(self, result: process.ProcessResult, entries: Entries, work: Path) -> Outcome:
        """Return the outcome of a finished run on ``entries`` in the folder ``work``."""
        return self.condition.judge(result, self.reference, str(work), renaming_of(entries))

    def write_beside(self, entries: Entries, work: Path) -> None:
        """Write the candidate's version of each text file into the folder of the run."""
        for name, data in beside(entries):
            (work / _LINES).mkdir(exist_ok=True)
            (work / f"{_LINES}{name}").write_bytes(data)

    def beside(self, words: Sequence[str], work: Path) -> list[str]:
        """Return the words of a command with the candidate's version of each text file."""
        own = {str(path): str(work / _LINES / path.name) for path in self.lines}
        there = {path: place for path, place in own.items() if Path(place).exists()}
        pattern = re.compile("|".join(map(re.escape, there)) or "(?!)")
        return [pattern.sub(lambda found: there[found[0]], word) for word in words]


Inner = TypeVar("Inner", bound=Predicate)


class AroundPredicate(Predicate, Generic[Inner]):
    """Base of the predicates around another one: they delegate to it, except in their overrides."""

    def __init__(self, inner: Inner) -> None:
        self.inner = inner
        self.timeout, self.reference, self.packer = inner.timeout, inner.reference, inner.packer

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[Predicate, Outcome]:
        return self.inner.calibrated(entries, work, cancel)

    def limited(self, timeout: float | None) -> Predicate:
        return self._around(self.inner.limited(timeout))

    def relative_to(self, reference: Reference) -> Predicate:
        return self._around(self.inner.relative_to(reference))

    def repacked(self, packer: Packer) -> Predicate:
        return self.inner.repacked(packer)

    def observed(self, environment: Mapping[str, str]) -> Predicate:
        return self.inner.observed(environment)

    def portable(self) -> Predicate:
        return self._around(self.inner.portable())

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        return self.inner.confirm(entries, work, cancel)

    def shell_line(self, work: Path) -> str:
        return self.inner.shell_line(work)

    def versions(self) -> dict[str, str]:
        return self.inner.versions()

    def describe(self) -> str:
        return self.inner.describe()

    def close(self) -> None:
        self.inner.close()

    def _around(self, inner: Predicate) -> Predicate:
        """Return the predicate around another form of the inner one, with the same state; by default the inner one
        itself."""
        return inner


@dataclass(frozen=True)
class CommandPredicate(ToolPredicate):
    """A predicate that runs a command on a candidate in a fresh folder and judges the result."""

    command: PredicateCommand
    place: Path | None = None
    """Working directory of the command, if it is not the folder of the run; a relative one is made there."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the command."""
        return self.command.words

    @property
    def warm(self) -> bool:
        return self.hosts is not None and self.hosts.used and self.hosts.warm

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[CommandPredicate, Outcome]:
        self.write(entries, work)
        return self.paced(entries, work, cancel).calibrated_in(entries, work, cancel)

    def calibrated_in(self, entries: Entries, work: Path, cancel: Flag | None) -> tuple[CommandPredicate, Outcome]:
        """Calibrate in the folder ``work``, which has the candidate."""
        result = self.launched(work, cancel, cold=True)
        outcome = self.condition.judge(result, None, str(work))
        reference = self.condition.reference(result, str(work), entries, self._own(work))
        if outcome.interesting and reference.files.lines:
            reference = replace(reference, files=self._steady(reference.files, entries, work, cancel))
        found = replace(self, reference=reference)
        if outcome.interesting and self.hosts is not None and self.hosts.used:
            found._prove(self.hosts, outcome, entries, work, cancel)
        return found, outcome

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        self.write(entries, work)
        return self.judged(self.launched(work, cancel, seconds), entries, work)

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        self.write(entries, work)
        return self.judged(self.launched(work, cancel, cold=True), entries, work)

    def judged(self, result: process.ProcessResult, entries: Entries, work: Path) -> Outcome:
        return self.condition.judge(result, self.reference, str(work), renaming_of(entries), self._own(work))

    def write(self, entries: Entries, work: Path) -> None:
        """Make the folder of a run with the candidate. Raise OutputError."""
        command = self.command
        command.places.write(entries, work, self.packer, classes=command.needs_classes, always=command.always)
        self.write_beside(entries, work)

    def describe(self) -> str:
        return f"{self.command.text}: {self.condition.describe()}"

    def shell_line(self, work: Path) -> str:
        return self.command.shell_line(work, self.extra)

    def _prove(self, hosts: ToolHosts, known: Outcome, entries: Entries, work: Path, cancel: Flag | None) -> None:
        """Let resident processes answer only as they answered about the full input as in the cold run ``known``."""
        place = work.with_name(f"{work.name}-hosted")
        hosts.alike = 0
        while hosts.warm and not hosts.proved and not (cancel is not None and cancel.is_set()):
            hosts.compared(self.probe(entries, place, cancel), known)
            discard(place)

    def _steady(self, files: WrittenFiles, entries: Entries, work: Path, cancel: Flag | None) -> WrittenFiles:
        """Return what a second run writes as well. It begins after the least unit of time of all formats of files."""
        again = work.with_name(f"{work.name}-files")
        time.sleep(_STAMP)
        try:
            self.write(entries, again)
            self.launched(again, cancel, cold=True)
            return files.steady(written_files(self._own(again), str(again)))
        finally:
            discard(again)

    def _own(self, work: Path) -> Path:
        """Return the folder for the command's own files: within ``work`` in any case."""
        return work if self.place is None or self.place.is_absolute() else work / self.place

    def launched(
        self, work: Path, cancel: Flag | None, seconds: float | None = None, *, cold: bool = False
    ) -> process.ProcessResult:
        """Return the result of the command in the folder ``work``, which has the candidate."""
        command, place = self.command, work / self.place if self.place is not None else None
        if place is not None:
            place.mkdir(exist_ok=True)
        hosted = self.hosts.environment(work.parent, cold=cold) if self.hosts is not None else {}
        environment = {**command.environment(work), **self.extra, **hosted}
        haste = replace(self.haste, hang=self.hang)
        watched = bool(self.extra) and self.hang is not None
        argv, marker = self.beside(command.argv(work), work), f"JARLET_WORK={work}"
        launch = process.Launch(argv, work, environment, marker, place, watched)
        return process.run(launch, seconds, cancel, self.limits, haste.within(self.timeout))


def discard(work: Path) -> None:
    """Remove a probe's folder, in any state."""
    remove(work)
