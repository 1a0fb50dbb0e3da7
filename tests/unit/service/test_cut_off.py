"""Which run goes on later: one that the end of the engine or of its reader has cut off, and no other."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.service.engine import Engine
from core.store import retention
from tests.support.patience import patience

ENDING = "ending"
Listener = Callable[[Engine, str], None]


class Reader(io.StringIO):
    """A window at the other end: it acts before the engine's thread goes on behind an event."""

    def __init__(self, hears: Listener) -> None:
        super().__init__()
        self._hears = hears
        self.engine: Engine | None = None

    def write(self, line: str) -> int:
        written = super().write(line)
        if self.engine is not None:
            self._hears(self.engine, json.loads(line)["event"])
        return written


def ends(engine: Engine) -> None:
    """The engine ends while its run is behind the present event."""
    threading.Thread(target=engine.end, name=ENDING).start()
    assert engine.workspace.control.cancel.wait(patience())


def ends_at_the_end(engine: Engine, event: str) -> None:
    if event == "finished":
        ends(engine)


def stops_and_ends(engine: Engine, event: str) -> None:
    if event == "accepted":
        engine.obey('{"command": "stop"}')
    ends_at_the_end(engine, event)


def ends_under_way(engine: Engine, event: str) -> None:
    if event == "accepted":
        ends(engine)


def is_gone(engine: Engine, event: str) -> None:
    if event == "accepted":
        raise BrokenPipeError
    ends_at_the_end(engine, event)


@pytest.mark.parametrize(
    ("hears", "interrupted"),
    [(ends_at_the_end, False), (stops_and_ends, False), (ends_under_way, True), (is_gone, True)],
)
def test_only_a_run_that_was_cut_off_is_offered_as_interrupted(
    sample_jar: Path, hears: Listener, interrupted: bool
) -> None:
    reader = Reader(hears)
    engine = Engine(reader)
    reader.engine = engine
    settings = {"predicate": "grep -q sample/Main {jar}", "algorithm": "ddmin", "granularity": "class"}
    commands: list[dict[str, Any]] = [
        {"command": "open", "paths": [str(sample_jar)]},
        {"command": "reduce", "settings": settings},
    ]
    for command in commands:
        assert engine.obey(json.dumps(command))
    deadline = time.monotonic() + patience()
    while not (found := retention.sessions()).kept:  # nobody has it open any more
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert [one.finished for one in found.kept] == [not interrupted]
    for thread in threading.enumerate():
        if thread.name == ENDING:
            thread.join(patience())


def test_a_later_run_that_is_refused_leaves_the_session_as_it_was(sample_jar: Path) -> None:
    heard: list[str] = []
    reader = Reader(lambda _, event: heard.append(event))
    engine = Engine(reader)
    reader.engine = engine
    settings = {"predicate": "grep -q sample/Main {jar}", "algorithm": "ddmin", "granularity": "class"}

    def do(last: str, **command: Any) -> None:
        assert engine.obey(json.dumps(command))
        deadline = time.monotonic() + patience()
        while last not in heard:
            assert time.monotonic() < deadline, heard
            time.sleep(0.02)

    do("opened", command="open", paths=[str(sample_jar)])
    do("finished", command="reduce", settings=settings)
    do("failed", command="reduce", settings={**settings, "predicate": "false {jar}"})
    engine.end()
    assert [one.finished for one in retention.sessions().kept] == [True]
