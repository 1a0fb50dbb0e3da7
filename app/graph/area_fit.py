"""Keeps the areas of the view *Sizes* in the proportions of the room that the graph has."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.graph.scene.camera import AREA_MARGIN
from app.graph.stage import GraphStage
from app.widgets import Soon
from core.protocol.commands import LayOut

_SETTLED_MS = 200
"""Time without a change of the room after which the areas are laid out anew, in milliseconds."""
_SLACK = 0.03
"""Share by which the proportions of room and areas may differ."""


def width_in_heights(room: QWidget) -> int:
    """Return the width in hundredths of the height, of the part of a widget that areas fill."""
    wide, high = (max(side - 2 * AREA_MARGIN, 1.0) for side in (room.width(), room.height()))
    return round(100 * wide / high)


class AreaFit(QObject):
    """An object that asks for other areas once the room has other proportions. The engine lays them out, in its own
    process."""

    def __init__(self, stage: GraphStage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._wide = 0
        """The width for which the areas were wanted last, in hundredths of the height."""
        self._settled = Soon(self, _SETTLED_MS, self._lay_out)
        stage.layout_wanted.connect(self._note)
        stage.scene_shown.connect(lambda _: self._settled.start())
        stage.canvas.camera_moved.connect(self._settled.start)  # it moves when the room changes, too

    def _note(self, wish: LayOut) -> None:
        if wish.view == "treemap":
            self._wide = wish.wide

    def _lay_out(self) -> None:
        canvas = self._stage.canvas
        wide = width_in_heights(canvas)
        if self._stage.view != "treemap" or canvas.touched or not canvas.isVisible():
            return  # whoever has zoomed in looks at a part, which stays where it is
        if abs(wide - self._wide) > _SLACK * self._wide:
            self._stage.ask("treemap", wide=wide)
