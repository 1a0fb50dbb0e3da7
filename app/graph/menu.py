"""The context menu of the graph."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QMenu, QWidget

from app.graph.folding import PackageFolding
from app.graph.item_menu import ItemSignals, add, add_items
from app.graph.navigation import Navigation
from app.graph.path_presenter import PathPresenter
from app.graph.stage import GraphStage


@dataclass(frozen=True)
class GraphMenu:
    """Whom the entries of the menu concern."""

    stage: GraphStage
    navigation: Navigation
    folding: PackageFolding
    paths: PathPresenter
    told: ItemSignals

    def answer(self, what: str, item: int) -> None:
        """Show what a menu asks of a class: ``focus``, ``why`` or ``cycle``."""
        match what:
            case "focus":
                self.navigation.focus(item)
            case "why":
                self.paths.why(item)
            case "cycle":
                self.paths.cycle(item)

    def build(self, parent: QWidget, node: int, frame: int) -> QMenu:
        """Return the menu of a node and the frame around the node (-1 = none)."""
        menu = QMenu(parent)
        stage, navigation, folding, paths = self.stage, self.navigation, self.folding, self.paths
        scene = stage.canvas.scene
        item = int(scene.item_of_node[node]) if node >= 0 else -1
        if node >= 0:
            items = [item] if item >= 0 else scene.members.of(node).tolist()
            names = [stage.jar.names[one] for one in items]
            in_cycle = item >= 0 and stage.jar.members.degree(int(stage.jar.components[item])) > 1
            add_items(menu, self.told, names, [items], item, (stage.pinned, stage.first), in_cycle)
        if item >= 0:
            start = paths.start
            add(menu, "Path from here", paths.begin, item)
            to = f"Path from {stage.name_of(start)} to here" if start >= 0 else "Path to here"
            add(menu, to, paths.end, item, enabled=start >= 0 and start != item)
            menu.addSeparator()
            if scene.view != "packages":
                add(menu, "Show in the package view", folding.show_in_package, item)
            if scene.view != "components":
                add(menu, "Show in the class view", navigation.show_in, "components", item)
        elif node >= 0:
            add(menu, f"Open {scene.titles[node]}", folding.open_folder, scene.names[node])
            add(menu, "Shortest cycle through it", paths.package_cycle, node)
            add(menu, "Show its classes in the class view", navigation.show_members, node)
        if frame >= 0:
            add(menu, f"Close {scene.frame_titles[frame]}", folding.close_folder, scene.frame_names[frame])
        menu.addSeparator()
        if scene.view == "packages":
            add(menu, "Open all packages", folding.open_all)
            add(menu, "Close all packages", folding.close_all)
            menu.addSeparator()
        add(menu, "Fit", stage.canvas.fit)
        add(menu, "Back", navigation.back, enabled=navigation.can_go_back)
        return menu
