"""Pictures of windows where there is no display: the screen that Qt draws on, and fewer colours."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage

from app.theme.theme import LIGHT

SCREEN = {"name": "large", "x": 0, "y": 0, "width": 3840, "height": 2400, "logicalDpi": 96, "logicalBaseDpi": 96}
"""Our screen where there is no display: Qt's own is 800 pixels wide, and cuts dialogs and menus at 200 %."""


def use_screen(place: Path) -> None:
    """Let Qt draw off screen, unless a platform is chosen; the folder gets the description of our screen."""
    description = place / "screens.json"
    description.write_text(json.dumps({"screens": [{**SCREEN, "dpr": 1}]}), encoding="utf-8")
    os.environ.setdefault("QT_QPA_PLATFORM", f"offscreen:configfile={description}")


def few_colours(picture: QImage) -> QImage:
    """The same in its 256 most frequent colours: a third of the bytes, and nobody sees it."""
    whole = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(whole.constBits(), np.uint32)
    colours, counts = np.unique(pixels, return_counts=True)
    named = {colour.rgb() for colour in asdict(LIGHT).values() if isinstance(colour, QColor)}
    frequent = [colour for colour in colours[np.argsort(-counts, kind="stable")].tolist() if colour not in named]
    chosen = [*sorted(named), *frequent][:256]
    return whole.convertToFormat(QImage.Format.Format_Indexed8, chosen, Qt.ImageConversionFlag.AvoidDither)
