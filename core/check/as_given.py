"""The full input run in other ways than a candidate is, to tell what a check's result is due to.

As it was given: the predicate may look at the file itself (size, digest, times), which is another one once we have
written it; or it fails there for another reason. In the current folder: it may need a file of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as Flag

from core.archive.entry_names import EntryKind
from core.archive.jar import Jar
from core.archive.packer import Packer
from core.check.early import EarlyRun
from core.errors import InputError
from core.predicate.condition import Condition
from core.predicate.output import javac, traces
from core.predicate.predicate import CommandPredicate, Predicate, discard
from core.predicate.verdict import Outcome, Verdict

Entries = list[tuple[str, bytes]]

GivenRun = tuple[Predicate, Outcome]
"""The predicate that compares with a run of the input as it was given, and what that showed."""


class AsGiven(Packer):
    """Writes the input's own bytes, whatever the entries are."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = data

    def pack(self, entries: Iterable[tuple[str, bytes]]) -> list[bytes]:
        return [self._data]


@dataclass(frozen=True)
class OtherRuns:
    """What other runs of a check showed; None = there was no such run."""

    given: Outcome | None = None
    """The input as it was given."""
    again: Outcome | None = None
    """As we write it, once more after the run as it was given."""
    here: Outcome | None = None
    """As it was given, in the current folder."""
    differs: str = ""
    """What is not the same as given and as written though both count as interesting: ends a sentence."""
    signed: bool = False


class AsGivenCheck:
    """Makes the other runs for a check; ``folder`` is for their files. ``early``: the run as given, where that was
    begun beforehand."""

    def __init__(
        self,
        jar: Jar,
        predicate: Predicate,
        condition: Condition,
        folder: Path,
        cancel: Flag,
        early: EarlyRun[GivenRun | None] | None = None,
    ) -> None:
        self._jar = jar
        self._predicate = predicate
        self._condition = condition
        self._folder = folder
        self._cancel = cancel
        self._early = early
        self.runs: list[float] = []
        """The seconds of each run so far."""
        self.signed = any(entry.kind is EntryKind.SIGNATURE for entry in jar.entries)

    def passed(self, outcome: Outcome) -> OtherRuns:
        """After a check that was passed with ``outcome``: is it the same failure as given?"""
        given_run = self._as_given()
        if given_run is None:
            return OtherRuns(signed=self.signed)
        predicate, given = given_run
        differs = self._difference(given, outcome, predicate) if given.interesting else ""
        return OtherRuns(given, differs=differs, signed=self.signed)

    def failed(self, outcome: Outcome, entries: Entries) -> OtherRuns:
        """After a check that failed with ``outcome`` at once: is that due to the writing, or to the folder?"""
        if outcome.verdict is not Verdict.NOT_INTERESTING:  # it would take as long again, or as much
            return OtherRuns(signed=self.signed)
        given_run = self._as_given()
        given = given_run[1] if given_run is not None else None
        again = here = None
        if given is not None and given.interesting and not self._cancel.is_set():
            again = self._run(self._predicate, entries)[1]
        elif isinstance(self._predicate, CommandPredicate) and not self._cancel.is_set():
            here = self._in_current_folder(self._predicate, entries)
        return OtherRuns(given, again, here, signed=self.signed)

    def _as_given(self) -> GivenRun | None:
        """Nothing where the input is no single file."""
        for known in self._early.result() if self._early is not None else ():
            self.runs += [known[1].seconds] if known is not None else []
            return known
        packer = self._packer()
        if packer is None:
            return None
        return self._run(self._predicate.repacked(packer), self._all)

    def _in_current_folder(self, predicate: CommandPredicate, entries: Entries) -> Outcome | None:
        place = Path.cwd()
        if place in (Path.home(), Path(place.anchor)):  # nobody works there: it is where a desktop starts programs
            return None
        packer = self._packer()
        where = replace(predicate, place=place)
        return self._run(where.repacked(packer) if packer else where, self._all if packer else entries)[1]

    def _run(self, predicate: Predicate, entries: Entries) -> GivenRun:
        work = self._folder / "check-beside"
        discard(work)
        try:
            given_run = predicate.calibrated(entries, work, self._cancel)
            self.runs.append(given_run[1].seconds)
            return given_run
        finally:
            discard(work)

    @property
    def _all(self) -> Entries:
        return [(entry.name, entry.data) for entry in self._jar.entries]

    def _packer(self) -> AsGiven | None:
        if len(self._jar.sources) != 1 or not self._jar.sources[0].is_file():
            return None
        try:
            return AsGiven(self._jar.sources[0].read_bytes())
        except OSError as error:
            raise InputError(f"{self._jar.sources[0]}: cannot be read ({error.strerror or error}).") from error

    def _difference(self, given: Outcome, written: Outcome, as_given: Predicate) -> str:
        """In what the two runs fail differently, or nothing."""
        one, other = _reasons(given), _reasons(written)
        if one != other:
            gone, more = sorted(set(one) - set(other)), sorted(set(other) - set(one))
            parts = [f"as given there is {_listed(gone)}"] if gone else []
            parts += [f"as Jarlet writes it there is {_listed(more)}"] if more else []
            return ", ".join(parts) or "the same failures occur a different number of times"
        before, after = as_given.reference, self._predicate.reference
        if before is not None and after is not None:
            for what, name in (("exit", "exit code"), ("out", "standard output"), ("err", "standard error")):
                if what in self._condition.preserve and getattr(before, what) != getattr(after, what):
                    return f"the {name} differs"
        return ""


def begun_early(
    jar: Jar, predicate: Predicate, condition: Condition, folder: Path, cancel: Flag
) -> EarlyRun[GivenRun | None]:
    """The run as given, beside the first one of a check if that takes long."""
    return EarlyRun(lambda flag: AsGivenCheck(jar, predicate, condition, folder, flag)._as_given(), cancel)


def as_given(jar: Jar) -> bool:
    """Whether the input is one file, which can be run as it is."""
    return len(jar.sources) == 1 and jar.sources[0].is_file()


def _reasons(outcome: Outcome) -> tuple[str, ...]:
    """The failures by name: those that the predicate names, else the errors and stack traces of Java in its output."""
    if outcome.failures:
        return outcome.failures
    text = f"{outcome.stdout}\n{outcome.stderr}"
    return tuple(sorted([*javac.names(text), *traces.names(text)]))


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(re.sub(r"\s+", " ", name)[:200]) for name in names[:2])
    return shown + (f" and {len(names) - 2} more" if len(names) > 2 else "")
