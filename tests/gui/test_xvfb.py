"""Once on the real xcb plug-in: off screen hides crashes that a user would see."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parents[2]

WALK = """
import sys
from PySide6.QtCore import QTimer, QSettings
from PySide6.QtWidgets import QApplication
import app.sample
from app.main_window import MainWindow
from pathlib import Path

application = QApplication(sys.argv[:1])
app.sample.jar = lambda: Path(sys.argv[1])
window = MainWindow(QSettings(sys.argv[3], QSettings.Format.IniFormat))
window.show()
window.open_sample()

def look():
    if set(window.graph._scenes) != {"packages", "components"} or window.graph.canvas._edges.painting:
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


@pytest.mark.xvfb
def test_sample_on_a_real_x_server(sample_jar: Path, tmp_path: Path) -> None:
    assert shutil.which("xvfb-run"), "xvfb is missing: make setup installs it"
    picture = tmp_path / "window.png"
    script = tmp_path / "walk.py"
    script.write_text(WALK)
    arguments = (script, sample_jar, picture, tmp_path / "settings.ini")
    run = subprocess.run(
        [*["xvfb-run", "-a", "-s"], "-screen 0 1400x900x24", sys.executable, *map(str, arguments)],
        env={**os.environ, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stdout.strip()) == (0, "xcb"), run.stderr
    image = QImage(str(picture))
    assert image.width() >= 1280
    colours = {image.pixelColor(x, y).name() for x in range(0, 1280, 5) for y in range(0, 800, 5)}
    assert len(colours) > 20, "the window is drawn, not blank"
