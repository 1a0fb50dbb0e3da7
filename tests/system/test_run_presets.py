"""The presets ``run`` and ``test`` on real programs: the exception is kept, with its place, and the rest goes."""

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.cli import main
from core.predicate import presets
from core.predicate.output import traces
from core.predicate.preset import ToolRuns
from core.predicate.verdict import Verdict
from tests.support.files import jar_of

pytestmark = pytest.mark.usefixtures("decompilers")

_RUNS = ToolRuns(timeout=60.0)
JUNIT = [Path("/usr/share/java/junit4.jar"), Path("/usr/share/java/hamcrest-core.jar")]
CROWD = {
    f"crowd/C{number}.java": f"""package crowd;
public class C{number} {{
    int value = {number};
    public int total() {{ return value + {"new C" + str(number + 1) + "().total()" if number < 9 else "0"}; }}
    public String toString() {{ return "C{number}:" + value; }}
}}
"""
    for number in range(10)
}
DEEP = {
    **CROWD,
    "a/Main.java": """package a;
import java.util.*;
public class Main {
    public static void main(String[] words) {
        System.out.println("total " + new crowd.C0().total());
        System.out.println(Unused.greeting(words));
        new Shop().serve(List.of("tea", "bread", words[0]));
    }
}
""",
    "a/Unused.java": 'package a; class Unused { static String greeting(String[] w) { return "hello " + w.length; } }',
    "a/Shop.java": """package a;
import java.util.*;
class Shop {
    private final Map<String, Integer> prices = new TreeMap<>(Map.of("tea", 3, "bread", 4));
    void serve(List<String> wishes) { wishes.forEach(wish -> sell(wish)); }
    void sell(String wish) {
        try { new Till().ring(wish, prices.get(wish)); }
        catch (NullPointerException e) { throw new NoSuchWareException("no ware " + wish.length() + " here", e); }
    }
    void audit() { System.out.println(prices + new crowd.C3().toString()); }
}
""",
    "a/Till.java": """package a;
class Till {
    int sum;
    void ring(String wish, Integer price) { add(price.intValue()); }
    void add(int price) { sum += price; }
    void close() { System.out.println(sum); }
}
""",
    "a/NoSuchWareException.java": """package a;
class NoSuchWareException extends IllegalStateException {
    NoSuchWareException(String message, Throwable cause) { super(message, cause); }
}
""",
}
RUN = ("--preset", "run", "--set", "main=a.Main", "--set", "arguments=milk")


def names(jar):
    with zipfile.ZipFile(jar) as archive:
        return {name.removesuffix(".class") for name in archive.namelist()}


@pytest.fixture
def reduce(tmp_path, monkeypatch, capsys):
    """``reduce(jar, *options)``: what ``jarlet reduce`` reports, in ``out.jar`` what it leaves."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(*words):
        code = main(["reduce", *map(str, words), "-q", "-o", "out.jar", "--report", "report.json"])
        assert code == 0, capsys.readouterr().err
        return json.loads((tmp_path / "report.json").read_text())

    return run


def java(tmp_path, *words, path="out.jar"):
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", str(path), *words]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)


KEPT = (
    "a.NoSuchWareException: no ware # here at a.Shop.sell < a.Shop.lambda$serve$ < java.lang.Iterable.forEach; "
    "caused by java.lang.NullPointerException: Cannot invoke"
)


def same_exception(tmp_path, report):
    """The report's, and that of the program that is left."""
    (failure,) = report["final"]["failures"]
    assert failure.startswith(KEPT)
    assert failure.endswith(" at a.Till.ring")
    said = java(tmp_path, "a.Main", "milk").stderr
    assert traces.names(said) == (failure,)
    return said


@pytest.mark.guarded
def test_the_exception_of_a_main_class_is_kept_with_its_place(compile_java, reduce, tmp_path):
    jar = jar_of(compile_java(DEEP, "-g"), tmp_path / "deep.jar")
    report = reduce(jar, *RUN, "--algorithm", "binary")
    assert "no ware 4 here" in same_exception(tmp_path, report)
    assert names(tmp_path / "out.jar") >= {"a/Main", "a/Shop", "a/Till", "a/NoSuchWareException"}
    assert report["reason"] == "done"


@pytest.mark.slow
def test_below_the_class_only_the_way_to_the_exception_is_left(compile_java, reduce, tmp_path):
    jar = jar_of(compile_java(DEEP, "-g"), tmp_path / "deep.jar")
    report = reduce(jar, *RUN)
    same_exception(tmp_path, report)
    kept = names(tmp_path / "out.jar")
    assert kept >= {"a/Main", "a/Shop", "a/Till", "a/NoSuchWareException"}
    assert not kept & {f"crowd/C{number}" for number in range(1, 10)}
    left = subprocess.run(
        ["javap", "-p", "-cp", "out.jar", "a.Main", "a.Shop", "a.Till"], cwd=tmp_path, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip
    assert "ring(" in left
    assert not {"audit", "close"} & set(left.replace("(", " ").split())
    assert report["output"]["bytes"] < 0.6 * report["input"]["bytes"]


def test_another_exception_is_another_failure(compile_java, tmp_path):
    """What is not the same: other type, other message, other place, no exception, a class that is missing."""
    classes = compile_java(DEEP, "-g")
    entries = {path.relative_to(classes).as_posix(): path.read_bytes() for path in sorted(classes.rglob("*.class"))}
    preset = presets.find("run")
    predicate, first = preset.predicate({"main": "a.Main", "arguments": "milk"}, runs=_RUNS).calibrated(
        list(entries.items()), tmp_path / "first"
    )
    assert first.interesting, first
    for gone in ("a/Till", "crowd/C9", "a/Main"):
        left = [(name, data) for name, data in entries.items() if name != f"{gone}.class"]
        outcome = predicate.probe(left, tmp_path / gone.replace("/", "-"))
        assert outcome.verdict is Verdict.NOT_INTERESTING, outcome
        assert outcome.detail.startswith(("no failure", "failures that are gone: a.NoSuchWareException"))
    _, fine = preset.predicate({"main": "a.Main", "arguments": "tea"}).calibrated(list(entries.items()), tmp_path / "f")
    assert (fine.interesting, fine.failures) == (False, ())
    assert "no failure was found in the output" in fine.detail


TESTED = {
    **CROWD,
    "a/SumTest.java": """package a;
import static org.junit.Assert.*;
import org.junit.*;
public class SumTest {
    private int limit;
    @Before public void setUp() { limit = new Limits().most() + new crowd.C5().total() * 0; }
    @Test public void fine() { assertEquals(3, 1 + 2); }
    @Test public void wrong() { assertEquals("sum of " + limit, 10, new Adder().sum(limit)); }
    @Test public void thrown() { new Adder().sum(new int[0]); }
}
""",
    "a/Limits.java": "package a; class Limits { int most() { return 4; } int least() { return 0; } }",
    "a/Adder.java": """package a;
class Adder {
    int sum(int n) { int s = 0; for (int i = 1; i < n; i++) s += i; return s; }
    int sum(int[] all) { return all[all.length]; }
    public String toString() { return new crowd.C1().toString(); }
}
""",
}


@pytest.mark.guarded
@pytest.mark.skipif(not all(path.exists() for path in JUNIT), reason="JUnit 4 is not installed (Debian: junit4)")
@pytest.mark.parametrize("algorithm", ["binary", pytest.param("auto", marks=pytest.mark.slow)])
def test_the_failures_of_a_junit_run_are_kept(compile_java, reduce, tmp_path, algorithm):
    path = os.pathsep.join(map(str, JUNIT))
    jar = jar_of(compile_java(TESTED, "-g", "-cp", path), tmp_path / "tested.jar")
    run = ("--preset", "test", "--set", "command=org.junit.runner.JUnitCore a.SumTest", "--classpath", path)
    report = reduce(jar, *run, "--algorithm", algorithm)
    kept = names(tmp_path / "out.jar")
    assert {"a/SumTest", "a/Adder"} <= kept
    assert "crowd/C0" not in kept
    if algorithm == "auto":
        assert kept <= {"a/SumTest", "a/Adder", "a/Limits"}
    failures = report["final"]["failures"]
    assert [failure.partition(": ")[0] for failure in failures] == [
        "java.lang.ArrayIndexOutOfBoundsException", "java.lang.AssertionError",
    ]  # fmt: skip
    assert failures[0].endswith(" at a.Adder.sum < a.SumTest.thrown")
    assert failures[1] == "java.lang.AssertionError: sum of # expected:<#> but was:<#> at a.SumTest.wrong"
    said = java(tmp_path, "org.junit.runner.JUnitCore", "a.SumTest", path=f"out.jar{os.pathsep}{path}").stdout
    assert set(failures) <= set(traces.names(said))
    assert "expected:<10> but was:<" in said
