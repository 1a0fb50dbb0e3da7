"""The minimap: the whole graph in a corner. A frame around the visible part can be dragged."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.graph.canvas import GraphCanvas
from app.graph.paint.drawing import draw_rects, overlaps
from app.graph.paint.graph_style import worn_style
from app.graph.paint.package_painting import draw_states, most_telling
from app.graph.scene.camera import Camera, fitting
from app.painting import blank, inked, smooth
from app.widgets import Soon, made

WIDTH, HEIGHT, MARGIN = 190, 124, 12
"""Pixels of the largest map and around it."""
_LEAST, _INSIDE = 36, 7
"""Pixels of the lowest and the narrowest map; between its border and the graph."""
_REFRESH_MS = 400
"""While a reduction recolours nodes, the minimap follows at most this often."""
_SEES_ALL = 0.97
"""Share of the graph's width and height from which on the canvas shows all of it, and the minimap hides."""


class Minimap(QWidget):
    """A small map of the shape of the graph, hidden while the canvas shows everything. It lies in the lower right
    corner of the canvas, or in another one if it covers no box there."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._picture: QPixmap | None = None
        self._camera = Camera()
        self._bounds = (0.0, 0.0, 1.0, 1.0)
        self._wanted = True
        self._grip: QPointF | None = None
        self._later = Soon(self, _REFRESH_MS, self._refresh)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Minimap")
        self.setToolTip("The whole graph: drag the frame to scroll (Ctrl+M hides the minimap)")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.resize(WIDTH, HEIGHT)
        self.hide()
        canvas.scene_changed.connect(self._fit)
        canvas.states_changed.connect(self._later.ask)
        canvas.camera_moved.connect(self._follow)
        canvas.installEventFilter(self)

    def sizeHint(self) -> QSize:
        _, _, wide, high = self._bounds
        scale = min((WIDTH - 2 * _INSIDE) / wide, (HEIGHT - 2 * _INSIDE) / high)
        return QSize(*(max(_LEAST, round(side * scale) + 2 * _INSIDE) for side in (wide, high)))

    def set_wanted(self, wanted: bool) -> None:
        """Show or hide the minimap."""
        self._wanted = wanted
        self._follow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._refresh()

    def _fit(self) -> None:
        """Take the size that another scene needs."""
        self._bounds = self._canvas.scene.bounds()
        self.resize(self.sizeHint())
        self._camera = fitting(self._bounds, self.width(), self.height(), margin=_INSIDE, most=0.5)
        self._refresh()
        self._place()

    def _place(self) -> None:
        """Move into the corner of a canvas of another size."""
        self.move(self._corners()[0])
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._canvas:
            self._place()
        return False

    def view_rect(self) -> QRectF:
        """Return the area that the canvas shows, in pixels of the minimap."""
        left, top = self._canvas.camera.to_scene(0, 0)
        right, bottom = self._canvas.camera.to_scene(self._canvas.width(), self._canvas.height())
        return QRectF(QPointF(*self._camera.to_pixel(left, top)), QPointF(*self._camera.to_pixel(right, bottom)))

    def _refresh(self) -> None:
        self._picture = None
        self.update()

    def _follow(self) -> None:
        wanted = self._wanted and not self._sees_all()
        if wanted and self._covers(self.pos()):
            corners = self._corners()
            self.move(next((corner for corner in corners if not self._covers(corner)), corners[0]))
        self.setVisible(wanted)
        self.update()

    def _corners(self) -> list[QPoint]:
        """Return the places of the map in the corners of the canvas, the usual one first."""
        right, low = self._canvas.width() - self.width() - MARGIN, self._canvas.height() - self.height() - MARGIN
        return [QPoint(x, y) for x in (right, MARGIN) for y in (low, MARGIN)]

    def _covers(self, place: QPoint) -> bool:
        """Return True if the map hides a box there."""
        scene = self._canvas.scene
        boxes = self._canvas.camera.rects(np.concatenate([scene.boxes, scene.rects[scene.rects[:, 2] > 0]]))
        return overlaps(boxes, np.array([place.x(), place.y(), self.width(), self.height()], float))

    def _sees_all(self) -> bool:
        canvas = self._canvas
        if not canvas.scene.nodes or canvas.width() < 2 * WIDTH or canvas.height() < 2 * HEIGHT:
            return True  # no room for a map either
        x, y, w, h = self._bounds
        left, top = canvas.camera.to_scene(0, 0)
        right, bottom = canvas.camera.to_scene(canvas.width(), canvas.height())
        seen_w = min(right, x + w) - max(left, x)
        seen_h = min(bottom, y + h) - max(top, y)
        return seen_w >= _SEES_ALL * w and seen_h >= _SEES_ALL * h

    # -- pointer ------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        here, view = event.position(), self.view_rect()
        # Beside the frame: jump there. On it: keep the point of it that was gripped.
        self._grip = here - view.center() if view.contains(here) else QPointF()
        self._go(here)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._go(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._canvas.zoom(1.0016 ** event.angleDelta().y())
        event.accept()

    def _go(self, point: QPointF) -> None:
        middle = point - (self._grip or QPointF())
        self._canvas.centre_on(*self._camera.to_scene(middle.x(), middle.y()))

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            self._picture = self._drawn()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            view = self.view_rect().intersected(QRectF(self.rect()).adjusted(1, 1, -2, -2))
            shade = made(QColor(worn_style().accent), alpha=38)
            inked(painter, QPen(worn_style().accent, 1.6), shade)
            smooth(painter)
            painter.drawRoundedRect(view, 2, 2)
            inked(painter, QPen(worn_style().hull_pen.color(), 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _drawn(self) -> QPixmap:
        look, scene, states = worn_style(), self._canvas.scene, self._canvas.states
        picture = blank(self.width(), self.height(), self.devicePixelRatioF(), look.surface)
        painter = QPainter(picture)
        inked(painter, None, look.hull)
        draw_rects(painter, self._camera.rects(np.concatenate([scene.frames, scene.boxes])))
        shown = scene.rects[:, 2] > 0
        rects = self._camera.rects(scene.rects[shown])
        rects[:, 2:] = np.maximum(rects[:, 2:], 1.2)
        if states is None:
            painter.setBrush(look.idle_small)
            draw_rects(painter, rects)
        else:
            draw_states(painter, rects, most_telling(scene.node_of_item, states, scene.nodes)[shown])
        painter.end()
        return picture
