"""What tests of the graph ask of the sample's view."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.graph.view import GraphView


def jar_of(view: GraphView) -> OpenedJar:
    assert view.stage.jar is not None
    return view.stage.jar


def item(view: GraphView, name: str) -> int:
    return jar_of(view).full.index(name)


def card(view: GraphView, name: str) -> int:
    assert view.canvas.scene is not None
    return view.canvas.scene.names.index(name)


def frames(view: GraphView) -> set[str]:
    assert view.canvas.scene is not None
    return set(view.canvas.scene.frame_names)


def node_of(view: GraphView, name: str) -> int:
    assert view.canvas.scene is not None
    return int(view.canvas.scene.node_of_item[item(view, name)])


def still(qtbot: QtBot, view: GraphView) -> None:
    qtbot.waitUntil(lambda: not view.canvas.flight.flying)
