"""Phases, minimisers and algorithms as they are declared, beside their code, for the catalogue.

A *phase* is one search from the best sub-input so far. It is declared by ``@phase(name, level)`` above a function
``(problem, knowledge, effort, pointers)`` that gives a :class:`Search`, or a :class:`Skip` that says why there is none.
A phase never changes what it is given: it copies the knowledge, and its search fills the copy.

``algorithm(name, title, explanation)`` called with a phase declares an algorithm of that one phase. Algorithms of
several phases are functions in ``core/plan/``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum

from core.search.certificate import Certificate
from core.search.logic import Logic
from core.search.questions import Algorithm, Minimiser
from core.search.search_history import History
from core.search.sites import Sites
from core.search.spaces.class_spaces import SearchProblem, Space
from core.sets import ItemSet


class Level(Enum):
    """What the elements of a search are made of, coarse to fine."""

    CLASSES = "classes"
    """Classes, resources and nested jars, whole."""
    ITEMS = "items"
    """Whole classes, and the parts of classes."""
    BODIES = "bodies"
    """Edits of the instructions of methods."""
    PARAMETERS = "parameters"
    """Parameters of methods, with what calls push for them."""


class Minimal(StrEnum):
    """In what a result may be 1-minimal; the values are words of the report."""

    CLASSES = "classes"
    ITEMS = "items"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True)
class PhaseEffort:
    """How hard a phase tries."""

    worth: float = 0.0
    """Bytes that a probe must promise on the average: a search that weighs what to expect ends below that."""
    thorough: bool = False
    """Whether to ask about every way to drop something, also those that a monotone predicate has answered already."""
    classic: bool = False
    """Whether to run delta debugging exactly as the papers do: subsets first, start over after each success."""
    hurried: bool = False
    """Whether to ask only about edits that may make other items superfluous."""


@dataclass
class Knowledge:
    """Facts that one phase finds out and later phases use. Items are known by name."""

    needed: set[str] = field(default_factory=set)
    """Names of items that could not go on their own."""
    presumed: set[str] = field(default_factory=set)
    """Names of items that a search of several failures at once found to be needed. One failure may have hidden another,
    so these items are asked about again."""
    users: dict[str, int] = field(default_factory=dict)
    """Number of uses of each item by parts of other classes, when it was last counted."""
    history: History = field(default_factory=History)
    """Counts of what hung, what was needed and what went."""
    mostly_used: bool = False
    """Whether a run showed that much of the input is used, so that a search for the few needed items is hopeless."""
    each_needed: bool = False
    """Whether the search before found each item that is left to be needed."""

    def copy(self) -> Knowledge:
        """Return knowledge that can be added to without changing this one."""
        return replace(
            self,
            needed=set(self.needed),
            presumed=set(self.presumed),
            users=dict(self.users),
            history=deepcopy(self.history),
        )

    def renamed(self, names: Mapping[str, str]) -> Knowledge:
        """Return the same facts where members, and what is in these members, have other names."""
        new = self.copy()
        for old, now in names.items():
            inside = (f"{old}!", f"{old}[")
            for name in {*self.needed, *self.users}:
                if name == old or name.startswith(inside):
                    renamed = now + name[len(old) :]
                    if name in self.needed:
                        new.needed.add(renamed)
                    if name in self.users:
                        new.users[renamed] = self.users[name]
        return new


@dataclass(frozen=True, slots=True)
class Pointers:
    """Places that the failure points to, among the items of one problem; each is worked out when a phase asks."""

    around_failures: Callable[[], Sequence[ItemSet]] = lambda: ()
    """Gives valid sets around what the failure names, narrow ones first."""
    failing_classes: Callable[[], ItemSet] = lambda: 0
    """Gives a valid set with the classes in which the failures show that must all stay; 0 where these are not known."""
    sites: Sites | None = None
    """The sites of several failures that must all stay; None where there are not several."""


@dataclass
class SearchEnding:
    """Facts that a search tells when it ends by itself."""

    skipped: int = 0
    """Number of groups that the search left because they promised too few bytes."""
    certificate: Certificate | None = None

    def skip(self, count: int) -> None:
        """Add to the groups that were left."""
        self.skipped += count

    def certify(self, certificate: Certificate) -> None:
        """Take the certificate of a one-minimal pass."""
        self.certificate = certificate


@dataclass(frozen=True, slots=True)
class Search:
    """A search that is ready to run: ``algorithm`` asks about candidates of ``space``."""

    space: Space
    algorithm: Algorithm
    learnt: Knowledge
    """What is known after the search, however it ends: the algorithm adds to it while it runs."""
    ending: SearchEnding = field(default_factory=SearchEnding)
    proves: frozenset[Minimal] = frozenset()
    """In what the result is 1-minimal if the search ends by itself."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A phase that has nothing to ask. ``learnt`` is what the phase found out all the same."""

    why: str
    """The reason, as the second half of a sentence."""
    learnt: Knowledge | None = None


Start = Callable[[SearchProblem, Knowledge, PhaseEffort, Pointers], Search | Skip]


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase as it is declared."""

    name: str
    level: Level
    start: Start
    weighs: bool = False
    """Whether its searches end by themselves where no probe promises ``PhaseEffort.worth`` bytes."""


@dataclass(frozen=True, slots=True)
class MinimiserSpec:
    """An algorithm that reduces lists, by its name."""

    name: str
    make: Callable[[PhaseEffort], Minimiser]
    singles: bool = False
    """Whether it ends only when every single element that is left was tried to be dropped."""
    keeps_parts: bool = False
    """Whether its classic form tries to keep a part before it tries to drop one, so that light elements come first."""


@dataclass(frozen=True, slots=True)
class SinglePhase:
    """An algorithm of one phase; its words are for the user."""

    name: str
    title: str
    explanation: str
    phase: Phase


SINGLE_PHASES: list[tuple[int, SinglePhase]] = []
"""All algorithms of one phase that are declared, each with its place in the catalogue."""

MINIMISERS: dict[str, MinimiserSpec] = {}


def phase(name: str, level: Level, *, weighs: bool = False) -> Callable[[Start], Phase]:
    """Make a phase of the function that starts its searches."""
    return lambda start: Phase(name, level, start, weighs)


def algorithm(name: str, title: str, explanation: str, *, place: int = 1000) -> Callable[[Phase], Phase]:
    """Declare an algorithm of the one phase that the result is called with.

    Small numbers of ``place`` come first in lists.
    """

    def declare(phase: Phase) -> Phase:
        SINGLE_PHASES.append((place, SinglePhase(name, title, explanation, phase)))
        return phase

    return declare


def minimiser(
    name: str, *, singles: bool = False, keeps_parts: bool = False
) -> Callable[[Callable[[PhaseEffort], Minimiser]], MinimiserSpec]:
    """Declare a minimiser by the function that makes it."""

    def declare(make: Callable[[PhaseEffort], Minimiser]) -> MinimiserSpec:
        MINIMISERS[name] = MinimiserSpec(name, make, singles, keeps_parts)
        return MINIMISERS[name]

    return declare


def logic_of(problem: SearchProblem) -> Logic:
    """Return what ties the items together, in a problem of items."""
    assert problem.logic is not None
    return problem.logic
