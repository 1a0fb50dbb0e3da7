"""A predicate of one program and several of its inputs: interesting if each searched input is. The other inputs are
unseen: only :meth:`EveryPredicate.tried` runs them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from threading import Event as Flag

from core.entries import Entries
from core.predicate.command import PredicateCommand
from core.predicate.condition import Reference
from core.predicate.effort import Haste
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import ANSWERS, Outcome

_SHARED = tuple(part.name for part in fields(CommandPredicate))
_LEAST = (0.4, 0.2, 0.5)
"""Least limits of one command, in seconds: processor time, that of one thread, and on a watch. See
decisions/025-limits-of-a-probe.md."""


@dataclass(frozen=True)
class Trials:
    """The commands of a program, each with its input in words. The first ``searched`` are for the search."""

    commands: tuple[str, ...]
    names: tuple[str, ...]
    searched: int
    tests: tuple[str, ...] = ()
    """The names of all classes of tests."""


@dataclass(frozen=True)
class EveryPredicate(CommandPredicate):
    """A command for each input. A probe runs those of the searched inputs one after another, each in a folder of its
    own, and ends with the first that is not interesting. Those that failed most often come first."""

    commands: tuple[PredicateCommand, ...] = ()
    names: tuple[str, ...] = ()
    """The inputs in words, as the user wrote them."""
    searched: set[int] = field(default_factory=set)
    """Numbers of the inputs that a candidate must bear. All copies of the predicate share the set."""
    references: tuple[Reference | None, ...] = ()
    share: float = 1.0
    """Share of the slowest command in the time of the searched commands on the full input: their limits times this
    share are those of one command. The larger of the shares of time and of processor time, since a command that waits
    takes little processor time."""
    failed: Counter[int] = field(default_factory=Counter)
    """Number of candidates on which each input failed. All copies of the predicate share it."""

    @classmethod
    def of(cls, one: CommandPredicate, commands: Sequence[PredicateCommand], trials: Trials) -> EveryPredicate:
        """Return the predicate of the ``commands`` of ``trials``, with the limits of ``one``."""
        shared = {name: getattr(one, name) for name in _SHARED}
        shared["command"] = replace(commands[0], needs_classes=any(each.needs_classes for each in commands))
        return cls(**shared, commands=tuple(commands), names=trials.names, searched=set(range(trials.searched)))

    @property
    def failing(self) -> list[str]:
        """The inputs that end with another exit code than 0 on the full input."""
        found = zip(self.names, self.references, strict=False)
        return [name for name, reference in found if reference is not None and reference.exit]

    def outputs_before(self, found: Outcome) -> tuple[str, str]:
        """Return both outputs of the full input's run on the input where a candidate's run failed."""
        for name, known in zip(self.names, self.references, strict=False):
            if known is not None and found.detail.startswith(f"{name}: "):
                return known.out, known.err
        return found.stdout, found.stderr

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[EveryPredicate, Outcome]:
        self.write(entries, work)
        found = [self._one(number).calibrated_in(entries, work, cancel) for number in range(len(self.commands))]
        outcomes = [self._named(number, outcome) for number, (_, outcome) in enumerate(found)]
        together, references = _together(outcomes), tuple(predicate.reference for predicate, _ in found)
        share = max(
            _largest_share([each.seconds for each in outcomes], self.searched),
            _largest_share([each.processor for each in outcomes], self.searched),
        )
        return replace(self, reference=references[0], references=references, share=share), together

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        return self._run(entries, work, cancel, seconds)

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        return self._run(entries, work, cancel, cold=True)

    def tried(self, numbers: Iterable[int], entries: Entries, work: Path, cancel: Flag) -> dict[int, Outcome]:
        """Return the outcomes of some inputs, all of them in any case, but for a cancelled rest."""
        self.write(entries, work)
        found = {}
        for number in numbers:
            one = self._one(number)
            outcome = one.judged(one.launched(work, cancel), entries, work)
            if cancel.is_set() and outcome.verdict not in ANSWERS:
                break
            found[number] = outcome
        return found

    def shell_line(self, work: Path) -> str:
        return " && ".join(each.shell_line(work, self.extra) for each in self.commands)

    def _run(
        self, entries: Entries, work: Path, cancel: Flag | None, seconds: float | None = None, *, cold: bool = False
    ) -> Outcome:
        self.write(entries, work)
        found: list[Outcome] = []
        for number in sorted(self.searched, key=lambda each: (-self.failed[each], each)):
            left = None if seconds is None else max(0.0, seconds - sum(outcome.seconds for outcome in found))
            one = self._one(number)
            outcome = self._named(number, one.judged(one.launched(work, cancel, left, cold=cold), entries, work))
            found.append(outcome)
            if not outcome.interesting:
                self.failed[number] += outcome.verdict in ANSWERS
                break
        return _together(found)

    def _named(self, number: int, outcome: Outcome) -> Outcome:
        """Return the outcome with the name of its input, if it is not interesting."""
        return outcome if outcome.interesting else replace(outcome, detail=f"{self.names[number]}: {outcome.detail}")

    def _one(self, number: int) -> CommandPredicate:
        """Return the predicate of one input, with its share of the limits."""
        shared = {name: getattr(self, name) for name in _SHARED}
        shared |= {"command": self.commands[number], "place": Path(f"input-{number + 1}")}
        if self.references:
            shared["reference"] = self.references[number]
            limits = self.haste.processor, self.haste.thread, self.timeout
            processor, thread, watch = (
                each and max(least, self.share * each) for each, least in zip(limits, _LEAST, strict=True)
            )
            shared["haste"] = Haste(processor, thread, self.haste.patience, watch)
        return CommandPredicate(**shared)


def _largest_share(parts: Sequence[float], of: Iterable[int]) -> float:
    """Return the largest of some parts as a share of the sum of those ``of`` some numbers, at most 1; 0 if the sum
    is."""
    return min(1.0, max(parts) / (sum(parts[number] for number in of) or math.inf))


def _together(outcomes: Iterable[Outcome]) -> Outcome:
    """Return one outcome for all: the first uninteresting one, else the first that failed as it should, else one with
    an output."""
    found = list(outcomes)
    worst = max(found, key=lambda each: (not each.interesting, bool(each.exit), bool(each.stdout), bool(each.stderr)))
    return replace(
        worst,
        seconds=sum(each.seconds for each in found),
        processor=sum(each.processor for each in found),
        busiest=sum(each.busiest for each in found),
        idle=max(each.idle for each in found),
    )
