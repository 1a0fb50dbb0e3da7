"""The context menu of the graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.graph.folding import PackageFolding
from app.graph.navigation import Navigation
from app.graph.path_presenter import PathPresenter
from app.graph.stage import GraphStage


class MenuSignals(QObject):
    """The signals of the menu for those beyond the graph."""

    impact = Signal(list, str)
    """Names of items, and ``with`` or ``around``."""
    bounds = Signal(list, bool)
    """Items of one of two sets, to list the dependencies between them; True = the second set."""


@dataclass(frozen=True, slots=True)
class GraphMenu:
    """Whom the entries of the menu concern."""

    stage: GraphStage
    navigation: Navigation
    folding: PackageFolding
    paths: PathPresenter
    told: MenuSignals

    def build(self, parent: QWidget, node: int, frame: int) -> QMenu:
        """Return the menu of a node and the frame around the node (-1 = none)."""
        menu = QMenu(parent)
        stage, navigation, folding, paths = self.stage, self.navigation, self.folding, self.paths
        scene = stage.canvas.scene
        assert scene is not None

        def add(words: str, slot: Callable[[], None], enabled: bool = True) -> None:
            action = menu.addAction(words)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _=False: slot())

        item = int(scene.item_of_node[node]) if node >= 0 else -1
        if node >= 0 and stage.jar is not None:
            names = [stage.jar.names[one] for one in ([item] if item >= 0 else scene.members.of(node).tolist())]
            kept, first = (all(name in known for name in names) for known in (stage.pinned, stage.first))
            add("Unpin" if kept else "Pin", lambda: stage.pins_wanted.emit(names))
            add("Do not drop first" if first else "Drop first", lambda: stage.first_wanted.emit(names))
            if item >= 0:
                add("Inspect", lambda: stage.inspect_wanted.emit(item))
            menu.addSeparator()
            items = [item] if item >= 0 else scene.members.of(node).tolist()
            add("What goes with it", lambda: self.told.impact.emit(names, "with"))
            add("Smallest set around it", lambda: self.told.impact.emit(names, "around"))
            add("List dependencies from here", lambda: self.told.bounds.emit(items, False))
            add("List dependencies to here", lambda: self.told.bounds.emit(items, True))
            menu.addSeparator()
        if item >= 0:
            name = stage.name_of(item)
            add(f"Focus on {name}", lambda: navigation.focus(item))
            add(f"Why is {name} kept?", lambda: paths.why(item))
            in_cycle = stage.jar is not None and stage.jar.members.degree(int(stage.jar.components[item])) > 1
            add("Shortest cycle through it", lambda: paths.cycle([item]), in_cycle)
            menu.addSeparator()
            add("Path from here", lambda: paths.begin(item))
            start = paths.start
            to = f"Path from {stage.name_of(start)} to here" if start >= 0 else "Path to here"
            add(to, lambda: paths.end(item), start >= 0 and start != item)
            menu.addSeparator()
            if scene.view != "packages":
                add("Show in the package view", lambda: folding.show_in_package(item))
            if scene.view != "components":
                add("Show in the class view", lambda: navigation.show_in("components", item))
        elif node >= 0:
            add(f"Open {scene.titles[node]}", lambda: folding.open_folder(scene.names[node]))
            add("Shortest cycle through it", lambda: paths.package_cycle(node))
            add("Show its classes in the class view", lambda: navigation.show_members(node))
        if frame >= 0:
            add(f"Close {scene.frame_titles[frame]}", lambda: folding.close_folder(scene.frame_names[frame]))
        if scene.view == "packages":
            if not menu.isEmpty():
                menu.addSeparator()
            add("Open all packages", folding.open_all)
            add("Close all packages", folding.close_all)
        if not menu.isEmpty():
            menu.addSeparator()
        add("Fit", stage.canvas.fit)
        add("Back", navigation.back, navigation.can_go_back)
        return menu
