"""Declarations of algorithms. Each stands above the function that plans its phases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.plan.search_run import SearchRun
from core.search.phases import Phase

Plan = Callable[[SearchRun], None]
"""Function that runs phases, one after another."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A declared algorithm of the catalogue; title and explanation are for the user."""

    name: str
    title: str
    explanation: str
    phases: tuple[Phase, ...]
    """All phases that the plan may run, the first one first."""
    plan: Plan
    first: Callable[[SearchRun], None]
    """Function that runs once before the plan, to try candidates ahead of any search."""


ALGORITHMS: list[tuple[int, Algorithm]] = []
"""All algorithms of several phases, each with its place in the catalogue."""


def algorithm(
    name: str,
    title: str,
    explanation: str,
    *,
    place: int,
    phases: tuple[Phase, ...],
    first: Callable[[SearchRun], None] = lambda run: None,
) -> Callable[[Plan], Plan]:
    """Return a decorator for functions that plan phases; it declares the algorithm. Algorithms with a small ``place``
    come first in lists.
    """

    def declare(plan: Plan) -> Plan:
        ALGORITHMS.append((place, Algorithm(name, title, explanation, phases, plan, first)))
        return plan

    return declare


def of_one_phase(name: str, title: str, explanation: str, phase: Phase) -> Algorithm:
    """Return an algorithm of one phase, which runs to its end."""

    def plan(run: SearchRun) -> None:
        run.phase(phase)

    return Algorithm(name, title, explanation, (phase,), plan, lambda run: None)
