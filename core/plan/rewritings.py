"""The searches of rewritings, one phase for each kind: all edits at once, then halves; an algorithm of these alone."""

from __future__ import annotations

from collections.abc import Sequence

from core.plan.plan_run import PlanRun
from core.plan.prices import PRICES
from core.protocol.events import Warned
from core.protocol.run_words import REWRITINGS as DECLARED
from core.reduction.rewrite_elements import RewriteElements
from core.search.phases import Knowledge, Level, Phase, PhaseEffort, Pointers, Search, Skip
from core.search.reducers.by_halves import PARAMETERS, without_groups
from core.search.spaces import Classes, SearchProblem
from core.sets import union
from core.words import no_such

_MOST = 15
"""Largest number of probes for one kind: enough for three levels of halves. See decisions/038-rewriting.md."""


def _start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Ask for the input after all edits of the kind, then after halves of the edits. Edits that save most come first.

    Edits that failed before are not asked about again while their classes are unchanged.
    """
    space, everything, learnt = Classes(problem), (1 << problem.count) - 1, knowledge.copy()
    failed = set() if effort.search.thorough else learnt.failed
    left = [element for element in space.elements if frozenset((problem.names(element),)) not in failed]
    all_made = everything & ~union(1 << element for element in left)
    if problem.written_bytes(everything) - problem.written_bytes(all_made) < max(1, effort.worth):
        return Skip("too few bytes would go with all edits")
    heavy = sorted(left, key=lambda element: -problem.sizes[element])
    groups = [(element,) for element in heavy]
    return Search(space, without_groups(space.elements, groups, _MOST, failed, problem.names), learnt)


_PHASES = [Phase(name, Level.REWRITING, _start, weighs=True) for name in DECLARED]

ALL_KINDS = "all"

REWRITINGS = tuple(phase for phase in _PHASES if not DECLARED[phase.name].last)
"""One phase for each kind of rewriting but the last ones, in the order of the kinds."""

LAST_REWRITINGS = tuple(phase for phase in _PHASES if DECLARED[phase.name].last)
"""One phase for each kind that comes last: tried only if the other kinds gain nothing."""


def chosen(rewritings: Sequence[str]) -> frozenset[str]:
    """Return the names of the kinds that a user asks for. Raises LookupError for a name that no kind has."""
    names = set(rewritings or (ALL_KINDS,))
    for name in sorted(names - DECLARED.keys() - {ALL_KINDS}):
        raise LookupError(no_such("kind of rewriting", name, (*DECLARED, ALL_KINDS)))
    return frozenset(DECLARED if ALL_KINDS in names else names)


def rewrite(run: PlanRun, phases: Sequence[Phase], price: float) -> None:
    """Search the phases of the kinds that the user asks for."""
    names = chosen(run.aim.search.rewritings)
    for phase in phases:
        if phase.name in names:
            run.phase(phase, price)


SIMPLIFY = (*REWRITINGS, PARAMETERS, *LAST_REWRITINGS)
"""The phases of :func:`simplify`."""


def simplify(run: PlanRun) -> None:
    """Rewrite in rounds until a round gains nothing. Warn if the classes cannot be rewritten as a whole."""
    elements = run.elements.of_phase(REWRITINGS[0], run.best)
    if isinstance(elements, RewriteElements) and elements.obstacle:
        run.emit(Warned(f"The classes are not rewritten: {elements.obstacle}."))
    while True:
        size = run.bytes
        rewrite(run, REWRITINGS, PRICES[-1])
        run.phase(PARAMETERS, PRICES[-1])
        rewrite(run, LAST_REWRITINGS, PRICES[-1])
        if run.bytes == size or run.stopped:
            return
        run.round += 1
