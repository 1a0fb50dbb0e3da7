"""Generalized binary reduction as an algorithm (GBR21), with two phases beyond the paper."""

from __future__ import annotations

from core.plan.algorithms import algorithm
from core.plan.search_run import SearchRun
from core.search.reducers.binary import JARS
from core.search.reducers.gbr import BODY_ENDS, NEEDED_ITEMS, NO_LONGER_NEEDED


@algorithm(
    "gbr",
    "Generalized binary reduction",
    "Finds one needed part of the input after another by binary search over valid sub-inputs of members and "
    "attributes, then how far into their code.",
    place=20,
    phases=(JARS, NEEDED_ITEMS, BODY_ENDS, NO_LONGER_NEEDED),
)
def gbr(run: SearchRun) -> None:
    """Find the needed jars, then the needed items, then cut the ends of method bodies. At last, drop items that only
    removed code needed.
    """
    run.phase(JARS)
    run.phase(NEEDED_ITEMS)
    run.phase(BODY_ENDS)
    run.phase(NO_LONGER_NEEDED)
