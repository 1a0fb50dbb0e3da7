"""Names of the errors that javac and ecj tell."""

import shutil
import subprocess

import pytest

from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Statement, Wanted
from core.predicate.output import javac
from tests.support.rows import rows

SOURCES = {
    "a/Names.java": """package a;
import java.util.*;
class Names {
    int missing() { return undefined(1); }
    void types(List<?> list, String s) { s = list.get(0); Other.take(list); }
    void overloads() { over("x", 1); }
    void over(int a) {}
    void over(int a, int b, int c) {}
    <T extends Comparable<T>> void bound(T t) { Integer i = t; }
    Integer lambda() { java.util.function.Supplier<Integer> s = () -> "no"; return s.get(); }
    void generated() { String var3_1 = null; int n = var3_1; arg0.run(); }
}
""",
    "a/Other.java": """package a;
class Other { static void take(int x) { unknown = x; } }
""",
    "b/Lonely.java": """package b;
public class Lonely { String s = 3; String t = 4; Missing m; }
""",
}


def compile_with_javac(folder, sources, *options):
    """What javac says about the sources, in a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in sources.items():
        (folder / "sources" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "sources" / name).write_text(text)
    options = options or ("-J-Duser.language=en",)
    command = ["javac", *options, "-J-XX:TieredStopAtLevel=1", "-proc:none", "-Xmaxerrs", "1000"]
    files = [str(folder / "sources" / name) for name in sources]
    done = subprocess.run([*command, "-d", folder / "out", *files], capture_output=True, text=True, check=False)
    return done.stderr


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    return compile_with_javac(tmp_path_factory.mktemp("javac"), SOURCES)


def test_names_of_javacs_errors(said):
    assert javac.names(said) == (
        "Lonely.java: cannot find symbol; symbol: class Missing; location: class Lonely",
        "Lonely.java: incompatible types: int cannot be converted to String",
        "Lonely.java: incompatible types: int cannot be converted to String",
        "Names.java: cannot find symbol; symbol: method undefined(int); location: class Names",
        "Names.java: cannot find symbol; symbol: variable arg; location: class Names",
        "Names.java: incompatible types: CAP cannot be converted to String",
        "Names.java: incompatible types: List<CAP> cannot be converted to int",
        "Names.java: incompatible types: String cannot be converted to int",
        "Names.java: incompatible types: T cannot be converted to Integer",
        "Names.java: incompatible types: bad return type in lambda expression; String cannot be converted to Integer",
        "Names.java: no suitable method found for over(String,int)",
        "Other.java: cannot find symbol; symbol: variable unknown; location: class Other",
    )
    assert not javac.hides_errors(said)


def test_names_stay_when_other_classes_go_and_lines_move(said, tmp_path):
    fewer = {name: "\n\n" + text for name, text in SOURCES.items() if not name.startswith("b/")}
    names = javac.names(compile_with_javac(tmp_path / "elsewhere", fewer))
    assert names == tuple(name for name in javac.names(said) if not name.startswith("Lonely"))


def test_a_build_tool_may_pass_errors_on(said):
    assert javac.names("".join(f"    [javac] {line}\n" for line in said.splitlines())) == javac.names(said)
    maven = (
        "[WARNING] /x/p/Other.java:[3,4] [deprecation] foo\n[ERROR] COMPILATION ERROR : \n"
        "[ERROR] /x/p/Names.java:[1,48] cannot find symbol\n  symbol:   method f(int)\n  location: class Names\n"
        "[ERROR] /x/p/Names.java:[1,83] not a statement\n[INFO] 2 errors \n[INFO] BUILD FAILURE\n"
    )
    symbol = "Names.java: cannot find symbol; symbol: method f(int); location: class Names"
    assert javac.names(maven) == (symbol, "Names.java: not a statement")


@rows("language", ["ja", "zh", "de"])
def test_javac_speaks_other_languages(said, tmp_path, language):
    country = {"zh": ["-J-Duser.country=CN"]}.get(language, [])
    told = compile_with_javac(
        tmp_path, {"b/Lonely.java": SOURCES["b/Lonely.java"]}, f"-J-Duser.language={language}", *country
    )
    assert len(javac.names(told)) == 3
    assert all(name.startswith("Lonely.java: ") for name in javac.names(told))


def test_parse_errors_are_told_because_they_hide_the_others(tmp_path):
    broken = {**SOURCES, "a/Broken.java": "package a; class Broken { int f( { } }"}
    text = compile_with_javac(tmp_path / "work", broken)
    assert javac.hides_errors(text)
    assert {name.partition(":")[0] for name in javac.names(text)} == {"Broken.java"}
    assert "hide" in FailureNaming(("javac",)).warning(text)


def test_by_kinds_the_first_error_of_a_file_that_cannot_be_parsed_counts(tmp_path):
    permits = "package a; enum {} permits A, B, C {{ A, B, C; }}"
    broken = {**SOURCES, "a/Broken.java": permits.format("Broken"), "a/Also.java": "class Also { int f( { } }"}
    text = compile_with_javac(tmp_path / "work", broken)
    assert len([name for name in javac.names(text) if name.startswith("Broken.java")]) > 1
    assert FailureNaming(("javac",)).names(text, every=False) == (
        "Also.java: illegal start of type; at {",
        "Broken.java: '{' expected; at a name",
    )
    shown = {
        statement: Condition(reading=FailureNaming(("javac",)), wanted=Wanted(statement, ("x",))).failures(text, "-")
        for statement in Statement
    }
    by_kinds = (Statement.KINDS, Statement.KINDS_AT_LEAST)
    assert [len(shown[statement]) for statement in by_kinds] == [2, 2]
    assert all(names == javac.names(text) for statement, names in shown.items() if statement not in by_kinds)


ECJ = """\
/t/Bad.java:2: error: Syntax error on tokens, delete these tokens
\tvoid a() { ** GOTO lbl7; int y = "text"; }
\t           ^^
/t/Bad.java:3: error: Type mismatch: cannot convert from String to int
\tvoid b() { int x = "other"; }
\t                   ^^^^^^^
/t/Bad.java:4: error: Syntax error on token "while", invalid VariableDeclaratorId
\tvoid d() { int while = 3; }
\t               ^^^^^
/t/Jd.java:1: error: Missing cannot be resolved to a type
\tclass Jd { Missing m; void x(int t) { t lbl7 += 3; int z = t t2 3; } }
\t           ^^^^^^^
/t/Jd.java:1: error: Syntax error on token "+=", = expected
\tclass Jd { Missing m; void x(int t) { t lbl7 += 3; int z = t t2 3; } }
\t                                             ^^
/t/Jd.java:1: error: Syntax error on token "t2", invalid AssignmentOperator
\tclass Jd { Missing m; void x(int t) { t lbl7 += 3; int z = t t2 3; } }
\t                                                             ^^
6 problems (6 errors)
"""
"""Output of ECJ 3.16 with -Xemacs."""


def test_ecj_goes_on_after_a_syntax_error_and_so_its_other_errors_count_too():
    reading = FailureNaming(("javac",))
    assert not javac.hides_errors(ECJ)
    assert not reading.warning(ECJ)
    assert reading.names(ECJ, every=False) == (
        "Bad.java: Syntax error on tokens, delete these tokens",
        "Bad.java: Type mismatch: cannot convert from String to int",
        "Jd.java: Missing cannot be resolved to a type",
        'Jd.java: Syntax error on token "+=", = expected',
    )
    follow = ("Bad.java", '"while", invalid VariableDeclaratorId'), ("Jd.java", '"a name", invalid AssignmentOperator')
    assert {f"{file}: Syntax error on token {text}" for file, text in follow} <= set(reading.names(ECJ))


@rows(
    ("text", "names"),
    [
        ("error: file not found: /tmp/x/y/A.java\nUsage: javac", ("javac: file not found: A.java",)),
        ("A.java:1: warning: [x] y\n  code\n  ^\n1 warning", ()),
        ("Note: A.java uses unchecked\n", ()),
        ("C:\\x\\A.java:3: error: a  b\n", ("A.java: a b",)),
        ("A.java:1: error: Type mismatch\n\tint x = n;\n\t        ^^^\n", ("A.java: Type mismatch",)),
        (
            "/t/A.java:3: error: incompatible types: inference variable T#1 has incompatible bounds\n"
            "    x(y);\n     ^\n    equality constraints: CAP#1\n    lower bounds: String\n    third\n"
            "  where T#1,T#2 are type-variables:\n    T#1 extends Object\n1 error\n",
            (
                "A.java: incompatible types: inference variable T has incompatible bounds; "
                "equality constraints: CAP; lower bounds: String",
            ),
        ),
        (
            "A.java:3: error: variable n12 is already defined in method lambda$f$3(int)\n  x\n  ^\n",
            ("A.java: variable n is already defined in method lambda$f$(int)",),
        ),
        (
            "A.java:3: error: cannot find symbol\n  x.y()\n   ^\n  symbol:   method y()\n"
            "  location: variable object7 of type Foo<T#2>\n",
            ("A.java: cannot find symbol; symbol: method y(); location: variable of type Foo<T>",),
        ),
        (
            "A.java:3: error: illegal start of expression\n\tif (x) ** GOTO lbl5;\n\t       ^\n"
            "A.java:4: error: illegal start of expression\n  void v1 = null[0];\n  ^\n"
            "A.java:5: error: <identifier> expected\nimport a.b.1.c;\n          ^\n"
            "A.java:6: error: ';' expected\n  int x\n       ^\n",
            (
                "A.java: ';' expected",
                "A.java: <identifier> expected; at a number",
                "A.java: illegal start of expression; at *",
                "A.java: illegal start of expression; at void",
            ),
        ),
    ],
)
def test_normalisation(text, names):
    assert javac.names(text) == names


def test_a_crash_of_javac_has_a_name():
    text = (
        "An exception has occurred in the compiler (17.0.1). Please file a bug\n"
        "java.lang.AssertionError: value of x -3\n"
        "\tat jdk.compiler/com.sun.tools.javac.util.Assert.error(Assert.java:155)\n"
        "\tat jdk.compiler/com.sun.tools.javac.jvm.Code.state(Code.java:12)\n"
    )
    name = "java.lang.AssertionError: value of x # at com.sun.tools.javac.util.Assert.error < "
    assert FailureNaming(("javac",)).names(text) == (name + "com.sun.tools.javac.jvm.Code.state",)
