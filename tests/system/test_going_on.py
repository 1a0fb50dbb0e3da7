"""Runs that follow another one of the same input: from its smallest result, without the check that has just passed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.engine_client import Client
from tests.support.half_program import compiler, half_program

Event = dict[str, Any]
COUNTED = "sh -c 'echo x >> {log}; test -f {{classes}}/sample/number/Rational.class'"


@pytest.fixture(scope="module")
def sample_jar(sample_jar: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the sample: reductions of few classes show the same."""
    part = tmp_path_factory.mktemp("part") / "sample.jar"
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(part, "w") as jar:
        for name in whole.namelist():
            if name.startswith(("fji/", "sample/number/", "sample/Main")):
                jar.writestr(name, whole.read(name))
    return part


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Client]:
    client = Client(tmp_path)
    yield client
    client.close()


def settings(log: Path, **more: object) -> Event:
    return {
        "predicate": COUNTED.format(log=log),
        "algorithm": "naive",
        "granularity": "class",
        "check_runs": 2,
        "jobs": 1,
        **more,
    }


def runs(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def searched(finished: Event) -> int:
    """The runs of a reduction without its check."""
    probes = finished["report"]["probes"]
    return int(probes["run"] + probes["confirmation"])


def opened(engine: Client, jar: Path) -> Event:
    engine.send(command="open", paths=[str(jar)])
    found: Event = engine.wait("opened")
    return found


def reduced(engine: Client, **command: object) -> tuple[Event, list[Event]]:
    """What ends a reduction, and all that it told."""
    after = len(engine.events)
    engine.send(command="reduce", **command)
    finished = engine.wait("finished", after=after)
    return finished, engine.events[after:]


def test_a_run_goes_on_from_an_earlier_result_and_reuses_answers(
    engine: Client, sample_jar: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    opened(engine, sample_jar)
    _, told = reduced(engine, settings=settings(log, max_probes=4))
    last = [event for event in told if event["event"] == "accepted"][-1]
    before = runs(log)
    step = {"probe": 3, "bytes": last["bytes"], "items": last["items"]}
    finished, told = reduced(engine, settings=settings(log, algorithm="binary"), start=step)
    first = next(event for event in told if event["event"] == "accepted")
    assert first["classes"] == last["classes"], "it begins where the other ended"
    assert first["bytes"] <= last["bytes"], "the manifest does not name what is gone"
    assert next(event["phase"] for event in told if event["event"] == "searching") == "earlier"
    assert finished["bytes"] < last["bytes"]
    assert next(event["origin"] for event in told if event["event"] == "probed") == "cache", "the journal knows it"
    assert runs(log) - before == searched(finished), "no check, and no probe of what is known"


def test_a_check_that_has_passed_is_not_repeated(engine: Client, sample_jar: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    opened(engine, sample_jar)
    engine.send(command="check", settings=settings(log))
    engine.wait("checked")
    before = runs(log)
    finished, told = reduced(engine, settings=settings(log))
    assert runs(log) - before == searched(finished), "only the search and its confirmation"
    assert any(event["event"] == "checked" for event in told), "what the check said holds for this run too"
    after = runs(log)
    changed = settings(log, no_match="xyz", max_probes=1)
    finished, _ = reduced(engine, settings=changed)
    assert runs(log) - after >= searched(finished) + 2, "another condition is checked anew"


def test_what_is_pinned_and_gone_is_refused(engine: Client, sample_jar: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    opened(engine, sample_jar)
    _, told = reduced(engine, settings=settings(log))
    last = [event for event in told if event["event"] == "accepted"][-1]
    step = {"probe": 1, "bytes": last["bytes"], "items": last["items"]}
    after = len(engine.events)
    engine.send(command="reduce", settings=settings(log, keep=["sample/Main"]), start=step)
    assert engine.wait("failed", after=after)["message"] == (
        "sample.Main is pinned, but the earlier result does not have it: start over."
    )


@pytest.mark.parametrize(("command", "empty"), [("true", True), ("test -s {classes}/sample/Main.class", False)])
def test_the_check_asks_the_empty_jar(engine: Client, sample_jar: Path, command: str, empty: bool) -> None:
    opened(engine, sample_jar)
    engine.send(command="check", settings={"predicate": command})
    checked = engine.wait("checked")
    assert checked["interesting"]
    assert checked["empty"] is empty
    assert ("an empty jar is interesting too" in checked["message"]) is empty
    assert "--" not in checked["message"], "a window has buttons, no options"


def test_missing_libraries_are_told_where_the_run_works(
    engine: Client, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    opened(engine, half_program(compile_java, tmp_path))
    engine.send(command="check", settings={"predicate": compiler(tmp_path), "failures_as": "javac"})
    checked = engine.wait("checked")
    assert checked["interesting"]
    assert (checked["missing"], checked["missing_errors"], checked["errors"]) == (["org.lib"], [1], 3)


def test_pins_made_during_a_run_are_kept_with_its_session(engine: Client, sample_jar: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    opened(engine, sample_jar)
    engine.send(command="reduce", settings=settings(log))
    engine.wait("accepted")
    engine.wait("vouched")
    engine.send(command="pause")
    engine.wait("paused")
    place = engine.wait("session_kept")["path"]
    engine.send(command="keep_settings", settings=settings(log, keep=["sample/Main"]))
    engine.send(command="list_sessions")
    engine.wait("sessions")
    engine.process.kill()
    engine.close()
    other = Client(tmp_path)
    try:
        other.send(command="open_session", path=place)
        restored = other.wait("restored")
        assert restored["settings"]["keep"] == ["sample/Main"]
        assert restored["interrupted"]
        assert restored["best"] > 0
    finally:
        other.close()
