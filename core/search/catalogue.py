"""The algorithms by the names that users type: each a space and a minimiser, or several phases of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from core.search.logic import Logic
from core.search.minimisers.cdd import cdd
from core.search.minimisers.ddmin import complements_only, ddmin
from core.search.minimisers.naive import naive
from core.search.minimisers.one_minimal import one_minimal
from core.search.minimisers.probdd import probdd, wprobdd
from core.search.minimisers.wddmin import wddmin, weighted_complements_only
from core.search.questions import Algorithm, Minimiser, Weight
from core.search.reducers.binary import binary_reduction
from core.search.reducers.gbr import gbr
from core.search.reducers.hdd import hdd
from core.search.reducers.lossy import EdgeClosures, lossy
from core.search.reducers.method_bodies import reduce_bodies
from core.search.reducers.perses import perses
from core.search.reducers.valid_minimal import Certificate, valid_minimal
from core.search.spaces.class_spaces import Classes, Closures, SearchProblem, Space, VerifiedClasses
from core.search.spaces.item_spaces import Items, LeastModelSpace
from core.search.spaces.trees import Tree, TreeSpace


class Level(Enum):
    """What the elements are made of, coarse to fine."""

    CLASSES = "classes"
    """Classes, resources and nested jars, whole."""
    ITEMS = "items"
    """These and the parts of classes."""
    BODIES = "bodies"
    """Edits of what the methods do."""


@dataclass
class Options:
    """What the user may say about how an algorithm works, and what it has to say about its result."""

    classic: bool = False
    """Delta debugging exactly as the papers run it: subsets first, start over after each success."""
    thorough: bool = False
    """Ask about every way to drop something, also those that a monotone predicate has answered already."""
    expected: float = 0.1
    """Share of a list that is expected to stay (the p0 of the probabilistic minimisers)."""
    certificates: list[Certificate] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """One search: ``start(problem, options)`` gives the space and the generator that runs in it."""

    name: str
    level: Level
    start: Callable[[SearchProblem, Options], tuple[Space, Algorithm]]
    gradual: bool = False
    """Whether it gains as it goes, so that it can be judged by what its last probes brought."""
    singles: bool = False
    """Whether it ends only when every single element that is left was tried to be dropped, whatever the answers."""


@dataclass(frozen=True, slots=True)
class AlgorithmSpec:
    """One algorithm. ``rounds``: how often its phases are gone through at most; a round that gains nothing is the last.

    ``repeated`` is the number of phases at the end of ``phases`` that the further rounds consist of.
    """

    name: str
    title: str
    explanation: str
    phases: tuple[PhaseSpec, ...]
    rounds: int = 1
    repeated: int = 0

    @property
    def plan(self) -> Iterator[tuple[int, PhaseSpec]]:
        """The phases in order, each with the number of its round, counted from 1."""
        yield from ((1, phase) for phase in self.phases)
        for number in range(2, self.rounds + 1):
            yield from ((number, phase) for phase in self.phases[-self.repeated :])


_NEEDED_EDITS = 0.4
"""Share of the instructions of a body, reduced by items, that are expected to stay (of those that can be edited)."""

MINIMISERS: dict[str, Callable[[Options], Minimiser]] = {
    "ddmin": lambda options: (
        (lambda elements, weight: ddmin(elements))
        if options.classic
        else (lambda elements, weight: complements_only(elements))
    ),
    "wddmin": lambda options: wddmin if options.classic else weighted_complements_only,
    "probdd": lambda options: lambda elements, weight: probdd(elements, options.expected),
    "wprobdd": lambda options: lambda elements, weight: wprobdd(elements, weight, options.expected),
    "cdd": lambda options: lambda elements, weight: cdd(elements, options.expected),
    "naive": lambda options: lambda elements, weight: naive(elements),
    "single": lambda options: lambda elements, weight: one_minimal(elements, weight),
}
"""The list minimisers; each runs in every space of lists."""

_SPACES: dict[str, tuple[Level, Callable[[SearchProblem], Space]]] = {
    "classes": (Level.CLASSES, Classes),
    "verified": (Level.CLASSES, VerifiedClasses),
    "closures": (Level.CLASSES, Closures),
    "items": (Level.ITEMS, lambda problem: LeastModelSpace(_logic(problem), problem.sizes)),
}


def find(name: str) -> AlgorithmSpec:
    """The algorithm of that name, or a space and a minimiser joined (``closures/wprobdd``).

    Raises LookupError with a sentence that lists the names.
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    space, _, minimiser = name.partition("/")
    if space in _SPACES and minimiser in MINIMISERS:
        explanation = f"The minimiser {minimiser} over a list of {space}."
        return AlgorithmSpec(name, name, explanation, (_list_phase(space, minimiser),))
    raise LookupError(
        f"There is no algorithm {name!r}: choose among {', '.join(CATALOGUE)}, or join one of {', '.join(_SPACES)} "
        f"by a slash with one of {', '.join(MINIMISERS)} (closures/wprobdd)."
    )


def _list_phase(space: str, minimiser: str) -> PhaseSpec:
    level, make = _SPACES[space]

    def start(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
        made = make(problem)
        elements = made.elements
        if space == "closures" and not _asks_about_parts(minimiser, options):
            # dropping a closure that lies in a larger one changes nothing, and leaves the larger one no way to go
            elements = elements[::-1]
        return made, MINIMISERS[minimiser](options)(elements, _weight(made))

    singles = space in ("classes", "verified") and minimiser in ("ddmin", "wddmin", "naive", "single")
    return PhaseSpec(space, level, start, singles=singles)


def _asks_about_parts(minimiser: str, options: Options) -> bool:
    """Whether it tries to keep a part before it tries to drop one: what is light should then come first."""
    return minimiser in ("ddmin", "wddmin") and options.classic


def _weight(space: Space) -> Weight:
    return lambda element: space.cost((element,))


def _logic(problem: SearchProblem) -> Logic:
    assert problem.logic is not None
    return problem.logic


def _binary(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    space = Closures(problem)
    return space, binary_reduction(space.elements, space.cost)


def _lossy(last: bool) -> Callable[[SearchProblem, Options], tuple[Space, Algorithm]]:
    def start(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
        assert problem.cut_down is not None
        edges = problem.cut_down(last)
        space = EdgeClosures(problem.sizes, edges.variables, edges.pairs, edges.required)
        return space, lossy(space)

    return start


def _gbr(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    logic = _logic(problem)
    return Items(problem.sizes), gbr(logic, logic.order(problem.sizes))


def _minimal(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    space = Items(problem.sizes)
    search = valid_minimal(
        _logic(problem),
        space.elements,
        problem.sizes,
        boring=None if options.thorough else (),
        certify=options.certificates.append,
    )
    return space, search


def _bodies(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    space, weight = Classes(problem), problem.sizes.__getitem__
    # the heaviest first, so that what the last probes gained tells what the next will
    return space, reduce_bodies(
        space.elements, problem.chains, weight, lambda elements, weight: wprobdd(elements, weight, _NEEDED_EDITS)
    )


def _tree(
    search: Callable[..., Algorithm], minimiser: str
) -> Callable[[SearchProblem, Options], tuple[Space, Algorithm]]:
    def start(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
        tree = Tree.grow(problem.parents, problem.sizes, problem.groups)
        space = TreeSpace(tree, _logic(problem), problem.required, problem.sizes)
        return space, search(tree, MINIMISERS[minimiser](options), present=space.present)

    return start


CLASSES = PhaseSpec("classes", Level.CLASSES, _binary)
ITEMS = PhaseSpec("items", Level.ITEMS, _gbr)
BODIES = PhaseSpec("bodies", Level.BODIES, _bodies, gradual=True)
MINIMAL = PhaseSpec("minimal", Level.ITEMS, _minimal, gradual=True)

CATALOGUE: dict[str, AlgorithmSpec] = {
    entry.name: entry
    for entry in (
        AlgorithmSpec(
            "auto",
            "Automatic",
            "Coarse to fine: classes, then their members and attributes, then the instructions of the methods, as long "
            "as it pays. Every try is valid bytecode; the smallest results.",
            (CLASSES, ITEMS, BODIES, ITEMS, MINIMAL),
            rounds=4,
            repeated=3,
        ),
        AlgorithmSpec(
            "gbr",
            "Generalized binary reduction",
            "Finds one needed part of the input after another by binary search over valid sub-inputs of members and "
            "attributes.",
            (ITEMS,),
        ),
        AlgorithmSpec(
            "binary",
            "Binary reduction",
            "Finds one needed class after another by binary search over dependency closures, small ones first. "
            "Every try is valid; the fewest probes.",
            (CLASSES,),
        ),
        AlgorithmSpec(
            "lossy-first",
            "Lossy reduction, first choice",
            "Members and attributes, where each choice is settled for the first way beforehand; then binary reduction.",
            (PhaseSpec("items", Level.ITEMS, _lossy(False)),),
        ),
        AlgorithmSpec(
            "lossy-last",
            "Lossy reduction, last choice",
            "Members and attributes, where each choice is settled for the last way beforehand; then binary reduction.",
            (PhaseSpec("items", Level.ITEMS, _lossy(True)),),
        ),
        AlgorithmSpec(
            "closure",
            "Delta debugging of closures",
            "Delta debugging over lists of dependency closures: every try is valid, but closures are not weighed.",
            (_list_phase("closures", "ddmin"),),
        ),
        AlgorithmSpec(
            "verify",
            "Delta debugging, valid tries only",
            "Delta debugging over classes; the dependency graph turns down tries that lack a needed class, "
            "without running the command.",
            (_list_phase("verified", "ddmin"),),
        ),
        AlgorithmSpec(
            "ddmin",
            "Delta debugging of classes",
            "Delta debugging over the list of classes as if they did not depend on each other: many tries are invalid.",
            (_list_phase("classes", "ddmin"),),
        ),
        AlgorithmSpec(
            "naive",
            "One closure at a time",
            "Drops one dependency closure after another and starts over: what the others are measured against.",
            (_list_phase("closures", "naive"),),
        ),
        *(
            AlgorithmSpec(
                f"{kind}-{minimiser}",
                f"{title} with {minimiser}",
                f"{how} Each list is minimised by {minimiser}; whatever depends on what is dropped falls with it.",
                (PhaseSpec("tree", Level.ITEMS, _tree(search, minimiser)),),
            )
            for kind, title, how, search in (
                ("hdd", "Level by level", "Packages first, then classes, members and code.", hdd),
                ("perses", "Heaviest first", "The heaviest package, class or member first.", perses),
            )
            for minimiser in ("ddmin", "wddmin", "probdd", "wprobdd", "cdd")
        ),
    )
}
