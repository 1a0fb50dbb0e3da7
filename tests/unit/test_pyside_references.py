"""PySide6 6.12 on Python 3.11 loses a reference of None or True at each call that returns one.

After some thousands of calls the interpreter dies ("none_dealloc"). This test fails long
before that when such a version is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROBE = """
import sys
from PySide6.QtCore import QObject, QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QWidget

application = QApplication([])
widget, label, timer, pixmap = QWidget(), QLabel(), QTimer(), QPixmap(8, 8)
painter = QPainter(pixmap)
widget.setVisible(False)
calls = {
    "setObjectName": lambda: widget.setObjectName("x"),
    "setToolTip": lambda: widget.setToolTip("x"),
    "setText": lambda: label.setText("x"),
    "resize": lambda: widget.resize(10, 10),
    "update": lambda: widget.update(),
    "setInterval": lambda: timer.setInterval(5),
    "drawRect": lambda: painter.drawRect(QRectF(0, 0, 1, 1)),
    "save, restore": lambda: (painter.save(), painter.restore()),
    "isEnabled": lambda: widget.isEnabled(),
    "isHidden": lambda: widget.isHidden(),
    "setProperty": lambda: widget.setProperty("a", 1),
    "signalsBlocked": lambda: widget.signalsBlocked(),
}
for name, call in calls.items():
    call()
    for value in (None, True, False):
        before = sys.getrefcount(value)
        for _ in range(300):
            call()
        change = sys.getrefcount(value) - before
        if abs(change) > 100:
            print(name, value, change)
painter.end()
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None and True are immortal from 3.12 on")
def test_calls_leave_the_reference_counts_of_none_and_bool_alone() -> None:
    # In a process of its own: the failure could end ours.
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
