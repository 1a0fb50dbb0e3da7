"""Programs that must still run on several inputs, some of which the search does not see."""

from __future__ import annotations

import json
import tomllib
import zipfile
from pathlib import Path

import pytest

from core.cancellation import cancellation_point
from core.errors import JarletError
from core.plan import what_ran
from core.plan.trust import Trust
from tests.bench.debloat import LIST, wanted
from tests.bench.debloat import paths as fetched
from tests.support.files import jar_of

NAMES = "ABCDEFGHIJ"


@pytest.fixture
def reduced(jarlet, compile_java, tmp_path, script):
    """``reduced(lines, *options)``: the report of a reduction in which each input needs the class of its name."""

    def reduce(lines: list[str], *options: str) -> dict:
        sources = {f"a/{name}.java": f"package a; class {name} {{ }}" for name in NAMES}
        jar = jar_of(compile_java(sources, "-g:none"), tmp_path / "in.jar")
        (tmp_path / "inputs.txt").write_text("\n".join(lines))
        check = script('grep -aq "a/$2.class" "$1"; echo "$?"')
        done = jarlet(
            "reduce", jar, "--predicate", f"{check} {{jar}}", "--inputs", "inputs.txt", "--preserve", "exit,out",
            "-o", "out.jar", "--report", "report.json", "--granularity", "class", *options,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        print(done.stdout, done.stderr)
        return json.loads((tmp_path / "report.json").read_text())

    return reduce


def test_what_an_unseen_input_needs_goes_back_and_the_rest_judges_the_result(reduced, tmp_path, capsys) -> None:
    report = reduced(list("ABCDE"), "--held-out", "40")
    assert {name[2:3] for name in report["kept"]} >= set("ABCDE"), "the unseen ones were needed, and came back"
    unseen = report["unseen"]
    assert unseen["inputs"] == 5
    assert [each["kept"] for each in unseen["failed"]] == [True, True]
    assert all(each["why"] == "other standard output" for each in unseen["failed"])
    assert len(report["kept"]) <= 6  # and the manifest


def test_unseen_inputs_that_pass_change_nothing(reduced) -> None:
    lines = ["A", "A 1", "A 2", "A 3", "A 4", "A 5", "A 6", "A 7", "A 8", "A 9"]
    unseen = reduced(lines)["unseen"]
    assert (unseen["unseen"], unseen["passed"], unseen["failed"]) == (2, 2, [])
    assert unseen["low"] < 0.5 < unseen["high"] == 1.0


@pytest.mark.guarded
def test_a_finished_session_that_goes_on_has_the_same_result(reduced, jarlet, tmp_path: Path) -> None:
    before = reduced(list("ABCDE"), "--held-out", "40", "--session", "kept")
    done = jarlet("reduce", "--resume", "kept.jarlet", "--report", "again.json")
    assert done.returncode == 0, done.stderr
    again = json.loads((tmp_path / "again.json").read_text())
    assert (again["kept"], again["unseen"]) == (before["kept"], before["unseen"])


@pytest.mark.guarded
def test_the_script_of_a_bug_folder_runs_every_input(reduced, tmp_path: Path) -> None:
    reduced(list("ABC"), "--bug-folder", "bug", "--source-time", "0")
    (script,) = [path for path in (tmp_path / "bug").iterdir() if path.suffix == ".sh" and "check" not in path.name]
    assert [script.read_text().count(f" {name} &&") + script.read_text().count(f" {name}\n") for name in "ABC"] == [
        1,
        1,
        1,
    ]


@pytest.mark.guarded
def test_the_result_is_the_same_for_any_number_of_workers(reduced) -> None:
    kept = [reduced(list("ABCDEFG"), "--jobs", jobs, "--seed", "3")["kept"] for jobs in ("1", "3")]
    assert kept[0] == kept[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--inputs", "none.txt", "--predicate", "true {jar}"), "none.txt: the inputs cannot be read"),
        (("--inputs", "empty.txt", "--predicate", "true {jar}"), "empty.txt: there is no input"),
        (("--inputs", "one.txt", "--preset", "verify"), "--inputs does not go with --preset"),
        (("--inputs", "one.txt", "--tests", "a.*", "--predicate", "true"), "by --inputs or by --tests, not by both"),
        (("--tests", "a.*Test"), "no class in the jars of --classpath has such a name"),
        (("--inputs", "one.txt", "--predicate", "true {jar}", "--held-out", "91"), "from 0 to 90"),
    ],
)
def test_inputs_that_cannot_be_are_one_sentence(jarlet, compile_java, tmp_path: Path, options, message) -> None:
    jar = jar_of(compile_java({"a/A.java": "package a; class A { }"}), tmp_path / "in.jar")
    (tmp_path / "empty.txt").write_text("# nothing\n\n")
    (tmp_path / "one.txt").write_text("one\n")
    done = jarlet("check", jar, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    told = [line for line in done.stderr.splitlines() if not line.startswith("Still ")]  # on a busy machine
    assert len(told) == 1


@pytest.mark.slow
def test_a_real_library_keeps_what_its_unseen_tests_need(jarlet, tmp_path: Path) -> None:
    cases = {case["name"]: case for case in tomllib.loads(LIST.read_text())["case"]}
    case = cases["commons-dbutils"]
    try:
        jars = fetched(case["jars"])
        options = wanted(case, jars, tmp_path)
    except JarletError as error:
        pytest.skip(f"no repository: {error}")
    done = jarlet(
        "reduce", jars[0], *options, "--granularity", "class", "--trust", "as-run", "--max-probes", "40",
        "-o", "out.jar", "--report", "report.json",
    )  # fmt: skip
    assert done.returncode in (0, 3), done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    unseen = report["unseen"]
    assert report["output"]["bytes"] < report["input"]["bytes"]
    assert 0 <= unseen["low"] <= unseen["passed"] / unseen["unseen"] <= unseen["high"] <= 1
    for each in unseen["failed"]:
        assert each["why"]
        assert each["input"].endswith("Test")


@pytest.mark.guarded
def test_a_test_that_only_passes_after_another_is_told(jarlet, compile_java, tmp_path) -> None:
    """A stand-in of JUnit's runner is enough: it runs the classes that it is given, in one virtual machine."""
    test = "package t; public class {0} {{ public static void run() {{ {1} }} }}"
    runner = """package org.junit.runner;
        public class JUnitCore { public static void main(String[] names) throws Exception {
            for (String name : names)
                try { Class.forName(name).getMethod("run").invoke(null); }
                catch (java.lang.reflect.InvocationTargetException failed) {
                    System.out.println("failed: " + name);
                    System.exit(1);
                }
        } }"""
    classes = compile_java({"a/Lib.java": "package a; public class Lib { public static int state; }"})
    lib = jar_of(classes, tmp_path / "lib.jar")
    sources = {
        "org/junit/runner/JUnitCore.java": runner,
        "org/junit/OwnTest.java": "package org.junit; class OwnTest { }",
        "t/ATest.java": test.format("ATest", "a.Lib.state = 1;"),
        "t/BTest.java": test.format("BTest", "if (a.Lib.state != 1) throw new Error();"),
    }
    tests = jar_of(compile_java(sources, "-cp", str(lib)), tmp_path / "tests.jar")
    wanted = ("reduce", lib, "--tests", "*Test", "--classpath", tests, "--max-probes", 1, "-o", tmp_path / "o.jar")
    told = jarlet(*wanted, "--held-out", 50).stderr
    assert "Tests fail on it; without their classes: --tests '*Test,!t.BTest'." in told
    assert "If they only pass after other tests: --held-out 0 runs all classes together." in told
    assert jarlet(*wanted, "--held-out", 0).returncode in (0, 3)


@pytest.mark.slow
def test_what_the_last_search_knew_must_stay_is_tried_if_the_time_ends_before_more_is_known(
    jarlet, compile_java, tmp_path, monkeypatch
) -> None:
    trusts = []

    def trust(*arguments: object, **options: bool) -> object:
        trusts.append(arguments)
        while len(trusts) > 1:
            cancellation_point()
        return Trust(*arguments, **options)

    monkeypatch.setattr(what_ran, "Trust", trust)
    main = """public class Main {
        public static void main(String[] words) { if (words[0].equals("a")) A.run(); else B.run(); } }
    class A { static void run() { System.out.println("a"); } }
    class B { static void run() { System.out.println("b"); } }
    class C { static void run() { System.out.println("c"); System.out.println("d"); } }"""
    jar_of(compile_java({"Main.java": main}), tmp_path / "in.jar")
    (tmp_path / "inputs.txt").write_text("a\nb")
    options = ["--held-out", "50", "--trust", "as-run", "--preserve", "exit,out", "--time-limit", "12"]
    done = jarlet(
        "reduce", "in.jar", "--predicate", "java -cp {jar} Main", "--inputs", "inputs.txt", "-o", "out.jar", *options
    )
    assert len(trusts) == 2, done.stderr
    assert "one candidate is run now" in done.stderr
    assert "C.class" not in zipfile.ZipFile(tmp_path / "out.jar").namelist()
