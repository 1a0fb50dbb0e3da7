"""A predicate of several commands run one after another on a candidate: each in a process of its own, or in a resident
one."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.archive.nested import flattened
from core.archive.packer import Packer
from core.entries import Entries, renaming_of
from core.errors import OutputError, PredicateError
from core.predicate import process
from core.predicate.command import exports
from core.predicate.effort import Haste
from core.predicate.jvm.archives import MAKER, ClassArchive
from core.predicate.jvm.tool_hosts import ToolHosts
from core.predicate.output.heaps import HEAP
from core.predicate.output.no_source import said
from core.predicate.output.unfit_tools import not_started
from core.predicate.places import ONE_JAR, environment_of
from core.predicate.predicate import ToolPredicate, discard
from core.predicate.process import ProcessResult, Stream
from core.predicate.verdict import ANSWERS, Outcome

_NOT_COMPILED = ("module-info.java", "package-info.java")
WANTED = "wanted.txt"
"""File in a run's folder with the failures that a candidate must show, a line each, in the candidate's names. Missing
if kinds of failures are wanted, and in the first run of the full input."""
_SKIPPED = ProcessResult(0, 0.0, Stream(), Stream())


@dataclass(frozen=True)
class ToolStep:
    """A command in the folder of the run, which holds ``candidate.jar``; its file names are relative to the folder."""

    words: tuple[str, ...]
    reads: bool = True
    """True if the output of the step reports failures. The output of a step with an exit code other than 0, or with a
    full heap, always does."""
    lists: str = ""
    """A folder whose Java files are listed in ``FOLDER.list`` before; the step is left out if there is none."""
    makes: tuple[str, ...] = ()
    """Folders made before."""
    archive: ClassArchive | None = None
    """Archive of classes that makes the command start faster."""
    needed: bool = False
    """True if no later step runs where this one ends with another exit code than 0."""

    def shell_line(self) -> str:
        """Return the step as a line for the user's shell, in the run's folder."""
        lines = [f"mkdir -p {shlex.join(self.makes)}"] if self.makes else []
        if self.lists:
            left_out = " ".join(f"! -name {name}" for name in _NOT_COMPILED)
            lines.append(f"find {self.lists} -name '*.java' {left_out} | LC_ALL=C sort > {self.lists}.list")
        return " && ".join([*lines, shlex.join(self.words)])


@dataclass(frozen=True)
class StepsPredicate(ToolPredicate):
    """A predicate of several steps. Failures and streams are those of the steps that report failures, the exit code is
    the last step's."""

    title: str
    steps: tuple[ToolStep, ...]
    needs_classes: bool = False
    sample: Callable[[], Entries] | None = None
    """A small candidate, on which the steps may be rehearsed."""
    flat: bool = False
    """True if the steps get the classes of opened jars at the top of the candidate."""

    @property
    def words(self) -> list[str]:
        """The words of all commands."""
        return [word for step in self.steps for word in step.words]

    @property
    def warm(self) -> bool:
        """Return True if hosts answer. Their answers are compared one by one, so no run of a check is."""
        return self.hosts is not None and self.hosts.warm

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[StepsPredicate, Outcome]:
        """Return the predicate with the run as its reference, and the outcome. Raise PredicateError for a tool that
        only reads the candidate and does not start: its failure would be none of the input's."""
        if self.sample is not None:
            steps, sample = self.steps, self.sample
            MAKER.ask(steps, lambda folder: rehearse(steps, folder / "work", sample()))
        self = self.paced(entries, work, cancel)
        result = self.run(entries, work, cancel)
        problem = not_started(result.stderr.data.decode("utf-8", "replace")) if self.sample is not None else ""
        if problem:
            raise PredicateError(
                f"{self.title} does not start, so it says nothing of the input: {problem}. "
                "Are all of its jars there, and is the JDK new enough for it (--jdk)?"
            )
        outcome = self.condition.judge(result, None, str(work))
        return replace(self, reference=self.condition.reference(result, str(work), entries)), outcome

    def given(self, entries: Entries) -> Entries:
        """Return the entries of a candidate as the steps get them."""
        return flattened(entries) if self.flat else entries

    def portable(self) -> StepsPredicate:
        return replace(super().portable(), sample=None)

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        hosts = self.hosts if self.hosts is not None and self.hosts.warm else None
        if hosts is None or hosts.proved:
            return self.judged(self.run(entries, work, cancel, seconds, hosts), entries, work)
        place = work.with_name(f"{work.name}-hosted")
        hosted = self.judged(self.run(entries, place, cancel, seconds, hosts), entries, place)
        discard(place)
        outcome = self.judged(self.run(entries, work, cancel, seconds), entries, work)
        if hosted.verdict in ANSWERS and outcome.verdict in ANSWERS:
            return hosts.compared(hosted, outcome)
        return outcome

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        return self.judged(self.run(entries, work, cancel), entries, work)

    def hosted(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        """Return the outcome of a run in resident processes, where there are any, without a comparison."""
        return self.judged(self.run(entries, work, cancel, hosts=self.hosts), entries, work)

    def describe(self) -> str:
        return f"{self.title}: {self.condition.describe()}"

    def shell_line(self, work: Path) -> str:
        place = f"{exports(self.extra)}cd {shlex.quote(str(work))}"
        return " ; ".join([place, *(step.shell_line() for step in self.steps)])

    def run(
        self,
        entries: Entries,
        work: Path,
        cancel: Flag | None,
        seconds: float | None = None,
        hosts: ToolHosts | None = None,
    ) -> ProcessResult:
        """Return all steps on a candidate, as one result; in new processes unless there are ``hosts``."""
        entries = self.given(entries)
        ONE_JAR.write(entries, work, self.packer, classes=self.needs_classes)
        self.write_beside(entries, work)
        if self.reference is not None and self.condition.wanted and not self.condition.wanted.by_kind:
            names = "\n".join(self.condition.wanted.chosen or self.reference.failures)
            (work / WANTED).write_text(f"{renaming_of(entries).given(names)}\n", "utf-8", "surrogateescape")
        spent = starved = processor = 0.0
        ends: list[ProcessResult] = []
        environment = environment_of(work) | dict(self.extra)
        stdout, stderr = Stream(), Stream()
        last = _SKIPPED
        for step in self.steps:
            if step.lists:
                stderr.add(said(entries, work / step.lists).encode("utf-8", "surrogateescape"))
            if not _ready(step, work):
                last = _SKIPPED
                continue
            own = _rest(self.timeout, spent - starved)
            left = _rest(_least(seconds, self.limits.seconds), spent)
            launch = process.Launch(self.beside(step.words, work), work, environment, f"JARLET_WORK={work}")
            end = hosts.run(launch, _least(own, left), cancel) if hosts is not None and step.archive else None
            measured = hosts is None or not step.archive  # what a resident process takes is not known
            if end is None:
                words = self.beside(step.archive.quick() if step.archive else step.words, work)
                haste = replace(self.haste.after(processor) if measured else Haste(), hang=self.hang).within(own)
                end = process.run(replace(launch, argv=words), left, cancel, self.limits, haste)
            last = end
            spent, starved = spent + end.seconds, starved + end.starved
            if measured:
                ends.append(end)
                processor += end.processor
            if step.reads or not self.limits.paced or last.stopped or last.exit or _filled_its_heap(last):
                stdout.add(bytes(last.stdout.data))
                stderr.add(bytes(last.stderr.data))
            if last.stopped or (step.needed and last.exit):
                break
        busiest, idle = (max((getattr(end, name) for end in ends), default=0.0) for name in ("busiest", "idle"))
        return replace(
            last,
            seconds=spent,
            stdout=stdout,
            stderr=stderr,
            processor=processor,
            busiest=busiest,
            idle=idle,
        )


def _filled_its_heap(end: ProcessResult) -> bool:
    return any(HEAP.encode() in stream.data for stream in (end.stdout, end.stderr))


def _rest(limit: float | None, spent: float) -> float | None:
    return None if limit is None else max(0.0, limit - spent)


def _least(*limits: float | None) -> float | None:
    return min((limit for limit in limits if limit is not None), default=None)


def rehearse(steps: Sequence[ToolStep], folder: Path, entries: Entries) -> None:
    """Make the archives of the steps, by running them on ``entries`` in the new folder ``folder``."""
    if all(step.archive is None or step.archive.find() for step in steps):
        return
    ONE_JAR.write(entries, folder, Packer())
    for step in steps:
        if not _ready(step, folder):
            continue
        if step.archive is None or step.archive.find():
            MAKER.run(step.words, folder)
        else:
            step.archive.make(lambda words: MAKER.run(words, folder))


def _ready(step: ToolStep, work: Path) -> bool:
    """Make the files and folders that the step needs. Return True if there is anything for the step to do."""
    try:
        for name in step.makes:
            (work / name).mkdir(parents=True, exist_ok=True)
        if not step.lists:
            return True
        found = (path for path in (work / step.lists).rglob("*.java") if path.name not in _NOT_COMPILED)
        names = sorted(path.relative_to(work).as_posix().encode("utf-8", "surrogateescape") for path in found)
        (work / f"{step.lists}.list").write_bytes(b"".join(_quoted(name) + b"\n" for name in names))
    except OSError as error:
        raise OutputError(f"The probe's folder {work} cannot be used: {error.strerror or error}.") from error
    return bool(names)


def _quoted(name: bytes) -> bytes:
    """Return a file name as javac's argument files have it."""
    return b'"' + name + b'"' if b" " in name else name
