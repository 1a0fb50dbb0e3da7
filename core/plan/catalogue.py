"""The algorithms by the names that users type.

A new algorithm is one new module of ``core/search/minimisers``, ``core/search/reducers`` or ``core/plan`` with its
declaration.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

import core.plan as plans
from core.plan.algorithms import ALGORITHMS, Algorithm, of_one_phase
from core.search import minimisers, reducers
from core.search.lists import SPACES, list_phase
from core.search.phases import MINIMISERS, SINGLE_PHASES
from core.words import did_you_mean

for _room in (minimisers, reducers, plans):
    for _module in pkgutil.iter_modules(_room.__path__, f"{_room.__name__}."):
        import_module(_module.name)

DEFAULT = "auto"

_PLACED = [
    *ALGORITHMS,
    *((place, of_one_phase(each.name, each.title, each.explanation, each.phase)) for place, each in SINGLE_PHASES),
]

CATALOGUE: dict[str, Algorithm] = {each.name: each for _, each in sorted(_PLACED, key=lambda placed: placed[0])}


def find(name: str) -> Algorithm:
    """Return the algorithm called ``name``, or that of a space and a minimiser joined (``closures/wprobdd``).

    Raises LookupError with a sentence that lists the names.
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    space, _, minimiser = name.partition("/")
    if space in SPACES and minimiser in MINIMISERS:
        explanation = f"The minimiser {minimiser} over a list of {space}."
        return of_one_phase(name, name, explanation, list_phase(space, MINIMISERS[minimiser]))
    raise LookupError(
        f"There is no algorithm {name!r}: choose among {', '.join(CATALOGUE)}, or join one of {', '.join(SPACES)} "
        f"by a slash with one of {', '.join(sorted(MINIMISERS))} (closures/wprobdd)."
        + did_you_mean(name, [*CATALOGUE, *(f"{space}/{each}" for space in SPACES for each in MINIMISERS)])
    )
