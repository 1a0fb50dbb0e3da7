"""What the messages of real tools name of an input, and what is no message of an error."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.clues import Mention
from core.evidence.failure import FailureReport, heard, mentions
from core.evidence.mentions import ClassNames
from core.library.jdk import find_jdk
from core.model import class_model
from core.predicate.output import javac, traces
from core.predicate.output.left_files import recognised
from tests.support.patience import patience
from tests.support.rows import rows

SOURCES = {
    f"app/C{n}.java": f"package app; public class C{n} {{ public int m(int n) {{ return n; }} }}" for n in range(9)
}
SOURCES["app/BadError.java"] = "package app; public class BadError extends Error { }"
FRAMES = "\tat tool.Reader.read(Reader.java:12)\n\tat tool.Main.main(Main.java:5)\n"


@pytest.fixture(scope="module")
def names(compile_java: Callable[..., Path]) -> ClassNames:
    return ClassNames(class_model.build(read_jar([compile_java(SOURCES)])))


MESSAGES = {
    "trace": f"java.lang.IllegalStateException: cannot read app.C2\n{FRAMES}",
    "trace of a thread": f'Exception in thread "main" java.lang.IllegalStateException: app/C2\n{FRAMES}',
    "file before a trace": f"app/C2.class: java.lang.StackOverflowError\n{FRAMES}",
    "path before a trace": f"/tmp/jarlet-1/7/in-2/app/C2.class: class java.lang.StackOverflowError\n{FRAMES}",
    "later Java": f"cannot read /x/classes/META-INF/versions/9/app/C2.class\n{FRAMES}",
    "level before a trace": f"[ERROR] cannot read app.C2: java.lang.IllegalStateException: bad\n{FRAMES}",
    "log before frames": f"12:00:01.000 [main] INFO tool.Reader - app.C2\n{FRAMES}",
    "every line of a log": "[ERROR] java.lang.Exception: app.C2\n[ERROR] \tat tool.Main.main(Main.java:5)\n",
    "sentence": "error while reading app.C2\n",
    "verifier": (
        "java.lang.VerifyError: Bad type on operand stack\nException Details:\n  Location:\n"
        "    app/C2.m(I)I @3: iload\n  Reason:\n    Type integer is not assignable to reference type\n"
    ),
    "linker, method": "java.lang.NoSuchMethodError: 'int app.C2.m(int)'\n",
    "linker, class": (
        "java.lang.IncompatibleClassChangeError: Class app.C2 does not implement the requested interface app.Gone\n"
    ),
    "linker, nothing": "java.lang.NoClassDefFoundError: app/C2\n",
    "javac": "Use.java:3: error: cannot access C2\n  C2 c;\n  ^\n  bad class file: /in.jar(/app/C2.class)\n1 error\n",
    "ECJ": (
        "----------\n1. ERROR in /x/Use.java (at line 3)\n\tC2 c = null;\n\t^\nThe type app.C2 cannot be resolved."
        " It is indirectly referenced from required .class files\n----------\n1 problem (1 error)\n"
    ),
    "scalac 2": (
        "error: error while loading C2, class file '/x/in.jar(app/C2.class)' is broken\n"
        "(class java.lang.RuntimeException/bad constant pool index: 0 at pos: 48)\none error found\n"
    ),
    "scalac 3": (
        "-- [E008] Not Found Error: F.scala:3:12 -----\n3 |  val a = new app.C2().k\n  |          ^^^^^^^^^\n"
        "  |  value k is not a member of app.C2\n1 error found\n"
    ),
    "scalac 3, in colours": (
        "\x1b[31m-- [E006] Not Found Error: F.scala:3:9 ---\x1b[0m\n3 |  \x1b[33mval\x1b[0m t: \x1b[35mString\x1b[0m\n"
        "\x1b[31m  |\x1b[0m         Not found: type \x1b[35mC2\x1b[0m\n1 error found\n"
    ),
    "kotlinc, trace": (
        "exception: org.jetbrains.kotlin.util.FileAnalysisException: While analysing /x/F.kt:4:1: "
        "java.lang.IllegalStateException: Could not read class: VirtualFile: in.jar!/app/C2.class\n"
        "\tat org.jetbrains.kotlin.fir.FirCliExceptionHandler.handleExceptionOnFileAnalysis(Utils.kt:249)\n"
    ),
    "kotlinc": (
        "F.kt:3:51: error: cannot access class 'app.C2'. Check your module classpath for missing or conflicting "
        "dependencies.\nfun a() { val m = C(); m.face() }\n                         ^^^^\n"
    ),
    "groovyc": "e.groovy: 1: unable to resolve class app.C2\n @ line 1, column 8.\n   import app.C2\n          ^\n",
    "groovyc, trace": f">>> a serious error occurred: app.C2\n>>> stacktrace:\njava.lang.Error: app.C2\n{FRAMES}",
    "simple name": "exception occurred while loading C2 of the class path\n",
    "ProGuard": (
        "Unexpected error while performing partial evaluation:\n  Class       = [app/C2]\n  Method      = [m(I)I]\n"
        "  Exception   = [java.lang.IllegalArgumentException] (Stacks have different current sizes [0] and [1])\n"
    ),
    "R8": "Error in /x/in.jar:app/C2.class:\ncom.android.tools.r8.internal.Oe: java.lang.NullPointerException\n",
    "D8": "Error: /x/in.jar:app/C2.class, offset: 12, line: 3, Absent Code attribute in method\nCompilation failed\n",
    "Jandex": f"ERROR: Could not index app/C2.class: java.lang.IllegalStateException: Unknown tag! pos=3\n{FRAMES}",
    "ASM": f"org.objectweb.asm.MethodTooLargeException: Method too large: app/C2.m (I)I\n{FRAMES}",
    "descriptor": "Unexpected type Lapp/C2; on the stack\n",
}


@rows("tool", MESSAGES)
def test_the_message_of_a_tool_names_the_class(names: ClassNames, tool: str) -> None:
    around = "".join(f"reading app.C{n}\n" for n in (*range(9), 2))
    for text in (MESSAGES[tool], f"{around}{MESSAGES[tool]}{around}"):
        assert {each.name for each in mentions(names, FailureReport((), text))} == {"app/C2"}, text


def test_a_method_that_a_message_names_is_found(names: ClassNames) -> None:
    assert mentions(names, FailureReport((), MESSAGES["verifier"], failed=True)) == (Mention("app/C2", "m", "(I)I"),)
    assert mentions(names, FailureReport((), MESSAGES["linker, method"], failed=True)) == (Mention("app/C2", "m"),)


@pytest.mark.parametrize("failed", [True, False])
def test_a_log_with_a_line_for_each_class_is_no_evidence(names: ClassNames, failed: bool) -> None:
    lines = "".join(f"reading app.C{n}\n" for n in range(9)) + "reading app.BadError\n"
    assert mentions(names, FailureReport((), lines, failed)) == ()
    assert mentions(names, FailureReport((), lines.splitlines()[2], failed)) == ((Mention("app/C2"),) if failed else ())


def test_the_verifier_of_the_virtual_machine_names_the_method(
    names: ClassNames, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    folder = compile_java(
        {
            "app/C2.java": "package app; public class C2 { public static void main(String[] w) { m(1); }"
            " static int m(int n) { return n; } }"
        },
        "-g:none",
    )
    path = tmp_path / "app" / "C2.class"
    path.parent.mkdir()
    code = (folder / "app" / "C2.class").read_bytes()
    path.write_bytes(code.replace(b"\x1a\xac", b"\x2a\xac"))  # aload_0 in place of iload_0
    command = [str(find_jdk().java), "-cp", str(tmp_path), "app.C2"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience()).stderr
    assert "VerifyError" in said
    assert mentions(names, FailureReport((), said, failed=True))[0] == Mention("app/C2", "m", "(I)I")
    details = said[said.index("Exception Details") :].partition("\tat ")[0]
    assert mentions(names, FailureReport((), details)) == (Mention("app/C2", "m", "(I)I"),), "without its first line"


def test_errors_of_other_tools_are_none_of_javac() -> None:
    assert javac.names("error: Invalid class file\nerror: Invalid class file\n") == ()
    assert recognised("error: Invalid class file\n") == ""


@pytest.mark.parametrize("words", [("-nonsense", "A.java"), ("Gone.java",), ("Gone",), ("-d", ".")])
def test_errors_of_javac_without_a_place_are_its_own(words: tuple[str, ...], tmp_path: Path) -> None:
    compiler = find_jdk().home / "bin" / "javac"
    command = [str(compiler), "-J-Duser.language=en", *words]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=patience()).stderr
    (name,) = javac.names(said)
    assert name.startswith("javac: ")


def test_a_prefix_is_no_part_of_the_name_of_a_trace() -> None:
    bare = f"java.lang.IllegalStateException: bad\n{FRAMES}Caused by: java.io.IOException: x\n{FRAMES}"
    (name,) = traces.names(bare)
    assert traces.names(f"12:00:01.000 [main] ERROR app/C2: {bare}") == (name,)
    assert traces.names("".join(f"[ERROR] {line}\n" for line in bare.splitlines())) == (name,)


def test_an_error_without_a_place_is_one_of_javac_only_if_no_other_compiler_wrote_it() -> None:
    scalac = MESSAGES["scalac 2"].replace("one error found", "1 error")
    assert recognised(scalac) == ""
    assert recognised("T.scala:3: error: not found: type C2\nerror: bad option\n2 errors\n") == ""
    assert recognised("error: invalid flag: -x\n1 error\n") == "1 error of javac"


def test_of_a_hang_the_last_class_that_the_tool_tells_counts_whatever_went_wrong_before(names: ClassNames) -> None:
    log = f"Decompiling app.C2\nerror while reading app.C1\n{FRAMES}Decompiling app.C3\nLoading java.lang.String\n"
    hang = "hang at tool.Loop.spin < tool.Main.main"
    assert mentions(names, FailureReport([hang], f"{log}hang\n\tat tool.Loop.spin(Unknown Source)\n", failed=True)) == (
        Mention("app/C3"),
    )


def test_of_what_a_silent_tool_printed_the_line_that_its_script_looks_for_comes_first(names: ClassNames) -> None:
    report = FailureReport((), command="tool.sh $1 2>&1 | grep -q 'no .* here'")
    printed = "reading app.C1\nerror: app.C2 is odd\nno good app.C3 here\n"
    found = [mention.name for mention in heard(names, report, printed, "java.io.EOFException\tapp/C4.class", "x\t")]
    assert found[:2] == ["app/C3", "app/C2"]
    assert found[-1] == "app/C4"
