"""The default algorithm, coarse to fine: every phase starts from the best of the last phase, as long as this pays."""

from __future__ import annotations

from itertools import chain, repeat

from core.plan.plan_run import PlanRun
from core.plan.prices import AFTER_REWRITING, FRUITLESS, PRICES, is_lowest, patience_at
from core.plan.rewritings import LAST_REWRITINGS, REWRITINGS, rewrite
from core.plan.suggesting import try_classes, try_failure_names
from core.plan.what_ran import gain_to_watch, try_what_ran, watch_again
from core.reduction.elements import large
from core.search.reducers.binary import (
    CLASS_BY_CLASS,
    CLASSES_ALONE,
    CLASSES_OF_LARGE_INPUT,
    CLASSES_WITH_FAILURES,
    JARS,
)
from core.search.reducers.by_halves import PARAMETERS
from core.search.reducers.method_bodies import BODIES
from core.search.reducers.needed_items import CALLS, ITEMS, ITEMS_AGAIN
from core.search.reducers.valid_minimal import ONE_BY_ONE

_ENOUGH = 0.1
"""Share of the input's bytes below which the search begins without a watched run. Then the failure comes from a tool
that only reads the input, and a watched run would be wasted time. See decisions/001-evidence-order.md.
"""

_UNKNOWN = 0.5
"""Share of the input's bytes above which the evidence has told nothing. See decisions/010-classes-of-large-inputs.md.
"""


def try_evidence(run: PlanRun) -> None:
    """Try candidates around the names in the command, then around the names in the failure. If the best is still large,
    try candidates around the code that runs.
    """
    evidence = run.evidence
    if evidence is None or evidence.watcher is None:
        return
    if run.elements.dead is not None:  # each candidate has what the level of trust asks for
        try_what_ran(run, evidence, run.granularity)
        return
    # code that hangs runs, and what comes after it never does
    enough = 0 if run.aim.condition.hangs else _ENOUGH * sum(item.bytes for item in evidence.model.items)
    evidence.watcher.heard(evidence.clues)
    # of a large input there is no model of the members before its classes have been searched
    widths = ["class", run.granularity] if large(evidence.model.jar) else [run.granularity]
    named = True
    for granularity in dict.fromkeys(widths):

        def over(ended: bool = granularity != widths[-1]) -> bool:
            return run.stopped or run.bytes < enough or (ended and not large(run.elements.jar(run.best)))

        if try_classes(run, granularity, evidence.commanded) and over():
            continue
        if named:  # where whole classes do not fail, neither do parts of them
            size = run.bytes
            try_failure_names(run, evidence, granularity)
            named = run.bytes < size
        if not over():
            try_what_ran(run, evidence, granularity)
        if run.stopped or (large(run.elements.jar(run.best)) and not run.knowledge.mostly_used):
            return


AUTO = (
    JARS,
    CLASSES_ALONE,
    CLASSES_OF_LARGE_INPUT,
    CALLS,
    CLASS_BY_CLASS,
    ITEMS,
    ITEMS_AGAIN,
    BODIES,
    PARAMETERS,
    *REWRITINGS,
    *LAST_REWRITINGS,
    ONE_BY_ONE,
)
"""The phases of the algorithm, in the order in which they are first run."""


def auto(run: PlanRun) -> None:
    """Search in rounds at falling prices.

    Classes are rewritten once no more can be removed at the lowest price: then no class is moved that could have gone.
    For a small input, or a thorough search, that is in the first round. From then on removals have a higher price, and
    method bodies wait until nothing more can be rewritten.
    A round at the lowest price that gains nothing is the last, and ends with every single item.
    """
    run.phase(JARS, PRICES[0], end=patience_at(PRICES[0], run.bytes))
    if run.granularity == "class":
        run.phase(CLASSES_WITH_FAILURES, PRICES[0], end=FRUITLESS)
        return
    rewritten = False
    for run.round, price in enumerate(chain(PRICES, repeat(PRICES[-1])), 1):
        start = run.bytes
        if run.round == 1:
            run.phase(CLASSES_ALONE, price, end=patience_at(price, run.bytes, whole=True))
            run.phase(CLASSES_OF_LARGE_INPUT, price, end=FRUITLESS)
            _search_calls(run, price)
            if run.bytes > _UNKNOWN * run.elements.whole.bytes_of(run.elements.whole.full):
                run.phase(CLASS_BY_CLASS, price, end=patience_at(price, run.bytes, whole=True))
            run.phase(ITEMS, price)
        else:
            watch_again(run)
            _search_calls(run, price)
        run.phase(ITEMS_AGAIN, AFTER_REWRITING if rewritten else price)
        if not rewritten:
            _search_bodies(run, price)
        all_prices, lowest = run.round >= len(PRICES), is_lowest(price, run.bytes)
        before_rewriting = run.bytes
        if all_prices or (lowest and run.bytes == start):
            _rewrite(run, price)
        if rewritten and run.bytes == before_rewriting:
            _search_bodies(run, AFTER_REWRITING)
        rewritten = rewritten or run.bytes < before_rewriting
        if run.elements.dead is not None and run.bytes == start:  # what the level of trust asks for was one candidate
            return
        ends = all_prices and run.bytes == before_rewriting
        if ends or (lowest and run.bytes == start):
            run.phase(ONE_BY_ONE, price, end=patience_at(price, run.bytes))
        if ends or (lowest and run.bytes == start):
            return


def _search_calls(run: PlanRun, price: float) -> None:
    """Search the calls of a program, and watch the program again, because less of its code runs now. Repeat while both
    together free enough bytes.
    """
    while target := gain_to_watch(run):
        size = run.bytes
        run.phase(CALLS, price)
        watch_again(run)
        if run.stopped or size - run.bytes < target.bytes:
            return


def _search_bodies(run: PlanRun, price: float) -> None:
    """Search the code of methods and their unread parameters.

    A program is watched again each time that much of its code has gone.
    """
    while target := gain_to_watch(run):
        size = run.bytes
        run.phase(BODIES, price, end=target)
        if run.stopped or size - run.bytes < target.bytes:
            break
        watch_again(run)
    else:
        run.phase(BODIES, price)
    run.phase(PARAMETERS, price)


def _rewrite(run: PlanRun, price: float) -> None:
    """Rewrite the classes that are left. The last kinds are tried only if the other kinds gain nothing.

    A program is only rewritten if the user asks for it: its owner wants to ship the program's own code.
    """
    named = run.evidence is not None and bool(run.evidence.commanded)
    program = (run.elements.input_runs or named) and not run.aim.search.rewritings
    if program or not run.aim.search.rewrite:
        return
    size = run.bytes
    rewrite(run, REWRITINGS, price)
    if run.bytes == size:
        rewrite(run, LAST_REWRITINGS, price)
