"""The algorithms by the names that users type: what the modules of ``minimisers`` and ``reducers`` declare.

A module in one of these rooms that declares an algorithm (:mod:`core.search.specs`) is all that it takes to add one.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from core.plan import auto as _auto  # noqa: F401 - declares the algorithm
from core.search import minimisers, reducers
from core.search.lists import SPACES, list_phase
from core.search.specs import ALGORITHMS, MINIMISERS, AlgorithmSpec, Level, Options, PhaseSpec

__all__ = ["CATALOGUE", "DEFAULT", "AlgorithmSpec", "Level", "Options", "PhaseSpec", "find"]

for _room in (minimisers, reducers):
    for _module in pkgutil.iter_modules(_room.__path__, f"{_room.__name__}."):
        import_module(_module.name)

DEFAULT = "auto"

CATALOGUE: dict[str, AlgorithmSpec] = {spec.name: spec for _, spec in sorted(ALGORITHMS, key=lambda placed: placed[0])}


def find(name: str) -> AlgorithmSpec:
    """The algorithm of that name, or a space and a minimiser joined (``closures/wprobdd``).

    Raises LookupError with a sentence that lists the names.
    """
    if name in CATALOGUE:
        return CATALOGUE[name]
    space, _, minimiser = name.partition("/")
    if space in SPACES and minimiser in MINIMISERS:
        explanation = f"The minimiser {minimiser} over a list of {space}."
        return AlgorithmSpec(name, name, explanation, (list_phase(space, MINIMISERS[minimiser]),))
    raise LookupError(
        f"There is no algorithm {name!r}: choose among {', '.join(CATALOGUE)}, or join one of {', '.join(SPACES)} "
        f"by a slash with one of {', '.join(sorted(MINIMISERS))} (closures/wprobdd)."
    )
