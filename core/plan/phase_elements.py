"""The elements of each phase: the best sub-input so far, divided into the elements of a phase's level. Suggestions of
evidence are sets of these elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain

from core.archive.jar import Jar
from core.edits.names.naming import NAMES
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import Library
from core.edits.programs.shapes.method_shapes import UNREAD
from core.entries import Entries, beside, renaming_of
from core.evidence.dead import DeadCode
from core.evidence.item_finder import ByItems, ItemFinder
from core.evidence.suggestions import Least, Suggest, Suggestion
from core.model import class_model
from core.model.item_model import ItemModel
from core.reduction.candidate_tester import CandidateTester
from core.reduction.edit_elements import EditElements
from core.reduction.elements import Elements, PartElements, Pins, WholeElements, entry_numbers, jar_of, large
from core.reduction.line_elements import LineElements
from core.reduction.probing.lookahead import Background
from core.reduction.records import SubInput
from core.reduction.rewrite_elements import RewriteElements
from core.search.phases import Level, Phase, logic_of
from core.search.spaces import LARGE_INPUT
from core.sets import ItemSet, union

BuildModel = Callable[[Jar, bool, bool], ItemModel]
"""Function that builds the model below the class of a jar. The flags are True if a run has loaded classes of the jar,
and if the model is for a search that drops whole classes.
"""


class PhaseElements:
    """A maker of the elements of phases, and of the testers that run the predicate on candidates of these elements.

    ``whole`` is the full input by whole classes; ``pinned`` names the items that stay; ``library`` returns classes
    outside the input. ``before_models`` returns the background work during a search of whole classes.
    """

    def __init__(
        self,
        whole: WholeElements,
        build_model: BuildModel,
        tester: Callable[[Elements], CandidateTester],
        pinned: Pins,
        library: Library,
        before_models: Callable[[WholeElements], Background] = lambda elements: Background(),
    ) -> None:
        self.whole = whole
        self.pinned = pinned
        self.tester = tester
        self.input_runs = False
        """True once a run has loaded classes of the input: the input is a program that must still run."""
        self.dead: DeadCode | None = None
        """The code of a program that may be cut; None for an input that is no program."""
        self.settled: SubInput | None = None
        """The sub-input of a program of which nothing may go."""
        self._build_model = build_model
        self.library = library
        self._before_models = before_models
        self._numbers = entry_numbers(whole.model)
        self._edited: EditElements | None = None
        self._classes: tuple[SubInput, Elements] | None = None
        """The last whole classes, with its sub-input: several phases in a row may skip."""

    def hold(self, stays: Pins, dead: DeadCode) -> None:
        """Let more items of a program stay, and all code but ``dead`` code."""
        kept, self.dead = self.pinned, dead
        self.pinned = lambda name: kept(name) or stays(name)
        self.whole.pin(self.pinned)

    def trusted(self) -> Entries:
        """Return the least of a program with all that must stay. Of a large input only the classes that these mention
        have a model: others may be missing, like classes of a library.
        """
        model = self.whole.model
        near = [model.surroundings[number] for number, item in enumerate(model.items) if self.pinned(item.name)]
        kept = union((model.pinned, *near)) if large(model.jar) else model.full
        parts = self.items(jar_of(model.entries(kept), model.jar))
        return parts.entries(parts.problem.required)

    def at(self, level: Level, best: SubInput, *, whole: bool = False) -> Elements:
        """Return a sub-input as elements of a level. ``whole``: see :class:`Phase`."""
        if level is Level.CLASSES and best.elements is self.whole and best.items == self.whole.full:
            return self.whole
        if level is Level.CLASSES and self._classes is not None and self._classes[0] is best:
            return self._classes[1]
        jar = self.jar(best)
        elements = self.items(jar, whole=True) if whole else _MAKERS[level](self, jar)
        elements.renaming, elements.beside = renaming_of(best.entries), beside(best.entries)
        if level is Level.CLASSES:
            self._classes = best, elements
        return elements

    def of_phase(self, phase: Phase, best: SubInput) -> Elements:
        """Return a sub-input as the elements that a phase searches."""
        kind, before = _KINDS.get(phase.level) or KINDS.get(phase.name), renaming_of(best.entries)
        if phase.level is Level.LINES:
            elements: Elements = LineElements(best)
            elements.renaming = before
            return elements
        if kind is None:
            return self.at(phase.level, best, whole=phase.whole)
        elements = RewriteElements(kind, self.jar(best), self._numbers, self.library, self.pinned, before)
        elements.beside = beside(best.entries)
        return elements

    def jar(self, best: SubInput) -> Jar:
        """Return the sub-input as a jar in memory."""
        return jar_of(best.entries, self.whole.model.jar)

    def background(self, elements: Elements) -> Background:
        """Return the background work during probes of candidates."""
        if isinstance(elements, WholeElements):
            return self._before_models(elements)
        if isinstance(elements, PartElements):
            return Background(partial(next, elements.item_model.preparation(), False))
        return Background()

    def classes(self, jar: Jar) -> Elements:
        """Return a jar's whole classes and resources."""
        return WholeElements(class_model.build(jar), self.pinned, self._numbers)

    def items(self, jar: Jar, *, whole: bool = False) -> Elements:
        """Return a jar's classes and their parts. ``whole``: see :class:`Phase`."""
        model = self._build_model(jar, self.input_runs, whole)
        return PartElements(model, self._numbers, self.pinned, halts=self.dead is not None)

    def bodies(self, jar: Jar) -> Elements:
        """Return the edits of a jar's method bodies. Facts of unchanged classes are reused."""
        self._edited = EditElements(jar, self._numbers, self.pinned, self._edited, self.dead)
        return self._edited


_KINDS = {Level.NAMES: NAMES, Level.PARAMETERS: UNREAD}
"""The kind of edits of each level that has one kind alone."""

_MAKERS: dict[Level, Callable[[PhaseElements, Jar], Elements]] = {
    Level.CLASSES: PhaseElements.classes,
    Level.ITEMS: PhaseElements.items,
    Level.BODIES: PhaseElements.bodies,
}
"""The method of :class:`PhaseElements` that makes the elements of each level;
:meth:`PhaseElements.of_phase` makes those of the other levels.
"""


def suggestions(elements: Elements, suggest: Suggest) -> Iterable[Suggestion]:
    """Return the suggestions of ``suggest`` for classes or items. All are valid there, except the first
    ones for whole classes of opened jars: these include the mentioned classes, but perhaps not the dependencies of
    those.
    """
    problem = elements.problem
    if isinstance(elements, PartElements):
        model, of_items = elements.item_model.model, logic_of(problem).least
        return suggest(ByItems(elements.item_model), lambda wanted: model.accompanied(of_items(wanted)))
    assert isinstance(elements, WholeElements)
    whole = elements.model

    def least(closures: Sequence[ItemSet]) -> Least:
        return lambda wanted: whole.accompanied(union([problem.required, *(closures[number] for number in wanted)]))

    far = problem.count >= LARGE_INPUT or any(map(any, problem.groups))
    around = [problem.near(), problem.closures] if far else [problem.closures]
    return chain.from_iterable(suggest(ItemFinder(whole), least(closures)) for closures in around)
