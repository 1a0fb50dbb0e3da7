"""The picture: one widget that paints a scene as a camera sees it. The user's actions on it are in ``canvas.py``."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent

from app.engine.opened_jar import Floats, Ints
from app.engine.run_state import ItemState
from app.graph.paint import nodes, overlay
from app.graph.paint.callouts import draw_callouts, draw_wishes, fill_bars
from app.graph.paint.drawing import Painting, WholePicture, keyboard_line
from app.graph.paint.edges import EdgePicture
from app.graph.paint.graph_style import worn_style
from app.graph.paint.marks import NO_MARKS
from app.graph.paint.package_painting import draw_cards, draw_frame_titles, draw_frames
from app.graph.paint.walked import Flight, WalkedPicture
from app.graph.scene.camera import AREA_MARGIN, MARGIN, Camera, fitting
from app.graph.scene.scene import NO_SCENE, Scene
from app.painting import smooth
from app.widgets import Soon

_STILL_MS = 80
"""The edges are painted anew once the view has stood still for so long."""
_RECOLOUR_S = 0.4
"""While a reduction recolours nodes, the edges follow at most this often."""
_EXPORTED = 1.25
"""Pixels of a scene unit in a picture that is drawn into a file: the lowest card has room for its figures."""
_OUTLINE = 6.0
"""Pixels around the selected node that its outlines take."""
_LOOKS = ("states", "_shares", "_pinned", "_first", "tints", "_gone")
"""Attributes for the look of a picture, beside its marks."""


class GraphPicture(WalkedPicture):
    """A picture of hulls, edges, nodes, names, and the marks of selection, pointer and search."""

    scene_changed = Signal()
    states_changed = Signal()
    camera_moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.scene = NO_SCENE
        self.camera = Camera()
        self.marks = NO_MARKS
        self.describer: Callable[[int], list[str]] = lambda node: [""]
        """Function from a node to its description, the name first; set by the view."""
        self.touched = False
        """True if the user moved the camera since the last fit."""
        self.steady = True
        """True if scale and centre stay while bars and docks of the window come and go."""
        self._around = QSize()
        """Size of the window at the last change of size."""
        self.states: np.ndarray | None = None
        """State of each item; None before a run."""
        self._shares: np.ndarray | None = None
        """Remaining share of each item, from 0 to 1; None = not known."""
        self._pinned: Ints = np.zeros(0, np.int32)
        self._first: Ints = np.zeros(0, np.int32)
        self.tints: np.ndarray | None = None
        self._gone = np.zeros(0, np.bool_)
        self._hover = -1
        self._edges = EdgePicture()
        self._recoloured = 0.0
        self._whole = False
        """True for a picture that is drawn into a file."""
        self.flight = Flight(self._set_camera, self)
        self._still = Soon(self, _STILL_MS, self._begin_edges)
        self._paint_on = Soon(self, 0, self._step_edges)
        self._recolour = Soon(self, int(_RECOLOUR_S * 1000), self._begin_edges)
        self.setAccessibleName("Dependency graph")

    # -- what is shown ------------------------------------------------------------------

    def set_scene(self, scene: Scene, camera: Camera | None = None) -> None:
        """Show another scene, whole unless a camera is given."""
        self.scene = scene
        self.marks, self._hover = NO_MARKS, -1
        self.states = None
        self._gone = np.zeros(scene.nodes, np.bool_)
        self._edges.forget()
        self.flight.stop()
        if camera is not None:
            self._set_camera(camera)
        else:
            self.fit(animate=False)
        self._begin_edges()
        self.update()
        self.scene_changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:  # another theme
            self._edges.forget()
            self._begin_edges()

    def set_states(self, states: np.ndarray | None) -> None:
        """Set the states of the items (:class:`ItemState`); None: no run to show."""
        scene = self.scene
        if not scene.nodes:
            return
        self.states = states
        gone = np.zeros(scene.nodes, np.bool_)
        if states is not None:
            placed = scene.node_of_item >= 0
            there = np.zeros(scene.nodes, np.bool_)
            there[scene.node_of_item[placed & (states != ItemState.GONE)]] = True
            gone = ~there
        if not np.array_equal(gone, self._gone):
            self._gone = gone
            if not self._recolour.isActive():
                wait = _RECOLOUR_S - (time.monotonic() - self._recoloured)
                self._recolour.start(max(0, int(wait * 1000)))
        self.update()
        self.states_changed.emit()

    def set_shares(self, shares: np.ndarray | None) -> None:
        """Set the remaining share of each item, from 0 to 1; None = not known, or all."""
        self._shares = shares
        self.update()

    def set_wishes(self, pinned: Ints, first: Ints) -> None:
        """Set the pinned items, and those to drop first."""
        self._pinned, self._first = pinned, first
        self.update()

    def set_tints(self, tints: np.ndarray | None) -> None:
        """Set a colour of each item (:func:`~app.graph.paint.graph_style.brush`); None: by state."""
        self.tints = tints
        self.update()

    def select(self, node: int) -> None:
        """Mark a node as selected, without telling."""
        self.setAccessibleDescription(", ".join(self.describer(node)) if node >= 0 else "")
        self._select(selected=node)

    def select_box(self, box: int) -> None:
        """Mark a component's box, without telling."""
        self._select(box=box)

    def _select(self, **chosen: int) -> None:
        self.marks = self.marks.unchosen
        self.mark(**chosen)

    def mark(self, **marks: Any) -> None:
        """Change marks, by their names in :class:`~app.graph.paint.marks.Marks`."""
        self.marks = replace(self.marks, **marks)
        if marks.keys() & {"selected", "path"}:
            self.marks = self.marks.lined(self.scene)
        self.update()

    # -- camera -------------------------------------------------------------------------

    def fit(self, animate: bool = True) -> None:
        """Show everything."""
        margin = AREA_MARGIN if self.scene.view == "treemap" else MARGIN
        self._go(fitting(self.scene.bounds(), self.width(), self.height(), margin), animate)
        self.touched = False

    def refit(self) -> None:
        """Show everything again in other room, unless the user has chosen what to see."""
        if not self.touched:
            self.fit()

    def place_camera(self, camera: Camera) -> None:
        """Set another camera, at once."""
        self.flight.stop()
        self._set_camera(camera)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out; the point ``at`` (default: the middle) stays where it is."""
        point = at or QPointF(self.width() / 2, self.height() / 2)
        self._move(self.camera.zoomed(factor, point.x(), point.y()))

    def _move(self, camera: Camera) -> None:
        self.place_camera(camera)
        self.touched = True

    def _go(self, camera: Camera, animate: bool) -> None:
        self.flight.stop()
        if animate and self.isVisible():
            self.flight.start(self.camera, camera)
        else:
            self._set_camera(camera)

    def _set_camera(self, camera: Camera) -> None:
        self.camera = camera
        if not self._edges.serves(camera, self.width(), self.height()):
            self._paint_on.stop()
            self._still.start()
        self.update()
        self.camera_moved.emit()

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if not self.scene.nodes:
                painter.fillRect(self.rect(), worn_style().canvas)
                return
            size = (self.width(), self.height())
            painting = Painting(painter, self.scene, self.camera, worn_style(), size, self.states)
            self._paint_below(painting)
            self._paint_nodes(painting)
            self._paint_above(painting)
            if self.hasFocus():
                keyboard_line(painter, self.rect())

    def whole(self, title: str) -> WholePicture | None:
        """Return the scene as it looks now, all of it, without selection and pointer; None if there is none."""
        if not self.scene.nodes:
            return None
        clone, (x, y, wide, high) = GraphPicture(), self.scene.bounds()
        for name in ("scene", *_LOOKS):
            setattr(clone, name, getattr(self, name))
        clone.marks = replace(self.marks.unchosen, cuts=self.marks.cuts)
        clone._whole = True
        clone.camera = Camera(_EXPORTED, MARGIN - x * _EXPORTED, MARGIN - y * _EXPORTED)
        size = (round(wide * _EXPORTED + 2 * MARGIN), round(high * _EXPORTED + 2 * MARGIN))
        rest = (self.scene, clone.camera, worn_style(), size, self.states)

        def stage(paint: Callable[[Painting], None]) -> Callable[[QPainter], None]:
            return lambda painter: paint(Painting(painter, *rest))

        stages = map(stage, (clone._paint_below, clone._paint_nodes, clone._paint_above))
        return WholePicture(title, size, tuple(stages))

    def _paint_below(self, painting: Painting) -> None:
        """Paint the edges, hulls and frames. Hulls lie below edges, but the picture of the edges is opaque."""
        painter, framed = painting.painter, painting.scene.view in ("packages", "treemap")
        if self._whole:
            painter.fillRect(0, 0, *painting.size, worn_style().canvas)
            self._edges.draw_all(painting, self._gone)
        else:
            self._edges.draw(painter, self.camera, *painting.size, worn_style())
        if self.marks.lit:
            overlay.veil(painter, painting.size, worn_style())
        smooth(painter, framed)
        if framed:
            draw_frames(painting)
        else:
            nodes.hulls(painting)
        smooth(painter)
        self.marks.paint_below(painting, self._edges.curved)

    def _paint_nodes(self, painting: Painting) -> None:
        """Paint packages and classes."""
        scene, states = painting.scene, painting.states
        if scene.cards:
            draw_cards(painting, self.tints)
        if scene.cards < scene.nodes:
            nodes.nodes(painting, self.tints)
            if states is not None and self._shares is not None and len(self._shares) == len(states):
                fill_bars(painting, states, self._shares)
        smooth(painting.painter)

    def _paint_above(self, painting: Painting) -> None:
        """Paint the marks of selection, pointer, search and wishes."""
        self.marks.paint_above(painting, self._edges.curved, self.hasFocus())
        self._paint_names(painting, draw_frame_titles(painting))
        draw_wishes(painting, self._pinned, self._first)
        if self._hover >= 0 and self._hover != self.marks.selected:
            overlay.hover(painting, self._hover)

    def _paint_names(self, painting: Painting, titles: Floats) -> None:
        """Paint the names of boxes and of small nodes beside the ``titles`` of frames."""
        scene = painting.scene
        if scene.cards == scene.nodes:
            return
        plates = np.concatenate([titles, nodes.box_titles(painting)])
        if scene.view != "packages" or not scene.cards:
            marked = self.marks.told(self._hover)
            draw_callouts(painting, marked, plates)

    def _begin_edges(self) -> None:
        self._recolour.stop()
        if not self.scene.nodes:
            return
        self._recoloured = time.monotonic()
        ratio = self.devicePixelRatioF()
        self._edges.begin(self.scene, self.camera, (self.width(), self.height()), ratio, self._gone, worn_style())
        self._paint_on.start()

    def _step_edges(self) -> None:
        if self._edges.step():
            self.update()
        elif self._edges.painting:
            self._paint_on.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        old, around = event.oldSize(), self.window().size()
        inner = self.steady and around == self._around
        if old.isValid() and (self.touched or inner):
            camera = self.camera.moved((self.width() - old.width()) / 2, (self.height() - old.height()) / 2)
            if self.marks.selected >= 0:  # the chosen node stays in sight
                box = tuple(self.scene.rects[self.marks.selected].tolist())
                if self.camera.reaching(box, old.width(), old.height()) == self.camera:
                    camera = camera.reaching(box, self.width(), self.height(), _OUTLINE)
            self._set_camera(camera)
        else:
            self.fit(animate=False)
        self._around = around
        self._still.start()
