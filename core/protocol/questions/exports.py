"""Files that the user asks for."""

from __future__ import annotations

from typing import Annotated

from core.protocol.commands import LayOut, Name, StepKey
from core.protocol.questions.explore import FindImpact
from core.protocol.settings import Settings
from core.protocol.wire import Question, Reply
from core.values import Seconds


class Exported(Reply):
    """A file was written at the user's wish."""

    path: str
    bytes: int
    what: str
    message: str = ""
    """Result of a trial of the file: a sentence."""


class Export(Question[Exported], by="export.export_result"):
    """Write the best so far (``jar``), the report or the whole graph to a file."""

    what: Name
    path: Name


class ExportView(Question[Exported], by="export.export_view"):
    """Write what a view shows, as a picture or a graph."""

    what: Name
    path: Name
    view: LayOut


class ExportStep(Question[Exported], by="export.export_step"):
    """Write an accepted step as a jar."""

    path: Name
    step: StepKey


class ExportTest(Question[Exported], by="results.export_test"):
    """Write the best so far as a test of a project's own suite, into a new folder."""

    project: str
    path: str
    settings: Settings
    """Settings with the failing predicate, used before the first reduction."""
    seconds: Annotated[float, Seconds(86_400.0)] = 60.0
    """Time of the search for Java source."""


class ExportImpact(Question[Exported], by="explore.impact.export_impact"):
    """Write the smallest set around some items, or what is left without them, as a jar."""

    path: str
    wish: FindImpact
