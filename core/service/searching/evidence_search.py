"""The evidence of a reduction: gathered, kept with the session, and turned into its first candidates."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from threading import Event as Flag

from core.evidence import failure as words
from core.evidence.agents import UnusableError
from core.evidence.clues import Clues, Mention, Ran
from core.evidence.dead import DeadCode
from core.evidence.failure import FailureReport
from core.evidence.item_finder import ItemFinder
from core.evidence.mentions import ClassNames
from core.evidence.running import watch
from core.evidence.suggestions import (
    Least,
    Suggest,
    Suggestion,
    around_command,
    around_heads,
    around_lost,
    around_mentions,
    around_near,
    around_run,
)
from core.model import class_model
from core.model.class_model import ClassModel, Kind
from core.predicate import presets
from core.predicate.from_settings import FIRST_TIMEOUT
from core.predicate.output.declarations import FailurePlace
from core.predicate.predicate import Predicate
from core.protocol import events
from core.protocol.settings import Settings
from core.reduction.driver import Driver
from core.reduction.phases import Plan, entries_of
from core.reduction.sources.source import jar_of
from core.reduction.suggesting import (
    add_what_is_lacking,
    cut_dead,
    drop_surplus,
    follow_suggestions,
    search_each,
    shown_by_widest,
)
from core.service.model_builder import large
from core.service.searching.kept_clues import kept_clues, write_clues

_NEARLY = 0.5
"""Share of the failures that a candidate may lack for it to be worth finding what they need besides."""

_REPAIRS = 3
"""Times that what a candidate lacks, or shows that should not be there, is put to it."""

_ENOUGH = 0.1
"""What the failure names is enough if it leaves less than this share of the bytes: a tool's failure then, which only
reads the input, and a run to see what runs would be wasted."""

_ONLY_READS = "The preset only reads the input: nothing of it runs."

_FEWER = 0.98
"""What is left is watched again if it has at most this share of the bytes that it had then."""

_AT_ONCE = 2
"""Times that what is left is watched again before anything else is tried, as long as that makes it smaller."""

_SLOWER, _MORE = 5.0, 30.0
"""A watched run may take so many times the limit of a probe, and so many seconds more."""


class Gatherer:
    """Knows what can be known of an input and its failure, and tries what that suggests.

    ``store`` is the session's folder: what it has is used again, so that a search that is gone on with asks what it
    asked before. ``failures`` are the names that matter, ``output`` what the full input's run printed;
    ``failed``: whether its exit code says so; ``command``: the user's own with its scripts, if there is one;
    ``places``: where in source files the failures show. ``runs``:
    whether the predicate may run code of the input at all; ``most``: seconds that a watched run may take, if there is
    such a limit. ``together``: whether all the failures must stay.
    """

    def __init__(
        self,
        model: ClassModel,
        predicate: Predicate,
        work: Path,
        cancel: Flag,
        failures: Sequence[str],
        output: str,
        failed: bool,
        command: str = "",
        places: Sequence[FailurePlace] = (),
        store: Path | None = None,
        runs: bool = True,
        most: float | None = None,
        *,
        together: bool = False,
    ) -> None:
        self._model = model
        self._predicate = predicate
        self._work = work
        self._cancel = cancel
        self._store = store
        self._runs = runs
        self._most = most
        self._failures, self._output = sorted(set(failures)), output
        kept = kept_clues(store)
        self._kept = kept is not None and (kept.ran is not None or bool(kept.problem))
        names = ClassNames(model)
        self.evidence = kept or Clues(words.mentions(names, failures, output, failed, places))
        self._heads = words.heads(names, failures, output, places) if together else ()
        self._commanded = names.paths(command)
        write_clues(store, self.evidence)
        self.on_clues: Callable[[Clues], None] = lambda clues: None
        """Hears what is known, whenever that is more."""
        self.told: list[events.Evidence] = []
        """What was told, for the report."""
        self.probes, self.spent = 0, 0.0
        """Watched runs that were made, and their seconds."""
        self._seen, self._turn = 0, 0

    def know(self, earlier: Clues) -> None:
        """Takes over what an earlier reduction of the same input found out of what ran."""
        if not self._kept and (earlier.ran is not None or earlier.problem):
            self.evidence = replace(self.evidence, ran=earlier.ran, problem=earlier.problem)
            self._kept = True

    def follow(self, plan: Plan, driver: Driver, granularity: str, emit: events.Listener) -> None:
        """Tries first what the command names, then what the failure does, and then, unless that was enough, what ran.

        Of a large input no model below the class is made before its classes are searched."""
        full, evidence = sum(item.bytes for item in self._model.items), self.evidence
        self.on_clues(evidence)
        if self._commanded:
            self._try_command(plan, driver, granularity, emit)
            if driver.stopped or driver.best.bytes < _ENOUGH * full:
                return
        if large(self._model.jar):
            granularity = "class"
        if evidence.mentions:
            members = sum(bool(mention.member) for mention in evidence.mentions)
            classes = len({mention.name for mention in evidence.mentions})
            told = events.Evidence("failure", _named(classes, members), classes, members)
            before = driver.best.bytes
            self._try_each(plan, driver, granularity, emit)
            if driver.best.bytes == before:
                self._try(plan, driver, granularity, self._named, told, emit)
            if driver.best.bytes == before:
                self._try_lost(plan, driver, granularity, emit)
        if driver.stopped or driver.best.bytes < _ENOUGH * full:
            return
        ran = self._ran()
        if self._cancel.is_set():
            return
        if ran is None:
            self._emit(events.Evidence("run", self.evidence.problem), emit)
            return
        read = self._resources(ran)
        told = events.Evidence("run", _used(ran, read), len(ran.loaded), ran.methods, read)
        before = driver.best.bytes
        self._try(plan, driver, granularity, partial(around_run, ran=ran), told, emit)
        plan.options.much = driver.best.bytes < before
        if granularity == "full" and not driver.stopped:
            self._cut(plan, driver, self._model, ran, emit)
        if plan.options.much and granularity != "class" and not driver.stopped:
            self._narrow(plan, driver, ran, emit)
        if any(mention.member for mention in evidence.mentions) and granularity == "full" and not driver.stopped:
            told = events.Evidence("run", "Of the code that ran that was tried which is near the failure.")
            self._try(plan, driver, granularity, partial(around_near, ran=ran, mentions=evidence.mentions), told, emit)
        self._seen = before
        for _ in range(_AT_ONCE if ran.covered and granularity != "class" else 0):
            self.again(plan, driver, granularity=granularity, emit=emit)
        self._seen = driver.best.bytes

    def again(self, plan: Plan, driver: Driver, *, granularity: str, emit: events.Listener) -> None:
        """Has the best so far watched and tries what it uses, where much of the input was known to be used and some of
        that has gone: what only that had called does not run any more, whatever names it."""
        if not plan.options.much or driver.stopped or driver.best.bytes > _FEWER * self._seen:
            return
        self._turn += 1
        model = class_model.build(jar_of(entries_of(driver.best), self._model.jar))
        clues = kept_clues(self._store, self._turn)
        if clues is None:
            start = time.monotonic()
            clues = _watched(model, self._predicate, self._work, self._limit, self._cancel, Clues())
            self.probes, self.spent = self.probes + 1, self.spent + time.monotonic() - start
            if self._cancel.is_set():
                return
            write_clues(self._store, clues, self._turn)
        ran = clues.ran
        if ran is not None and not driver.late:
            told = events.Evidence("run", _used(ran, -1, "what is left"), len(ran.loaded), ran.methods)
            self._try(plan, driver, granularity, partial(around_run, ran=ran), told, emit)
            if granularity == "full" and not driver.stopped:
                self._cut(plan, driver, model, ran, emit)
            if granularity != "class" and not driver.stopped:
                self._narrow(plan, driver, ran, emit)
        self._seen = driver.best.bytes

    def _try_command(self, plan: Plan, driver: Driver, granularity: str, emit: events.Listener) -> None:
        """Tries what the command names; of a large input whole classes, then what is in those that are left."""
        classes = len(self._commanded)
        said = f"The command names {_counted(classes, 'class', 'classes')} of the input."
        told = events.Evidence("command", said, classes)
        if granularity != "class" and large(self._model.jar):
            self._try(plan, driver, "class", partial(around_command, mentions=self._commanded), told, emit)
            if driver.stopped or large(jar_of(entries_of(driver.best), self._model.jar)):
                return
        self._try(plan, driver, granularity, partial(around_command, mentions=self._commanded), told, emit)

    def _try_each(self, plan: Plan, driver: Driver, granularity: str, emit: events.Listener) -> None:
        """Searches for what the failures of each class need, in the same probes."""
        if plan.groups is None or granularity == "class":
            return
        groups, before = plan.groups, driver.best.bytes
        search_each(plan, driver, groups)
        title = f"The failures show in {groups.count} places; each was searched on its own, in the same probes."
        told = events.Evidence("failure", title, groups.count, 0)
        self._emit(replace(told, before=before, after=driver.best.bytes), emit)

    def _try_lost(self, plan: Plan, driver: Driver, granularity: str, emit: events.Listener) -> None:
        """Where candidates showed not all of several failures, or others, tries what is around these too; where they
        lack few failures, looks for what is needed besides."""
        size, count, suggests = driver.best.bytes, len(self._failures), [self._named]
        names, known = ClassNames(self._model), self.evidence.mentions
        lost: dict[Mention, None] = {}
        others: dict[Mention, None] = {}
        for _ in range(_REPAIRS if count > 1 else 0):
            shown = shown_by_widest(plan, driver, granularity, suggests[-1])
            if shown is None:
                break
            gone, new = sorted(set(self._failures) - shown), sorted(shown.difference(self._failures))
            before = len(lost) + len(others)
            lost |= dict.fromkeys(words.mentions(names, gone, self._output) if gone else ())
            others |= dict.fromkeys(words.mentions(names, new, "") if new else ())
            if driver.stopped or len(lost) + len(others) == before:
                break
            others_too = _counted(len(new), "other")
            title = f"Of {count} failures the last candidate lacks {len(gone)}, and shows {others_too}."
            told = events.Evidence("failure", title, len({mention.name for mention in (*lost, *others)}), 0)
            suggests.append(partial(around_lost, mentions=known, lost=tuple(lost), others=tuple(others)))
            self._try(plan, driver, granularity, suggests[-1], told, emit)
            if driver.best.bytes < size:
                return
        if driver.stopped or granularity == "class" or not count:
            return
        if add_what_is_lacking(plan, driver, suggests, self._trouble):
            told = events.Evidence("failure", "What these lacked was looked for in the rest.")
            self._emit(replace(told, before=size, after=driver.best.bytes), emit)

    def _trouble(self, shown: frozenset[str]) -> tuple[int, int] | None:
        """In how many source files failures are lost or others came up, and how many are lost; None: too many. (What
        one file lacks gives it several failures, or takes them away.)"""
        lost = set(self._failures) - shown
        if len(lost) > _NEARLY * len(self._failures):
            return None
        return len({name.partition(": ")[0] for name in lost | shown.difference(self._failures)}), len(lost)

    @property
    def _named(self) -> Suggest:
        """What the failures point to."""
        return partial(around_mentions, mentions=self.evidence.mentions, heads=self._heads)

    @property
    def _limit(self) -> float:
        """Seconds that a watched run may take."""
        return min(_SLOWER * (self._predicate.timeout or _MORE) + _MORE, self._most or FIRST_TIMEOUT)

    def _cut(self, plan: Plan, driver: Driver, model: ClassModel, ran: Ran, emit: events.Listener) -> None:
        """Tries without the instructions that did not run, and then what ran once more: it needs less now."""
        dead = DeadCode(model, ran)
        before = driver.best.bytes
        if not dead.methods or not cut_dead(plan, driver, dead):
            return
        if driver.best.bytes < before and not driver.stopped:
            self._try(plan, driver, "full", partial(around_run, ran=ran), _partly(dead), emit, before)
        else:
            self._emit(replace(_partly(dead), before=before, after=driver.best.bytes), emit)

    def _narrow(self, plan: Plan, driver: Driver, ran: Ran, emit: events.Listener) -> None:
        """Drops what is neither code that ran nor needed besides."""
        before = driver.best.bytes
        if drop_surplus(plan, driver, partial(around_run, ran=ran)):
            told = events.Evidence("run", "What the code that ran does not use was dropped in groups.")
            self._emit(replace(told, before=before, after=driver.best.bytes), emit)

    def report(self) -> list[dict[str, object]]:
        """What was told, as the report has it."""
        return [asdict(each) for each in self.told]

    def _try(
        self,
        plan: Plan,
        driver: Driver,
        granularity: str,
        suggest: Suggest,
        told: events.Evidence,
        emit: events.Listener,
        before: int = 0,
    ) -> None:
        """Asks about what is suggested; ``before``: bytes before what led to that, else those of now."""
        before = before or driver.best.bytes
        tried = follow_suggestions(plan, driver, granularity, suggest)
        self._emit(replace(told, candidates=tried, before=before, after=driver.best.bytes), emit)

    def _emit(self, told: events.Evidence, emit: events.Listener) -> None:
        self.told.append(told)
        emit(told)

    def _ran(self) -> Ran | None:
        """What ran, by a run of the input unless the session knows."""
        if not self._runs:
            self.evidence = replace(self.evidence, problem=_ONLY_READS)
            self._kept = True
        if not self._kept:
            start = time.monotonic()
            self.evidence = _watched(self._model, self._predicate, self._work, self._limit, self._cancel, self.evidence)
            self.probes, self.spent = 1, time.monotonic() - start
            if self._cancel.is_set():
                return None
            self._kept = True
        write_clues(self._store, self.evidence)
        self.on_clues(self.evidence)
        return self.evidence.ran

    def _resources(self, ran: Ran) -> int:
        if ran.read is None:
            return -1
        return sum(item.kind is not Kind.CLASS and item.name in ran.read for item in self._model.items)


def watched(
    model: ClassModel,
    settings: Settings,
    predicate: Predicate,
    work: Path,
    limit: float,
    cancel: Flag,
    known: Clues | None = None,
) -> Clues:
    """What a run of the full input uses, or why that is not known, on top of what is ``known`` of the failure."""
    before = Clues(known.mentions if known is not None else ())
    if settings.preset is not None and not presets.find(settings.preset).runs:
        return replace(before, problem=_ONLY_READS)
    return _watched(model, predicate, work, limit, cancel, before)


def _watched(model: ClassModel, predicate: Predicate, work: Path, limit: float, cancel: Flag, before: Clues) -> Clues:
    names = [item.name for item in model.items if item.kind is Kind.CLASS]
    try:
        ran = watch(predicate, model.entries(model.full), names, work / "evidence", limit, cancel)
        return replace(before, ran=ran, problem="")
    except UnusableError as error:
        return replace(before, problem=str(error))


def pointed(model: ClassModel, told: FailureReport, *, together: bool) -> tuple[Suggest, Suggest]:
    """What a command and a failure point to, and the classes in which several failures show; ``together``: whether all
    the failures must stay."""
    names, (failures, output, failed, command, shown) = ClassNames(model), told
    commanded = names.paths(command)
    mentions = words.mentions(names, failures, output, failed, shown)
    heads = words.heads(names, failures, output, shown) if together else ()

    def suggest(places: ItemFinder, least: Least) -> list[Suggestion]:
        return [*around_command(places, least, commanded), *around_mentions(places, least, mentions, heads)]

    return suggest, partial(around_heads, heads=heads)


def _named(classes: int, members: int) -> str:
    return f"The failure names {_counted(classes, 'class', 'classes')} of the input and {_counted(members, 'member')}."


def _used(ran: Ran, resources: int, what: str = "the input") -> str:
    code = f"{_counted(ran.methods, 'method')} ran" if ran.covered else "which methods ran is not known"
    read = f"{_counted(resources, 'resource')} read" if resources >= 0 else "which resources is not known"
    loaded = _counted(len(ran.loaded), "class", "classes")
    return f"One watched run of {what}: {loaded} loaded, {code}, {read}. {ran.note}".strip()


def _partly(dead: DeadCode) -> events.Evidence:
    return events.Evidence(
        "code", f"Of {_counted(dead.methods, 'method')} some instructions did not run.", methods=dead.methods
    )


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
