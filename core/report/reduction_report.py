"""The report of a reduction: command, input, result, and the evidence for the result."""

from __future__ import annotations

import contextlib
import platform
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.archive.entry_names import MARK, kind_of
from core.archive.jar import EntryKind, Jar
from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import BESIDE, Entries, beside, of_jar, renaming_of
from core.model.class_model import ClassModel
from core.parts.parts import parts
from core.predicate.verdict import Outcome
from core.protocol.run_events import Report
from core.protocol.run_words import EndReason
from core.reduction.elements import PartElements, content_bytes, jar_of, large
from core.reduction.records import Counts, PhaseResult, Reduction, Spent, SubInput
from core.renaming import NOTHING_RENAMED, Renaming
from core.sets import ItemSet
from core.version import VERSION
from core.words import counted, some_of

_SHOWN, _GONE = 10, 40
"""Largest number of names in a sentence on the remaining inputs, and in one on the removed inputs."""

SCHEMA = 4
"""Version of the report's shape; it grows by one whenever a key changes its meaning or goes."""

_STEP = ("at", "probe", "classes", "items", "bytes")
"""Fields of an accepted step that the report has."""

PARTS = ("start", "reading", "check", "model", "search", "confirmation")
"""Parts of the time of a reduction: until the program runs; reading the input; the check of the input, as far as the
search waits for it; making models below the class; the search; running the result once more."""

ENDINGS: dict[str, str] = {
    EndReason.DONE: "the search itself",
    EndReason.STOPPED: "the user",
    EndReason.TIME: "the time limit",
    EndReason.PROBES: "the limit of probes",
}
"""Causes of the end of a reduction, in words, by the report's reason."""

UNTRIED = "No candidate was tried before that: this is the input as it was."
"""The sentence on a reduction that a limit ended before any answer."""

CUT_SHORT = "Smaller may be possible."
"""The sentence on any other reduction that did not end by itself."""


def size_of(model: ClassModel, items: ItemSet) -> dict[str, Any]:
    """Return the bytes, the classes, and the items of each kind of a sub-input."""
    kept = [item for number, item in enumerate(model.items) if items >> number & 1]
    return {
        "bytes": sum(item.bytes for item in kept),
        "classes": (items & model.class_items).bit_count(),
        "items": dict(Counter(item.kind.value for item in kept)),
    }


def report(
    model: ClassModel,
    settings: dict[str, Any],
    reduction: Reduction,
    check: Spent,
    waited: Mapping[str, float],
    kinds: Mapping[str, int] | None,
) -> dict[str, Any]:
    """Return the report as a JSON object. Times are seconds, sizes bytes of unpacked entries.

    ``probes.total`` is the sum of the probes of the ``check``, of the search (``run``) and of the ``confirmation``;
    ``speculated`` ones come on top. ``waited`` are the seconds that the user waited for each part, from the start of
    the program or the click: ``seconds`` has each of ``PARTS``, and ``total``, their sum (pauses left out).
    ``seconds.predicate`` is summed over all workers, ``seconds.own`` is wall time without a running predicate.
    ``items`` counts input and result by kind, down to the parts of classes for fewer than 10,000 classes. ``kinds``:
    the number of the input's parts per kind, if they were counted within the time limit. ``certificate.contradictions``
    are answers that no monotone predicate gives: an interesting candidate within an uninteresting one. The result was
    tested none the less, but with monotone answers it might have become another one.
    """
    best, entries = reduction.best, reduction.best.entries
    left = jar_of(entries, model.jar)
    late = reduction.reason is EndReason.TIME
    before = _items(model.jar, kinds, late=late)
    after = before if left is model.jar else _items(left, _kinds_of(best), late=late)
    return {
        "schema": SCHEMA,
        "tool": {"name": "jarlet", "version": VERSION, "python": platform.python_version()},
        "input": {
            "paths": [str(path) for path in model.jar.paths],
            "inputs": _inputs(model.jar, entries),
            **size_of(model, model.full),
            "items": before,
        },
        "settings": settings,
        "reason": reduction.reason,
        "output": {"bytes": best.bytes - content_bytes(beside(entries)), "classes": best.classes, "items": after},
        "rewritings": list(renaming_of(entries).edits),
        "kept": [name for name, _ in of_jar(entries) if not name.endswith("/")],
        "texts": {name.removeprefix(BESIDE): data.decode("utf-8", "surrogateescape") for name, data in beside(entries)},
        "probes": _probes(reduction.counts, check),
        "seconds": _seconds(reduction.counts, check, waited),
        "phases": list(map(_phase, reduction.phases)),
        "timeline": [{name: getattr(step, name) for name in _STEP} for step in reduction.timeline],
        "certificate": _certificate(reduction),
        "failures": {
            name: {"bytes": found.bytes, "classes": found.classes} for name, found in sorted(reduction.failures.items())
        },
    }


def texts_text(report: Report) -> str:
    """Return words on the remaining lines of the text files beside the jar; empty without such files."""
    texts = report.get("texts", {})
    return ", ".join(f"{name}: {counted(len(text.splitlines()), 'line')}" for name, text in texts.items())


def _probes(counts: Counts, check: Spent) -> dict[str, Any]:
    return {
        "total": check.probes + counts.probes + counts.confirmations,
        "check": check.probes,
        "run": counts.probes,
        "confirmation": counts.confirmations,
        "cached": counts.cached,
        "recalled": counts.recalled,
        "invalid": counts.invalid,
        "unfinished": counts.unfinished,
        "speculated": counts.speculated,
        "verdicts": counts.verdicts,
    }


def _seconds(counts: Counts, check: Spent, waited: Mapping[str, float]) -> dict[str, float]:
    """Return the seconds of each part, pauses left out, and their sums."""
    parts = dict.fromkeys(PARTS, 0.0) | {**waited, "search": waited.get("search", 0.0) - counts.paused_seconds}
    parts = {name: max(0.0, took) for name, took in parts.items()}
    total = sum(parts.values())
    return {
        "total": round(total, 3),
        **{name: round(took, 3) for name, took in parts.items()},
        "predicate": round(check.predicate_seconds + counts.predicate_seconds + counts.confirmation_seconds, 3),
        "own": round(max(0.0, total - check.predicate_alone - counts.covered_seconds), 3),
        "paused": round(counts.paused_seconds, 3),
    }


def _phase(phase: PhaseResult) -> dict[str, Any]:
    return {
        "reason": phase.reason,
        "probes": phase.probes,
        "seconds": round(phase.seconds, 3),
        "gained": phase.gained,
        "bytes": phase.best.bytes,
        "classes": phase.best.classes,
    }


def _certificate(reduction: Reduction) -> dict[str, Any]:
    checks, interesting = reduction.confirmed
    return {
        "final_checks": checks,
        "final_interesting": interesting,
        "contradictions": reduction.counts.contradictions,
        "flaky": reduction.counts.flaky,
        "ended": reduction.counts.ended,
    }


def input_paths(report: Report) -> list[Path]:
    """Return the files of the input, also by a report of an earlier schema."""
    return [Path(name) for name in report["input"].get("paths") or report["input"]["sources"]]


def seconds_of(report: Report) -> list[tuple[str, float]]:
    """Return the seconds of each part of a reduction, also by a report of an earlier schema."""
    return [(name, float(report["seconds"][name])) for name in PARTS if name in report["seconds"]]


def probes_of(report: Mapping[str, Any]) -> int:
    """Return all probes of a reduction, also by a report of schema 1, which knew those of the search only."""
    return int(report["probes"].get("total", report["probes"]["run"]))


def left_open(report: Report) -> str:
    """Return sentences on the gaps of a search that was cut short; empty if the search ended by itself."""
    if report["reason"] == EndReason.DONE:
        return ""
    probes = report["probes"]
    ended = " One probe was under way: its answer is not known." if probes.get("unfinished") else ""
    return (CUT_SHORT if probes["run"] + probes["cached"] else UNTRIED) + ended


def _inputs(jar: Jar, entries: Entries) -> list[dict[str, Any]]:
    """Return the jars of a class path, in order; ``left`` is True for jars with remaining entries, ``classes`` for jars
    with remaining classes. Empty for one."""
    left = {name.partition(MARK)[0] for name, _ in entries}
    classes = {name.partition(MARK)[0] for name, _ in entries if kind_of(name) is EntryKind.CLASS}
    return [
        {
            "path": str(each.path),
            "name": each.name,
            "label": each.label,
            "left": each.name in left,
            "classes": each.name in classes,
        }
        for each in (jar.inputs if jar.is_class_path else ())
    ]


def inputs_text(report: Report) -> str:
    """Return a sentence on the removed and the remaining jars of a class path; empty for one input."""
    found = report["input"].get("inputs", ())
    left, gone = ([each["name"] for each in found if each["left"] is kept] for kept in (True, False))
    bare = [each["name"] for each in found if each["left"] and not each["classes"]]
    if len(found) < 2:
        return ""
    text = f"Of {len(found):,} inputs {len(left)} {'is' if len(left) == 1 else 'are'} left"
    text += f" ({some_of(left, _SHOWN)})" if left else ""
    text += f". Without a class: {some_of(bare, _GONE)}" if bare else ""
    return f"{text}. Gone as a whole: {some_of(gone, _GONE)}." if gone else f"{text}."


def _items(jar: Jar, kinds: Mapping[str, int] | None, *, late: bool) -> dict[str, int]:
    """Return the number of items a kind: of the entries of a jar, and of the parts of its classes.

    ``kinds``: those of the parts; if they are None and there is time, the parts are counted here.
    """
    counts = Counter(
        entry.kind.value for entry in jar.entries if entry.kind not in (EntryKind.DIRECTORY, EntryKind.SIGNATURE)
    )
    if kinds is None:
        kinds = {} if late or large(jar) else _part_kinds(jar)
    return dict(counts + Counter(kinds))


def _kinds_of(best: SubInput) -> Mapping[str, int] | None:
    """Return the number of parts a kind as the best's model has them; None if there is no such model."""
    elements = best.elements
    return elements.item_model.kinds(best.items) if isinstance(elements, PartElements) else None


def _part_kinds(jar: Jar) -> Counter[str]:
    counts: Counter[str] = Counter()
    for place in jar.classes():
        with contextlib.suppress(ClassFormatError):
            counts.update(part.kind.value for part in parts(parse(jar.entries[place].data), "full"))
    return counts


def evidence(outcome: Outcome, renaming: Renaming = NOTHING_RENAMED) -> dict[str, Any]:
    """Return the evidence of a run, in the form of the report. ``renaming`` leads from the names of the full input, as
    the failures have them, to the names of the run. It makes ``shown`` if the run's own output is not known.
    """
    return {
        "detail": outcome.detail,
        "exit": outcome.exit,
        "processor": round(outcome.processor, 3),
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "failures": list(outcome.failures),
        "shown": list(outcome.shown) or list(map(renaming.given, outcome.failures)),
    }
