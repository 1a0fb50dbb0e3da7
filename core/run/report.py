"""The report of a reduction: what was run, on what, what came out, and what vouches for it."""

from __future__ import annotations

import platform
from collections import Counter
from dataclasses import asdict
from typing import Any

from core.model.items import Model
from core.run.driver import Reduction
from core.search.spaces import ItemSet
from core.version import VERSION

SCHEMA = 1
"""Version of the report's shape; it grows by one whenever a key changes its meaning or goes."""


def size_of(model: Model, items: ItemSet) -> dict[str, Any]:
    """Bytes, classes, and items a kind of a sub-input."""
    kept = [item for number, item in enumerate(model.items) if items >> number & 1]
    return {
        "bytes": sum(item.bytes for item in kept),
        "classes": (items & model.class_items).bit_count(),
        "items": dict(Counter(item.kind.value for item in kept)),
    }


def report(
    model: Model, settings: dict[str, Any], reduction: Reduction, final_checks: int, final_interesting: int
) -> dict[str, Any]:
    """The report as a JSON object. Times are seconds, sizes bytes of unpacked entries.

    ``final_checks`` is how often the result was run once more at the end, ``final_interesting``
    how often it was interesting then.
    """
    counts = reduction.counts
    own = reduction.seconds - counts.predicate_seconds
    return {
        "schema": SCHEMA,
        "tool": {"name": "jarlet", "version": VERSION, "python": platform.python_version()},
        "input": {"sources": [str(path) for path in model.jar.sources], **size_of(model, model.full)},
        "settings": settings,
        "reason": reduction.reason,
        "output": size_of(model, reduction.items),
        "kept": [item.name for number, item in enumerate(model.items) if reduction.items >> number & 1],
        "probes": {
            "run": counts.probes,
            "cached": counts.cached,
            "invalid": counts.invalid,
            "verdicts": counts.verdicts,
        },
        "seconds": {
            "total": round(reduction.seconds, 3),
            "predicate": round(counts.predicate_seconds, 3),
            "own": round(own, 3),
            "paused": round(counts.paused_seconds, 3),
        },
        "timeline": [asdict(step) for step in reduction.timeline],
        "certificate": {
            "final_checks": final_checks,
            "final_interesting": final_interesting,
            "one_minimal": "not checked",
        },
    }
