"""The graph's head line: the views, and the tools of the shown one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from app.widgets import STRETCH, Part, control, made, row_of

VIEWS = ("packages", "components", "focus", "force", "matrix", "treemap")
DEPTHS = (1, 2, 3)


class Head(QWidget):
    """Segments for the views at the left; the shown view's tools at the right, or below if there is no room.
    ``colours`` and ``only_left`` serve all views, and are laid out elsewhere."""

    view_wanted = Signal(str)
    focus_changed = Signal()
    rows_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", True)
        self._segments = QButtonGroup(self)
        self._tools = QStackedWidget()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(10, 6, 10, 6)
        self._grid.setHorizontalSpacing(0)
        row = made(QHBoxLayout(), spacing=0)
        for number, name in enumerate(VIEWS):
            button = control(QPushButton(), f"view_{name}")
            self._segments.addButton(button, number)
            row.addWidget(button)
        self._segments.idClicked.connect(lambda number: self.view_wanted.emit(VIEWS[number]))
        row.addStretch(1)
        self._grid.addLayout(row, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self.only_left, self.by_name = control(QCheckBox(), "only_left"), control(QCheckBox(), "by_name")
        self.colours = control(QComboBox(), "colours")
        self._grid.addWidget(self._tools, 0, 1)
        self._pages = {
            "packages": self._package_tools(),
            "focus": self._focus_tools(),
            "matrix": self._matrix_tools(),
        }
        for page in self._pages.values():
            self._tools.addWidget(page)
        self.show_view("")

    def minimumSizeHint(self) -> QSize:
        sides = self._grid.contentsMargins()
        least = max(self._views_width(), self._tools.sizeHint().width()) + sides.left() + sides.right()
        return QSize(least, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        sides = self._grid.contentsMargins()
        room = event.size().width() - sides.left() - sides.right()
        beside = self._views_width() + self._tools.sizeHint().width() <= room
        self._grid.addWidget(self._tools, *((0, 1) if beside else (1, 0)))

    def _views_width(self) -> int:
        return sum(button.sizeHint().width() for button in self._segments.buttons())

    def _package_tools(self) -> QWidget:
        names = ("open_all", "close_all", "cycles")
        self.open_all, self.close_all, self.cycles = (control(QPushButton(), name) for name in names)
        return _page(self.open_all, self.close_all, self.cycles)

    def _focus_tools(self) -> QWidget:
        self.needed_by, self.needs = control(QCheckBox(), "needed_by"), control(QCheckBox(), "needs")
        for box in (self.needed_by, self.needs):
            box.toggled.connect(self._direction_changed)
        self._depths = QButtonGroup(self)
        for depth in DEPTHS:
            tip = f"Up to {depth} steps away" if depth > 1 else "One step away"
            button = made(
                QPushButton(str(depth)),
                checkable=True,
                segment=True,
                toolTip=tip,
                accessibleName=tip,
                checked=depth == 1,
            )
            self._depths.addButton(button, depth)
        self._depths.idClicked.connect(self.focus_changed)
        return _page(self.needed_by, 8, self.needs, 8, *self._depths.buttons())

    def _matrix_tools(self) -> QWidget:
        self._rows = control(QComboBox(), "matrix_rows", currentIndexChanged=self.rows_changed)
        return _page(self._rows)

    @property
    def steps(self) -> int:
        """Steps of the neighbourhood."""
        return self._depths.checkedId()

    @property
    def rows(self) -> str:
        """Return the chosen kind of the matrix' rows."""
        return str(self._rows.currentData())

    def set_rows(self, rows: str) -> None:
        """Choose the matrix' rows."""
        self._rows.setCurrentIndex(self._rows.findData(rows))

    def enable(self, view: str, enabled: bool) -> None:
        """Enable or disable the choice of a view."""
        self._segments.button(VIEWS.index(view)).setEnabled(enabled)

    def show_view(self, view: str) -> None:
        """Mark the view that is shown, and bring its tools."""
        if view in VIEWS:
            self._segments.button(VIEWS.index(view)).setChecked(True)
        self._tools.setVisible(view in self._pages)
        if view in self._pages:
            self._tools.setCurrentWidget(self._pages[view])
        self.by_name.setVisible(view not in ("matrix", "treemap"))

    def _direction_changed(self) -> None:
        other = self.needs if self.sender() is self.needed_by else self.needed_by
        if not self.needs.isChecked() and not self.needed_by.isChecked():
            other.setChecked(True)  # tells
        else:
            self.focus_changed.emit()


def _page(*parts: Part) -> QWidget:
    page = QWidget()
    row_of(STRETCH, *parts, owner=page, spacing=0)
    return page
