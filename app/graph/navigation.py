"""From view to view: the classes in focus, the way back, areas of the proportions of their room."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.graph.head import Head
from app.graph.matrix import MatrixPresenter
from app.graph.scene.camera import AREA_MARGIN, Camera
from app.graph.stage import LAYING_OUT, GraphStage
from app.presenter import Presenter
from app.widgets import ElidedLabel, Soon
from core.protocol.commands import LayOut

_SETTLED_MS = 200
"""Time without a change of the room after which the areas are laid out anew, in milliseconds."""
_SLACK = 0.03
"""Share by which the proportions of room and areas may differ."""


def width_in_heights(room: QWidget) -> int:
    """Return the width in hundredths of the height, of the part of a widget that areas fill."""
    wide, high = (max(side - 2 * AREA_MARGIN, 1.0) for side in (room.width(), room.height()))
    return round(100 * wide / high)


class AreaFit(Presenter):
    """An object that asks for other areas once the room has other proportions. The engine lays them out, in its own
    process."""

    _stage: GraphStage

    def _set_up(self) -> None:
        self._wide = 0
        """The width for which the areas were wanted last, in hundredths of the height."""
        self._settled = Soon(self, _SETTLED_MS, self._lay_out)

    def settle(self) -> None:
        """Wait until the room has stood still: the camera moves when the room changes, too."""
        self._settled.start()

    def note(self, wish: LayOut) -> None:
        """Note for which room areas are laid out."""
        if wish.view == "treemap":
            self._wide = wish.wide

    def _lay_out(self) -> None:
        canvas = self._stage.canvas
        wide = width_in_heights(canvas)
        if self._stage.view != "treemap" or canvas.touched or not canvas.isVisible():
            return  # whoever has zoomed in looks at a part, which stays where it is
        if abs(wide - self._wide) > _SLACK * self._wide:
            self._stage.ask("treemap", wide=wide)


HISTORY = 50
"""Places that are remembered."""


@dataclass(frozen=True, slots=True)
class VisitedPlace:
    """A place of the user in the graph."""

    view: str
    focus: tuple[int, ...]
    item: int


class Navigation(Presenter):
    """A navigator: switches views, and remembers the way back."""

    focus_moved = Signal(int)
    """A class comes into focus."""
    advised = Signal(str)
    """A sentence on the first thing to do."""

    _stage: GraphStage
    _matrix: MatrixPresenter
    _head: Head
    _caption: ElidedLabel

    def _set_up(self) -> None:
        self.focused: tuple[int, ...] = ()
        """The classes with a shown neighbourhood: one, or those of a path."""
        self._history: list[VisitedPlace] = []

    def forget(self) -> None:
        """Forget the previous jar."""
        self.focused = ()
        self._history.clear()

    # -- views --------------------------------------------------------------------------

    def show_view(self, view: str) -> None:
        """Switch the view. A view without places is requested from the engine, and shown once they come."""
        stage = self._stage
        if not stage.jar.opened:
            return
        if view == "focus":
            self._show_focus()
            return
        if view != stage.view:
            self.remember()
        if view == "matrix":
            self._matrix.show()
            return
        if view in ("force", "treemap") and view not in stage.scenes and stage.wanted != view:
            self._caption.set_text(LAYING_OUT)
            stage.ask(view, wide=width_in_heights(stage.canvas))
        stage.show_view(view)

    def show_in(self, view: str, item: int) -> None:
        """Show a class in another view."""
        self.show_view(view)
        self._stage.select_item(item)

    def visit(self, item: int) -> None:
        """Bring a class into view: in the view that is shown if it is to be seen there, else among all classes."""
        stage, cells = self._stage, self._matrix.matrix.cells
        scene = stage.scenes.get(stage.view)
        in_matrix = stage.view == "matrix" and cells.rows == "classes"
        if not in_matrix and (scene is None or scene.node_of_item[item] < scene.cards):
            self.show_view("components")

    def show_component(self, component: int) -> None:
        """Show a component and mark it."""
        self.show_view("components")
        stage, canvas = self._stage, self._stage.canvas
        scene = canvas.scene
        if stage.view != "components":
            return
        members = stage.jar.members.of(component)
        box = np.flatnonzero(scene.box_components == component)
        if len(box):
            canvas.select_box(int(box[0]))
            canvas.show_area(tuple(scene.boxes[box[0]].tolist()))
        elif len(members):
            canvas.select(int(members[0]))
            canvas.show_area(scene.around(members))

    def show_members(self, node: int) -> None:
        """Show the classes of a package among all classes."""
        canvas = self._stage.canvas
        members = canvas.scene.members.of(node)
        self.show_view("components")
        if self._stage.view == "components":
            canvas.mark(found=members)
            canvas.show_area(canvas.scene.around(members))
            canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def row_activated(self, row: int) -> None:
        """Show what a row of the matrix stands for."""
        stage, cells = self._stage, self._matrix.matrix.cells
        items = cells.items.of(row)
        if cells.rows == "classes":
            self.focus(int(items[0]))
        elif cells.rows == "components":
            self.remember()
            self.show_component(int(stage.jar.components[items[0]]))
        else:
            self.show_view("packages")
            scene = stage.scenes["packages"]
            node = int(scene.node_of_item[items[0]])
            stage.canvas.choose(node if node < scene.cards else -1)
            stage.canvas.show_area(scene.around(scene.node_of_item[items]))

    # -- history ------------------------------------------------------------------------

    @property
    def can_go_back(self) -> bool:
        """Return True if there was a view before this one."""
        return bool(self._history)

    def back(self) -> None:
        """Return to the view, or the class in focus, before this one."""
        if not self._history:
            return
        stage, place = self._stage, self._history.pop()
        kept = list(self._history)
        if place.view == "focus":
            stage.item = place.item
            self.ask_focus(place.focus)
        else:
            self.show_view(place.view)
        self._history = kept
        if place.item != stage.item:
            stage.select_item(place.item, reveal=False)
            stage.item_selected.emit(place.item)

    def remember(self) -> None:
        """Note the user's place, for the way back."""
        stage = self._stage
        if stage.view:
            place = VisitedPlace(stage.view, self.focused if stage.view == "focus" else (), stage.item)
            if not self._history or self._history[-1] != place:
                self._history = [*self._history, place][-HISTORY:]

    # -- focus --------------------------------------------------------------------------

    def focus(self, item: int) -> None:
        """Show a class with its neighbours."""
        stage = self._stage
        if not stage.jar.is_class[item]:
            return
        if stage.view != "focus" or self.focused != (item,):
            self.remember()
        self.focus_moved.emit(item)
        stage.item = item
        self.ask_focus((item,))

    def ask_focus(self, items: tuple[int, ...]) -> None:
        """Ask for the neighbourhood of a class, or for the classes of a path."""
        self.focused, self._stage.wanted = items, "focus"
        head = self._head
        self._stage.ask(
            "focus",
            items=tuple(items),
            depth=head.steps,
            needs=head.needs.isChecked(),
            needed_by=head.needed_by.isChecked(),
        )

    def ask_together(self, items: tuple[int, ...]) -> None:
        """Ask for some classes as a graph of their own."""
        self.focused, self._stage.wanted = items, "focus"
        self._stage.ask("focus", items=items, together=True)

    def _show_focus(self) -> None:
        stage = self._stage
        if stage.item >= 0:
            self.focus(stage.item)
        elif self.focused:
            self.remember()
            stage.show_view("focus")
        else:
            self.advised.emit("Select a class first: the focus shows what it needs and what needs it.")
            self._head.show_view(stage.view)

    def focus_changed(self) -> None:
        """Ask for another neighbourhood of the class in focus."""
        if len(self.focused) == 1:
            self.ask_focus(self.focused)

    def centre_focus(self) -> None:
        """Show the centre of a neighbourhood that is too large to be read at once."""
        scene, canvas = self._stage.canvas.scene, self._stage.canvas
        if self._stage.view != "focus" or len(self.focused) != 1:
            return
        node = int(scene.node_of_item[self.focused[0]])
        canvas.select(node)
        if node >= 0 and canvas.camera.scale < 0.45:
            x, y, w, h = scene.rects[node].tolist()
            canvas.place_camera(Camera(0.6).centred(x + w / 2, y + h / 2, canvas.width(), canvas.height()))
