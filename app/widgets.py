"""Widgets and layouts in one expression, and common parts of all rooms of the window: texts that say when they are cut,
scrolled areas."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QFont, QFontDatabase, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QComboBox,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from app.shortening import without_fragments
from resources import path


def bar(*parts: QWidget | None) -> QWidget:
    """Return a bar with these parts; None is room that the others do not need."""
    bar = made(QWidget(), bar=True)
    shares = ((part, 1) if isinstance(part, ElidedLabel) else part for part in parts)
    row_of(*shares, owner=bar, margins=(10, 4, 8, 4), spacing=8)
    return bar


LOOKS = frozenset(
    [
        "bar",
        "card",
        "drop",
        "figure",
        "flat",
        "foot",
        "heading",
        "link",
        "message",
        "muted",
        "primary",
        "section",
        "segment",
        "title",
        "warning",
    ]
)
"""Properties of ours, which the style sheet knows."""

Made = TypeVar("Made")
Thing = QWidget | QLayout
Part = Thing | tuple[Thing, int] | tuple[Thing, int, Qt.AlignmentFlag] | int | None
"""A part of a layout, maybe with its stretch and its place; a number of pixels that stay empty; or :data:`STRETCH`."""
Margins = tuple[int, int, int, int]

STRETCH = None
"""Room between two parts that grows with the layout."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE, TOP, ACROSS = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignHCenter
"""Places of a text or a part in the room that it has; ``ACROSS``: in the middle from left to right."""
Index = QModelIndex | QPersistentModelIndex
"""Place in a model, as Qt hands it over."""


def made(thing: Made, **values: Any) -> Made:
    """Set properties of an object, and connect its signals, by Qt's names for them; return the object.

    ``toolTip="Start"`` calls ``setToolTip``, ``clicked=begin`` connects that signal, ``muted=True`` sets one of
    :data:`LOOKS`.
    """
    own: Any = thing
    for name, value in values.items():
        if name in LOOKS:
            own.setProperty(name, value)
        elif isinstance(signal := getattr(own, name, None), SignalInstance):
            signal.connect(value)
        else:
            getattr(own, f"set{name[0].upper()}{name[1:]}")(value)
    return thing


def column_of(
    *parts: Part, owner: QWidget | None = None, margins: Margins | None = (0, 0, 0, 0), spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout with parts one below the other, the layout of ``owner`` if there is one; None = as the style."""
    return _filled(QVBoxLayout, parts, owner, margins, spacing)


def row_of(
    *parts: Part, owner: QWidget | None = None, margins: Margins | None = (0, 0, 0, 0), spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout with parts beside each other, as :func:`column_of` does with parts below each other."""
    return _filled(QHBoxLayout, parts, owner, margins, spacing)


class Soon(QTimer):
    """A timer that calls a function once, so many milliseconds after it was started."""

    def __init__(self, parent: QObject, milliseconds: int, slot: Callable[[], object]) -> None:
        super().__init__(parent)
        made(self, singleShot=True, interval=milliseconds, timeout=slot)

    def ask(self) -> None:
        """Start, unless it runs: later requests do not prolong the wait."""
        if not self.isActive():
            self.start()


def add_row(rows: QListWidget, words: str, value: object = None, tip: str = "") -> None:
    """Add a row to a list; ``value`` is its data for the user's role."""
    made(QListWidgetItem(words, rows), toolTip=tip).setData(Qt.ItemDataRole.UserRole, value)


def fixed_font() -> QFont:
    """Return the font of code."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


def button(words: str, tip: str, slot: SignalInstance | Callable[[], object] | None = None) -> QPushButton:
    """Return a button that calls a function, or emits a signal without values. Without ``slot`` its ``clicked`` is
    connected elsewhere."""
    one = made(QPushButton(words), toolTip=tip, accessibleName=words.replace("&", "").rstrip("…"))
    if slot is not None:
        one.clicked.connect(slot if isinstance(slot, SignalInstance) else lambda _=False: slot())
    return one


_CONTROLS = tomllib.loads(path("controls.toml").read_text(encoding="utf-8"))


def control(thing: Made, name: str, **values: Any) -> Made:
    """Give a control its words and properties in ``resources/controls.toml``, and more as :func:`made` does; return
    the control."""
    own = dict(_CONTROLS[name])
    rows = own.pop("rows", ())
    made(thing, **own, **values)
    if isinstance(thing, QComboBox):
        thing.view().setAccessibleName(thing.accessibleName())
        for title, value in rows:
            thing.addItem(title, value)
    return thing


def beside(*parts: QWidget, sizes: Sequence[int] = (), stretch: Sequence[int] = ()) -> QSplitter:
    """Return parts beside each other, of widths that the user can change; ``stretch``: their shares of more room."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    for part in parts:
        splitter.addWidget(part)
    for place, share in enumerate(stretch):
        splitter.setStretchFactor(place, share)
    if sizes:
        splitter.setSizes(sizes)
    return splitter


def closing(slot: Callable[[], object], *buttons: QPushButton) -> QDialogButtonBox:
    """Return the lowest row of a dialog: some buttons, and one that closes it by ``slot``."""
    row = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    for one in buttons:
        row.addButton(one, QDialogButtonBox.ButtonRole.ActionRole)
    row.rejected.connect(slot)
    return row


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(
    kind: Callable[..., Box],
    parts: tuple[Part, ...],
    owner: QWidget | None,
    margins: Margins | None,
    spacing: int | None,
) -> Box:
    layout = kind(owner) if owner is not None else kind()
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            thing, *how = part if isinstance(part, tuple) else (part,)
            add: Any = layout.addWidget if isinstance(thing, QWidget) else layout.addLayout
            add(thing, *how)
    return layout


class _Area(QScrollArea):
    """A scrolled area. A field in it comes into sight with the keyboard, unless the mouse is on it already."""

    def __init__(self) -> None:
        super().__init__()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now) and not now.underMouse():
            QTimer.singleShot(0, self, self._bring_in)  # once the parts unfolded for it have their places

    def _bring_in(self) -> None:
        now = QApplication.focusWidget()
        if now is not None and self.isAncestorOf(now):
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # of the parts unfolded just now
            self.ensureWidgetVisible(now)


def scrolled(widget: QWidget, name: str) -> QScrollArea:
    """Return an area without a frame in which a widget is scrolled up and down; ``name`` is for a reader of the
    screen."""
    area = made(
        _Area(),
        widget=widget,
        widgetResizable=True,
        horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
        frameShape=QFrame.Shape.NoFrame,
        accessibleName=name,
        focusPolicy=Qt.FocusPolicy.NoFocus,
    )
    area.viewport().setAutoFillBackground(False)
    widget.setAutoFillBackground(False)
    return area


class ElidedBox(QComboBox):
    """A combo box that says when it does not show all. Qt's own cuts a letter in two."""

    def shown(self) -> str:
        """Return the part of the chosen row that fits."""
        option: Any = QStyleOptionComboBox()  # Qt's stubs do not know the fields of a style option
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        option: Any = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


class ElidedLabel(QWidget):
    """A label that never makes its window wider. Its tool tip is the whole sentence."""

    def __init__(self, figures: bool = False) -> None:
        """Make a label. With ``figures``, the text is a list of figures, separated by commas, of which the last are
        left out first.
        """
        super().__init__()
        self._text, self._figures = "", figures
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        """Return the whole sentence."""
        return self._text

    def set_text(self, text: str) -> None:
        """Set another sentence."""
        if text != self._text:
            self._text = text
            self.setToolTip(text)
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 6)

    def shown(self) -> str:
        """Return the part of the text that fits. Of figures it is empty if less than half, or no whole word, would
        fit; of a sentence longer than that the beginning is shown."""
        metrics, text, wide = self.fontMetrics(), self._text, self.contentsRect().width()
        while self._figures and ", " in text and metrics.horizontalAdvance(text) > wide:
            text = text.rpartition(", ")[0]
        less = wide < metrics.horizontalAdvance(text) // 2
        if less and self._figures:
            return ""
        where = Qt.TextElideMode.ElideRight if less else Qt.TextElideMode.ElideMiddle
        shown = without_fragments(metrics.elidedText(text, where, wide))
        return "" if self._figures and shown != text and " … " not in shown else shown

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().windowText().color())
            painter.drawText(self.contentsRect(), LEFT, self.shown())
