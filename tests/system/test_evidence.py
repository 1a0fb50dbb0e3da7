"""Reductions that start from evidence: real programs, watched by JaCoCo's agent and ours."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.archive.jar import read_jar, write_jar
from core.errors import NotInterestingError
from core.evidence.clues import Clues
from core.library.jdks import installed_jdks
from core.predicate.tools import JACOCO
from core.protocol import events
from core.protocol.settings import Settings
from core.service.meaning import search_of
from core.service.workspace import Workspace
from tests.support.driving import unpacked
from tests.support.evidence import JAVA, ran_of, reduce_with_evidence, watch
from tests.support.files import jar_of

NEWEST = max(installed_jdks(), key=lambda jdk: jdk.feature)

UNUSED = "\n".join(
    f'    static String unused{n}(int a) {{ return "{n}" + a * {n} + new Spare{n}(a); }}' for n in range(12)
)


SPARES = "\n".join(
    f'class Spare{n} {{ int v; Spare{n}(int v) {{ this.v = v; }} public String toString() {{ return "s{n}" + v; }} }}'
    for n in range(12)
)


SOURCES = {
    "demo/Main.java": f"""package demo;
import java.io.*;
import java.util.*;
public class Main {{
    public static void main(String[] words) throws Exception {{
        if (words.length > 0)
            new Plan().fail(words[0]);
        if (words.length > 1)
            System.out.println(unused3(1) + unused7(2));
        try (InputStream in = Main.class.getResourceAsStream("words.txt")) {{
            System.out.println(new Scanner(in).nextLine() + ((Runnable) Class.forName("demo.Plugin").newInstance()));
        }}
    }}
{UNUSED}
}}
{SPARES}
""",
    "demo/Plugin.java": """package demo;
public class Plugin implements Runnable {
    public Plugin() { }
    public void run() { }
    public String toString() { return "!"; }
}
""",
    "demo/Plan.java": """package demo;
class Plan {
    void fail(String word) throws Exception {
        if (word.equals("find")) {
            System.out.println(Main.class.getDeclaredMethod("unused5", int.class));
            return;
        }
        if (word.equals("exit"))
            other(word);
        else if (word.equals("e"))
            throw new ArrayIndexOutOfBoundsException(word);
        throw new IllegalStateException("no plan " + word);
    }
    void other(String word) {
        System.out.println(new Spare1(2) + word);
        System.exit(3);
    }
}
""",
}


@pytest.fixture(scope="module")
def program(compile_java: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar of a program that reads a resource and finds a class by its name, with much that it never uses."""
    folder = compile_java(SOURCES, "-g:none", "-nowarn", "--release", "17")
    path = tmp_path_factory.mktemp("program") / "program.jar"
    with zipfile.ZipFile(jar_of(folder, path), "a") as jar:
        jar.writestr("demo/words.txt", "hello\n")
        jar.writestr("demo/large.txt", "never read\n" * 500)
    return path


@pytest.fixture
def reduce(program: Path, tmp_path: Path):
    """``reduce(command, folder=None, **settings)``: evidence that was told, session, all events."""
    return partial(reduce_with_evidence, tmp_path / "work", path=program)


PRINTS = f"{JAVA} -cp {{jar}} demo.Main"


def test_the_first_candidate_is_what_ran(jacoco, reduce) -> None:
    (found, *_), session, told = reduce(PRINTS, preserve=frozenset({"out"}), trust="output", max_probes=1)
    assert (found.kind, found.classes, found.resources) == ("run", 2, 1)
    assert found.candidates[0]["interesting"] is True
    assert found.candidates[0]["title"] == "the code that ran"
    assert all(each["interesting"] is None for each in found.candidates[1:])
    assert found.after < 0.4 * found.before
    names = {name for name, _ in session.entries}
    assert {"demo/Main.class", "demo/Plugin.class", "demo/words.txt"} <= names
    assert not {"demo/large.txt", "demo/Plan.class"} & {name for name in names if name != "demo/Plan.class"}, (
        "nobody read it"
    )
    assert b"unused3" not in b"".join(data for name, data in session.entries if name == "demo/Spare9.class")
    phases = [event.phase for event in told if isinstance(event, events.Searching)]
    assert phases[0] == "evidence"
    report = session.last_report
    assert report is not None
    assert report["evidence"][0]["candidates"] == found.candidates


def test_what_ran_is_told(jacoco, program: Path) -> None:
    """Classes, resources, and of a class its methods: also of one whose only method was left by an exception."""
    told: list[events.Used] = []
    workspace = Workspace(lambda event: told.append(event) if isinstance(event, events.Used) else None)
    try:
        names = [item.name for item in workspace.open([str(program)]).items]
        watch(workspace, Settings(predicate="java -cp {jar} demo.Main e", expect_exit=1))
        (used,) = told
    finally:
        workspace.close()
    loaded, ran = (
        {name for n, name in enumerate(names) if unpacked(text) >> n & 1} for text in (used.loaded, used.ran)
    )
    assert loaded == ran == {"demo/Main", "demo/Plan"}
    assert not any("words.txt" in name for n, name in enumerate(names) if unpacked(used.read) >> n & 1)
    assert workspace.clues is not None
    assert workspace.clues.ran is not None
    assert {method for owner, method, _ in workspace.clues.ran.missed if owner == "demo/Plan"} == {"other"}


@pytest.mark.guarded
def test_what_a_trace_names_comes_first_and_no_run_is_watched_where_that_is_enough(jacoco, reduce) -> None:
    command = f"{PRINTS} x"
    found, session, _ = reduce(command, failures_as="traces", max_probes=12)
    named = found[0]
    assert named.kind == "failure"
    assert named.candidates[0]["title"] == "demo.Plan.fail"
    good = [each for each in named.candidates if each["interesting"]]
    assert good, named
    assert named.after < 0.4 * named.before
    assert {name for name, _ in session.entries if name.endswith("class")} >= {"demo/Main.class", "demo/Plan.class"}


@pytest.mark.parametrize(
    ("wanted", "answers"),
    [("Plan", [True, None]), ("IllegalStateException", [False, True]), ("large.txt", [False, False])],
)
def test_what_the_command_names_is_tried_first(reduce, tmp_path: Path, wanted: str, answers: list[bool | None]) -> None:
    script = tmp_path / "check.sh"
    script.write_text(
        f"unzip -p $1 demo/Plan.class >x 2>y; grep -aEq '{wanted}' x || unzip -l $1 | grep -q '{wanted}'\n"
    )
    found, session, _ = reduce(f"sh {script} {{jar}}", preserve=frozenset({"exit"}), max_probes=20)
    assert (found[0].kind, found[0].message) == ("command", "The command names 1 class of the input.")
    assert [each["interesting"] for each in found[0].candidates] == answers
    assert session.best is not None
    assert [each.kind for each in found[1:]] == ([] if any(answers) else ["run"]), found[1].message


def test_of_a_large_input_whole_classes_come_first_and_the_report_counts_no_parts(reduce, monkeypatch) -> None:
    monkeypatch.setattr("core.reduction.elements.LARGE_INPUT", 15)
    command = "sh -c 'unzip -l {jar} | grep -q demo/Plan.class'"
    found, session, _ = reduce(command, preserve=frozenset({"exit"}), max_probes=20)
    assert [each.kind for each in found] == ["command", "command"]
    assert [len(each.candidates) for each in found] == [1, 2], "bare and whole classes are one of whole classes"
    assert found[0].candidates[0]["classes"] > 1 == found[1].candidates[0]["classes"]
    assert found[0].after == found[1].before > found[1].after
    report = session.last_report
    assert report is not None
    assert set(report["input"]["items"]) == {"class", "resource"}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        pytest.param(
            f"env -i PATH={os.environ['PATH']} {PRINTS}",
            "starts no Java, or clears JAVA_TOOL_OPTIONS",
            marks=pytest.mark.guarded,
        ),
        ("sh -c 'unzip -p {jar} demo/M*n.class | grep -c main'", "starts no Java"),
        pytest.param("java -version -cp {jar}", "runs nothing of the input", marks=pytest.mark.guarded),
    ],
)
def test_where_no_run_can_be_watched_the_search_goes_on_and_that_is_said(
    jacoco, reduce, command: str, why: str
) -> None:
    (found,), session, _ = reduce(command, preserve=frozenset({"exit"}), keep=("demo.Main",), max_probes=20)
    assert (found.kind, list(found.candidates)) == ("run", [])
    assert why in found.message
    assert session.best is not None
    assert session.best.bytes < sum(item.bytes for item in session.opened.items)


@pytest.mark.guarded
def test_without_the_tool_the_report_says_how_to_get_it(reduce, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(JACOCO.variable, "/nowhere.jar")
    (found, *_), session, told = reduce(PRINTS, preserve=frozenset({"out"}), trust="output", max_probes=2)
    assert "JaCoCo (which tells what code runs) is not installed" in found.message
    assert "--fetch" in found.message
    warned = [number for number, event in enumerate(told) if isinstance(event, events.Warned)]
    checked = [number for number, event in enumerate(told) if isinstance(event, events.Checked)]
    assert len(warned) == 1
    assert warned[0] < checked[0], "it is said before anything is run"
    assert told[warned[0]].message in found.message
    assert "2 classes loaded, which methods ran is not known" in found.message
    assert found.candidates[1]["interesting"], "the virtual machine's own list of classes is enough for a start"
    assert session.last_report is not None
    assert session.last_report["evidence"][0]["message"] == found.message


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ({"predicate": "java -cp {jar} demo.Main"}, 1),
        ({"predicate": "java -cp {jar} demo.Main", "evidence": False}, 0),
        pytest.param({"predicate": "java -cp {jar} demo.Main", "algorithm": "gbr"}, 0, marks=pytest.mark.guarded),
        pytest.param({"preset": "jdeps"}, 0, marks=pytest.mark.guarded),
    ],
)
def test_the_lacking_agent_is_told_where_a_run_would_be_watched(
    program: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], count: int
) -> None:
    monkeypatch.setenv(JACOCO.variable, "/nowhere.jar")
    told: list[events.Event] = []
    session = Workspace(told.append)
    try:
        session.open([str(program)])
        with contextlib.suppress(NotInterestingError):
            session.reduce(Settings(check_runs=1, max_probes=1, **settings))
    finally:
        session.close()
    warned = [event.message for event in told if isinstance(event, events.Warned)]
    assert len([message for message in warned if "JaCoCo" in message]) == count


def test_what_classes_run_and_read_that_are_newer_than_the_agent_is_known(
    jacoco, program: Path, tmp_path: Path
) -> None:
    version = (NEWEST.feature + 44).to_bytes(2, "big")
    entries = {entry.name: entry.data for entry in read_jar([program]).entries}
    new = {name: data[:6] + version + data[8:] if name.endswith(".class") else data for name, data in entries.items()}
    jar = tmp_path / "new.jar"
    write_jar(jar, list(new.items()))
    ran, read = ran_of(jar, command=f"{NEWEST.java} -cp {{jar}} demo.Main")
    assert ran.covered == {"demo/Main", "demo/Plugin"}
    assert read == ["demo/words.txt"]
    assert ("demo/Main", "unused3", "(I)Ljava/lang/String;") in ran.missed


def test_a_resource_is_known_with_the_methods_of_all_that_ask_for_it(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    source = """package demo;
public class Asks {
    public static void main(String[] words) { first(); second(); }
    static void first() { read("words.txt"); }
    static void second() { read("words.txt"); read("other.txt"); }
    static void read(String name) { Asks.class.getResourceAsStream(name); }
}
"""
    path = jar_of(compile_java({"demo/Asks.java": source}), tmp_path / "asks.jar")
    with zipfile.ZipFile(path, "a") as jar:
        jar.writestr("demo/words.txt", "hello")
        jar.writestr("demo/other.txt", "hello")
    ran, _ = ran_of(path, command="java -cp {jar} demo.Asks")
    methods = {
        name: {member for owner, member in ran.readers[f"demo/{name}"] if owner == "demo/Asks"}
        for name in ("words.txt", "other.txt")
    }
    assert methods == {"words.txt": {"main", "read"}, "other.txt": {"main", "second", "read"}}
    assert ran == Clues.from_json(json.loads(json.dumps(Clues(ran=ran).to_json(), default=sorted))).ran


@pytest.mark.guarded
def test_published_algorithms_and_no_evidence_stay_as_they_are(jacoco, reduce) -> None:
    for more in ({"algorithm": "binary"}, {"evidence": False}):
        found, _, told = reduce(PRINTS, preserve=frozenset({"out"}), max_probes=1, **more)
        assert found == []
        assert "evidence" not in [event.phase for event in told if isinstance(event, events.Searching)]
    assert "evidence" not in search_of(Settings(predicate="x").to_json()), "sessions from before are the same run"
    assert search_of(Settings(predicate="x", evidence=False).to_json())["evidence"] is False


@pytest.mark.slow
def test_binary_reduction_of_items_begins_where_the_failure_points(reduce) -> None:
    # the trace names demo.Plan and demo.Main of 15 classes
    command = "sh -c 'java -cp $JARLET_JAR demo.Main e 2>&1'"
    probes = {}
    for evidence in (True, False):
        found, _, told = reduce(command, algorithm="gbr", match="ArrayIndexOutOfBounds", evidence=evidence)
        assert found == [], "nothing is watched, and no phase precedes the search"
        probes[evidence] = sum(isinstance(event, events.Probed) for event in told)
    assert probes[True] <= probes[False]


@pytest.mark.parametrize("end", ["e", pytest.param("exit", marks=pytest.mark.guarded)])
def test_a_program_that_ends_in_the_middle_of_its_methods_is_known_all_the_same(jacoco, reduce, end: str) -> None:
    # neither main nor what it calls comes to its end, so that JaCoCo has no record of these methods
    wanted = {"preserve": frozenset({"out", "exit"}), "keep": ("demo.Main",)}
    command = f"sh -c '{PRINTS.replace('{jar}', '$JARLET_JAR')} {end} 2>/dev/null'"  # no trace that would name them
    told, session, _ = reduce(command, **wanted, max_probes=2)
    found = next(each for each in told if each.kind == "run")
    assert found.candidates[0]["interesting"] is True
    assert "demo/Spare1.class" in {name for name, _ in session.entries} or end == "e"


@pytest.mark.guarded
def test_instructions_that_did_not_run_go_with_all_that_only_they_need(jacoco, reduce) -> None:
    found, session, told = reduce(PRINTS, preserve=frozenset({"out"}), trust="output", max_probes=8)
    code = next(each for each in found if each.kind == "code")
    assert code.after < code.before
    names = {name for name, _ in session.entries}
    assert "demo/Plan.class" not in names
    levels = [event.level for event in told if isinstance(event, events.Searching) if event.phase == "evidence"]
    assert levels == ["items", "bodies", "items"]


@pytest.mark.slow
def test_what_the_code_that_ran_needs_besides_is_kept_and_no_more(jacoco, reduce) -> None:
    found, session, _ = reduce(f"{PRINTS} find", preserve=frozenset({"out"}), trust="output", max_probes=30)
    first = found[0]
    groups = next(each for each in found if "in groups" in each.message)
    titles = [each["title"] for each in first.candidates if each["interesting"] is False]
    assert titles[0] == "the code that ran", "a method is found by reflection"
    assert groups.after < groups.before
    (main,) = (data for name, data in session.entries if name == "demo/Main.class")
    assert [n for n in range(12) if f"unused{n}".encode() in main] == [5]


@pytest.mark.slow
def test_the_result_is_the_same_for_any_number_of_workers(jacoco, reduce) -> None:
    results = []
    for jobs in (1, 3):
        (found, *_), session, told = reduce(PRINTS, preserve=frozenset({"out"}), max_probes=8, jobs=jobs, timeout=60)
        probed = [event.verdict for event in told if isinstance(event, events.Probed) and event.origin == "run"]
        results.append((found.candidates, session.entries, probed))
    assert results[0] == results[1]


@pytest.mark.slow
def test_a_session_that_goes_on_asks_the_same_though_nothing_can_be_watched(
    jacoco, reduce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s.jarlet"
    (first, *_), session, _ = reduce(PRINTS, folder, preserve=frozenset({"out"}), max_probes=6)
    best = session.entries
    monkeypatch.setenv(JACOCO.variable, "/nowhere.jar")
    (again, *_), session, told = reduce(PRINTS, folder, preserve=frozenset({"out"}), max_probes=6)
    assert again.candidates == first.candidates
    counted = [event for event in told if isinstance(event, events.Counted)]
    assert counted[-1].cached >= 1
    assert sum(len(data) for _, data in session.entries) <= sum(len(data) for _, data in best)
    shutil.rmtree(folder)
