"""Events and commands: each declared once, read as it was written, and refused in one sentence where it is wrong."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import Any

import pytest

from core.errors import UsageError
from core.protocol import commands, events, wire
from core.protocol.questions.choosing import Configure
from core.protocol.questions.exports import ExportStep, ExportView
from core.protocol.questions.items import Compare, FindConflicts
from core.protocol.settings import Settings
from tests.support.rows import rows

SETTINGS = Settings(predicate="test -s {jar}", preserve=frozenset({"exit", "err"}), classpath=("a.jar",), timeout=2.5)
SENT: list[wire.Command] = [
    commands.Open(("a.jar", "b")),
    commands.Check(SETTINGS),
    commands.Reduce(SETTINGS),
    commands.Pause(),
    commands.LayOut("focus", 3, items=(1, 2), depth=2, needs=False),
    commands.LayOut("packages", open=("a", "b/*")),
    ExportView("svg", "x.svg", commands.LayOut("matrix", rows="classes")),
    ExportStep("x.jar", commands.StepKey(1, 20, 3)),
    Compare(commands.StepKey(), commands.StepKey(4, 5, 6), request=7),
    Configure({"JARLET_CFR": "/opt/cfr.jar"}),
    FindConflicts(("a.B",), ("c.D",), (), "class", request=9),
]


@rows("command", SENT)
def test_a_command_is_read_as_it_was_written(command: wire.Command) -> None:
    assert wire.command_from(*wire.parse_command(wire.to_line(command))) == command


def test_every_command_names_itself_and_can_be_read() -> None:
    known = wire.known(wire.Command)
    assert {"open", "open_session", "list_algorithms", "lay_out", "quit"} <= known.keys()
    for name, cls in known.items():
        needed = [part.name for part in fields(cls) if part.default is MISSING and part.default_factory is MISSING]
        if needed:
            with pytest.raises(UsageError, match=needed[0]):
                wire.command_from(name, {})
        else:
            assert wire.command_from(name, {}) == cls()


@rows(
    ("line", "words"),
    [
        ("no json", "not a JSON"),
        ("[" * 100_000, "not a JSON"),
        ("[]", "an object with a key 'command'"),
        ('{"command": 3}', "an object with a key 'command'"),
        ('{"command": "dance"}', "no command 'dance'"),
        ('{"command": "open"}', "field 'paths' must be a list of texts, but it is missing"),
        ('{"command": "open", "paths": "a.jar"}', "field 'paths' must be a list of texts"),
        ('{"command": "open", "paths": ["a\\u0000"]}', "NUL"),
        ('{"command": "open", "paths": ["\\ud800"]}', "field 'paths' must be a text that a file can be named by"),
        ('{"command": "open", "paths": [], "speed": 9}', "Unknown field: speed"),
        ('{"command": "pause", "for": 9}', "Unknown field: for"),
        ('{"command": "export", "what": "jar", "path": ""}', "field 'path' must be a text that is not empty"),
        ('{"command": "list_members", "request": -1}', "field 'request' must be a whole number"),
        ('{"command": "list_members", "request": true}', "field 'request' must be a whole number"),
        ('{"command": "compare", "before": {"probe": "x"}}', "before"),
        ('{"command": "compare", "before": 3}', "field 'before' must be an object"),
        ('{"command": "lay_out", "view": "cake"}', "field 'view' must be one of packages"),
        ('{"command": "lay_out", "view": "focus"}', "'items'"),
        ('{"command": "lay_out", "view": "focus", "items": [1.5]}', "field 'items' must be a whole number"),
        ('{"command": "export_view", "what": "svg", "path": "x", "view": 3}', "field 'view' must be an object"),
        ('{"command": "configure", "variables": {"A": 1}}', "must be a text"),
        ('{"command": "reduce", "settings": {"jobs": 0}}', "jobs must be a whole number from 1"),
        ('{"command": "reduce", "settings": {"speed": 1}}', "Unknown settings: speed"),
        ('{"command": "reduce"}', "settings must be an object"),
    ],
)
def test_a_wrong_command_is_one_sentence(line: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        wire.command_from(*wire.parse_command(line))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_events_are_read_as_they_were_written() -> None:
    known = wire.known(wire.Event)
    told: list[wire.Event] = [
        events.Versions(),
        events.SessionKept("s.jarlet"),
        events.Probed(1, "not interesting", "run", 0.5, 1.0, 3, 900, 1, "exit code 1", "out", ""),
        events.Restored("s.jarlet", SETTINGS, True, ["a.jar"]),
        events.Accepted(1, events.pack(5, 9), 0.5, 1, 2, 300),
    ]
    for event in told:
        assert wire.event_from(wire.to_line(event), known) == event


def test_events_of_a_later_version_lose_what_is_not_known() -> None:
    line: dict[str, Any] = json.loads(wire.to_line(events.Exported("x", 1, "jar")))
    assert wire.event_from(json.dumps({**line, "colour": "red"}), wire.known(wire.Event)) == events.Exported(
        "x", 1, "jar"
    )


def test_no_name_stands_for_an_event_and_a_command_and_all_are_words() -> None:
    told, asked = wire.known(wire.Event), wire.known(wire.Command)
    assert not told.keys() & asked.keys()
    assert all(name.replace("_", "").isalpha() and name == name.lower() for name in (*told, *asked))
    assert (json.loads(wire.to_line(events.Versions()))["protocol"], wire.PROTOCOL) == (6, 6)


def test_each_of_several_listeners_gets_each_event_in_order_though_one_fails() -> None:
    told: list[tuple[str, wire.Event]] = []

    def failing(event: wire.Event) -> None:
        told.append(("failing", event))
        raise UsageError("No.")

    event = events.Paused()
    listen = events.to_all(
        lambda event: told.append(("first", event)), failing, lambda event: told.append(("last", event))
    )
    with pytest.raises(UsageError, match="No"):
        listen(event)
    assert told == [("first", event), ("failing", event), ("last", event)]
