"""The algorithms by the names that users type: each is a row over phases, or over a space and a minimiser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.plan.auto import AUTO, auto, try_evidence
from core.plan.plan_run import PlanRun
from core.plan.rewritings import SIMPLIFY, simplify
from core.search.minimisers.ddmin import complements_only, ddmin, naive, one_minimal, wddmin, weighted_complements_only
from core.search.minimisers.probdd import EXPECTED, cdd, probdd, wprobdd
from core.search.phases import Knowledge, Level, Minimal, MinimiserSpec, Phase, PhaseEffort, Pointers, Search, logic_of
from core.search.reducers.binary import CLASSES, FIRST, JARS, LAST
from core.search.reducers.gbr import BODY_ENDS, NEEDED_ITEMS, NO_LONGER_NEEDED
from core.search.reducers.tree_reducers import hdd, perses, tree_phase
from core.search.spaces import Classes, Closures, LeastModelSpace, SearchProblem, Space, VerifiedClasses
from core.words import did_you_mean

Plan = Callable[[PlanRun], None]
"""Function that runs phases, one after another."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm of the catalogue; title and explanation are for the user."""

    name: str
    title: str
    explanation: str
    phases: tuple[Phase, ...]
    """All phases that the plan may run, the first one first."""
    order: Plan | None = None
    """The plan; None to run each phase once, to its end."""
    first: Plan = lambda run: None
    """Function that runs once before the plan, to try candidates ahead of any search."""
    group: str = "From the literature"
    """Heading in a list of algorithms."""

    def plan(self, run: PlanRun) -> None:
        """Run the phases."""
        if self.order is not None:
            self.order(run)
        else:
            for phase in self.phases:
                run.phase(phase)


MINIMISERS = {
    each.name: each
    for each in (
        MinimiserSpec("cdd", lambda elements, weight: cdd(elements, EXPECTED)),
        MinimiserSpec("ddmin", lambda some, weight: complements_only(some), lambda some, weight: ddmin(some), True),
        MinimiserSpec("naive", lambda elements, weight: naive(elements), singles=True),
        MinimiserSpec("probdd", lambda elements, weight: probdd(elements, EXPECTED)),
        MinimiserSpec("single", one_minimal, singles=True),
        MinimiserSpec("wddmin", weighted_complements_only, wddmin, singles=True),
        MinimiserSpec("wprobdd", lambda elements, weight: wprobdd(elements, weight, EXPECTED)),
    )
}
"""The minimisers of lists: each runs in every space."""

SPACES: dict[str, tuple[Level, Callable[[SearchProblem], Space]]] = {
    "classes": (Level.CLASSES, Classes),
    "verified": (Level.CLASSES, VerifiedClasses),
    "closures": (Level.CLASSES, Closures),
    "items": (Level.ITEMS, lambda problem: LeastModelSpace(logic_of(problem), problem.sizes)),
}


def _list_phase(space: str, minimiser: MinimiserSpec) -> Phase:
    """Return the phase that gives the elements of a space to a minimiser, as a list."""
    level, make = SPACES[space]
    proves = frozenset({Minimal.CLASSES} if space in ("classes", "verified") and minimiser.singles else ())

    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        made = make(problem)
        elements = made.elements
        if space == "closures" and not (effort.search.classic and minimiser.classic):
            # dropping a closure that lies in a larger one changes nothing, and leaves the larger one no way to go
            elements = elements[::-1]
        search = minimiser.make(effort)(elements, lambda element: made.cost((element,)))
        return Search(made, search, knowledge, proves=proves)

    return Phase(space, level, start)


def _of_list(name: str, title: str, explanation: str, space: str, minimiser: str) -> Algorithm:
    return Algorithm(name, title, explanation, (_list_phase(space, MINIMISERS[minimiser]),))


_TREES = (
    ("hdd", "Level by level", "Packages first, then classes, members and code.", hdd),
    ("perses", "Heaviest first", "The heaviest package, class or member first.", perses),
)
"""Algorithms along the tree of the input; each of them with each of some minimisers."""

_USUAL, _QUICK = "Recommended", "Fewer runs"
"""Headings of the algorithms that most users want; the others are those of the literature."""

_ALL = (
    Algorithm(
        "auto",
        "Automatic",
        "Coarse to fine: classes, then their members and attributes, then the instructions of the methods, as long "
        "as it pays. Every candidate is valid bytecode; the smallest results.",
        AUTO,
        auto,
        try_evidence,
        _USUAL,
    ),
    Algorithm(
        "simplify",
        "Simplify",
        "Rewrites the classes of a small jar, without removing anything else: nested classes become plain ones, "
        "classes become one class, generic types, parameters and results go.",
        SIMPLIFY,
        simplify,
        group=_USUAL,
    ),
    Algorithm(
        "gbr",
        "Generalized binary reduction",
        "Finds one needed part of the input after another by binary search over valid sub-inputs of members and "
        "attributes, then how far into their code.",
        (JARS, NEEDED_ITEMS, BODY_ENDS, NO_LONGER_NEEDED),
        group=_QUICK,
    ),
    Algorithm(
        "binary",
        "Binary reduction",
        "Finds one needed class after another by binary search over dependency closures, small ones first. "
        "Every candidate is valid; the fewest probes.",
        (CLASSES,),
        group=_QUICK,
    ),
    *(
        Algorithm(
            f"lossy-{which}",
            f"Lossy reduction, {which} choice",
            f"Members and attributes, where each choice is settled for the {which} way beforehand; then binary "
            "reduction.",
            (phase,),
        )
        for which, phase in (("first", FIRST), ("last", LAST))
    ),
    _of_list(
        "closure",
        "Delta debugging of closures",
        "Delta debugging over lists of dependency closures: every candidate is valid, but closures are not weighed.",
        "closures",
        "ddmin",
    ),
    _of_list(
        "verify",
        "Delta debugging, valid candidates only",
        "Delta debugging over classes; the dependency graph rejects candidates that lack a needed class, "
        "without running the command.",
        "verified",
        "ddmin",
    ),
    _of_list(
        "ddmin",
        "Delta debugging of classes",
        "Delta debugging over the list of classes as if they did not depend on each other: many candidates are "
        "invalid.",
        "classes",
        "ddmin",
    ),
    _of_list(
        "naive",
        "One closure at a time",
        "Drops one dependency closure after another and starts over: what the others are measured against.",
        "closures",
        "naive",
    ),
    *(
        Algorithm(
            f"{kind}-{name}",
            f"{title}, by {name}",
            f"{how} Each list is minimised by {name}; whatever depends on what is dropped falls with it.",
            (tree_phase(search, MINIMISERS[name]),),
        )
        for kind, title, how, search in _TREES
        for name in ("ddmin", "wddmin", "probdd", "wprobdd", "cdd")
    ),
)

CATALOGUE: dict[str, Algorithm] = {each.name: each for each in _ALL}

DEFAULT = "auto"


def find(name: str) -> Algorithm:
    """Return the algorithm called ``name``, or that of a space and a minimiser joined (``closures/wprobdd``).

    Raises LookupError with a sentence that lists the names.
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    space, _, minimiser = name.partition("/")
    if space in SPACES and minimiser in MINIMISERS:
        return _of_list(name, name, f"The minimiser {minimiser} over a list of {space}.", space, minimiser)
    raise LookupError(
        f"There is no algorithm {name!r}: choose among {', '.join(CATALOGUE)}, or join one of {', '.join(SPACES)} "
        f"by a slash with one of {', '.join(MINIMISERS)} (closures/wprobdd)."
        + did_you_mean(name, [*CATALOGUE, *(f"{space}/{each}" for space in SPACES for each in MINIMISERS)])
    )
