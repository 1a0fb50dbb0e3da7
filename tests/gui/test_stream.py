"""Lines of the engine become arrays and events."""

from __future__ import annotations

import pytest

from app.engine import event_decoder
from app.engine.opened_jar import OpenedJar
from app.graph.scene.scene import Scene
from core.protocol import events, input_events, run_events
from tests.support.gui_helpers import small_jar


def test_opened_becomes_a_jar_with_neighbours_both_ways() -> None:
    jar = event_decoder.decode(events.to_line(small_jar()[0]))
    assert isinstance(jar, OpenedJar)
    assert jar.full[4] == "q.E.Inner"
    assert jar.needs.of(3).tolist() == [1, 4]
    assert jar.needed_by.of(1).tolist() == [0, 3]
    assert jar.needs.of(0).tolist() == [1], "a class does not need itself"
    assert jar.members.of(1).tolist() == [1, 2, 3]
    assert jar.find("inner").tolist() == [4]
    assert jar.find("Q.").tolist() == [3, 4, 5]


def test_layout_becomes_a_scene() -> None:
    opened, layouts = small_jar()
    places = event_decoder.decode(events.to_line(layouts[1]), OpenedJar(opened))
    assert isinstance(places, Scene)
    assert places.rects.shape == (7, 4)
    assert places.boxes.tolist() == [[-10, 90, 280, 40]]
    assert places.box_components.tolist() == [1]


@pytest.mark.parametrize("items", [0b0, 0b1, 0b1010_0000_01, (1 << 77) - 1])
def test_item_sets_survive_the_wire(items: int) -> None:
    message = event_decoder.decode(events.to_line(events.Accepted(1, events.pack(items, 80), 0.5, 3, 3, 99)))
    assert isinstance(message, events.Accepted)
    assert sum(1 << i for i, bit in enumerate(event_decoder.unpack(message.kept, 80).tolist()) if bit) == items


def test_unknown_fields_are_ignored_and_nonsense_is_no_crash() -> None:
    assert event_decoder.decode('{"event":"loading","done":1,"total":2,"new":3}') == events.Loading(1, 2)
    for line in ("", "hello", "[1]", '{"event":"later"}', '{"event":"loading"}', b"\xff\xfe"):
        assert isinstance(event_decoder.decode(line), event_decoder.Unreadable)


def test_all_events_are_under_one_roof() -> None:
    modules = (input_events, run_events)
    names = {name for module in modules for name, kind in vars(module).items() if _is_event(kind)}
    assert {"Opened", "Layout", "Trying", "Finished"} <= names <= set(vars(events))


def _is_event(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, events.Event)


def test_items_that_a_message_does_not_reach_are_not_among_its_own() -> None:
    assert event_decoder.unpack(events.pack(0b101, 3), 12).tolist() == [True, False, True] + [False] * 9
    assert event_decoder.unpack(events.pack(0b101, 3), 2).tolist() == [True, False]
