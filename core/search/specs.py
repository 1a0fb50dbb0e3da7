"""What an algorithm is declared as, and the decorators that declare it, beside its code, for the catalogue.

``@algorithm(name, title, explanation)`` above ``@phase(name, level)`` declares an algorithm of one phase; an algorithm
of several is ``algorithm(...)`` called with their phases. ``@minimiser(name)`` declares what reduces lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from core.search.certificate import Certificate
from core.search.experience import Experience
from core.search.item_sets import ItemSet
from core.search.logic import Logic
from core.search.questions import Algorithm, Minimiser
from core.search.sites import Sites
from core.search.spaces.class_spaces import SearchProblem, Space


class Level(Enum):
    """What the elements are made of, coarse to fine."""

    CLASSES = "classes"
    """Classes, resources and nested jars, whole."""
    ITEMS = "items"
    """These and the parts of classes."""
    BODIES = "bodies"
    """Edits of what the methods do."""
    PARAMETERS = "parameters"
    """Parameters of methods, with what calls push for them."""


@dataclass
class Options:
    """What the user may say about how an algorithm works, and what it has to say about its result."""

    classic: bool = False
    """Delta debugging exactly as the papers run it: subsets first, start over after each success."""
    thorough: bool = False
    """Ask about every way to drop something, also those that a monotone predicate has answered already."""
    expected: float = 0.1
    """Share of a list that is expected to stay (the p0 of the probabilistic minimisers)."""
    worth: float = 0.0
    """Bytes that a probe must promise on average: a search that weighs what it expects ends below that."""
    finer: bool = False
    """Whether the parts of classes are searched after the classes."""
    freeing: bool = False
    """Whether to ask only about what may make other things superfluous: these go next, and the rest has its turn
    again."""
    much: bool = False
    """Whether much of the input is known to be used, so that a search for the few things needed is hopeless."""
    minimal: bool = False
    """Whether the items that are left were each found to be needed by the search before."""
    untried: int = 0
    """How much a search that weighs what it expects left because it was not worth a probe."""
    near: Callable[[], Sequence[ItemSet]] = lambda: ()
    """Valid sets around what the failure points to, narrow ones first; for phases that begin there."""
    shown: Callable[[], ItemSet] = lambda: 0
    """A valid set with the classes in which the failures that must all stay show; nothing where that is not known."""
    sites: Sites | None = None
    """The sites of the failures that must all stay; None where there is only one site."""
    needed: set[str] = field(default_factory=set)
    """Names of what could not go on its own, by phases that weigh what they expect: later ones need not ask again. By
    ``gbr``: what the rest of its result is needed by."""
    presumed: set[str] = field(default_factory=set)
    """The same by a search side by side, in which one failure may have hidden another: it is asked about again."""
    users: dict[str, int] = field(default_factory=dict)
    """How many parts of other classes had use for each item, when that was last known."""
    experience: Experience = field(default_factory=Experience)
    """What phases that weigh what they expect have found out so far."""
    certificates: list[Certificate] = field(default_factory=list)

    @property
    def known(self) -> set[str]:
        """``needed``, but nothing where all is to be asked about again."""
        return set() if self.thorough else self.needed

    def rename(self, names: Mapping[str, str]) -> None:
        """Members are called otherwise from now on, and what is in them."""
        for old, new in names.items():
            known = [
                name for name in {*self.needed, *self.users} if name == old or name.startswith((f"{old}!", f"{old}["))
            ]
            for name in known:
                now = new + name[len(old) :]
                if name in self.needed:
                    self.needed.add(now)
                if name in self.users:
                    self.users[now] = self.users[name]

    def leave(self, untried: int) -> None:
        """A search ends and leaves so much."""
        self.untried = untried

    def leaving(self, untried: int = 0) -> Callable[[int], None]:
        """Where several searches end one after another: takes what each leaves, beside what no search asks about."""
        each = [untried]

        def leave(more: int) -> None:
            each.append(more)
            self.leave(sum(each))

        return leave


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """One search: ``start(problem, options)`` gives the space and the generator that runs in it."""

    name: str
    level: Level
    start: Callable[[SearchProblem, Options], tuple[Space, Algorithm]]
    gradual: bool = False
    """Whether it gains as it goes, so that it can be judged by what its last probes brought."""
    patient: bool = False
    """Whether it ends by itself where no probe promises ``Options.worth`` bytes."""
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


@dataclass(frozen=True, slots=True)
class MinimiserSpec:
    """What reduces lists, by its name."""

    name: str
    make: Callable[[Options], Minimiser]
    singles: bool = False
    """As in :class:`PhaseSpec`, in a space where nothing else goes with an element."""
    keeps_parts: bool = False
    """Whether its classic form tries to keep a part before it tries to drop one: what is light should come first."""


Start = Callable[[SearchProblem, Options], tuple[Space, Algorithm]]

ALGORITHMS: list[tuple[int, AlgorithmSpec]] = []
"""All that are declared, each with its place in the catalogue."""

MINIMISERS: dict[str, MinimiserSpec] = {}


def phase(name: str, level: Level, *, gradual: bool = False, patient: bool = False) -> Callable[[Start], PhaseSpec]:
    """Makes a phase of the function that starts it."""
    return lambda start: PhaseSpec(name, level, start, gradual, patient)


def algorithm(
    name: str, title: str, explanation: str, *, place: int = 1000, rounds: int = 1, repeated: int = 0
) -> Callable[..., PhaseSpec]:
    """Declares an algorithm of the phases that the result is called with; its words are for the user.

    Small numbers of ``place`` come first in lists.
    """

    def declare(*phases: PhaseSpec) -> PhaseSpec:
        ALGORITHMS.append((place, AlgorithmSpec(name, title, explanation, phases, rounds, repeated)))
        return phases[0]

    return declare


def minimiser(
    name: str, *, singles: bool = False, keeps_parts: bool = False
) -> Callable[[Callable[[Options], Minimiser]], MinimiserSpec]:
    """Declares a minimiser by the function that makes it."""

    def declare(make: Callable[[Options], Minimiser]) -> MinimiserSpec:
        MINIMISERS[name] = MinimiserSpec(name, make, singles, keeps_parts)
        return MINIMISERS[name]

    return declare


def logic_of(problem: SearchProblem) -> Logic:
    """What ties the items together, in a problem of items."""
    assert problem.logic is not None
    return problem.logic
