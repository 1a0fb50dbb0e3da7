"""The engine process: commands in, events out, and how it ends."""

import os
import signal
import time
import zipfile
from pathlib import Path

import pytest

from core.protocol.questions.choosing import OfferedPreset
from tests.support.engine_client import Client
from tests.support.patience import patience


@pytest.fixture
def engine(tmp_path):
    client = Client(tmp_path)
    yield client
    client.close()


RATIONAL = "sh -c 'test -f {classes}/sample/number/Rational.class'"
SLOW = RATIONAL.replace("test", "sleep 0.1; test")
JAVA = {
    "predicate": "java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {jar} sample.Main",
    "match": "zero has no reciprocal",
}


def settings(**more):
    return {"predicate": RATIONAL, "algorithm": "binary", **more}


def test_open_reduce_export(engine, sample_jar, tmp_path):
    engine.send(command="list_algorithms")
    assert "binary" in [name for name, *_ in engine.wait("algorithms")["offered"]]
    engine.send(command="open", paths=[str(sample_jar)])
    opened = engine.wait("opened")
    lists = [opened[name] for name in ("kinds", "names", "sizes", "components")]
    assert {len(column) for column in lists} == {len(opened["names"])}
    assert max(opened["components"]) == opened["component_count"] - 1
    packages = engine.wait("layout", view="packages")
    assert len(packages["rects"]) == 4 * len(packages["labels"])
    assert len(packages["members"]) == len(opened["names"])
    components = engine.wait("layout", view="components")
    assert len(components["rects"]) == 4 * len(opened["names"])
    engine.send(command="reduce", settings=settings(**JAVA))
    finished = engine.wait("finished")
    assert finished["reason"] == "done"
    assert 0 < finished["classes"] < opened["classes"] / 4
    for what, start in (("jar", b"PK"), ("svg", b"<?xml"), ("report", b"{"), ("dot", b"digraph"), ("json", b"{")):
        path = tmp_path / f"out.{what}"
        engine.send(command="export", what=what, path=str(path))
        assert engine.wait("exported", what=what)["bytes"] == path.stat().st_size
        assert start in path.read_bytes()[:300]
    with zipfile.ZipFile(tmp_path / "out.jar") as archive:
        assert len(archive.namelist()) == finished["classes"]


def test_what_ran_is_asked_for(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.wait("opened")
    engine.send(command="list_used", request=7)
    assert engine.wait("used", request=7) == {
        "event": "used", "loaded": "", "ran": "", "read": "", "named": "", "problem": "",
        "request": 7,
    }  # fmt: skip


def test_mistakes_are_answered_and_the_engine_lives_on(engine, tmp_path):
    (tmp_path / "text.jar").write_text("text")
    for command, message in [
        ({"command": "check", "settings": settings()}, "Open a jar first"),
        ({"command": "open", "paths": [str(tmp_path / "text.jar")]}, "is not a jar"),
        ({"command": "open"}, "field 'paths' must be a list"),
        ({"command": "dance"}, "no command 'dance'"),
        ({"command": "reduce", "settings": {"predicate": "true", "speed": 9}}, "Unknown settings: speed"),
        ({"command": "reduce", "settings": {"algorithm": "binary"}}, "Say what the failure is"),
    ]:
        after = len(engine.events)
        engine.send(**command)
        assert message in engine.wait("failed", after=after)["message"]
    after = len(engine.events)
    engine.process.stdin.write("no json\n")
    engine.process.stdin.flush()
    assert "not a JSON" in engine.wait("failed", after=after)["message"]


def test_places_are_told_of_the_input_that_was_told_last(engine, sample_jar, tmp_path):
    small = tmp_path / "small.jar"
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(small, "w") as part:
        part.writestr("sample/Main.class", whole.read("sample/Main.class"))
    for turn in range(4):
        before = len(engine.events)
        engine.send(command="open", paths=[str((sample_jar, small)[turn % 2])])
        for request in range(20):
            engine.send(command="lay_out", view="components", request=request)
        engine.wait("opened", after=before)
    engine.send(command="lay_out", view="packages", request=99)
    engine.wait("layout", request=99)
    count = None
    for event in engine.events:
        if event["event"] == "opened":
            count = len(event["names"])
        elif event["event"] == "layout" and event["view"] == "components":
            assert len(event["rects"]) == 4 * count


@pytest.mark.slow
def test_pause_resume_stop(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.wait("opened")
    engine.send(command="reduce", settings=settings(predicate=SLOW, algorithm="ddmin"))
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
    assert engine.wait("finished")["reason"] == "stopped"
    assert engine.ask("finished", command="reduce", settings=settings())["reason"] == "done"


def test_a_stop_right_after_the_start_is_not_lost(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="reduce", settings=settings(predicate="sh -c 'sleep 100000'"))
    engine.send(command="stop")
    assert engine.wait("finished")["probes"] == 0
    assert not any(e["event"] == "checked" for e in engine.events)


@pytest.mark.parametrize(
    "how", ["input closes", *(pytest.param(one, marks=pytest.mark.slow) for one in ("quit", "SIGTERM"))]
)
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
    deadline = time.monotonic() + patience()
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


@pytest.mark.slow
def test_a_killed_reduction_goes_on(engine, sample_jar, tmp_path):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="reduce", settings=settings(predicate=SLOW, algorithm="ddmin"))
    place = engine.wait("session_kept")["path"]
    # what was answered before the rest of the check has vouched for the input is kept from then on
    accepted = engine.wait("accepted", after=engine.events.index(engine.wait("vouched")))
    engine.wait("accepted", after=1 + engine.events.index(accepted))
    engine.process.kill()
    engine.close()
    with zipfile.ZipFile(Path(place) / "best.jar") as archive:
        assert "sample/number/Rational.class" in archive.namelist()
    again = Client(tmp_path)
    try:
        assert [path for path, *_ in again.ask("sessions", command="list_sessions")["kept"]] == [place]
        again.send(command="open_session", path=place)
        restored = again.wait("restored", interrupted=True)
        assert restored["settings"]["algorithm"] == "ddmin"
        again.wait("opened")
        again.send(command="reduce", settings=restored["settings"])
        probed = again.wait("probed", origin="run")  # answers that were known before are not all told of
        counted = again.wait("counted", after=again.events.index(probed))
        assert counted["cached"] >= 2, "what was run before is not run again"
        again.send(command="stop")
        again.wait("finished", reason="stopped")
        # it is not listed while the engine has it open, which may be a moment longer
        assert all(row[-1] for row in again.ask("sessions", command="list_sessions")["kept"]), "a stop is an end"
    finally:
        again.close()


def test_members_ties_and_listings(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.wait("opened")
    engine.send(command="list_members", classes=["sample/Main"], request=7)
    (found,) = engine.wait("members", request=7)["classes"]
    assert found["class"] == "sample/Main"
    assert "sample/Main.main:([Ljava/lang/String;)V!code" in found["names"]
    assert all(found["kept"])
    columns = [found[key] for key in ("kinds", "names", "parents", "sizes", "kept")]
    assert len({len(column) for column in columns}) == 1
    engine.send(command="inspect", item="sample/number/Rational.reciprocal:()Lsample/number/Rational;", request=8)
    told = engine.wait("inspected", state="ready")
    assert ["needs Java", "17"] in told["facts"]
    assert any(row[1].startswith("sample/number/Scale") and "calls" in row[2] for row in told["needed_by"])
    engine.send(command="show_listing", item="sample/Main", kind="bytecode", request=9)
    listed = engine.wait("listing", request=9)
    assert "public final class sample.Main" in listed["text"]
    assert listed["gone"] == []
    engine.send(command="show_listing", item="sample/Nowhere", kind="bytecode")
    assert "no class 'sample/Nowhere'" in engine.wait("failed", command="show_listing")["message"]


def test_what_is_left_of_a_class_is_told(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(
        command="reduce",
        settings={"predicate": "sh -c 'test -f {classes}/sample/Main.class'", "algorithm": "gbr"},
    )
    engine.wait("finished")
    engine.send(command="list_members", classes=["sample/Main", "sample/SelfCheck"], request=1)
    main, other = engine.wait("members", request=1)["classes"]
    assert main["left"] > 0
    kept = dict(zip(main["names"], main["kept"], strict=True))
    assert not kept["sample/Main.main:([Ljava/lang/String;)V"]
    assert other["left"] == 0
    assert not any(other["kept"])


def test_steps_are_compared_and_exported(engine, sample_jar, tmp_path):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="reduce", settings=settings())
    engine.wait("finished")
    steps = [event for event in engine.events if event["event"] == "accepted"]
    last = {key: steps[-1][key] for key in ("probe", "bytes", "items")}
    engine.send(command="compare", before={"probe": 0}, after=last, request=3)
    compared = engine.wait("compared", request=3)
    changed = [name for name, *_ in compared["entries"]]
    assert "sample/number/Rational.class" not in changed
    assert len(changed) == len(engine.wait("opened")["names"]) - steps[-1]["items"]
    path = tmp_path / "step.jar"
    engine.send(command="export_step", path=str(path), step=last)
    engine.wait("exported", what="step")
    with zipfile.ZipFile(path) as archive:
        assert len(archive.namelist()) == steps[-1]["items"]
    engine.send(command="export_step", path=str(path), step={"probe": 9, "bytes": 1, "items": 1})
    assert "not kept any more" in engine.wait("failed", command="export_step")["message"]


def test_a_session_is_saved_elsewhere(engine, sample_jar, tmp_path):
    engine.send(command="save_session", path=str(tmp_path / "mine"))
    assert "no session yet" in engine.wait("failed", command="save_session")["message"]
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="reduce", settings=settings())
    engine.wait("finished")
    engine.send(command="save_session", path=str(tmp_path / "mine"))
    engine.wait("session_kept", path=str(tmp_path / "mine.jarlet"))
    assert (tmp_path / "mine.jarlet" / "report.json").exists()
    after = len(engine.events)
    engine.send(command="reduce", settings=settings())
    finished = engine.wait("finished", after=after)
    assert finished["probes"] == 0, "all answers are in the session"
    assert engine.wait("session_kept", after=after)["path"] == str(tmp_path / "mine.jarlet")


def test_presets_and_their_tools(engine, tmp_path):
    engine.send(command="configure", variables={"JARLET_CFR": str(tmp_path / "none.jar"), "PATH": "/nowhere"})
    presets = engine.wait("presets")
    offered = {row[0]: OfferedPreset(*row) for row in presets["offered"]}
    assert "CFR is not installed" in offered["cfr"].missing
    assert offered["cfr"].names_failures
    assert {"main", "arguments"} == {name for name, *_ in offered["run"].settings}
    after = len(engine.events)
    engine.send(command="configure", variables={"JARLET_CFR": ""})
    assert engine.wait("presets", after=after)


def test_the_check_names_the_failures(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.send(command="check", settings={"predicate": "sh -c 'echo E: a; echo E: b'", "failures_as": "E: (.*)"})
    assert engine.wait("checked")["failures"] == ["a", "b"]


def test_a_session_folder_that_cannot_be_made_ends_nothing(sample_jar, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    client = Client(tmp_path)
    try:
        client.send(command="open", paths=[str(sample_jar)])
        client.send(command="reduce", settings=settings())
        assert "cannot be resumed" in client.wait("session_kept")["problem"]
        assert client.wait("finished")["reason"] == "done"
    finally:
        client.close()
