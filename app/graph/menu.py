"""The context menu of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from app.graph.view import GraphView


def build(view: GraphView, node: int, frame: int) -> QMenu:
    """What can be done with a node and the frame around it (-1 = none)."""
    menu = QMenu(view)
    scene = view.canvas.scene
    assert scene is not None

    def add(words: str, slot: Callable[[], None], enabled: bool = True) -> None:
        action = menu.addAction(words)
        action.setEnabled(enabled)
        action.triggered.connect(lambda _=False: slot())

    item = int(scene.item_of_node[node]) if node >= 0 else -1
    if item >= 0:
        name = view.name_of(item)
        add(f"Focus on {name}", lambda: view.focus(item))
        add(f"Why is {name} kept?", lambda: view.why(item))
        menu.addSeparator()
        add("Path from here", lambda: view.path_from(item))
        start = view.path_start
        to = f"Path from {view.name_of(start)} to here" if start >= 0 else "Path to here"
        add(to, lambda: view.path_to(item), start >= 0 and start != item)
        menu.addSeparator()
        if scene.view != "packages":
            add("Show in its package", lambda: view.show_in_package(item))
        if scene.view != "components":
            add("Show among all classes", lambda: view.show_in("components", item))
    elif node >= 0:
        add(f"Open {scene.titles[node]}", lambda: view.open_folder(scene.names[node]))
        add("Show its classes among all", lambda: view.show_members(node))
    if frame >= 0:
        add(f"Close {scene.frame_titles[frame]}", lambda: view.close_folder(scene.frame_names[frame]))
    if scene.view == "packages":
        if not menu.isEmpty():
            menu.addSeparator()
        add("Open all packages", view.open_all)
        add("Close all packages", view.close_all)
    if not menu.isEmpty():
        menu.addSeparator()
    add("Fit", view.fit)
    add("Back", view.back, view.can_go_back)
    return menu
