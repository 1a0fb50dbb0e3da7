"""The page of the bug: failures above, below the source of the best so far, beside another tool's source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QListWidget,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QWidget,
)

from app import text
from app.bug.bug_words import APART, failure_words, file_title, heading_of, with_folds
from app.bug.source_view import counterpart
from app.bug.two_sources import TwoSources
from app.graph.canvas import GraphCanvas
from app.graph.scene.scene import NO_SCENE, Scene
from app.panels.empty_page import BlankPage
from app.widgets import ElidedBox, ElidedLabel, add_row, bar, beside, button, column_of, control, made
from core.protocol import events

NO_FAILURE = (
    "No failure yet",
    "Check or Start runs the command on the whole jar. Its failure is shown here in the source.",
)
"""Title and sentence in the place of the source before there is a failure."""
_SOON = "The source comes here, with the lines that fail. Of a large jar, it is that of the classes that failures name."
_NOT_REWRITTEN = "Nothing was rewritten, only removed."
_LIST, _LIST_LEAST, _LIST_MARGIN = 96, 34, 10
"""Heights in pixels: of the list of failures, unless the user drags it or there are few; of one row; of all but rows.
"""


class BugView(QWidget):
    """The page of the failure in the source, as ``bug_shown`` describes it."""

    beside_wanted = Signal()
    """Something else is to stand on the right."""
    became_visible = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Bug")
        self.graph = GraphCanvas()
        self.graph.setAccessibleName("Graph of what is left")
        self.graph.steady = False
        self.graph_of: Callable[[], tuple[Scene, np.ndarray | None]] = lambda: (NO_SCENE, None)
        """Function that returns the graph of the packages and the states of the items; set by the owner of the page."""
        self.page: events.BugShown | None = None
        self.heading, self.note, self.rewritten = ElidedLabel(), ElidedLabel(), ElidedLabel()
        self.heading.setProperty("heading", True)
        self.failures = made(
            QListWidget(),
            accessibleName="Failures of the smallest so far",
            minimumHeight=_LIST_LEAST,
            textElideMode=Qt.TextElideMode.ElideRight,  # its beginning tells a failure from others
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,  # the tip has the rest
        )
        self.files, self.beside = control(ElidedBox(), "source_file"), control(ElidedBox(), "beside")
        for box in (self.files, self.beside):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.blank = BlankPage()
        self.tool = made(QLabel(), muted=True)
        self._wanted = ""
        """A failure that is to be shown once it is here."""
        self._apart: Mapping[str, str] = {}
        """Words for the failures that are new in the result or come from missing libraries, by name."""
        self._lay_out()
        self.failures.currentRowChanged.connect(self._go_to)
        self.files.activated.connect(self._show_file)
        self.beside.activated.connect(self.beside_wanted)
        for keys, way in (("F8", 1), ("Shift+F8", -1)):
            made(
                QShortcut(QKeySequence(keys), self),
                context=Qt.ShortcutContext.WidgetWithChildrenShortcut,
                activated=lambda way=way: self.step(way),
            )
        for line in (self.note, self.rewritten):
            line.setContentsMargins(10, 0, 8, 0)
        self.clear(*NO_FAILURE)

    def _lay_out(self) -> None:
        self.back = made(QToolButton(), arrowType=Qt.ArrowType.UpArrow, accessibleName="Previous")
        self.next = made(QToolButton(), arrowType=Qt.ArrowType.DownArrow, accessibleName="Next")
        made(self.back, toolTip="Show the previous failure (Shift+F8)", clicked=lambda: self.step(-1))
        made(self.next, toolTip="Show the next failure (F8)", clicked=lambda: self.step(1))
        tip = "Run the versions of the tool on this jar: which fail?"
        self.versions = button("Versions…", tip)
        tip = "Look for Java source that compiles to classes with this failure"
        self.java = button("Java source…", tip)
        tip = "Show the report of the last reduction, to copy or export"
        self.report = button("Report…", tip)
        self.top = bar(self.heading, self.back, self.next, self.versions, self.java, self.report)
        self.sides = TwoSources(bar(self.files, self.tool), bar(QLabel("Beside it"), self.beside))
        self.left, self.right = self.sides.views
        self.none = beside(self.blank, self.graph, sizes=[400, 600])
        body = QSplitter(Qt.Orientation.Vertical)
        body.addWidget(self.failures)
        for part in (self.sides, self.none):
            body.addWidget(part)
            body.setStretchFactor(body.count() - 1, 1)
        body.setSizes([_LIST, 500, 500])
        body.setChildrenCollapsible(False)
        body.splitterMoved.connect(self._moved)
        self._body, self._body_moved = body, False
        column_of(self.top, self.note, self.rewritten, (body, 1), owner=self, spacing=0)

    def _moved(self) -> None:
        self._body_moved = True

    # -- content ------------------------------------------------------------------------

    def clear(self, title: str, words: str) -> None:
        """Show no source, and the reason."""
        self.page = None
        self.graph.set_scene(NO_SCENE)
        self.blank.tell(title, words)
        self.heading.set_text("")
        self._show_rewritten([])
        self._note("")
        self.failures.clear()
        self.files.clear()
        self.tool.setText("")
        self._enable()

    def wait(self, classes: int) -> None:
        """Show that a newer page, of so many classes, is being made."""
        if not classes:  # nothing is decompiled: the page that says so comes soon
            if self.page is None:
                self.blank.tell("No source", "No class is left.")
            return
        doing = f"Decompiling {text.classes(classes)}…"
        self._note(doing)
        if self.page is None:
            self.blank.tell(doing, _SOON)

    def _note(self, words: str) -> None:
        """Show a line that holds for now, in the place of the line of rewriting: so nothing below moves."""
        self.note.set_text(words)
        self.note.setVisible(bool(words) and self.page is not None)
        self.rewritten.setVisible(not words and self.page is not None and bool(self.page.files))

    def show_page(self, page: events.BugShown, apart: Mapping[str, str] | None = None) -> None:
        """Show another candidate, or more of the same one. The chosen failure and file stay if they are still there.
        Failures in ``apart`` come last, each behind its words there."""
        if page.stopped and self.page is not None:
            self._note(page.problem)
            return
        self._apart = apart or {}
        page = replace(page, failures=sorted(page.failures, key=lambda one: one.name in self._apart))
        failure, file = self._wanted or self._failure(), str(self.files.currentData() or "")
        old, self.page = self.page, page
        if not page.files:
            self.blank.tell("No source", page.problem)
            scene, states = self.graph_of()
            self.graph.set_scene(scene)
            self.graph.set_states(states)
        self.heading.set_text(heading_of(page, self._apart))
        more = f"{text.counted(page.left_out, 'file')} not shown" if page.left_out else ""
        self._show_rewritten(page.rewritten)
        self._note((page.problem or more) if page.files else "")
        self.tool.setText(f"by {page.tool}" if page.tool else "")
        self._fill(self.beside, [(title, name) for name, title in page.choices], page.beside)
        self._fill_failures(page.failures)
        self._fill(self.files, [(file_title(one), one.name) for one in page.files], "")
        row = next((at for at, one in enumerate(page.failures) if one.name == failure), -1)
        with QSignalBlocker(self.failures):
            self.failures.setCurrentRow(row if row >= 0 else (0 if page.failures else -1))
        jump = (
            old is None or bool(self._wanted) or [one.row for one in old.failures] != [one.row for one in page.failures]
        )
        self._wanted = ""
        chosen = page.failures[self.failures.currentRow()] if page.failures else None
        if chosen is not None and chosen.file >= 0 and (row >= 0 or not file):
            self.files.setCurrentIndex(chosen.file)
        self._show_file()
        self._go_to(self.failures.currentRow(), jump)
        self._enable()

    def _show_rewritten(self, edits: Sequence[str]) -> None:
        """Show the edits of rewriting in one line, and one to a line in its tool tip."""
        told = f"Rewritten, {text.counted(len(edits), 'edit')}: {'; '.join(edits)}"
        self.rewritten.set_text(told if edits else _NOT_REWRITTEN)
        self.rewritten.setToolTip("\n".join(edits))

    def go_to_failure(self, name: str) -> None:
        """Show a failure by its name; if it is not here yet, once it is."""
        names = [one.name for one in self.page.failures] if self.page is not None else []
        if name in names:
            self.failures.setCurrentRow(names.index(name))
            self._go_to(names.index(name))
        else:
            self._wanted = name

    def step(self, way: int) -> None:
        """Show the next failure, or the one before."""
        count = self.failures.count()
        if count:
            self.failures.setCurrentRow((self.failures.currentRow() + way) % count)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.became_visible.emit()

    def _failure(self) -> str:
        row = self.failures.currentRow()
        known = self.page.failures if self.page is not None else []
        return known[row].name if 0 <= row < len(known) else ""

    def _fill_failures(self, failures: Sequence[events.ShownFailure]) -> None:
        words = [failure_words(one, self.page, self._apart.get(one.name, "")) for one in failures]
        if words == [self.failures.item(row).text() for row in range(self.failures.count())]:
            return
        with QSignalBlocker(self.failures):
            self.failures.clear()
            for one, line in zip(failures, words, strict=True):
                why = APART.get(self._apart.get(one.name, ""), "")
                add_row(self.failures, line, tip="\n".join(filter(None, [why, one.text[:2000] or line])))
        if not self._body_moved:  # the source needs the room
            height = min(_LIST, max(1, len(failures)) * self.failures.sizeHintForRow(0) + _LIST_MARGIN)
            rest = sum(self._body.sizes()) - height
            self._body.setSizes([height, rest, rest])

    @staticmethod
    def _fill(box: QComboBox, rows: list[tuple[str, str]], chosen: str) -> None:
        """Offer other choices; the chosen one stays chosen."""
        before = chosen or box.currentData()
        if [(box.itemText(at), box.itemData(at)) for at in range(box.count())] != rows:
            box.clear()
            for title, name in rows:
                box.addItem(title, name)
        at = box.findData(before)
        box.setCurrentIndex(at if at >= 0 else (0 if rows else -1))

    def _show_file(self) -> None:
        at = self.files.currentIndex()
        if self.page is None or not 0 <= at < len(self.page.files):
            return
        one = self.page.files[at]
        left, right, hidden = with_folds(one)
        self.left.show_rows(left, one.left_lines, one.marked, folded=hidden)
        beside = one.right.strip()
        none = ""
        if not beside:
            title = self.page.beside_title
            none = f"{title}: no such file." if self.page.beside_made else f"{title} is decompiling…"
        self.right.show_rows(right if beside else "", one.right_lines if beside else [], [], none, folded=hidden)
        self.sides.level()

    def _go_to(self, row: int, scroll: bool = True) -> None:
        """Mark the line of a failure and its counterpart; with ``scroll``, show the file and the line."""
        if self.page is None or not 0 <= row < len(self.page.failures):
            return
        one = self.page.failures[row]
        if one.file >= 0:
            if scroll and one.file != self.files.currentIndex():
                self.files.setCurrentIndex(one.file)
                self._show_file()
            here = one.file == self.files.currentIndex()
            self.left.go_to(one.row if here else -1, scroll)
            self.right.go_to(self._counterpart(one) if here else -1, scroll)
        self._enable()

    def _counterpart(self, failure: events.ShownFailure) -> int:
        """Return the row on the right that corresponds to a failing one; -1 = none."""
        assert self.page is not None
        file, row = self.page.files[failure.file], failure.row
        lefts, rights = file.left.split("\n"), file.right.split("\n")
        return counterpart(lefts[row], rights, row) if 0 <= row < len(lefts) and file.right.strip() else -1

    def _enable(self) -> None:
        for one in (self.versions, self.java, self.report):
            one.setEnabled(self.page is not None)
        several = self.failures.count() > 1
        self.back.setEnabled(several)
        self.next.setEnabled(several)
        self.files.setEnabled(self.files.count() > 0)
        self.beside.setEnabled(self.beside.count() > 0)
        for part, there in (
            (self.top, self.page is not None),
            (self.failures, self.failures.count() > 0),
            (self.sides, self.page is not None and bool(self.page.files)),
            (self.none, self.page is None or not self.page.files),
            (self.graph, self.page is not None and self.graph.scene.nodes > 0),
        ):
            part.setVisible(there)
