"""Evidence within the code: branches that never ran, what ran far from the failure, what only the compiler makes."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.code.edit import EditKind
from core.evidence.dead import DeadCode
from core.model import class_model
from core.protocol import events
from core.protocol.settings import Settings
from core.reduction.edit_elements import EditElements
from core.service.workspace import Workspace
from tests.support.evidence import watch
from tests.support.files import jar_of
from tests.support.patience import patience


@pytest.mark.guarded
def test_a_class_that_only_the_compiler_makes_ran_too(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    """The table of a switch over an enum is filled by a class of its own, which JaCoCo passes over."""
    source = """package demo;
    public class Turn {
        enum Way { LEFT, RIGHT }
        static void turn(Way way) { switch (way) { case LEFT: System.out.println("left"); break; default: } }
        static void never() { System.out.println("never " + new Spare()); }
        public static void main(String[] words) { turn(Way.LEFT); }
    }
    class Spare { }"""
    jar = jar_of(compile_java({"demo/Turn.java": source}), tmp_path / "turn.jar")
    told: list[events.Event] = []
    session = Workspace(told.append, tmp_path / "work")
    settings = Settings(
        predicate="java -XX:TieredStopAtLevel=1 -cp {jar} demo.Turn", preserve=frozenset({"out"}), validity="jvm",
        check_runs=1, trust="output", max_probes=1,
    )  # fmt: skip
    try:
        session.open([str(jar)])
        session.reduce(settings)
    finally:
        session.close()
    (found, *_) = [event for event in told if isinstance(event, events.Evidence)]
    assert (found.candidates[0]["title"], found.candidates[0]["interesting"]) == ("the code that ran", True)
    assert "demo/Spare.class" not in {name for name, _ in session.entries}


@pytest.mark.guarded
def test_a_program_that_runs_is_not_kept_fit_for_a_compiler(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    source = """package demo;
    public class Main {
        public static void main(String[] words) { System.out.println("ran"); }
        static void never() { System.out.println("this is here to be removed"); }
    }"""
    jar = jar_of(compile_java({"demo/Main.java": source}), tmp_path / "main.jar")
    session = Workspace(lambda event: None, tmp_path / "work")
    command = "java -XX:TieredStopAtLevel=1 -cp {jar} demo.Main"
    try:
        session.open([str(jar)])
        session.reduce(Settings(predicate=command, preserve=frozenset({"out"})))
        report = session.last_report
    finally:
        session.close()
    assert report is not None
    assert report["validity"]["taken"] == "linked"


SCANNER = """package demo;
public class Scanner {
    static class Stop extends RuntimeException {
        @Override public synchronized Throwable fillInStackTrace() { return this; }
    }
    static final Stop STOP = new Stop();
    public static void main(String[] words) {
        int found = 0;
        for (int at = 0; at < 4; at++) {
            try { scan("a b ".charAt(at)); } catch (Stop stop) { found++; }
        }
        if (words.length > 0) System.out.println("this is never said");
        System.out.println("found " + found);
    }
    static void scan(char next) { if (next == ' ') blank(); System.out.println("no blank"); }
    static void blank() { throw STOP; }
}
"""


def test_what_an_exception_leaves_that_was_made_long_ago_ran(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    # as generated parsers do: no trace is made when it is thrown
    jar = jar_of(compile_java({"demo/Scanner.java": SCANNER}, "-g:none"), tmp_path / "scanner.jar")
    told: list[events.Event] = []
    session = Workspace(told.append, tmp_path / "work")
    command = "java -XX:TieredStopAtLevel=1 -cp {jar} demo.Scanner"
    try:
        session.open([str(jar)])
        session.reduce(
            Settings(predicate=command, preserve=frozenset({"out"}), check_runs=1, trust="output", max_probes=2)
        )
    finally:
        session.close()
    (code,) = [event for event in told if isinstance(event, events.Evidence) and event.kind == "code"]
    assert code.after < code.before
    assert [event.verdict for event in told if isinstance(event, events.Probed)] == ["interesting", "interesting"]


LOGGING = """package demo;
public class Noisy {
    public static void main(String[] words) {
        System.out.println(sum(4));
        Log.start(words.length);
        System.out.println(sum(5));
    }
    static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
}
class Log {
    static void start(int n) { head("begins " + n); Text.line("and goes on"); }
    static void head(String text) { Text.line("=== " + text + " ==="); }
}
class Text {
    static void line(String text) { System.err.println(framed(text)); }
    static String framed(String text) { return new StringBuilder("| ").append(text).append(" |").toString(); }
}
"""


@pytest.mark.guarded
def test_a_call_goes_with_all_that_runs_for_it_alone(jacoco, compile_java: Callable[..., Path], tmp_path: Path) -> None:
    # everything runs, but what is logged is of no use for what the program prints
    jar = jar_of(compile_java({"demo/Noisy.java": LOGGING}, "-g:none"), tmp_path / "noisy.jar")
    session = Workspace(lambda event: None, tmp_path / "work")
    command = "java -XX:TieredStopAtLevel=1 -cp {jar} demo.Noisy"
    try:
        session.open([str(jar)])
        session.reduce(
            Settings(predicate=command, preserve=frozenset({"out"}), check_runs=1, trust="output", max_probes=6)
        )
        left = {name for name, _ in session.entries}
    finally:
        session.close()
    assert "demo/Noisy.class" in left
    assert "demo/Text.class" not in left


FLOW = """package demo;
class Only { }
public class Flow {
    static final Class<?> ONLY = Only.class;
    static int left = 2;
    public static void main(String[] words) {
        ClassLoader loader = Flow.class.getClassLoader();
        Class<?>[] types = {Runnable.class};
        ((Runnable) java.lang.reflect.Proxy.newProxyInstance(loader, types, (a, b, c) -> null)).run();
        for (int turn = 0; turn < 3; turn++) {
            try {
                if (left == 0) { System.out.println("none left"); return; }
                System.out.println(name(turn) + (left > 0 ? " goes" : " never"));
                if (words.length > 0) break;
                if (left > 5) continue;
            } finally {
                left--;
                if (left < -5) System.out.println("far below");
            }
        }
        System.out.println("end");
    }
    static String name(int number) {
        switch (number) {
            case 0: return "zero";
            case 1: return "one";
            case 2: return "two";
            case 9: return "nine";
            default: return "many";
        }
    }
}
"""


def test_branches_that_never_ran_go_and_nothing_changes(
    jacoco, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    # JaCoCo says nothing of what filters leave out, such as copies of a finally
    folder = compile_java({"demo/Flow.java": FLOW}, "--release", "17")
    path = tmp_path / "flow.jar"
    with zipfile.ZipFile(path, "w") as jar:
        jar.write(folder / "demo" / "Flow.class", "demo/Flow.class")
        jar.write(folder / "demo" / "Only.class", "demo/Only.class")
    workspace = Workspace(lambda event: None)
    try:
        workspace.open([str(path)])
        watch(workspace, Settings(predicate="java -cp {jar} demo.Flow", preserve=frozenset({"out"})))
        assert workspace.clues is not None
        assert workspace.clues.ran is not None
        model = class_model.build(read_jar([path]))
        dead = DeadCode(model, workspace.clues.ran)
    finally:
        workspace.close()
    elements = EditElements(model.jar, {})
    assert "demo/Only" in workspace.clues.ran.loaded
    assert workspace.clues.ran.covered == {"demo/Flow"}
    data, _, edits = next(one for one in elements.edits() if b"none left" in one[0])
    chosen = dead.of(data, list(edits))
    kinds = {edits[place].kind for place in chosen}
    assert kinds >= {EditKind.CUT, EditKind.FALL, EditKind.JUMP, EditKind.ARM}
    written = dict(elements.entries(elements.full & ~sum(1 << place for place in chosen)))
    smaller = written["demo/Flow.class"]
    gone = (b"nine", b" never")
    assert all(word in data and word not in smaller for word in gone)
    (tmp_path / "demo").mkdir()
    for name, written_class in written.items():
        (tmp_path / name).write_bytes(written_class)
    command = ["java", "-cp", str(tmp_path), "demo.Flow"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience())
    assert done.stdout.splitlines() == ["zero goes", "one goes", "none left"]


REFLECTED = """package demo;
public class Main {
    public Main() { }
    public static void main(String[] words) throws Exception {
        for (int turn = 0; turn < 40; turn++) Main.class.getConstructor().newInstance();
        System.out.println(Later.word());
    }
}
class Later { static String word() { return "later"; } }
class Spare { }
"""


@pytest.mark.guarded
def test_what_comes_after_many_reflective_calls_ran(jacoco, compile_java: Callable[..., Path], tmp_path: Path) -> None:
    # from the sixteenth call on, the JDK makes a class for it, which must not be watched
    jar = jar_of(compile_java({"demo/Main.java": REFLECTED}), tmp_path / "main.jar")
    told: list[events.Event] = []
    session = Workspace(told.append, tmp_path / "work")
    command = "java -XX:TieredStopAtLevel=1 -cp {jar} demo.Main"
    try:
        session.open([str(jar)])
        session.reduce(Settings(predicate=command, preserve=frozenset({"exit", "out"}), check_runs=1, max_probes=1))
    finally:
        session.close()
    (found, *_) = [event for event in told if isinstance(event, events.Evidence) and event.kind == "run"]
    assert found.message.startswith("One watched run of the input: 2 classes loaded")
    assert found.candidates[0]["interesting"]
