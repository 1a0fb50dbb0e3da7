"""The search for the versions of a tool that fail on an input: several at a time, all of them or by halving. Its result
is a sentence for the report's first lines, and the bug report of an input that was not reduced here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.entries import Entries, class_files
from core.errors import JarletError, NotInterestingError, UsageError
from core.predicate.aim import Aim
from core.predicate.condition import Reference
from core.predicate.preset import Preset
from core.predicate.releases.coordinate import order_of
from core.predicate.releases.release import (
    Release,
    ReleaseList,
    installed,
    list_of_artifact,
    list_of_tool,
    local,
    tool_of,
)
from core.predicate.tools import Tool
from core.predicate.verdict import Outcome
from core.protocol.questions.background import VersionAnswer, VersionRan, VersionsListed, VersionsRan
from core.report.document import Document
from core.report.reduction_report import evidence
from core.report.reproduction import reproduction
from core.report.sign import sign_of
from core.service.bug_folder import document_of, jar_of, sources_of
from core.service.versions.trial import Run, Trial
from core.system.processors import cores
from core.version import VERSION
from core.words import counted, no_such

_ANSWERS: dict[str, bool] = {VersionAnswer.FAILS: True, VersionAnswer.FINE: False, VersionAnswer.OTHER: False}
"""The answers as halving has them; a version without an answer is None there."""

Known = Mapping[int, bool | None]
"""Answers by the places of versions: True = fails, False = does not, None = no answer."""


@dataclass(frozen=True, slots=True)
class VersionWish:
    """A question about versions."""

    aim: Aim
    tool: str | None = None
    """A tool of the preset, by default its first; of a command ``group:artifact``."""
    failing: str | None = None
    """The version with the intended failure; by default that of the preset, of a command the newest."""
    jars: tuple[str, ...] = ()
    """Local versions: the jars of each, as a class path."""
    every: bool = False
    """True if all versions are run, False if as few as halving needs."""
    offline: bool = False
    """True if nothing is fetched: the local versions, and those that were fetched before."""


class VersionTrials:
    """The search for the failing versions of one tool. Raises JarletError if it cannot begin.

    ``reference`` is the run with the intended failure, if it is known already.
    """

    def __init__(self, wish: VersionWish, entries: Entries, cancel: Flag, reference: Reference | None = None) -> None:
        preset = wish.aim.preset
        tool = tool_of(preset, wish.tool) if preset is not None else None
        self.title = tool.title if tool is not None else ""
        self._unreached = ""
        """Outcome of the version with the intended failure, once it has run."""
        self._releases, self._failing = self._found(wish, preset, tool)
        self._trial = Trial(wish.aim, tool, entries, cancel, reference)
        self._every, self._cancel = wish.every, cancel
        self.outcome: Outcome | None = None
        """Outcome of the version whose failure is meant, once it has run."""
        self._rows = [
            VersionRan(release.version, place, "", VersionAnswer.NOT_RUN, "")
            for place, release in enumerate(self._releases)
        ]

    @property
    def listed(self) -> VersionsListed:
        """The versions that may be run."""
        return VersionsListed(self.title, [release.version for release in self._releases], self._failing)

    @property
    def rows(self) -> list[VersionRan]:
        """A row for each version, oldest first; those that were not run are among them."""
        return list(self._rows)

    @property
    def result(self) -> VersionsRan:
        """The answers of all versions together, as far as they were run."""
        found = summary(self.title, self._rows, stopped=self._cancel.is_set())
        return replace(found, sentence=f"{found.sentence} {self._unreached}".rstrip())

    @property
    def predicate(self) -> Run:
        """The predicate with the version whose failure is meant. Raises JarletError where it cannot be had."""
        return self._trial.predicate(self._releases[self._failing])

    @property
    def told(self) -> dict[str, Any]:
        """The known facts about the versions as a JSON object, as in reports."""
        found = {name: value for name, value in asdict(self.result).items() if name != "request"}
        unsaid = ("place", "request")
        shown = [{name: value for name, value in asdict(row).items() if name not in unsaid} for row in self._rows]
        return {"tool": self.title, **found, "versions": shown}

    def report(self, inputs: Sequence[Path]) -> dict[str, Any]:
        """Return the report of a finished search as a JSON object. It has the keys of a reduction's report, without
        those about a reduction."""
        predicate, aim, entries = self.predicate, self._trial.aim, self._trial.entries
        assert self.outcome is not None
        return {
            "tool": {"name": "jarlet", "version": VERSION},
            "input": {
                "paths": [str(path) for path in inputs],
                "bytes": sum(len(data) for _, data in entries),
                "classes": len(class_files(entries)),
            },
            "settings": aim.stored,
            "tools": {"jarlet": VERSION} | predicate.versions(),
            "final": {
                "wanted": aim.wanted_text(predicate),
                "command": predicate.shell_line(Path("work")),
                **evidence(self.outcome),
            },
            "versions": self.told,
        }

    def document(self, report: dict[str, Any]) -> Document:
        """Return the bug report, by the version whose failure is meant."""
        entries = self._trial.entries
        made = reproduction(self.predicate, sign_of(self._trial.aim, report["final"]))
        return document_of(report, entries, jar_of(entries), made, sources_of(entries, report))

    def run(self) -> Iterator[VersionRan]:
        """Run the versions, and yield the row of each as it comes. Raises NotInterestingError if the version said to
        fail does not."""
        yield self._first()
        with ThreadPoolExecutor(cores()) as pool:
            while not self._cancel.is_set() and (places := self._next()):
                runs = {pool.submit(self._row, place): place for place in places}
                for done in as_completed(runs):
                    self._rows[runs[done]] = done.result()
                    yield done.result()

    def _next(self) -> list[int]:
        known = {row.place: _ANSWERS.get(row.answer) for row in self._rows if row.answer != VersionAnswer.NOT_RUN}
        if self._every:
            return [place for place in range(len(self._rows)) if place not in known]
        return next_versions(len(self._rows), self._failing, known, cores())

    def _first(self) -> VersionRan:
        """Run the version whose failure is meant."""
        release = self._releases[self._failing]
        self._trial, self.outcome = self._trial.calibrated(release)
        row = self._trial.judged(release, self.outcome, self._rows[self._failing])
        if row.answer != VersionAnswer.FAILS and not self._cancel.is_set():
            raise NotInterestingError(
                f"{self.title} {release.version} does not show the failure: {row.detail}. "
                "Name a version that does (--failing VERSION)."
            )
        self._rows[self._failing] = row
        return row

    def _row(self, place: int) -> VersionRan:
        row = self._rows[place]
        return row if self._cancel.is_set() else self._trial.run(self._releases[place], row)

    def _found(self, wish: VersionWish, preset: Preset | None, tool: Tool | None) -> tuple[list[Release], int]:
        """Return the versions, oldest first, and the place of the one whose failure is meant."""
        own = installed(preset, tool) if preset is not None and tool is not None else None
        locals_ = [local(text) for text in wish.jars]
        found = self._listed(wish, tool, needed=not locals_)
        known = {release.version: release for release in found}
        if own is not None and (own.version in known or wish.failing is None):
            known[own.version] = replace(known.get(own.version, own), jars=own.jars)
        known |= {release.version: release for release in locals_}
        releases = sorted(known.values(), key=lambda release: order_of(release.version))
        failing = wish.failing or (own.version if own is not None else releases[-1].version if releases else "")
        versions = [release.version for release in releases]
        if not versions:
            raise UsageError(f"There is no version of {self.title} to run: name jars with --jar, or fetch some.")
        if failing not in versions:
            raise UsageError(no_such(f"version of {self.title}", failing, versions))
        return releases, versions.index(failing)

    def _listed(self, wish: VersionWish, tool: Tool | None, *, needed: bool) -> list[Release]:
        """Return the versions of the registry, or those fetched before. A tool that is not in the registry has none,
        unless they are needed."""
        if tool is None and wish.tool is None:
            raise UsageError("Which tool does the command run? Write --tool GROUP:ARTIFACT, as in a Maven repository.")
        if tool is not None and not tool.maven and not needed:
            return []
        listed: ReleaseList = list_of_tool(tool) if tool is not None else list_of_artifact(wish.tool or "")
        self.title = listed.title
        if wish.offline:
            return listed.kept()
        try:
            return listed.published()
        except JarletError as error:
            if needed and not listed.kept():
                raise
            self._unreached = f"{error} So only versions that are on this machine were run."
            return listed.kept()


def next_versions(count: int, failing: int, known: Known, width: int) -> list[int]:
    """Return the places of the versions to run next, about ``width`` of them; none when both ends are known.

    ``failing`` is the place, among ``count`` versions, of a failing one. Halving is right as long as one stretch of
    versions fails. If the answers contradict that, all versions without an answer are returned.
    """
    sides = (range(failing, -1, -1), range(failing, count))
    if any(_fails_again(side, known) for side in sides):
        return [place for place in range(count) if place not in known]
    opened = [between for side in sides if (between := _between(list(side), known))]
    width = max(width, len(opened))
    return sorted(place for between in opened for place in _spread(between, width // len(opened)))


def _fails_again(side: Iterable[int], known: Known) -> bool:
    """Return True if, going away from the failing version, one fails behind one that does not."""
    answers = [answer for place in side if (answer := known.get(place)) is not None]
    return answers != sorted(answers, reverse=True)


def _between(side: list[int], known: Known) -> list[int]:
    """Return the places without an answer between the last failing and the first good version, going away from the
    failing one. While no good version is known, return the farthest place."""
    good = next((number for number, place in enumerate(side) if known.get(place) is False), None)
    bad = max((number for number, place in enumerate(side) if known.get(place)), default=0)
    found = [place for place in side[bad + 1 : good] if place not in known]
    return found if good is not None else found[-1:]


def _spread(places: list[int], count: int) -> set[int]:
    """Return ``count`` of the places, which cut them into parts of about one length."""
    return {places[number * len(places) // (count + 1)] for number in range(1, count + 1)}


_GOOD = (VersionAnswer.FINE, VersionAnswer.OTHER)


def summary(title: str, ran: Sequence[VersionRan], *, stopped: bool = False) -> VersionsRan:
    """Return what the rows of all versions, oldest first, say together."""
    bad = [row.place for row in ran if row.answer == VersionAnswer.FAILS]
    if not bad:
        return VersionsRan(_none(title, ran), stopped=stopped)
    before = [row.version for row in ran[: bad[0]] if row.answer in _GOOD]
    after = [row.version for row in ran[bad[-1] + 1 :] if row.answer in _GOOD]
    last_good, first_fixed = before[-1] if before else "", after[0] if after else ""
    mixed = any(row.answer in _GOOD for row in ran[bad[0] : bad[-1]])
    first, last = ran[bad[0]].version, ran[bad[-1]].version
    told = _stretches(title, ran) if mixed else _stretch(title, ran, (last_good, first, last, first_fixed))
    return VersionsRan(f"{told}{_rest(ran)}.", first, last_good, last, first_fixed, stopped)


def _none(title: str, ran: Sequence[VersionRan]) -> str:
    count = sum(row.answer in _GOOD for row in ran)
    return f"None of {counted(count, 'version')} of {title} that ran fails{_rest(ran)}."


def _stretch(title: str, ran: Sequence[VersionRan], around: tuple[str, str, str, str]) -> str:
    """Return words about one stretch of failing versions."""
    last_good, first, last, first_fixed = around
    if not last_good and not first_fixed:
        return f"{title} fails in every version that was run, {' to '.join(dict.fromkeys((first, last)))}"
    before = f" ({last_good}, before it, does not)" if last_good else ""
    if first_fixed and first == last:
        told = f"in {first}{before}"
    else:
        told = f"from {first} on{before}" if last_good else f"up to {last}"
    if not first_fixed:
        known = "the newest" if last == ran[-1].version else "as far as is known"
        if first == last:
            return f"{title} fails in {first}, {known}; {last_good}, before it, does not"
        return f"{title} fails {told}, up to {last}, {known}"
    until = f" to {last}" if last_good and first != last else ""
    return f"{title} fails {told}{until}; it does not in {first_fixed}, behind it"


def _stretches(title: str, ran: Sequence[VersionRan]) -> str:
    """Return words about several stretches of failing versions."""
    answered = [row for row in ran if row.answer in (*_GOOD, VersionAnswer.FAILS)]
    fails: list[str] = []
    fine: list[str] = []
    for failing, group in groupby(answered, key=lambda row: row.answer == VersionAnswer.FAILS):
        rows = list(group)
        ends = dict.fromkeys((rows[0].version, rows[-1].version))
        (fails if failing else fine).append(" to ".join(ends))
    return f"{title} fails in {_listed(fails)}, and not in {_listed(fine)}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _rest(ran: Sequence[VersionRan]) -> str:
    """Return words about the versions that were not run, gave no answer or fail otherwise."""
    parts = []
    halved = sum(row.answer == VersionAnswer.NOT_RUN for row in ran)
    if halved:
        parts.append(f"{len(ran) - halved} of {len(ran)} versions were run, chosen by halving")
    silent = sum(row.answer == VersionAnswer.NONE for row in ran)
    if silent:
        parts.append(f"{counted(silent, 'version')} gave no answer")
    others = [row.version for row in ran if row.answer == VersionAnswer.OTHER]
    if others:
        parts.append(f"another failure in {_listed([*others[:3], *['others'] * (len(others) > 3)])}")
    return f" ({'; '.join(parts)})" if parts else ""
