"""The probes as a table, with the output of the selected one."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app import text, words
from app.panels.lists.row_table import Column, RecordModel, RowTable
from app.theme.theme import worn
from app.widgets import beside, column_of, control, fixed_font
from core.protocol import events
from core.protocol.run_words import AnswerOrigin

_SIGNS = {"fails": "✓", "does not fail": "–"}
_ORIGINS: dict[str, str] = {AnswerOrigin.RUN: "run", AnswerOrigin.CACHE: "cache", AnswerOrigin.INVALID: "validity"}
"""Origins of verdicts, in words."""
_NOT_RUN: dict[str, str] = {
    AnswerOrigin.CACHE: "the same jar was run before, its verdict is known",
    AnswerOrigin.INVALID: "the jar is not valid, something that it needs is missing",
}


_COLUMNS = (
    Column("Run", 46), Column("Classes", 58), Column("Size", 64), Column("Verdict", 116, right=False),
    Column("Origin", 52, right=False), Column("Time", 60),
)  # fmt: skip


def _cells(probe: events.Probed) -> tuple[str, ...]:
    verdict, ran = words.verdict(probe.verdict), probe.origin == AnswerOrigin.RUN
    return (
        text.count(probe.probe) if ran else "",
        text.count(probe.classes),
        text.size(probe.bytes),
        f"{_SIGNS.get(verdict, '!')} {verdict}",
        _ORIGINS.get(probe.origin, probe.origin),
        text.seconds(probe.seconds) if ran else "",
    )


class ProbeTable(QWidget):
    """The table of probes, which follows the newest probe unless the user has scrolled up or chosen a row."""

    def __init__(self) -> None:
        super().__init__()
        self.model = RecordModel(_COLUMNS, _cells, lambda probe, _: probe.detail, self._ink)
        self.table = RowTable(self.model, "Runs")
        self.output = control(QPlainTextEdit(), "run_output", font=fixed_font())
        self.output.setTabStopDistance(2 * self.output.fontMetrics().horizontalAdvance(" "))  # of stack traces
        self.splitter = beside(self.table, self.output, sizes=[450, 250], stretch=(3, 2))
        column_of(self.splitter, owner=self)
        self.following = True
        self._moving = False
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.verticalScrollBar().valueChanged.connect(self._scrolled)

    def _ink(self, probe: events.Probed, column: int) -> QColor | None:
        theme = worn()
        if column == 3:
            inks = {"interesting": theme.good, "not interesting": theme.muted, "timed out": theme.bad}
            return inks.get(probe.verdict, theme.warn)
        return theme.muted if probe.origin != AnswerOrigin.RUN else None

    def show_probes(self, probes: list[events.Probed]) -> None:
        """Show the probes of the model."""
        if not probes:
            self.following = True
            self.output.clear()
        self._moving = True
        new = self.model.show(probes)
        if new and self.following:
            self.table.scrollToBottom()
        self._moving = False

    def show_text(self, output: str) -> None:
        """Show another text in the output pane: the check's."""
        self.output.setPlainText(output)

    def _scrolled(self, value: int) -> None:
        if not self._moving:
            self.following = value >= self.table.verticalScrollBar().maximum()

    def _selected(self) -> None:
        rows = self.table.selected_rows()
        if not rows:
            return
        probe = self.model.rows[rows[0]]
        self.following = self.following and rows[0] == len(self.model.rows) - 1
        self.output.setPlainText(report(probe))


def report(probe: events.Probed) -> str:
    """Return a probe with everything it left, as text."""
    asked = f"Run {probe.probe}" if probe.origin == AnswerOrigin.RUN else "Jar"
    head = f"{asked}: {words.verdict(probe.verdict)}"
    if probe.detail:
        head += f" ({probe.detail})"
    parts = [head]
    if probe.origin != AnswerOrigin.RUN:
        parts.append(f"Not run: {_NOT_RUN.get(probe.origin, probe.origin)}.")
    if probe.origin == AnswerOrigin.RUN or probe.stdout.strip() or probe.stderr.strip():
        parts.append("\n" + output_text(probe))
    return "\n".join(parts)


def output_text(run: events.Probed | events.Checked | events.CommandTried) -> str:
    """Return both outputs of a run under their titles."""
    parts = (("Standard output", run.stdout), ("Standard error", run.stderr))
    shown = [f"{title}\n{output.rstrip()}\n" for title, output in parts if output.strip()]
    return "\n".join(shown).rstrip() or "The command wrote nothing."
