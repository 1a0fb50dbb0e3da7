"""An algorithm's phases on a real input: each starts from the best that the one before it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from core.archive.jar import Jar
from core.evidence.failure_sites import FailureSites
from core.evidence.suggestions import Suggest
from core.model import class_model
from core.model.class_model import ItemSet
from core.model.item_model import ItemModel
from core.reduction.candidate_tester import SourceTester
from core.reduction.control import Patience
from core.reduction.driver import Driver
from core.reduction.minimality import Stage, one_minimal
from core.reduction.probing.lookahead import Background
from core.reduction.records import Reduction, SubInput
from core.reduction.source_sites import SourceSites
from core.reduction.sources.edit_source import EditSource
from core.reduction.sources.parameter_source import ParameterSource
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.pointing import suggestions
from core.reduction.sources.source import Entries, Pins, Source, entry_numbers, jar_of
from core.reduction.sources.whole_source import WholeSource
from core.rewrite.parameters.families import Library
from core.search.catalogue import AlgorithmSpec, Level, Options, PhaseSpec
from core.search.spaces.class_spaces import Space

BuildModel = Callable[[Jar], ItemModel]
"""Builds the model below the class of a jar."""

_WINDOW = 40
"""A phase that cannot tell what its next probe promises ends when its last so many probes did not bring the price. What
probes take does not count: the result would depend on what else the machine does."""

_FRUITLESS = 300
"""A binary search gains at the end of each of its rounds. Where others follow, it ends when so many probes in a row
gained nothing: the answers contradict each other, or are not monotone."""

_PRICES = (4e-4, 2e-4, 1e-4, 5e-5, 2e-5)
"""What a probe must promise in each round, as a share of the bytes: a search that weighs what it expects gives way to
the next one where it promises less, and has its turn again at a lower price. So none goes on while another promises
more (``resources/help/algorithms.md``)."""

_FIRST_BODIES = 0.01
"""The price of the first search in bodies: what the code needs that its first edits take away is worth more."""

_LEAST_PRICE = 0.5
"""Bytes that a probe must promise at least: below that, nobody would wait for it."""

_ROUND = 0.005
"""Share of the bytes that a round must gain for another one to follow."""

_LEVELS = {
    "class": (Level.CLASSES,),
    "member": (Level.CLASSES, Level.ITEMS),
    "full": (Level.CLASSES, Level.ITEMS, Level.BODIES, Level.PARAMETERS),
}


@dataclass
class Plan:
    """What a reduction works on, and how it gets to finer elements.

    ``tester(source)`` makes what runs the predicate on a source's candidates.
    """

    whole: WholeSource
    build_model: BuildModel
    tester: Callable[[Source], SourceTester]
    pinned: Pins
    options: Options = field(default_factory=Options)
    on_phase: Callable[[int, PhaseSpec, Source, Space], None] = lambda number, phase, source, space: None
    """Hears of every phase before it starts: number of its round, phase, source and space."""
    on_round: Callable[[Driver], None] = lambda driver: None
    """Is called before each round but the first."""
    suggest: Suggest | None = None
    """What the failure points to, for phases that begin there."""
    shown: Suggest | None = None
    """The classes in which several failures that must all stay show."""
    sites: FailureSites | None = None
    """The sites of the failures that must all stay; None where that is one site."""
    library: Library = lambda name: None
    """Classes that are not of the input."""
    before_models: Background = field(default_factory=Background)
    """What is done for the models to come while the whole input is searched."""
    stages: list[Stage] = field(default_factory=list)
    """The phases that were run, in their order."""
    _edited: EditSource | None = field(default=None, init=False, repr=False)
    """The last source of edits: the next one uses what it knows of classes that have not changed."""
    gave_up: bool = False
    """Whether another round would have followed if the last had brought more."""

    def follow(self, driver: Driver, entry: AlgorithmSpec, granularity: str) -> None:
        """Runs the phases of ``entry`` with a driver that has begun, until they are over, or a stop or limit.

        Phases on elements finer than ``granularity`` are left out: method bodies are changed at ``full`` only.
        """
        levels = _LEVELS[granularity]
        ended: dict[str, bytes] = {}
        before, current, untried = driver.best.bytes, 1, 0
        self.options.finer = Level.ITEMS in levels
        for number, phase in entry.plan:
            if phase.level not in levels:
                continue
            if number > current:
                gained = before - driver.best.bytes
                lowest = current >= entry.rounds or self._lowest(current, driver.best.bytes, *levels)
                if lowest and (not gained or (gained < _ROUND * before and not self.options.thorough)):
                    self.gave_up = gained > 0
                    return
                before, current, untried = driver.best.bytes, number, 0
                self.on_round(driver)
                if driver.stopped:
                    return
            if phase.gradual and (
                (driver.best.bytes < before and number < entry.rounds)
                or (untried and not self._lowest(number, driver.best.bytes, *levels))
            ):
                continue  # one by one only when the others have nothing more to say, at any price
            start, certified = _content(driver.best), len(self.options.certificates)
            if ended.get(phase.name) == start and not (phase.patient and number > 1):
                continue  # nothing has changed since this phase ended
            source = self.source(phase.level, driver.best)
            if source.count == 0:
                continue
            self.options.untried = 0
            self.options.freeing = self._hurries(number, phase.level)
            self.options.worth = self._worth(number, driver.best.bytes)
            self.options.near = partial(_suggested, source, self.suggest)
            self.options.shown = partial(_widest, source, self.shown)
            tester = self.tester(source)
            told = partial(driver.shown_by, tester)
            self.options.sites = None if self.sites is None else SourceSites(source, self.sites, told)
            space, algorithm = phase.start(source.problem, self.options)
            if not space.elements:
                continue
            self.on_phase(number, phase, source, space)
            patience = self._patience(phase, number, driver.best, alone=len(entry.phases) == 1)
            reason = driver.run(space, algorithm, tester, patience=patience, background=self.background(source)).reason
            self._rename(source, driver.best)
            untried += self.options.untried
            if self.options.untried and reason == "done":
                reason = "patience"
            end = ended[phase.name] = _content(driver.best)
            shown = next(iter(self.options.certificates[certified:]), None)
            self.stages.append(Stage(phase.name, phase.level, phase.singles, start, end, reason, shown))
            if driver.stopped:
                return

    def _rename(self, source: Source, best: SubInput) -> None:
        """Where methods have fewer parameters now, what is known of them is known of what they are called now."""
        if isinstance(source, ParameterSource) and source_of(best) is source:
            names = source.renamed(best.items)
            self.options.rename(names)
            if self._edited is not None:
                self._edited.rename(names)

    def _hurries(self, number: int, *levels: Level) -> bool:
        """Whether the search in bodies, or of parameters, if that is one of the levels, gives way early in the round of
        that number."""
        hurried = not {Level.BODIES, Level.PARAMETERS}.isdisjoint(levels)
        return number == 1 and hurried and not (self.options.much or self.options.thorough)

    def _lowest(self, number: int, size: int, *levels: Level) -> bool:
        """Whether no later round has a lower price."""
        least = max(_LEAST_PRICE, size * _PRICES[-1])
        return price(number, size) <= least and not self._hurries(number, *levels)

    def _worth(self, number: int, size: int) -> float:
        """Bytes that a probe of a phase must promise, where so many are left."""
        if self.options.thorough:
            return 0.0
        return max(price(number, size), size * _FIRST_BODIES if self.options.freeing else 0.0)

    def _patience(self, phase: PhaseSpec, number: int, best: SubInput, *, alone: bool) -> Patience | None:
        """What a phase must bring: nothing where it is all there is or the search is thorough."""
        if self.options.thorough or alone or phase.patient:
            return None
        if number == 1 and not phase.gradual:
            return Patience(_FRUITLESS, 1 / _FRUITLESS)
        return Patience(_WINDOW, price(number, best.bytes))

    def minimality(self, reduction: Reduction) -> dict[str, str]:
        """In what the result is 1-minimal."""
        ended = "patience" if self.gave_up and reduction.reason == "done" else reduction.reason
        return one_minimal(self.stages, _content(reduction.best), ended)

    def background(self, source: Source) -> Background:
        """What is worth doing while probes of that source's candidates run."""
        if source is self.whole:
            return self.before_models
        if isinstance(source, PartSource):
            return Background(partial(next, source.item_model.preparation(), False))
        return Background()

    def source(self, level: Level, best: SubInput) -> Source:
        """The best so far as elements of that level."""
        if level is Level.CLASSES and source_of(best) is self.whole and best.items == self.whole.full:
            return self.whole
        jar = jar_of(entries_of(best), self.whole.model.jar)
        numbers = entry_numbers(self.whole.model)
        match level:
            case Level.CLASSES:
                return WholeSource(class_model.build(jar), self.pinned, numbers)
            case Level.ITEMS:
                return PartSource(self.build_model(jar), numbers, self.pinned)
            case Level.BODIES:
                self._edited = EditSource(jar, numbers, self.pinned, self._edited)
                return self._edited
            case Level.PARAMETERS:
                return ParameterSource(jar, numbers, self.library, self.pinned)


def _suggested(source: Source, suggest: Suggest | None) -> list[ItemSet]:
    """Valid sets around what is suggested, narrow ones first."""
    return [each.items for each in suggestions(source, suggest)] if suggest is not None else []


def _widest(source: Source, suggest: Suggest | None) -> ItemSet:
    """The last of these, or nothing."""
    return next(reversed(_suggested(source, suggest)), 0)


def price(number: int, size: int) -> float:
    """Bytes that a probe must promise in the round of that number, where so many are left."""
    return max(_LEAST_PRICE, size * _PRICES[min(number, len(_PRICES)) - 1])


def _content(sub_input: SubInput) -> bytes:
    return sub_input.tester.key(sub_input.items)


def source_of(sub_input: SubInput) -> Source:
    """Where what was found comes from."""
    tester = sub_input.tester
    assert isinstance(tester, SourceTester)
    return tester.source


def entries_of(sub_input: SubInput) -> Entries:
    """Names and contents of the entries of what was found."""
    return source_of(sub_input).entries(sub_input.items)
