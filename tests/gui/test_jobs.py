"""The engine client: batches, odd lines, ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.engine.client import EngineClient
from app.window.main_window import MainWindow
from core.protocol import events
from core.protocol.questions.choosing import ListAlgorithms
from core.system.processes import background
from tests.support.gui_helpers import fill, open_jar, thread_names, wait_idle
from tests.support.session_value import session_value


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def line(event: events.Event) -> str:
    return events.to_line(event)


def test_a_flood_arrives_whole_in_order_and_in_few_batches(qtbot: QtBot) -> None:
    flood = (
        "import sys\n"
        f"template = {line(events.Counted(123456, 0, 0, 0.0))!r}\n"
        "for i in range(20000): print(template.replace('123456', str(i)))\n"
        f"print({line(events.Exported('x', 1, 'jar'))!r}, flush=True)\n"
        "sys.stdin.read()"
    )
    client = EngineClient(python(flood))
    batches: list[list[int]] = []
    client.live.connect(lambda batch: batches.append([event.probes for event in batch]))
    with qtbot.waitSignal(client.told, check_params_cb=lambda e: isinstance(e, events.Exported)):
        client.start()
    assert [number for batch in batches for number in batch] == list(range(20000))
    assert len(batches) < 2000
    client.stop()


def test_a_crash_is_a_sentence_with_the_last_words(qtbot: QtBot) -> None:
    client = EngineClient(python("import sys; print('no json'); sys.exit('out of luck')"))
    with qtbot.waitSignal(client.crashed) as told:
        client.start()
    assert "exit code 1" in told.args[0]
    assert told.args[0].endswith("out of luck")
    assert not client.running
    client.stop()


def test_a_command_to_an_engine_that_has_just_died_does_not_hide_its_end(qtbot: QtBot) -> None:
    client = EngineClient(python("import sys; sys.exit('out of luck')"))
    client.start()
    process = client._process
    assert process is not None
    process.wait()
    client.send(ListAlgorithms())
    assert client.pid == process.pid, "no other one is started in silence"
    with qtbot.waitSignal(client.crashed) as told:
        pass
    assert told.args[0].endswith("out of luck")


def test_an_engine_that_is_not_there(qtbot: QtBot) -> None:
    client = EngineClient(["/nonexistent/engine"])
    with qtbot.waitSignal(client.crashed) as told:
        client.start()
    assert "cannot be started" in told.args[0]
    client.stop()


def test_a_stubborn_engine_is_killed(qtbot: QtBot) -> None:
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)"
    client = EngineClient(python(stubborn))
    crashes: list[str] = []
    client.crashed.connect(crashes.append)
    client.start()
    process = client._process
    assert process is not None
    client.stop(patience=0.3)
    assert process.poll() is not None
    assert not crashes, "an end that was asked for is no crash"


def test_the_real_engine_tells_its_algorithms_and_ends_when_asked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EngineClient, "starter", subprocess.Popen)  # as the window does
    client = EngineClient()
    client.start()
    qtbot.waitUntil(lambda: "Reader" in thread_names())  # what the fixture looks for when nothing must be left
    with qtbot.waitSignal(client.told, check_params_cb=lambda event: isinstance(event, events.Algorithms)) as told:
        client.send(ListAlgorithms())
    client.stop()
    assert not client.running
    default, *others = sorted(told.args[0].offered, key=lambda one: one.name != told.args[0].default)
    assert default.name == told.args[0].default
    assert all(one.title and one.explanation for one in (default, *others))


@pytest.mark.skipif(session_value(os.getpid()) is None, reason="sessions have no value here")
def test_probes_leave_the_processors_to_the_window(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    own = session_value(os.getpid())
    open_jar(qtbot, window, sample_jar)
    told = tmp_path / "told"
    fill(window, f"sh -c 'sleep 0.2; cat /proc/self/autogroup >> {told}; test -f {{classes}}/fji/I.class'")
    expected = {0 if background.is_crowded() else background.NICE}
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    expected.add(0 if background.is_crowded() else background.NICE)
    values = [int(line.split()[-1]) for line in told.read_text().splitlines()]
    assert values
    assert set(values) <= expected
    assert session_value(os.getpid()) == own, "the window's own session keeps its share"
