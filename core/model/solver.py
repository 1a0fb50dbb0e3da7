"""Sub-inputs beyond the least one: exact minima and conflicts by a SAT solver, and random ones for the referee.

python-sat holds the interpreter's lock while it solves and cannot be interrupted: call this from the
engine process or a test, never from a window, and keep :func:`smallest` to small questions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from core.model.cache.class_files import ClassFileCache
from core.model.formula import Formula
from core.model.item_model import ItemModel
from core.sets import ItemSet

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


_REWRITERS = 1 << 20  # bytes of class files whose rewriters are kept: random sub-inputs have few in common


def sampled_files(granularity: str) -> ClassFileCache:
    """Return a memory of class files for a model of which random sub-inputs are written."""
    return ClassFileCache(granularity, _REWRITERS)


def draw(model: ItemModel, count: int, seed: int) -> Iterator[ItemSet]:
    """Yield ``count`` sub-inputs: the least models of some random items, with choices in a random order.

    How many items are wished for is log-uniform between one and a tenth of all: small sub-inputs cut many
    ties, and large ones show how parts go together.
    """
    dice = random.Random(seed)
    items = len(model.items)
    for _ in range(count):
        rank = list(range(items))
        dice.shuffle(rank)
        wished = max(1, round((items / 10) ** dice.random()))
        wanted = dice.sample(range(items), min(wished, items))
        yield model.least(wanted, rank)
