"""The names of a result: how many are neutral, and which stay."""

from __future__ import annotations

from typing import Any

from core.plan.search_run import SearchRun
from core.reduction.rewrite_elements import RewriteElements
from core.search.reducers.by_halves import NEUTRAL_NAMES

_IMPOSSIBLE = (
    "No name became neutral: a class cannot be read or lies at another place than its name tells, or the classes are "
    "too many."
)


def names_left(run: SearchRun) -> dict[str, Any]:
    """Return the report on the names of the best: ``neutral`` is a number, ``stayed`` are names with their objects,
    ``why`` is a sentence, empty if no name stayed.
    """
    elements = run.elements.of_phase(NEUTRAL_NAMES, run.best)
    assert isinstance(elements, RewriteElements)
    neutral = elements.renaming.neutral
    stayed = [edit.what[0] for edit in elements.edits]
    if elements.obstacle:
        why = _IMPOSSIBLE
    elif run.stopped and stayed:
        why = "Some names stayed, because the search was cut short: more time or probes may change them."
    else:
        why = "Some names stayed: without them the failure is gone, or the probes were used up." if stayed else ""
    return {
        "neutral": len(neutral.packages) + len(neutral.words),
        "stayed": [{"of": name.of, "name": name.text} for name in stayed],
        "why": why,
    }
