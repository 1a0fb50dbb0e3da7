"""The events of a workspace about an opened input, a check and an ended reduction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.archive.entry_names import opened_jar
from core.archive.jar_folders import end_of
from core.evidence.clues import Clues
from core.model.class_model import ClassModel, Kind
from core.protocol import events
from core.protocol.run_words import EndReason
from core.protocol.wording import WARNING, unstable_text
from core.reduction.records import Reduction
from core.report.reduction_report import UNTRIED, size_of
from core.sets import ItemSet


def opened_event(model: ClassModel, notes: Sequence[str], seconds: float) -> events.Opened:
    """Return the event of an input that took ``seconds`` to read. ``notes`` come before its warnings."""
    graph = model.graph
    warnings = [*notes, *model.jar.warnings]
    warnings += [
        f"{model.jar.entries[entry].name}: this class file cannot be parsed ({problem}). It is kept whole."
        for entry, problem in graph.problems
    ]
    full = size_of(model, model.full)
    paths = [model.jar.entries[node.entry].name for node in graph.nodes]
    paths += [item.name for item in model.items[len(paths) :]]
    inside = list(map(opened_jar, paths))
    named = set(inside)
    jars = list(dict.fromkeys(jar for entry in model.jar.entries if (jar := opened_jar(entry.name)) in named))
    number = {jar: at for at, jar in enumerate(jars)}
    return events.Opened(
        paths=[str(path) for path in model.jar.paths],
        title=model.jar.title,
        bytes=full["bytes"],
        classes=full["classes"],
        kinds=[item.kind.value for item in model.items],
        names=[item.name for item in model.items],
        sizes=[item.bytes for item in model.items],
        components=list(model.components),
        component_count=len(graph.components),
        edges=[number for edge in model.edges for number in edge],
        pinned=[number for number in range(len(model.items)) if model.pinned >> number & 1],
        warnings=warnings,
        unresolved=len(graph.unresolved),
        seconds=seconds,
        end=end_of(model.jar.inputs),
        jars=[jar or model.jar.title for jar in jars] if jars[1:] else [],
        jar_of=[number[jar] for jar in inside] if jars[1:] else [],
    )


def used_event(model: ClassModel, clues: Clues | None) -> events.Used:
    """Return the event of the classes and resources that a run of the input used, as far as they are known."""
    ran = clues.ran if clues is not None else None

    def chosen(wanted: Callable[[str], bool], classes: bool = True) -> str:
        found: ItemSet = 0
        for number, item in enumerate(model.items):
            if (item.kind is Kind.CLASS) == classes and wanted(item.name):
                found |= 1 << number
        return events.pack(found, len(model.items))

    named = frozenset(mention.name for mention in clues.mentions) if clues is not None else frozenset()
    return events.Used(
        loaded=chosen(ran.loaded.__contains__) if ran is not None else "",
        ran=chosen(ran.covered.__contains__) if ran is not None and ran.covered else "",
        read=chosen(ran.asked_for, classes=False) if ran is not None and ran.read is not None else "",
        named=chosen(named.__contains__) if named else "",
        problem=clues.problem or (ran.note if ran is not None else "") if clues is not None else "",
    )


def finished_event(reduction: Reduction, report: dict[str, Any], kept: str) -> events.Finished:
    """Return the event of an ended reduction. ``kept``: the packed items of the result."""
    return events.Finished(
        reason=reduction.reason,
        message=summary(
            reduction,
            report["certificate"],
            may_be_resident=bool(report["settings"]["warm"] and report["settings"]["preset"]),
        ),
        kept=kept,
        classes=reduction.best.classes,
        bytes=reduction.best.bytes,
        probes=reduction.counts.probes,
        seconds=report["seconds"]["total"],
        report=report,
    )


def summary(reduction: Reduction, certificate: Mapping[str, Any], *, may_be_resident: bool) -> str:
    """Return sentences about the end of a reduction, and about runs of the result that were not interesting.
    ``may_be_resident``: True if a resident process may have run the tool."""
    reasons = {
        EndReason.DONE: "The reduction is done.",
        EndReason.STOPPED: "The reduction was stopped: the result is the best so far.",
        EndReason.TIME: "The time limit is reached: the result is the best so far.",
        EndReason.PROBES: "The limit of probes is reached: the result is the best so far.",
    }
    text = reasons[reduction.reason]
    if reduction.reason is not EndReason.DONE and not reduction.counts.answered:
        text = f"{text} {UNTRIED}"
    if unstable := unstable_text(certificate):
        text += f" {WARNING}{unstable[0].lower()}{unstable[1:]}"
        if may_be_resident:
            text += " If that comes from keeping the tool in memory, jarlet reduce --cold does without it."
    return text
