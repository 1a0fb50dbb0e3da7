"""The bug report of an input that was run in versions of a tool, but not reduced here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.entries import Entries, class_files
from core.predicate.aim import Aim
from core.protocol.questions.background import VersionRan, VersionsRan
from core.report.document import Document
from core.report.reduction_report import evidence
from core.report.reproduction import reproduction
from core.report.sign import sign_of
from core.service.aims import aim_in
from core.service.bug_folder import document_of, jar_of, sources_of
from core.service.versions.version_search import VersionSearch
from core.version import VERSION


def told(title: str, rows: Sequence[VersionRan], result: VersionsRan) -> dict[str, Any]:
    """Return the known facts about the versions as a JSON object, as in reports."""
    found = {name: value for name, value in asdict(result).items() if name != "request"}
    shown = [{name: value for name, value in asdict(row).items() if name not in ("place", "request")} for row in rows]
    return {"tool": title, **found, "versions": shown}


def version_report(inputs: Sequence[Path], entries: Entries, aim: Aim, search: VersionSearch) -> dict[str, Any]:
    """Return the report of a finished search as a JSON object. It has the keys of a reduction's report, without those
    about a reduction."""
    predicate = search.predicate
    assert search.outcome is not None
    return {
        "tool": {"name": "jarlet", "version": VERSION},
        "input": {
            "sources": [str(path) for path in inputs],
            "bytes": sum(len(data) for _, data in entries),
            "classes": len(class_files(entries)),
        },
        "settings": aim.stored,
        "tools": {"jarlet": VERSION} | predicate.versions(),
        "final": {
            "wanted": aim.wanted_text(predicate),
            "command": predicate.shell_line(Path("work")),
            **evidence(search.outcome),
        },
        "versions": told(search.title, search.rows, search.result),
    }


def version_document(report: dict[str, Any], entries: Entries, search: VersionSearch) -> Document:
    """Return the bug report, by the version whose failure is meant."""
    made = reproduction(search.predicate, sign_of(aim_in(report), report["final"]))
    return document_of(report, entries, jar_of(entries), made, sources_of(entries, report))
