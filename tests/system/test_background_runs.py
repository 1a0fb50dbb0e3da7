"""What runs beside check and reduction is in one list, and no process outlives what started it."""

import os
import time
import zipfile
from contextlib import closing

import pytest

from core.predicate import presets
from core.predicate.releases.maven import VARIABLE
from core.protocol.questions.background import BackgroundRun
from tests.support.engine_client import Client
from tests.support.files import jar_of, script
from tests.support.maven_repository import list_versions, publish, served
from tests.support.own_tools import decompiler, tool, versioned_tool
from tests.support.patience import patience


@pytest.fixture
def marker():
    return f"95{os.getpid()}"


@pytest.fixture
def hanging(tmp_path, marker):
    """A command that never ends, with children that left its group and hear no TERM."""
    return script(
        tmp_path,
        f"trap '' TERM\n(setsid sh -c 'trap \"\" TERM; (sleep {marker} &); sleep {marker}' &)\n"
        f"(env -i setsid sleep {marker} >/dev/null 2>&1 &)\nsleep {marker}",
    )


@pytest.fixture
def engine(tmp_path, sample_jar, hanging, monkeypatch):
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "stuck.toml").write_text(tool("stuck", f"sh {hanging}"))
    (folder / "reader.toml").write_text(decompiler("reader", f'["sh", "{hanging}", "{{jar}}"]'))
    for name in ("cfr", "procyon", "vineflower", "fernflower"):
        monkeypatch.setenv(f"JARLET_{name.upper()}", "/nowhere.jar")
    client = Client(tmp_path)
    client.send(command="open", paths=[str(sample_jar)])
    client.wait("layout", view="components")
    yield client
    client.close()


def by_hand(path):
    return {"settings": {"predicate": f"{path} {{jar}}"}}


QUESTIONS = {
    "bug": lambda path: {"command": "show_bug", **by_hand(path)},
    "tools": lambda path: {"command": "run_tools"},
    "trial": lambda path: {"command": "try_command", "item": "sample/Main", **by_hand(path)},
    "search": lambda path: {"command": "search_code", "text": "Rational", "place": "source", "tool": "reader"},
    "listing": lambda path: {"command": "show_listing", "item": "sample/Main", "kind": "source", "tool": "reader"},
    "check": lambda path: {"command": "check", **by_hand(path)},
    "reduce": lambda path: {"command": "reduce", **by_hand(path)},
}


def wait_until(condition):
    deadline = time.monotonic() + patience()
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


def listed(engine):
    """Return the runs under way."""
    told = [event["runs"] for event in engine.events if event["event"] == "background_runs"][-1]
    return [BackgroundRun(*row) for row in told]


def stop_ends(engine, kind, question, marker, processes):
    """Ask a question that starts the hanging command, stop, and see that all its processes end."""
    engine.send(**question)
    wait_until(lambda: len(processes(f"sleep {marker}")) >= 3)
    if kind not in ("check", "reduce"):
        runs = listed(engine)
        assert [run.kind for run in runs] == [kind]
        assert runs[0].title
        assert runs[0].limit > 0
    engine.send(command="stop")
    wait_until(lambda: not processes(f"sleep {marker}"))
    if kind not in ("check", "reduce"):
        wait_until(lambda: not listed(engine))


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.guarded) if kind == "tools" else kind for kind in QUESTIONS]
)
def test_a_stop_ends_all_processes_of_a_question(kind, engine, hanging, marker, processes):
    stop_ends(engine, kind, QUESTIONS[kind](hanging), marker, processes)


def test_a_stop_ends_the_search_for_java_source(engine, compile_java, tmp_path, hanging, marker, processes):
    jar = jar_of(compile_java({"a/A.java": "package a; class A {}"}), tmp_path / "small.jar")
    engine.ask("opened", command="open", paths=[str(jar)])
    stop_ends(engine, "java", {"command": "find_source", **by_hand(hanging)}, marker, processes)


@pytest.mark.guarded
def test_a_stop_ends_the_versions_of_a_tool(tmp_path, sample_jar, hanging, marker, processes, monkeypatch):
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "faulty.toml").write_text(versioned_tool())
    with zipfile.ZipFile(tmp_path / "tool.jar", "w") as archive:
        archive.writestr("run.sh", f"exec sh {hanging}\n")
    data = (tmp_path / "tool.jar").read_bytes()
    for version in ("1.1", "1.2"):
        publish(tmp_path / "repository", f"org.demo:faulty:{version}", data)
    list_versions(tmp_path / "repository", "org.demo:faulty", ["1.1", "1.2"])
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with served(tmp_path / "repository") as address:
        monkeypatch.setenv(VARIABLE, address)
        with closing(Client(tmp_path)) as engine:
            engine.ask("opened", command="open", paths=[str(sample_jar)])
            question = {"command": "run_versions", "settings": {"preset": "faulty"}}
            stop_ends(engine, "versions", question, marker, processes)


@pytest.mark.parametrize("end", ["its own stop", "the end", pytest.param("another input", marks=pytest.mark.guarded)])
def test_a_page_ends_with_what_it_is_about(end, engine, hanging, marker, processes, sample_jar):
    engine.send(**QUESTIONS["bug"](hanging))
    wait_until(lambda: len(processes(f"sleep {marker}")) >= 3)
    if end == "its own stop":
        engine.send(command="stop_background", kind="bug")
        assert engine.wait("bug_shown")["stopped"]
    elif end == "another input":
        engine.send(command="open", paths=[str(sample_jar)])
    else:
        engine.close()
    wait_until(lambda: not processes(f"sleep {marker}"))


def test_a_run_ends_at_its_time_limit(engine, hanging, marker, processes):
    question = QUESTIONS["trial"](hanging)
    question["settings"]["timeout"] = 0.5
    assert engine.ask("command_tried", **question)["verdict"] == "timed out"
    assert not processes(f"sleep {marker}")
