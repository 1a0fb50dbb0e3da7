"""Declarations of phases and minimisers.

A *phase* is one search from the best sub-input so far. ``@phase(name, level)`` declares a phase by a function
``(problem, knowledge, effort, pointers)`` that returns a :class:`Search`, or a :class:`Skip` with the reason why there
is no search. A phase never changes its arguments: it copies the knowledge, and its search fills the copy.

The algorithms over phases, and over spaces and minimisers, are rows of :mod:`core.plan.catalogue`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum

from core.protocol.search_settings import SearchSettings
from core.search.logic import Logic
from core.search.questions import Algorithm, Minimiser
from core.search.search_history import History
from core.search.sites import Sites
from core.search.spaces import SearchProblem, Space
from core.search.tree_chunks import CallNode
from core.sets import ItemSet


class Level(Enum):
    """The granularity of a search's elements, coarse to fine."""

    CLASSES = "classes"
    """Classes, resources and nested jars, whole."""
    ITEMS = "items"
    """Classes, and the parts of classes."""
    BODIES = "bodies"
    """Edits of the instructions of methods."""
    PARAMETERS = "parameters"
    """Parameters of methods, with what calls push for them."""
    REWRITING = "rewriting"
    """Edits of one kind on the whole program; the kind has the name of the phase."""
    LINES = "lines"
    """Lines of text files beside the jar."""
    NAMES = "names"
    """Names of the input in whose place neutral ones can stand."""


class Minimal(StrEnum):
    """The granularity in which a result is 1-minimal; the values are words of the report."""

    CLASSES = "classes"
    ITEMS = "items"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True)
class PhaseEffort:
    """The effort of a phase: its price, and the settings of the search."""

    worth: float = 0.0
    """Least mean of freed bytes per probe: a search that weighs its gains ends below this mean."""
    search: SearchSettings = field(default_factory=SearchSettings)


@dataclass
class Knowledge:
    """Facts that one phase learns and later phases use. Items are identified by name."""

    needed: set[str] = field(default_factory=set)
    """Names of items that could not go alone."""
    presumed: set[str] = field(default_factory=set)
    """Names of items that a joint search of several failures found to be needed. One failure may have hidden
    another, so these items are asked about again.
    """
    users: dict[str, int] = field(default_factory=dict)
    """Number of uses of each item by parts of other classes, at the last count."""
    history: History = field(default_factory=History)
    """Counts of chunks that hung, were needed, or went."""
    mostly_used: bool = False
    """True if a run showed that most of the input is used. Then a search for a few needed items is hopeless."""
    each_needed: bool = False
    """True if the last search found every remaining item to be needed."""
    failed: set[frozenset[str]] = field(default_factory=set)
    """Sets of rewritings that failed together, by names that depend on the touched classes."""

    def copy(self) -> Knowledge:
        """Return a copy. Additions to the copy do not change this knowledge."""
        return replace(
            self,
            needed=set(self.needed),
            presumed=set(self.presumed),
            users=dict(self.users),
            history=deepcopy(self.history),
            failed=set(self.failed),
        )


@dataclass(frozen=True, slots=True)
class Pointers:
    """Places that the failure points to, among the items of one problem. Each is computed on demand."""

    around_failures: Callable[[], Sequence[ItemSet]] = lambda: ()
    """Function returning valid sets around the items that the failure names, narrow sets first."""
    failing_classes: Callable[[], ItemSet] = lambda: 0
    """Function returning a valid set with the classes that show the wanted failures; 0 if these are unknown.
    """
    rare_classes: Callable[[], ItemSet] = lambda: 0
    """Function returning the classes with rare forms."""
    sites: Sites | None = None
    """The sites of several wanted failures; None if there is only one."""
    calls: Callable[[], Sequence[CallNode]] = lambda: ()
    """Function returning the top of the tree of calls between the methods that ran."""


@dataclass
class SearchEnding:
    """Facts that a search reports when the search ends by itself."""

    skipped: int = 0
    """Number of chunks that the search did not ask about, because they promised too few bytes."""
    certificate: Certificate | None = None

    def skip(self, count: int) -> None:
        """Add to the number of chunks that were not asked about."""
        self.skipped += count

    def certify(self, certificate: Certificate) -> None:
        """Store the certificate of a one-minimal pass."""
        self.certificate = certificate


@dataclass(frozen=True, slots=True)
class Search:
    """A search that is ready to run: ``algorithm`` asks about candidates of ``space``."""

    space: Space
    algorithm: Algorithm
    learnt: Knowledge
    """The knowledge after the search, however it ends: the algorithm adds facts while it runs."""
    ending: SearchEnding = field(default_factory=SearchEnding)
    proves: frozenset[Minimal] = frozenset()
    """The granularities in which the result is 1-minimal, if the search ends by itself."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A phase without a search. ``learnt`` is the knowledge that the phase gained nevertheless."""

    why: str
    """The reason, as the second half of a sentence."""
    learnt: Knowledge | None = None


Start = Callable[[SearchProblem, Knowledge, PhaseEffort, Pointers], Search | Skip]


@dataclass(frozen=True, slots=True)
class Phase:
    """A declared phase."""

    name: str
    level: Level
    start: Start
    weighs: bool = False
    """True if the searches end by themselves when no probe promises ``PhaseEffort.worth`` bytes."""
    whole: bool = False
    """True if the searches drop whole classes: for a large input it is enough that the classes of a candidate link."""


@dataclass(frozen=True, slots=True)
class MinimiserSpec:
    """A minimiser by its name."""

    name: str
    run: Minimiser
    classic: Minimiser | None = None
    """The published form, where it differs. It tries to keep a part before it tries to drop one, so light elements
    should come first."""
    singles: bool = False
    """True if the minimiser tries to drop every single element of its result."""

    def make(self, effort: PhaseEffort) -> Minimiser:
        """Return the form that an effort wants."""
        return self.classic if self.classic is not None and effort.search.classic else self.run


def phase(name: str, level: Level, *, weighs: bool = False, whole: bool = False) -> Callable[[Start], Phase]:
    """Return a decorator that makes a phase of a function. The function starts the phase's searches."""
    return lambda start: Phase(name, level, start, weighs, whole)


def logic_of(problem: SearchProblem) -> Logic:
    """Return the logic of a problem of items."""
    assert problem.logic is not None
    return problem.logic


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence that the result of a one-minimal pass is minimal.

    ``items`` are left. ``tried`` candidates were asked about, ``dropped`` of them were interesting. ``implied`` other
    candidates are subsets of an uninteresting set, and were not asked about. ``complete``: every maximal valid set
    smaller than the result was asked about or is implied. Then no item can go; if the predicate is monotone, no valid
    subset of the result is interesting. If ``implied`` > 0, both claims assume a monotone predicate.
    """

    items: int
    tried: int
    dropped: int
    implied: int
    complete: bool
