"""A predicate of two tools: interesting while they disagree on the same candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from threading import Event as Flag

from core.archive.packer import Packer
from core.entries import Entries
from core.errors import OutputError, UsageError
from core.predicate import presets
from core.predicate.command import PredicateCommand, java_variables
from core.predicate.condition import Condition, Reference, objection_to
from core.predicate.failure_kinds import FailureKinds
from core.predicate.failures import Statement, Wanted
from core.predicate.places import CandidatePlaces
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.preset import DEFAULT_RUNS, Preset, ToolRuns
from core.predicate.verdict import ANSWERS, Outcome, Verdict
from core.words import counted

_SHOWN_CHARS = 300
"""Characters of a command's output that a name holds."""


@dataclass(frozen=True)
class DifferPredicate(Predicate):
    """A predicate that runs two tools on each candidate, one after the other. A failure is a file on which only one of
    them fails; of commands, a differing exit code or output. ``wanted`` says which failures must stay."""

    first: Predicate
    second: Predicate
    titles: tuple[str, str]
    wanted: Wanted
    timeout: float | None = None
    reference: Reference | None = None

    @property
    def packer(self) -> Packer:  # type: ignore[override]  # one packer for both
        return self.first.packer

    @property
    def warm(self) -> bool:
        """Return True if resident processes of both tools answer."""
        return self.first.warm and self.second.warm

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[DifferPredicate, Outcome]:
        for tool in (self.first, self.second):  # beside the probes, since the folder of this run does not stay
            if not tool.warm:
                tool.start(work.parent)
        one, other = _places(work)
        first, here = self.first.calibrated(entries, one, cancel)
        second, there = self.second.calibrated(entries, other, cancel)
        names = self._names(here, there)
        reference = Reference(0, "", "", names, kinds=FailureKinds.of(entries))
        made = replace(self, first=first, second=second, reference=reference)
        return made, self._judged(here, there, None)

    def limited(self, timeout: float | None) -> DifferPredicate:
        return replace(self, first=self.first.limited(timeout), second=self.second.limited(timeout), timeout=timeout)

    def relative_to(self, reference: Reference) -> DifferPredicate:
        return replace(self, reference=reference)

    def repacked(self, packer: Packer) -> DifferPredicate:
        return replace(self, first=self.first.repacked(packer), second=self.second.repacked(packer))

    def observed(self, environment: Mapping[str, str]) -> DifferPredicate:
        return replace(self, first=self.first.observed(environment), second=self.second.observed(environment))

    def portable(self) -> DifferPredicate:
        return replace(self, first=self.first.portable(), second=self.second.portable())

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        one, other = _places(work)
        here = self.first.probe(entries, one, cancel, seconds)
        left = None if seconds is None else max(0.0, seconds - here.seconds)
        return self._judged(here, self.second.probe(entries, other, cancel, left), self.reference)

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        one, other = _places(work)
        here, there = self.first.confirm(entries, one, cancel), self.second.confirm(entries, other, cancel)
        return self._judged(here, there, self.reference)

    def describe(self) -> str:
        return f"{self.titles[0]} against {self.titles[1]}: {self.wanted.describe()}"

    def shell_line(self, work: Path) -> str:
        return f"( {self.first.shell_line(work / 'first')} ) ; ( {self.second.shell_line(work / 'second')} )"

    def versions(self) -> dict[str, str]:
        return {**self.first.versions(), **self.second.versions()}

    def close(self) -> None:
        self.first.close()
        self.second.close()

    def _names(self, one: Outcome, other: Outcome) -> tuple[str, ...]:
        if isinstance(self.first, CommandPredicate):  # and so is the second
            return _of_commands(one, other)
        return disagreements(one.failures, other.failures, self.titles)

    def _judged(self, one: Outcome, other: Outcome, reference: Reference | None) -> Outcome:
        names = self._names(one, other)
        seconds = one.seconds + other.seconds
        silent = next((outcome for outcome in (one, other) if outcome.verdict not in ANSWERS), None)
        if silent is not None:
            title = self.titles[0 if silent is one else 1]
            return replace(silent, seconds=seconds, detail=f"{title}: {silent.detail}", failures=())
        objection = objection_to(self.wanted, names, reference)
        if not names:
            objection = f"{self.titles[0]} and {self.titles[1]} agree"
        verdict = Verdict.NOT_INTERESTING if objection else Verdict.INTERESTING
        output = "\n".join(dict.fromkeys(names))
        detail = objection or counted(len(names), "disagreement")
        said = "\n".join(filter(str.strip, (one.stdout, one.stderr, other.stdout, other.stderr)))
        return Outcome(verdict, seconds, other.exit, detail, output, said, names)


def differing(
    preset: Preset,
    values: Mapping[str, str],
    wanted: Wanted | None = None,
    runs: ToolRuns = DEFAULT_RUNS,
) -> DifferPredicate:
    """Return the predicate of a preset that ``compares``: each of its two settings names a preset, or is a command.

    Raises UsageError for settings that lack or cannot be compared, PredicateError for missing tools.
    """
    given = preset.filled(values)
    filled = [given[name][0].strip() for name in preset.compares]
    known = presets.load_all()
    if (filled[0] in known) != (filled[1] in known):
        raise UsageError(f"The preset {preset.name} compares two presets or two commands, not one with the other.")
    if filled[0] == filled[1]:
        raise UsageError(f"The preset {preset.name} compares two tools: {filled[0]} is named twice.")
    for one in (known[text] for text in filled if text in known):
        if one.compares or any(setting.required for setting in one.settings):
            raise UsageError(f"The preset {one.name} cannot be compared: it has settings of its own.")
    made: list[Predicate] = []
    titles = []
    for text in filled:
        if text in known:
            one = known[text]
            made.append(one.predicate(wanted=Wanted(Statement.SAME), runs=replace(runs, shelf=None)))
            titles.append(one.title)
        else:
            condition = Condition(frozenset({"exit"}))
            command = PredicateCommand.parse(text, places=CandidatePlaces(runs.inputs, tuple(runs.classpath)))
            extra = java_variables(runs.jdk.home) if runs.jdk is not None else {}
            made.append(
                CommandPredicate(command, condition=condition, timeout=runs.timeout, limits=runs.limits, extra=extra)
            )
            titles.append(text)
    return DifferPredicate(made[0], made[1], (titles[0], titles[1]), wanted or preset.wanted or Wanted(), runs.timeout)


def disagreements(one: Sequence[str], other: Sequence[str], titles: tuple[str, str]) -> tuple[str, ...]:
    """Return the failures in files on which only one of two tools fails, each with the title of this tool; sorted.
    Failures without a file count as those of one file of their own."""
    found = []
    for names, others, title in ((one, other, titles[0]), (other, one, titles[1])):
        files = set(map(_file, others))
        for name in names:
            file = _file(name)
            if file not in files:
                found.append(f"{file}: {title} only: {name[len(file) + 2 :]}" if file else f"{title} only: {name}")
    return tuple(sorted(found))


def _file(name: str) -> str:
    """Return the source file that a failure of javac's is about, else nothing."""
    file, colon, _ = name.partition(": ")
    return file if colon and file.endswith(".java") else ""


def _of_commands(one: Outcome, other: Outcome) -> tuple[str, ...]:
    """Return the differences between two commands. Outputs are compared as far as outcomes carry them."""
    found = []
    if one.exit != other.exit:
        found.append(f"exit code: first {one.exit}, second {other.exit}")
    for title, *texts in (("output", one.stdout, other.stdout), ("error", one.stderr, other.stderr)):
        pairs = zip_longest(*map(str.splitlines, texts), fillvalue="")
        left, right = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        if left != right:
            found.append(f"standard {title}: first {left[:_SHOWN_CHARS]!r}, second {right[:_SHOWN_CHARS]!r}")
    return tuple(found)


def _places(work: Path) -> tuple[Path, Path]:
    try:
        work.mkdir(parents=True)
    except OSError as error:
        raise OutputError(f"The candidate cannot be written to {work}: {error.strerror or error}.") from error
    return work / "first", work / "second"
