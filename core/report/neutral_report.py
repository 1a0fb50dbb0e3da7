"""The report of a result with neutral names as strangers may read it: without the names that the input had."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.renaming import Renaming

_INPUT = "input.jar"
"""Name of the input in such a report: its own name may tell whose it is."""
_TELLING: dict[str, Any] = {"evidence": [], "others": [], "failures": {}, "held": []}
"""Parts of a report that name what was removed or renamed, with what stands in their place."""


def without_old_names(report: dict[str, Any], renaming: Renaming) -> dict[str, Any]:
    """Return a report in which failures have the names that the result shows, and the input has none; the report itself
    if no name is neutral.
    """
    if not renaming.neutral.words and not renaming.neutral.packages:
        return report
    given, settings, final = renaming.given, report["settings"], report["final"]
    edits = len(report.get("rewritings") or ())
    return {
        **report,
        **{part: value for part, value in _TELLING.items() if part in report},
        "nearest": [_neighbour(given, each) for each in report.get("nearest", ())],
        "input": {**report["input"], "sources": [_INPUT]},
        "rewritings": [f"{edits} edits of the whole program, whose names are neutral"] if edits else [],
        "settings": {
            **settings,
            "keep": [],
            "drop_first": [],
            **{part: _given(given, settings[part]) for part in ("match", "no_match", "failures") if part in settings},
        },
        "final": {
            **final,
            "failures": final.get("shown") or [given(name) for name in final["failures"]],
            "chosen": [],
            "new": [],
            "of_libraries": [],
            "wanted": given(final["wanted"]),
        },
    }


def _neighbour(given: Callable[[str], str], neighbour: dict[str, Any]) -> dict[str, Any]:
    """Return a neighbour of the result, whose failures have the names that the neighbour shows."""
    return {**neighbour, "detail": given(neighbour["detail"]), "failures": list(map(given, neighbour["failures"]))}


def _given(given: Callable[[str], str], value: str | None) -> str | None:
    return None if value is None else given(value)
