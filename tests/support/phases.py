"""Phases as tests start them."""

from __future__ import annotations

from core.search.phases import Knowledge, Phase, PhaseEffort, Pointers, Search, Skip
from core.search.spaces import SearchProblem


def start(
    phase: Phase,
    problem: SearchProblem,
    knowledge: Knowledge | None = None,
    effort: PhaseEffort | None = None,
    pointers: Pointers | None = None,
) -> Search | Skip:
    """Start a phase; nothing is known and nobody hurries unless that is said."""
    return phase.start(problem, knowledge or Knowledge(), effort or PhaseEffort(), pointers or Pointers())


def search_of(phase: Phase, problem: SearchProblem, **given: object) -> Search:
    """Start a phase that has something to ask."""
    found = start(phase, problem, **given)  # type: ignore[arg-type]
    assert isinstance(found, Search), found
    return found
