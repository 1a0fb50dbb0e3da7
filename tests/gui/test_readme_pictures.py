"""The pictures that README and guide show are those of today's window."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]
SHOWN = ROOT / "resources/screenshots"
GRID = (48, 30)
"""Columns and rows of the fields whose mean grey is compared; an edge of a graph that moved does not matter."""


def greys(file: Path) -> np.ndarray:
    """Return the mean grey of each field of a picture, 0 to 255."""
    picture = QImage(str(file)).convertToFormat(QImage.Format.Format_Grayscale8)
    assert not picture.isNull(), file
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    height, width = picture.height() // GRID[1], picture.width() // GRID[0]
    part = rows[: height * GRID[1], : width * GRID[0]].astype(float)
    return part.reshape(GRID[1], height, GRID[0], width).mean(axis=(1, 3))


@pytest.mark.slow
def test_the_pictures_look_like_the_window_of_today(decompilers: None, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.gui.screenshots", str(tmp_path), "--readme"]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("XDG_CACHE_HOME", None)  # tools that were fetched are in the user's: Vineflower is in a picture
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=patience(900)
    )
    assert done.returncode == 0, done.stderr
    made = {file.name: file for file in tmp_path.glob("*.png")}
    assert made.keys() == {file.name for file in SHOWN.glob("*.png")}
    for name, file in made.items():
        assert QImage(str(file)).size() == QImage(str(SHOWN / name)).size(), name
        changed = np.abs(greys(file) - greys(SHOWN / name)) > 12  # two runs differ in 0.2 %, two pages in 8 % and more
        assert changed.mean() < 0.02, f"{name}: {changed.mean():.1%} has changed; python -m tests.gui.screenshots"
