"""Questions for a SAT solver: exact minima, and conflicts.

python-sat holds the interpreter's lock while it solves and cannot be interrupted: call this from the
engine process or a test, never from a window, and keep :func:`smallest` to small questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from core.model.formula import Formula

_SOLVER = "minisat22"


def cnf(formula: Formula) -> list[list[int]]:
    """Return the clauses in DIMACS numbering: variable *v* is *v* + 1."""
    return [[-(v + 1) for v in before] + [v + 1 for v in after] for before, after, _ in formula.clauses()]


def conflict(formula: Formula, keep: Sequence[int], drop: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Return wishes that cannot be fulfilled together: some of ``keep``, some of ``drop``; None if all can.

    No wish of the answer can be left out of it.
    """
    with Solver(_SOLVER, bootstrap_with=cnf(formula)) as solver:
        wishes = [v + 1 for v in keep] + [-(v + 1) for v in drop]
        if solver.solve(wishes):
            return None
        core = list(solver.get_core() or [])
        for wish in sorted(core, key=abs):
            rest = [other for other in core if other != wish]
            if not solver.solve(rest):
                core = rest
    return sorted(w - 1 for w in core if w > 0), sorted(-w - 1 for w in core if w < 0)


def smallest(
    formula: Formula, wanted: Iterable[int], weights: Sequence[int] | None = None, without: Iterable[int] = ()
) -> list[int]:
    """Return the valid sub-input with the fewest items (or least weight) that holds all of ``wanted`` and none of
    ``without``; exact (RC2). There must be one."""
    soft = WCNF()
    for clause in cnf(formula):
        soft.append(clause)
    for variable in wanted:
        soft.append([variable + 1])
    for variable in without:
        soft.append([-(variable + 1)])
    for item in range(formula.items):
        soft.append([-(item + 1)], weight=weights[item] if weights else 1)
    with RC2(soft) as solver:
        model = solver.compute()
    return [v - 1 for v in model if 0 < v <= formula.items]
