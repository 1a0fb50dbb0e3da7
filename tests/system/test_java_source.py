"""``jarlet source``: Java source that shows a failure. The decompiler is a script that writes a prepared text, with an
error of javac in it; the failure is a name in the class."""

import json
import zipfile
from contextlib import closing
from pathlib import Path
from threading import Event as Flag

import pytest

from core.errors import NotInterestingError, OutputError, UsageError
from core.predicate import presets
from core.predicate.jvm.tool_process import HostError
from core.protocol.questions.bug import FindSource
from core.protocol.questions.exports import ExportTest
from core.protocol.settings import Settings
from core.recompile.compiler import CompilerHost
from core.service.aims import aim_of
from core.service.queries.desk import Desk
from core.service.queries.results import export_test, find_source
from core.service.reproducers import projects
from core.service.reproducers.failing_result import FailingResult, source_report
from core.service.reproducers.maintainer_test import maintainer_test, write_test
from core.service.reproducers.projects import PROJECTS, project
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from tests.support.own_tools import decompiler, only_tools
from tests.support.rows import rows

SOURCE = """package demo;
public class Shown {
    static int f(java.util.List l, demo.Gone gone) {
        switch (l.size()) { case 1: return 7; case 2: return 9; default: return ((String) l.get(0)).length(); }
    }
}
"""
GONE = "package demo; public class Gone { }"
DECOMPILED = SOURCE.replace("((String) l.get(0))", "l.get(0)").replace("demo.Gone", "Gone")
WRITER = decompiler(
    "writer",
    """["sh", "-c", '''mkdir -p sources/demo && cat > sources/demo/Shown.java << 'END'
{text}
END
''']""",
)
COMMAND = "sh -c 'unzip -p $1 \\*.class | grep -aq java/util/List' sh {jar}"


@pytest.fixture
def entries(compile_java):
    """A class whose failure is that it names lists, and that names a class which is not there."""
    folder = compile_java({"demo/Shown.java": SOURCE, "demo/Gone.java": GONE}, "--release", "8", "-g:none")
    return [("demo/Shown.class", (folder / "demo" / "Shown.class").read_bytes())]


@pytest.fixture
def writer(monkeypatch):
    only_tools(monkeypatch, {"writer": WRITER.replace("{text}", DECOMPILED)})


@pytest.fixture
def result(entries):
    made = FailingResult(entries, aim_of(Settings(predicate=COMMAND)), Flag())
    yield made
    made.close()


@pytest.mark.guarded
def test_a_source_is_repaired_compiled_and_verified(writer, result):
    found = result.source(600.0)
    source = found.found
    assert source is not None, found
    assert source.repaired == 1
    assert "((java.lang.String)(l.get(0))).length()" in source.texts["demo/Shown.java"].replace(" ", "")
    assert source.way.options == ("--release", "8", "-g:none")
    assert [name for name, _ in source.classes] == ["demo/Shown.class"]
    assert source.stubs.keys() == {"demo/Gone.java"}
    assert result.shows(source.classes)
    assert "1 error of javac repaired" in found.sentence
    assert "1 stub of what it names and lacks" in found.sentence


@pytest.mark.slow
def test_where_no_source_shows_it_the_report_has_assembler_text(monkeypatch, entries):
    only_tools(monkeypatch, {"writer": WRITER.replace("{text}", "package demo; public class Shown { }")})
    found = source_report(entries, aim_of(Settings(predicate=COMMAND)), 600.0, Flag())
    assert found["verified"] is False
    assert found["sentence"].startswith("No Java source was found that compiles to classes with the failure (every way")
    assert "jasm" in found["sentence"]
    assert "lookupswitch{" in found["assembler"]["demo/Shown.jasm"]


def test_without_a_decompiler_a_sentence_says_so(monkeypatch, entries):
    only_tools(monkeypatch, {})
    found = source_report(entries, aim_of(Settings(predicate=COMMAND)), 600.0, Flag())
    assert found["notes"] == ["No decompiler is installed: 'jarlet source --fetch' gets CFR and Vineflower."]


@pytest.mark.guarded
def test_what_jasm_cannot_say_and_the_failure_needs_is_told(monkeypatch, compile_java):
    only_tools(monkeypatch, {})
    folder = compile_java({"demo/Shown.java": "package demo; class Shown { <Q> void f(Q q) {} }"}, "-g:none")
    entries = [("demo/Shown.class", (folder / "demo" / "Shown.class").read_bytes())]
    needs = "sh -c 'javap -p -cp $1 demo.Shown | grep -q \"<Q>\"' sh {jar}"
    found = source_report(entries, aim_of(Settings(predicate=needs)), 600.0, Flag())
    assert found["assembler"].keys() == {"demo/Shown.jcod"}
    assert found["sentence"].endswith(
        "(jcod, for OpenJDK's asmtools): jasm cannot say Signature, and without that the failure is gone."
    )


@pytest.mark.guarded
def test_a_compiler_that_breaks_down_is_told_and_ends_nothing(writer, monkeypatch, entries):
    def breaks(*given, **more):
        raise HostError("the process ended")

    monkeypatch.setattr(CompilerHost, "compile", breaks)
    found = source_report(entries, aim_of(Settings(predicate=COMMAND)), 600.0, Flag())
    assert any("broke down: the process ended." in note for note in found["notes"]), found
    assert "(every way was tried: 0 sources that compiled" in found["sentence"]
    assert "lookupswitch{" in found["assembler"]["demo/Shown.jasm"]


def test_a_search_that_has_no_time_says_so(writer, entries):
    found = source_report(entries, aim_of(Settings(predicate=COMMAND)), 0.001, Flag())
    assert "the time of " in found["sentence"]
    assert "lookupswitch{" in found["assembler"]["demo/Shown.jasm"]


def test_an_input_without_the_failure_is_refused(entries):
    with pytest.raises(NotInterestingError, match="does not show the failure"):
        FailingResult(entries, aim_of(Settings(predicate="false")), Flag())


@pytest.mark.parametrize("name", PROJECTS)
def test_each_project_has_its_files_names_and_packages(result, name, tmp_path):
    made = project(name)
    test = maintainer_test(result, None, made, aim_of(Settings(predicate=COMMAND)), "412")
    assert test.verified, test.sentence
    texts = [text for path, text in test.files.items() if path.endswith(".jasm")]
    own = "demo/Shown"
    assert f"public super class {made.main_name('Shown', '412') if made.renames else own}\n" in texts[0]
    assert (own in texts[0]) is not made.renames
    write_test(test, tmp_path / "out")
    readme = (tmp_path / "out" / "README-reduced.md").read_text()
    assert all(f"* `{path}`" in readme for path in test.files if path != "README-reduced.md")
    with pytest.raises(OutputError, match="not empty"):
        write_test(test, tmp_path / "out")


KOTLIN = "compiler/testData/codegen/box/javaInterop"


@rows(
    ("name", "release", "written", "said"),
    [
        ("vineflower", 11, "testData/src/java11nodebug/pkg/One.java", 'register(JAVA_11_NODEBUG, "One", "Two");'),
        ("vineflower", 11, "testData/src/java11nodebug/pkg/One.java", "add 11 to the sets NoDebug of build.gradle"),
        ("cfr", 17, "cfr_tests/src_21/pkg/One.java", "<path>precompiled_tests/java_21/org/benf/cfr/tests</path>"),
        ("cfr", 0, "cfr_tests/hardcoded/One.jasm", "<path>hardcoded</path>"),
        ("jadx", 8, "jadx-core/src/test/java/pkg/One.java", "getClassNodes(One.class, Two.class);"),
        ("jadx", 8, "jadx-core/src/test/java/pkg/One.java", "noDebugInfo();"),
        ("jadx", 0, "jadx-core/src/test/jasm/pkg/One.jasm", "public class OneTest extends RaungTest {"),
        ("jadx", 0, "jadx-core/src/test/jasm/pkg/One.jasm", "into jadx-core/src/test/raung/pkg/OneTest/."),
        ("spotbugs", 11, "spotbugsTestCases/src/java11/pkg/One.java", '"../java11/pkg/One$In.class"'),
        ("spotbugs", 17, "spotbugsTestCases/src/java/pkg/One.java", 'performAnalysis("pkg/One.class", "pkg/One$In'),
        (
            "spotbugs", 0, "spotbugsTestCases/src/classSamples/asmtools/pkg/One.jasm",
            '"../../../../src/classSamples/asmtools/pkg/One.class"',
        ),
        ("sootup", 0, "shared-test-resources/bugfixes/One.jasm", "new JavaView(Collections.singletonList("),
        ("proguard", 8, "base/src/test/kotlin/proguard/OneTest.kt", 'listOf("--release", "8", "-g:none"),'),
        ("proguard", 8, "base/src/test/kotlin/proguard/OneTest.kt", 'getClass("pkg/One\\$In") shouldNotBe null'),
        ("proguard", 0, "base/src/test/resources/reduced/pkg/One.jasm", 'listOf("pkg/One.class", "pkg/One\\$In.class"'),
        ("jtreg", 8, "test/hotspot/jtreg/compiler/misc/pkg/TestOne.java", "@compile --release 8 -g:none One.java\n"),
        ("jtreg", 0, "test/hotspot/jtreg/compiler/misc/pkg/One.jasm", "-XX:-TieredCompilation pkg.TestOne\n"),
        ("scala3", 8, "sbt-test/java-compat/i0/Use.x", "compileOrder := CompileOrder.JavaThenScala"),
        ("scala3", 0, "reduced/pkg/One.jasm", "as a jar into sbt-test/java-compat/i0/lib/."),
        ("kotlin", 8, f"{KOTLIN}/kt0.kt", "// MODULE: lib\n// FILE: pkg/One.java\none\n"),
        ("kotlin", 8, f"{KOTLIN}/kt0.kt", "// MODULE: main(lib)\n// FILE: Use.x\nuse\n"),
        (
            "checker-framework", 8, "checker/tests/nullness-extra/issue0/lib/pkg/One.java",
            "\t$(JAVAC) --release 8 -g:none lib/pkg/One.java -d lib/bin\n",
        ),
        ("checker-framework", 8, "checker/tests/nullness-extra/issue0/Use.x", "NullnessChecker Use.x -d bin -cp lib"),
    ],
)  # fmt: skip
def test_a_test_stands_where_the_project_looks_for_it(name, release, written, said):
    """As the projects' repositories have it: sets of Java releases, nested classes, class files of other makers."""
    files = ({"pkg/One.java": "one"}, {}) if release else ({}, {"pkg/One.jasm": "one"})
    classes = ("pkg/One", "pkg/One$In", "pkg/Two")
    laid = project(name).lay(
        projects.TestMaterial("pkg/One", *files, classes, release, False, "0", (), "preset", (), {"Use.x": "use"})
    )
    assert written in laid.files
    assert any(said in text for text in (*laid.steps, *laid.files.values()))


@pytest.mark.parametrize(
    ("name", "others"),
    [
        (
            "vineflower",
            ['register(JASM, "TestOne", "TestTwo", "Idle");', 'register(JASM, "TestTwo", "TestOne", "Idle");'],
        ),
        ("cfr", ["<name>ReducedOne</name>", "<name>ReducedTwo</name>"]),
        ("jadx", ["jadx-core/src/test/jasm/jadx/tests/integration/others/TestTwo.jasm"]),
        ("spotbugs", ["ghIssues/Issue412.class", "ghIssues/Two.class"]),
        ("sootup", ['Arrays.asList("Issue412_One", "Issue412_Two")']),
        ("proguard", ['getClass("ReducedOne") shouldNotBe null', 'getClass("ReducedTwo") shouldNotBe null']),
        ("jtreg", ['Class.forName("compiler.misc.ReducedOne");', 'Class.forName("compiler.misc.ReducedTwo");']),
    ],
)
def test_all_classes_that_fail_are_in_the_test(compile_java, name, others):
    folder = compile_java({"a/One.java": "package a; class One { }", "a/Two.java": "package a; class Two { }"})
    idle = compile_java({"a/Idle.java": "package a; class Idle { }"})
    entries = [(f"a/{each}.class", (folder / f"a/{each}.class").read_bytes()) for each in ("One", "Two")]
    entries.append(("a/Idle.class", (idle / "a/Idle.class").read_bytes()))
    fails = "sh -c 'for n in One Two; do unzip -p $1 \\*.class | grep -aq $n && echo FAIL of $n; done' sh {jar}"
    settings = Settings(predicate=fails, failures_as="FAIL of .*")
    with closing(FailingResult(entries, aim_of(settings), Flag())) as result:
        test = maintainer_test(result, None, project(name), aim_of(settings), "412")
    assert test.verified, test.sentence
    said = "\n".join([*test.files, *test.files.values()])
    assert all(each in said for each in others), said


@pytest.fixture
def vineflower_test(monkeypatch, compile_java):
    """A function that makes a test for Vineflower of a class with a source, for a predicate."""
    text = SOURCE.replace(", demo.Gone gone", "")
    folder = compile_java({"demo/Shown.java": text}, "--release", "8", "-g:none")
    only_tools(monkeypatch, {"writer": WRITER.replace("{text}", text)})

    def made(predicate):
        settings = Settings(predicate=predicate)
        result = FailingResult(
            [("demo/Shown.class", (folder / "demo" / "Shown.class").read_bytes())], aim_of(settings), Flag()
        )
        try:
            return maintainer_test(result, result.source(600.0).found, project("vineflower"), aim_of(settings))
        finally:
            result.close()

    return made


@pytest.mark.guarded
def test_a_source_gets_the_names_of_the_project_and_is_verified_again(vineflower_test):
    test = vineflower_test(COMMAND)
    assert test.verified, test.sentence
    source = test.files["testData/src/java8nodebug/pkg/TestShown.java"]
    assert source.startswith("package pkg;\n\npublic class TestShown {")
    assert 'register(JAVA_8_NODEBUG, "TestShown");' in test.files["README-reduced.md"]


@pytest.mark.guarded
def test_a_source_keeps_its_own_names_where_the_failure_needs_them(vineflower_test):
    test = vineflower_test(COMMAND.replace("\\*.class", "demo/Shown.class"))
    assert test.verified
    assert test.sentence.startswith("Under the names of the project no class file shows it")
    assert test.files["testData/src/java8nodebug/demo/Shown.java"].startswith("package demo;\npublic class Shown {")
    assert not any(path.endswith((".jasm", ".jcod")) for path in test.files)


@pytest.mark.guarded
def test_the_window_asks_and_exports(writer, entries, tmp_path):
    with zipfile.ZipFile(tmp_path / "in.jar", "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    session = Workspace(lambda _: None)
    session.open([str(tmp_path / "in.jar")])
    desk, settings = Desk(session, SessionKeeper(session)), Settings(predicate=COMMAND)
    found = find_source(desk, FindSource(settings, seconds=600.0))
    assert found.names == ["demo/Shown.java", "stubs/demo/Gone.java"]
    assert {name for name, _ in found.projects} == set(PROJECTS)
    told = export_test(desk, ExportTest("cfr", str(tmp_path / "test"), settings))
    assert told.message.startswith("Its Java source needs stubs"), told
    assert (tmp_path / "test" / "cfr_tests/hardcoded/ReducedShown.jasm").is_file()
    with pytest.raises(OutputError, match="not empty"):
        export_test(desk, ExportTest("cfr", str(tmp_path / "test"), settings))
    with pytest.raises(UsageError, match="no project"):
        export_test(desk, ExportTest("cfx", str(tmp_path / "other"), settings))


def test_where_nothing_was_looked_for_no_test_is_offered(sample_jar):
    session = Workspace(lambda _: None)
    session.open([str(sample_jar)])
    found = find_source(Desk(session, SessionKeeper(session)), FindSource(Settings(predicate="true")))
    assert "No Java source was looked for: the result has" in found.sentence
    assert (found.names, found.projects) == ([], [])


@pytest.fixture
def input_jar(entries, tmp_path):
    """The class in a jar of the folder in which commands run."""
    with zipfile.ZipFile(tmp_path / "in.jar", "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return "in.jar"


@pytest.mark.slow
def test_the_command_writes_a_test_from_source(jarlet, input_jar, tmp_path):
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "writer.toml").write_text(WRITER.replace("{text}", DECOMPILED))
    said = ("source", input_jar, "--predicate", COMMAND, "--jdk", "17")
    done = jarlet(*said, "--as", "jtreg", "--issue", "8338100", "-o", "out")
    assert done.returncode == 0, done
    assert "This Java source shows the failure" in done.stdout
    text = Path(tmp_path, "out/test/hotspot/jtreg/compiler/misc/TestReducedShown.java").read_text()
    assert "@bug 8338100" in text
    assert "@compile ReducedShown.jasm\n" in text
    assert json.loads(jarlet(*said, "--json").stdout)["verified"] is True


def test_without_a_decompiler_the_command_writes_and_prints_a_test_of_assembler_text(
    monkeypatch, jarlet, input_jar, tmp_path
):
    only_tools(monkeypatch, {})
    said = ("source", input_jar, "--predicate", COMMAND, "--as", "jtreg")
    done = jarlet(*said, "--issue", "8338100", "-o", "out")
    assert done.returncode == 0, done
    assert "No decompiler is installed" in done.stdout
    folder = tmp_path / "out/test/hotspot/jtreg/compiler/misc"
    assert "@bug 8338100" in (folder / "TestReducedShown.java").read_text()
    assembler = (folder / "ReducedShown.jasm").read_text()
    assert "lookupswitch{" in assembler
    printed = jarlet(*said)
    assert assembler.strip() in printed.stdout
    again = jarlet(*said, "-o", "out")
    assert (again.returncode, "is not empty" in again.stderr) == (2, True), again


def test_without_a_project_the_command_writes_assembler_text_alone(monkeypatch, jarlet, input_jar, tmp_path):
    only_tools(monkeypatch, {})
    said = ("source", input_jar, "--predicate", COMMAND)
    done = jarlet(*said, "-o", "out")
    assert done.returncode == 1, done
    assert [path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*")] == [
        "demo/Shown.jasm"
    ]
    told = json.loads(jarlet(*said, "--json").stdout)
    assert (told["verified"], list(told["assembler"])) == (False, ["demo/Shown.jasm"])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--predicate", "false"), 1, "does not show the failure"),
        (("--predicate", COMMAND, "--as", "vinefower", "-o", "new"), 2, "vineflower"),
        (("--predicate", COMMAND, "--as", "cfr", "--issue", "x", "-o", "new"), 2, "--issue x"),
        (("--predicate", COMMAND, "--seconds", "0"), 2, "--seconds 0"),
    ],
)
def test_the_source_command_tells_of_bad_use(monkeypatch, jarlet, input_jar, words, code, said):
    only_tools(monkeypatch, {})
    done = jarlet("source", input_jar, *words)
    assert (done.returncode, said in done.stderr) == (code, True), done
