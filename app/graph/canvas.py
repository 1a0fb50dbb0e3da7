"""The canvas: the picture of the graph and how the user walks through it, by pointer and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.graph.paint.package_painting import frame_at
from app.graph.paint.picture import GraphPicture
from app.graph.paint.walked import ARROWS
from app.graph.scene.camera import DIRECTIONS, Camera, fitting, line_at, nearest_to, neighbour, node_at

_NEAR = 4.0
"""Pixels from an edge within which a click is meant for it."""
_PAN = 60
"""Pixels of a step of the picture by an arrow key."""


class GraphCanvas(GraphPicture):
    """Pan by dragging, zoom to the pointer by wheel, walk by arrow keys."""

    node_selected = Signal(int)
    """Node chosen by pointer or keyboard; -1 = none."""
    node_activated = Signal(int)
    """Double click or Enter on a node."""
    node_paired = Signal(int)
    """Ctrl + click on a node: a path to it is wanted."""
    edge_chosen = Signal(int)
    """A line of the scene was clicked."""
    box_chosen = Signal(int)
    """The ground of a component's box was clicked."""
    frame_activated = Signal(int)
    """Double click on the title of a frame."""
    fold_wanted = Signal(bool)
    """+ (open) or - (close) while a package, or a class in a frame, is selected."""
    went_back = Signal()
    """The pointer's back button."""
    menu_wanted = Signal(QPoint, int, int)
    """Where on the screen, node and frame there (-1 = none)."""

    # -- areas and nodes -----------------------------------------------------------------

    def show_area(self, bounds: tuple[float, float, float, float]) -> None:
        """Bring an area of the scene into view, not closer than its natural size."""
        margin = min(70, 0.12 * min(self.width(), self.height()))
        self._go(fitting(bounds, self.width(), self.height(), margin=margin, most=1.25), True)
        self.touched = True

    def bring_in(self, bounds: tuple[float, float, float, float]) -> None:
        """Bring an area into view unless it can be seen whole already, and large enough."""
        x, y, w, h = bounds
        left, top = self.camera.to_pixel(x, y)
        right, bottom = self.camera.to_pixel(x + w, y + h)
        inside = left >= 0 and top >= 0 and right <= self.width() and bottom <= self.height()
        if not inside or self.camera.scale < 0.3:
            self.show_area(bounds)

    def reveal(self, node: int) -> None:
        """Bring a node into view, close enough to read its name; stay if that is so already."""
        if self.scene.rects[node, 2] <= 0:
            return
        x, y, w, h = self.scene.rects[node].tolist()
        px, py = self.camera.to_pixel(x + w / 2, y + h / 2)
        inside = 20 < px < self.width() - 20 and 20 < py < self.height() - 20
        if inside and h * self.camera.scale >= 11:
            return
        scale = max(self.camera.scale, 14 / max(h, 1e-6))
        self._go(Camera(scale).centred(x + w / 2, y + h / 2, self.width(), self.height()), True)
        self.touched = True

    def centre_on(self, x: float, y: float) -> None:
        """Move a point of the scene to the middle, at once."""
        self._move(self.camera.centred(x, y, self.width(), self.height()))

    def natural_size(self) -> None:
        """Show one scene unit a pixel."""
        self.zoom(1 / self.camera.scale)

    # -- pointer ------------------------------------------------------------------------

    def node_at_pixel(self, point: QPointF) -> int:
        """Return the node under a pixel, tiny ones with some slack; -1 = none."""
        x, y = self.camera.to_scene(point.x(), point.y())
        return node_at(self.scene.rects, x, y, 1.5 / self.camera.scale)

    def frame_at_pixel(self, point: QPointF, head_only: bool = True) -> int:
        """Return the frame whose title (or inside) is under a pixel; -1 = none."""
        return frame_at(self.scene, *self.camera.to_scene(point.x(), point.y()), head_only, 14 / self.camera.scale)

    def line_at_pixel(self, point: QPointF) -> int:
        """Return the line of the scene under a pixel, -1 = none."""
        lines = self.camera.lines(self.scene.lines)
        return line_at(lines, point.x(), point.y(), self._edges.curved, _NEAR)

    def box_at_pixel(self, point: QPointF) -> int:
        """Return the component's box under a pixel, -1 = none."""
        if self.scene.view == "packages":
            return -1
        return node_at(self.scene.boxes, *self.camera.to_scene(point.x(), point.y()))

    def pixel_of(self, node: int) -> QPointF:
        """Return the pixel in the middle of a node."""
        x, y, w, h = self.scene.rects[node].tolist()
        return QPointF(*self.camera.to_pixel(x + w / 2, y + h / 2))

    def _point(self, here: QPointF) -> None:
        node = self.node_at_pixel(here)
        if node != self._hover:
            self._hover = node
            self.update()
        hand = node >= 0 or self.frame_at_pixel(here) >= 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.BackButton:
            self.went_back.emit()

    def _click(self, event: QMouseEvent) -> None:
        node = self.node_at_pixel(event.position())
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and node >= 0:
            self.node_paired.emit(node)
        elif node < 0 and (line := self.line_at_pixel(event.position())) >= 0:
            self.choose(-1)
            self.edge_chosen.emit(line)
        elif node < 0 and (box := self.box_at_pixel(event.position())) >= 0:
            self.choose(-1)
            self.select_box(box)
            self.box_chosen.emit(box)
        else:
            self.choose(node)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self.node_at_pixel(event.position())
        if node >= 0:
            self.node_activated.emit(node)
        elif (frame := self.frame_at_pixel(event.position())) >= 0:
            self.frame_activated.emit(frame)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.scene.nodes:
            return
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            node = self.marks.selected
            where = self.pixel_of(node) if node >= 0 else QPointF(self.width() / 2, self.height() / 2)
            self.menu_wanted.emit(self.mapToGlobal(where.toPoint()), node, -1)
            return
        node = self.node_at_pixel(QPointF(event.pos()))
        if node >= 0:
            self.choose(node)
        frame = self.frame_at_pixel(QPointF(event.pos()), head_only=False)
        self.menu_wanted.emit(event.globalPos(), node, frame)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = -1
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        pixels, turn = event.pixelDelta(), event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._move(self.camera.moved(turn.y() / 2 or turn.x() / 2, 0))
        elif pixels.isNull() or pixels.y():
            super().wheelEvent(event)
        event.accept()

    def _hint(self, here: QPointF) -> str:
        node = self.node_at_pixel(here)
        if node < 0:
            return ""
        name, *facts = self.describer(node)
        return f"<b>{name}</b><br>" + "<br>".join(facts)

    # -- keyboard -----------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        opening = key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal)
        if not self.scene.nodes:
            QWidget.keyPressEvent(self, event)
        elif key in ARROWS:
            self._arrow(ARROWS[key], bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif (opening or key == Qt.Key.Key_Minus) and self._foldable(opening):
            self.fold_wanted.emit(opening)
        elif key == Qt.Key.Key_0:
            self.natural_size()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marks.selected >= 0:
            self.node_activated.emit(self.marks.selected)
        else:
            super().keyPressEvent(event)

    def _foldable(self, opening: bool) -> bool:
        """Return True if the selection is a package to open, or lies in a frame to close."""
        if self.scene.view != "packages" or self.marks.selected < 0:
            return False
        return self.marks.selected < self.scene.cards if opening else bool(len(self.scene.frames))

    def _arrow(self, direction: str, pan: bool) -> None:
        if pan:
            x, y = DIRECTIONS[direction]
            self._set_camera(self.camera.moved(-_PAN * x, -_PAN * y))
            self.touched = True
            return
        if self.marks.selected < 0:
            middle = self.camera.to_scene(self.width() / 2, self.height() / 2)
            node = nearest_to(self.scene, *middle)
        else:
            node = neighbour(self.scene, self.marks.selected, direction)
        if node >= 0:
            self.choose(node)
            self.reveal(node)

    def choose(self, node: int) -> None:
        """Select a node as the user does, telling; -1 = none."""
        self.select(node)
        self.node_selected.emit(node)
