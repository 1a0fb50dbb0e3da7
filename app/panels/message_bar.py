"""A bar above the graph that says what happened, in one sentence, until it is closed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

_MARKS = {"info": "ℹ", "good": "✓", "warning": "⚠", "error": "✕"}
_GOES_AFTER_MS = 9000
"""Good news and remarks leave by themselves; warnings and errors stay."""


class MessageBar(QFrame):
    """One sentence at a time, with a button for what can be done about it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 7, 8, 7)
        row.setSpacing(10)
        self._mark = QLabel()
        self._mark.setProperty("heading", True)
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)  # a command is shown as it is
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.action_button = QPushButton()
        self.action_button.setAccessibleName("Action")
        self.action_button.clicked.connect(self._act)
        self._close = QToolButton()
        self._close.setText("✕")
        self._close.setAutoRaise(True)
        self._close.setAccessibleName("Close this message")
        self._close.setToolTip("Close this message")
        self._close.clicked.connect(self.hide)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)
        self.other_button = QPushButton()
        self.other_button.setAccessibleName("Other action")
        self.other_button.clicked.connect(self._act_otherwise)
        row.addWidget(self.action_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.other_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._action: Callable[[], None] | None = None
        self._other: Callable[[], None] | None = None
        self.kind = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self.setAccessibleName("Message")
        self.hide()

    def tell(
        self,
        sentence: str,
        kind: str = "info",
        button: str = "",
        action: Callable[[], None] | None = None,
        other: str = "",
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Show a sentence; ``kind`` is ``info``, ``good``, ``warning`` or ``error``. Up to two buttons."""
        self.kind = kind
        self.setProperty("message", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        self._mark.setText(_MARKS[kind])
        self.text.setText(sentence)
        self.setAccessibleDescription(sentence)
        self._action = action
        self.action_button.setText(button)
        self.action_button.setAccessibleName(button or "Action")
        self.action_button.setVisible(bool(button))
        self._other = otherwise
        self.other_button.setText(other)
        self.other_button.setAccessibleName(other or "Other action")
        self.other_button.setVisible(bool(other))
        self._timer.stop()
        if kind in ("info", "good") and not button:
            self._timer.start(_GOES_AFTER_MS)
        self.show()

    def _act(self) -> None:
        self.hide()
        if self._action is not None:
            self._action()

    def _act_otherwise(self) -> None:
        self.hide()
        if self._other is not None:
            self._other()
