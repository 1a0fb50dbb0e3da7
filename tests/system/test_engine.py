"""The engine process: commands in, events out, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Client:
    """Talks to an engine process as the window does."""

    def __init__(self, temporary):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "core.engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.events = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            with self._news:
                self.events.append(json.loads(line))
                self._news.notify_all()

    def send(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def wait(self, name, seconds=30, after=0, **fields):
        """The first event of that name with these fields, from place ``after`` on."""

        def found():
            return next((e for e in self.events[after:] if e["event"] == name and fields.items() <= e.items()), None)

        with self._news:
            assert self._news.wait_for(found, seconds), (name, fields, [e["event"] for e in self.events])
            return found()

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
        self.process.wait(20)
        self._reader.join(5)
        self.process.stdout.close()


@pytest.fixture
def engine(tmp_path):
    client = Client(tmp_path)
    yield client
    client.close()


def settings(**more):
    return {
        "predicate": "java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {jar} sample.Main",
        "match": "zero has no reciprocal",
        "algorithm": "binary",
        **more,
    }


def test_open_reduce_export(engine, sample_jar, tmp_path):
    engine.send(command="algorithms")
    assert "binary" in engine.wait("algorithms")["names"]
    engine.send(command="open", paths=[str(sample_jar)])
    opened = engine.wait("opened")
    lists = [opened[name] for name in ("kinds", "names", "sizes", "parents", "components")]
    assert {len(column) for column in lists} == {len(opened["names"])}
    assert max(opened["components"]) == opened["component_count"] - 1
    packages = engine.wait("layout", view="packages")
    assert len(packages["labels"]) == len(packages["x"])
    assert len(packages["members"]) == len(opened["names"])
    components = engine.wait("layout", view="components")
    assert len(components["x"]) == len(opened["names"])
    engine.send(command="reduce", settings=settings())
    finished = engine.wait("finished")
    assert finished["reason"] == "done"
    assert 0 < finished["classes"] < opened["classes"] / 4
    for what, start in (("jar", b"PK"), ("svg", b"<svg"), ("report", b"{"), ("dot", b"digraph"), ("json", b"{")):
        path = tmp_path / f"out.{what}"
        engine.send(command="export", what=what, path=str(path))
        assert engine.wait("exported", what=what)["bytes"] == path.stat().st_size
        assert start in path.read_bytes()[:300]
    with zipfile.ZipFile(tmp_path / "out.jar") as archive:
        assert len(archive.namelist()) == finished["classes"]


def test_mistakes_are_answered_and_the_engine_lives_on(engine, tmp_path):
    (tmp_path / "text.jar").write_text("text")
    for command, message in [
        ({"command": "check", "settings": settings()}, "Open a jar first"),
        ({"command": "open", "paths": [str(tmp_path / "text.jar")]}, "is not a jar"),
        ({"command": "open"}, "needs 'paths'"),
        ({"command": "dance"}, "no command 'dance'"),
        ({"command": "reduce", "settings": {"predicate": "true", "speed": 9}}, "Unknown settings: speed"),
        ({"command": "reduce", "settings": {"algorithm": "binary"}}, "lack the predicate"),
    ]:
        after = len(engine.events)
        engine.send(**command)
        assert message in engine.wait("failed", after=after)["message"]
    after = len(engine.events)
    engine.process.stdin.write("no json\n")
    engine.process.stdin.flush()
    assert "no JSON" in engine.wait("failed", after=after)["message"]


def test_pause_resume_stop(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.wait("opened")
    engine.send(command="reduce", settings=settings(algorithm="ddmin"))
    engine.wait("probed")
    engine.send(command="pause")
    engine.wait("paused")
    count = len(engine.events)
    time.sleep(0.5)
    assert [e["event"] for e in engine.events[count:] if e["event"] == "trying"] == []
    engine.send(command="resume")
    engine.wait("trying", after=count)
    engine.send(command="open", paths=[str(sample_jar)])
    assert "running" in engine.wait("failed", command="open")["message"]
    for _ in range(2):
        after = len(engine.events)
        engine.send(command="reduce", settings=settings())
        assert "running" in engine.wait("failed", after=after, command="reduce")["message"]
    engine.send(command="stop")
    assert engine.wait("finished", seconds=5)["reason"] == "stopped"
    engine.send(command="reduce", settings=settings())
    assert engine.wait("finished", after=len(engine.events) - 1, reason="done")


def test_a_stop_right_after_the_start_is_not_lost(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="reduce", settings=settings())
    engine.send(command="stop")
    assert engine.wait("finished", seconds=10)["probes"] == 0
    assert not any(e["event"] == "checked" for e in engine.events)


@pytest.mark.parametrize("how", ["input closes", "quit", "SIGTERM"])
def test_the_end_kills_the_predicate_and_sweeps_up(engine, sample_jar, tmp_path, how, processes):
    marker = f"400.{os.getpid()}"
    engine.send(command="open", paths=[str(sample_jar)])
    engine.wait("layout", view="components")
    script = tmp_path / "p.sh"
    # interesting twice for the check, then it hangs
    script.write_text(f'#!/bin/sh\ngrep -q Rational "$1" && exit 0\nsleep {marker}\n')
    script.chmod(0o755)
    engine.send(command="reduce", settings={"predicate": f"{script} {{jar}}", "algorithm": "ddmin"})
    engine.wait("started")
    deadline = time.monotonic() + 10
    while not processes(marker):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    if how == "quit":
        engine.send(command="quit")
    elif how == "SIGTERM":
        engine.process.send_signal(signal.SIGTERM)
    engine.close()
    assert engine.process.returncode == 0
    assert processes(marker) == []
    assert list(tmp_path.glob("jarlet-*")) == []


def test_the_best_so_far_of_a_killed_engine_is_found(engine, sample_jar, tmp_path):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="reduce", settings=settings(algorithm="ddmin"))
    accepted = engine.wait("accepted")
    engine.process.kill()
    engine.close()
    (rescued,) = (tmp_path / ".state" / "jarlet").glob("best-*.jar")
    with zipfile.ZipFile(rescued) as archive:
        assert len(archive.namelist()) <= accepted["items"]
        assert "sample/number/Rational.class" in archive.namelist()
    again = Client(tmp_path)
    again.send(command="open", paths=[str(sample_jar)])
    assert any(str(rescued) in warning for warning in again.wait("opened")["warnings"])
    again.close()
