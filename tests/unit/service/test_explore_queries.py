"""An explorer's questions to the desk: class edges by weight, cycles, what goes with a class and what stays with it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.model import class_model
from core.protocol import events
from core.protocol.questions.explore import FindCycles, FindImpact, ListEdges
from core.protocol.questions.exports import ExportImpact
from core.service.queries.desk import Desk
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from tests.support.java import CompileJava

SOURCES = {
    "ui/Window.java": "package ui; import data.Store; public class Window { Store store = new Store();"
    " void show() { store.load(); store.save(); } public static String title() { return \"t\"; } }",
    "data/Store.java": "package data; public class Store { public void load() {} public void save() {"
    " System.out.println(ui.Window.title()); } }",
    "data/Rest.java": "package data; public class Rest { int size() { return 3; } }",
}  # fmt: skip

TITLE = "ui/Window.title:()Ljava/lang/String;"


@pytest.fixture
def told() -> list[events.Event]:
    return []


@pytest.fixture
def desk(told: list[events.Event], compile_java: CompileJava) -> Iterator[Desk]:
    workspace = Workspace(told.append)
    made = Desk(workspace, SessionKeeper(workspace))
    made.keeper.open([str(compile_java(SOURCES))])
    yield made
    made.background.close()
    workspace.close()


def number(desk: Desk, name: str) -> int:
    return [item.name for item in desk.workspace.opened.items].index(name)


def test_class_edges_come_by_weight_with_their_rules(desk: Desk, told: list[events.Event]) -> None:
    window, store = number(desk, "ui/Window"), number(desk, "data/Store")
    desk.answer(ListEdges((window,), (store, number(desk, "data/Rest")), request=4))
    event = told[-1]
    assert isinstance(event, events.EdgesListed)
    assert ([edge[:2] for edge in event.edges], event.total, event.request) == ([(window, store)], 1, 4)
    assert event.edges[0].weight >= 4, "a field, a constructor and two methods"
    assert "code needs the methods it calls" in event.edges[0].rules


def test_the_lightest_edge_of_a_cycle_of_packages_is_to_cut(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(FindCycles())
    event = told[-1]
    assert isinstance(event, events.CyclesFound)
    (cycle,) = event.cycles
    assert cycle.names == ("data", "ui")
    assert sorted(cycle.edges) == [(0, 1, 1), (1, 0, 1)]
    assert len(cycle.cuts) == 1
    assert cycle.exact


def test_a_cycle_of_classes_is_looked_at_alone(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(FindCycles("classes", (number(desk, "ui/Window"), number(desk, "data/Rest"))))
    event = told[-1]
    assert isinstance(event, events.CyclesFound)
    assert event.cycles == []
    desk.answer(FindCycles("classes"))
    event = told[-1]
    assert isinstance(event, events.CyclesFound)
    assert [sorted(one.names) for one in event.cycles] == [["data/Store", "ui/Window"]]


def test_jars_that_need_each_other_are_a_cycle(
    desk: Desk, told: list[events.Event], compile_java: CompileJava, tmp_path: Path
) -> None:
    folder = compile_java(SOURCES)
    for name in ("ui", "data"):
        with zipfile.ZipFile(tmp_path / f"{name}.jar", "w") as made:
            for path in (folder / name).glob("*.class"):
                made.write(path, f"{name}/{path.name}")
    desk.keeper.open([str(tmp_path / "ui.jar"), str(tmp_path / "data.jar")])
    desk.answer(FindCycles("jars"))
    event = told[-1]
    assert isinstance(event, events.CyclesFound)
    assert [one.names for one in event.cycles] == [("data.jar", "ui.jar")]


def test_what_goes_with_a_method_is_the_code_that_calls_it(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(FindImpact(("data/Store.load:()V",), "with"))
    event = told[-1]
    assert isinstance(event, events.ImpactFound)
    rows = {one.name: (one.because, one.rule) for one in event.companions}
    assert set(rows) == {"data/Store.load:()V", "ui/Window.show:()V!code"}
    assert rows["ui/Window.show:()V!code"] == ("data/Store.load:()V", "code needs the methods it calls")
    assert event.total == sum(one.bytes for one in event.companions)
    assert event.total > 0


def test_what_goes_with_a_class_goes_in_whole_and_in_part(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(FindImpact(("data/Rest",), "with"))
    event = told[-1]
    assert isinstance(event, events.ImpactFound)
    assert [one.name for one in event.companions] == ["data/Rest"]
    assert event.classes == [number(desk, "data/Rest")]


def test_the_smallest_set_around_a_class_has_what_its_code_needs(
    desk: Desk, told: list[events.Event], tmp_path: Path
) -> None:
    wish = FindImpact(("data/Store",), "around", request=9)
    desk.answer(wish)
    event = told[-1]
    assert isinstance(event, events.ImpactFound)
    assert event.request == 9
    because = {one.name: one.because for one in event.companions}
    assert {"data/Store", "data/Store.save:()V", "ui/Window", TITLE} <= because.keys()
    assert because.keys().isdisjoint(("data/Rest", "ui/Window.show:()V"))
    assert because[TITLE] == "data/Store.save:()V!code"
    desk.answer(ExportImpact(str(tmp_path / "set.jar"), wish))
    assert isinstance(told[-1], events.Exported)
    with zipfile.ZipFile(tmp_path / "set.jar") as jar:
        assert sorted(jar.namelist()) == ["data/Store.class", "ui/Window.class"]
    kept = class_model.build(read_jar([tmp_path / "set.jar"]))
    assert not kept.graph.problems


def test_the_rest_without_a_class_is_written(desk: Desk, tmp_path: Path) -> None:
    desk.answer(ExportImpact(str(tmp_path / "rest.jar"), FindImpact(("data/Rest",), "with")))
    with zipfile.ZipFile(tmp_path / "rest.jar") as jar:
        assert sorted(jar.namelist()) == ["data/Store.class", "ui/Window.class"]


def test_a_finer_part_has_no_answer(desk: Desk, told: list[events.Event]) -> None:
    desk.answer(FindImpact(("data/Rest.size:()I!code[7]",), "with"))
    event = told[-1]
    assert isinstance(event, events.Failed)
    assert "Choose classes" in event.message
