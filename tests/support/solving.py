"""An opinion on formulas that is independent of our propagation: validity and counts, by a SAT solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Solver

from core.model.formula import Formula
from core.model.solver import cnf

_SOLVER = "minisat22"


def is_valid(formula: Formula, kept: Iterable[int]) -> bool:
    """Return True if the model allows keeping just these items. Derived facts take whatever values fit."""
    chosen = set(kept)
    with Solver(_SOLVER, bootstrap_with=cnf(formula)) as solver:
        return bool(solver.solve([v + 1 if v in chosen else -(v + 1) for v in range(formula.items)]))


def count(formula: Formula) -> int:
    """Return the number of valid sub-inputs, by enumeration over the items: for some thousands of models at most."""
    found = 0
    with Solver(_SOLVER, bootstrap_with=cnf(formula)) as solver:
        while solver.solve():
            values = solver.get_model()[: formula.items]
            # an item that no clause names may be missing from the solver's model
            values += [-(v + 1) for v in range(len(values), formula.items)]
            solver.add_clause([-value for value in values])
            found += 1
    return found


def violated(formula: Formula, kept: Sequence[bool]) -> object:
    """Return the first clause that an assignment of all variables breaks, or None: then it is a model."""
    return next((c for c in formula.clauses() if all(kept[v] for v in c[0]) and not any(kept[v] for v in c[1])), None)
