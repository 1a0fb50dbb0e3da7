"""The report names the changes of the result after which the failure was gone; each was tried."""

import json

from tests.support.files import jar_of

PROGRAM = {
    "p/Main.java": "package p; class Main { String marked() { return new Other().mark() + Other.class; } int idle; }",
    "p/Other.java": 'package p; class Other { String mark() { return "the mark"; } }',
}
CHECK = """
mkdir out && cd out && unzip -qo "$JARLET_JAR" || exit 1
grep -q 'the mark' p/Other.class 2>/dev/null || { echo no mark; exit 1; }
grep -q 'marked' p/Main.class 2>/dev/null || { echo not marked; exit 1; }
"""


def test_each_thing_that_is_left_has_a_neighbour_that_does_not_fail(jarlet, compile_java, tmp_path, script):
    jar = jar_of(compile_java(PROGRAM, "-g:none"), tmp_path / "program.jar")
    words = ("reduce", jar, "--predicate", script(CHECK), "-o", "small.jar", "-q")
    assert jarlet(*words, "--report", "report.json").returncode == 0
    report = json.loads((tmp_path / "report.json").read_text())
    near = {each["change"]: each for each in report["nearest"]}
    assert "without p.Main.marked()" in near
    assert near["without p.Main.marked()"]["detail"] == "exit code 1, wanted 0"
    assert any("Other.mark()" in change for change in near)
    assert not any("idle" in change for change in near), "it is not left"
    assert jarlet(*words, "--report", "report.md").returncode == 0
    text = (tmp_path / "report.md").read_text()
    assert "| without p.Main.marked() | exit code 1, wanted 0 |" in text.partition("## The nearest inputs")[2]
    assert jarlet(*words, "--granularity", "class", "--report", "report.json").returncode == 0
    assert json.loads((tmp_path / "report.json").read_text())["nearest"] == []
