"""Once on the real xcb plug-in: off screen hides crashes that a user would see."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]


def on_an_x_server(screen: str, seconds: float, text: str, folder: Path, *arguments: object) -> tuple[int, str, str]:
    """Runs a program with a screen of so many pixels: exit code, standard output, standard error."""
    script = folder / "walk.py"
    script.write_text(text)
    run = subprocess.run(
        ["xvfb-run", "-a", "-s", f"-screen 0 {screen}x24", sys.executable, str(script), *map(str, arguments)],
        env={**os.environ, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=patience(seconds),
        check=False,
    )
    return run.returncode, run.stdout.strip(), run.stderr


WALK = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
import app.sample
from app.user_settings import UserSettings
from app.window.main_window import MainWindow
from pathlib import Path

application = QApplication(sys.argv[:1])
app.sample.jar = lambda: Path(sys.argv[1])
window = MainWindow(UserSettings(sys.argv[3]))
window.show()
window.commands.file.open_sample()

def look():
    if set(window.parts.graph.scenes) != {"packages", "components"} or window.parts.graph.canvas._edges.painting:
        return
    watch.stop()
    picture = application.primaryScreen().grabWindow(window.winId())
    assert picture.save(sys.argv[2])
    print(application.platformName())
    window.close()
    application.quit()

watch = QTimer()
watch.timeout.connect(look)
watch.start(300)
QTimer.singleShot(25000, lambda: application.exit(3))
sys.exit(application.exec())
"""


@pytest.mark.guarded
@pytest.mark.xvfb
def test_sample_on_a_real_x_server(sample_jar: Path, tmp_path: Path) -> None:
    assert shutil.which("xvfb-run"), "xvfb is missing: make setup installs it"
    picture = tmp_path / "window.png"
    arguments = (sample_jar, picture, tmp_path / "settings.ini")
    code, out, err = on_an_x_server("1400x900", 120, WALK, tmp_path, *arguments)
    assert (code, out) == (0, "xcb"), err
    image = QImage(str(picture))
    assert image.width() >= 1280
    colours = {image.pixelColor(x, y).name() for x in range(0, 1280, 5) for y in range(0, 800, 5)}
    assert len(colours) > 20, "the window is drawn, not blank"


POINTER = """
import subprocess, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
import app.sample
from app.window.commands.leaving import LeavingDialog
from app.user_settings import UserSettings
from app.window.main_window import MainWindow
from tests.support.patience import patience

application = QApplication(sys.argv[:1])
app.sample.jar = lambda: Path(sys.argv[1])
window = MainWindow(UserSettings(sys.argv[2]))
window.move(0, 0)
window.show()

def wait(over, what):
    end = time.monotonic() + patience()
    while not over():
        if time.monotonic() > end:
            sys.exit(f"waited in vain: {what}")
        QTest.qWait(20)

def click(widget):
    QTest.qWait(150)
    spot = widget.mapToGlobal(widget.rect().center())
    subprocess.run(["xdotool", "mousemove", str(spot.x()), str(spot.y()), "click", "1"], check=True)
    QTest.qWait(150)

state = window.controller.state
wait(lambda: window.parts.run.form.algorithm.count() > 1, "algorithms")
click(window.parts.empty.sample_button)
wait(lambda: "components" in window.parts.graph.scenes, "the sample")
window.parts.run.form.search.choose_algorithm("binary")
click(window.parts.run.check)
wait(lambda: state.checked is not None and not state.phase.busy, "the check")
click(window.parts.run.start)
wait(lambda: state.phase.reducing, "the start")
click(window.parts.run.pause)
wait(lambda: state.phase.value == "paused" or state.finished, "the pause")
if not state.finished:
    click(window.parts.run.pause)
wait(lambda: state.finished is not None, "the end")
click(window.parts.toolbar.widgetForAction(window.table.by_id["explore"]))  # the end has shown the bug alone
tree = window.parts.tree.tree
tree.scrollToTop()
place = tree.visualRect(window.parts.tree.model.index(0, 0, window.parts.tree.model.index(0, 0)))
spot = tree.viewport().mapToGlobal(place.center())
subprocess.run(["xdotool", "mousemove", str(spot.x()), str(spot.y()), "click", "1"], check=True)
wait(lambda: window.selection.name != "", "a selected class")
print("finished", state.finished.classes < 64, bool(window.parts.selection.text()))
# The result is in no file: the window asks before it closes.
def leave():
    wait(lambda: isinstance(application.activeModalWidget(), LeavingDialog), "the question")
    click(application.activeModalWidget().go_button)

QTimer.singleShot(0, leave)
window.close()
print("closed", not window.isVisible())
"""


@pytest.mark.slow
@pytest.mark.xvfb
def test_pointer_on_a_real_x_server(sample_jar: Path, tmp_path: Path) -> None:
    if not shutil.which("xdotool"):
        pytest.skip("xdotool is not installed: it moves the pointer")
    arguments = (sample_jar, tmp_path / "settings.ini")
    code, out, err = on_an_x_server("1440x900", 600, POINTER, tmp_path, *arguments)
    assert (code, out) == (0, "finished True True\nclosed True"), err
