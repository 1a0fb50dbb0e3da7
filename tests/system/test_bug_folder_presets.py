"""What a preset's bug folder holds: the sources of the tool that fails, and a script with all its steps."""

import hashlib
import subprocess
import zipfile

import pytest

from core.predicate import presets
from core.predicate.several.decompiling import decompilers
from tests.support.files import jar_of

RATIONAL = "sample/number/Rational"
DECOMPILER = """
name = "outline"
title = "Outline"
about = "Writes the names of the classes as sources, and complains of one of them."
[[steps]]
run = ["sh", "-c", '''
for name in $(unzip -Z1 "$1" "*.class"); do
    mkdir -p "sources/$(dirname "$name")"
    echo "class of $name" >"sources/${name%.class}.java"
done''', "sh", "{jar}"]
[[steps]]
run = ["sh", "-c", "grep -o 'sample/.*/Rational.java' sources.list | sed 's/^/FAIL /'; exit 1", "sh", "@sources.list"]
lists = "sources"
[failures]
pattern = "FAIL .*"
wanted = "same"
"""
SEARCHER = """
name = "searcher"
title = "Searcher"
about = "Complains of the classes in which something is written."
[[steps]]
run = ["sh", "-c", '''
unzip -qo "$1" -d classes
cd classes && ! grep -rl needle . | sed "s/^/FAIL /"''', "sh", "{jar}"]
[failures]
pattern = "FAIL .*"
wanted = "same"
"""
QUICK = ("--algorithm", "binary", "--granularity", "class", "--no-evidence")
BUG = ("--bug-folder", "bug", "--source-time", "0")
VERIFIED = "Verified: run in an empty folder, the script shows what is wanted."


@pytest.fixture
def outline():
    """A user's own preset, which decompiles."""
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "outline.toml").write_text(DECOMPILER)
    return "outline"


def repeated(folder):
    return subprocess.run([folder / "reproduce.sh"], cwd="/", capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_sources_are_of_the_tool_that_fails(jarlet, sample_jar, tmp_path, outline):
    other = DECOMPILER.replace('"outline"', '"another"').replace("class of $name", "another $name")
    (presets.user_folder() / "another.toml").write_text(other)
    assert decompilers()[0] == "another"
    done = jarlet("reduce", sample_jar, "--preset", outline, *QUICK, "--bug-folder", "bug")
    assert (done.returncode, VERIFIED in done.stdout) == (0, True), done
    assert (tmp_path / "bug" / "source" / f"{RATIONAL}.java").read_text() == f"class of {RATIONAL}.class\n"
    assert f"FAIL {RATIONAL}.java" in repeated(tmp_path / "bug").stdout
    assert f"class of {RATIONAL}.class" in (tmp_path / "bug" / "report.md").read_text()


def test_the_issue_carries_the_jar_and_shows_the_failure_in_an_empty_place(jarlet, sample_jar, tmp_path, outline):
    done = jarlet("reduce", sample_jar, "--preset", outline, *QUICK, *BUG, "-o", "out.jar")
    assert done.returncode == 0, done
    issue = (tmp_path / "bug" / "issue.md").read_text()
    assert len(issue) <= 65_000
    assert "found by delta debugging" in issue
    assert "No class was rewritten besides." in issue
    assert issue.rstrip().endswith("</details>")
    assert f"```java\nclass of {RATIONAL}.class" in issue
    pasted = issue.rpartition("```sh\n")[2].partition("\n```")[0]
    place = tmp_path / "empty"
    place.mkdir()
    words = ["/bin/sh", "-c", pasted]
    shown = subprocess.run(words, cwd=place, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    assert f"FAIL {RATIONAL}.java" in shown.stdout
    jar = (place / "small.jar").read_bytes()
    assert jar == (tmp_path / "bug" / "small.jar").read_bytes() == (tmp_path / "out.jar").read_bytes()
    assert hashlib.sha256(jar).hexdigest() in issue
    with zipfile.ZipFile(tmp_path / "bug" / "small.zip") as zipped:
        assert zipped.read("small.jar") == jar
        assert zipped.read("reproduce.sh") == (tmp_path / "bug" / "reproduce.sh").read_bytes()


def searcher(needle, needs):
    """A user's own preset that takes a class path, and complains only where a test of it holds."""
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    text = SEARCHER.replace('"{jar}"]', '"{jar}", ["{classpath}"]]').replace("needle", needle)
    (folder / "searcher.toml").write_text(text.replace("unzip", f"{needs} || exit; unzip"))


@pytest.mark.parametrize("tool_needs", [pytest.param(False), pytest.param(True, marks=pytest.mark.slow)])
def test_the_script_names_libraries_that_the_result_needs_or_else_all(jarlet, sample_jar, tmp_path, tool_needs):
    searcher("Rational", 'test "$2"' if tool_needs else "true")
    (tmp_path / "other").mkdir()
    other = jar_of(tmp_path / "other", tmp_path / "other.jar")
    done = jarlet("reduce", sample_jar, "--preset", "searcher", "--classpath", other, *QUICK, *BUG)
    assert (done.returncode, VERIFIED in done.stdout) == (0, True), done
    assert ("other.jar" in (tmp_path / "bug/reproduce.sh").read_text()) is tool_needs


def test_of_a_folder_on_the_class_path_the_script_takes_what_the_result_needs(jarlet, compile_java, tmp_path):
    library = {
        "lib/Top.java": "package lib; public class Top { public String text; }",
        "lib/Base.java": "package lib; public class Base extends Top { }",
        "lib/Other.java": "package lib; public class Other { }",
    }
    own = {"own/Own.java": "package own; public class Own extends lib.Base { int one; }"}
    classes = compile_java({**library, **own})
    (tmp_path / "in").mkdir()
    (classes / "own").rename(tmp_path / "in" / "own")
    jar = jar_of(tmp_path / "in", tmp_path / "in.jar")
    searcher("Own", 'test -e "$2/lib/Top.class"')
    done = jarlet("reduce", jar, "--preset", "searcher", "--classpath", classes, *QUICK, *BUG)
    assert (done.returncode, VERIFIED in done.stdout) == (0, True), done
    taken = [path.name for path in (tmp_path / "bug/files").rglob("*.class")]
    assert sorted(taken) == ["Base.class", "Top.class"]


@pytest.mark.guarded
def test_two_tools_that_disagree_are_both_in_the_script(jarlet, sample_jar, tmp_path):
    options = ["--preset", "differ", "--set", f"first=sh -c 'unzip -l {{jar}} {RATIONAL}.class | grep -c Rational'"]
    options += ["--set", "second=sh -c 'echo 0; : {jar}'"]
    done = jarlet("reduce", sample_jar, *options, *QUICK, *BUG)
    assert (done.returncode, VERIFIED in done.stdout) == (0, True), done
    again = repeated(tmp_path / "bug")
    assert "exit code 0. Seen: " in again.stderr
    parts = again.stdout.split("== ")
    assert [part.split("\n")[1] for part in parts[1:]] == ["1", "0"]


@pytest.mark.guarded
def test_a_script_that_does_not_show_the_failure_elsewhere_says_so(jarlet, sample_jar, tmp_path, monkeypatch):
    monkeypatch.setenv("ONLY_HERE", "yes")
    check = f"sh -c 'test \"$ONLY_HERE\" && unzip -l {{jar}} {RATIONAL}.class'"
    done = jarlet("reduce", sample_jar, "--predicate", check, *QUICK, "-q", "-o", "out.jar", *BUG)
    assert (done.returncode, done.stdout) == (1, ""), done
    assert done.stderr.startswith("bug: Warning: run in an empty folder, the script does not show what is wanted")
    assert (tmp_path / "out.jar").exists()
    assert repeated(tmp_path / "bug").returncode == 0, "here it does"


@pytest.mark.guarded
def test_the_failure_of_a_merged_class_is_known_again_by_its_new_name(jarlet, compile_java, tmp_path):
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "searcher.toml").write_text(SEARCHER)
    sources = {"One.java": "class One { int x; }", "Second.java": "class Second { One needle() { return null; } }"}
    jar = jar_of(compile_java(sources), tmp_path / "two.jar")
    merging = ("--algorithm", "simplify", "--rewritings", "merging")
    done = jarlet("reduce", jar, "--preset", "searcher", *merging, *BUG)
    assert "Second is merged into One" in done.stdout, done
    assert "FAIL ./One.class" in repeated(tmp_path / "bug").stdout
    assert (done.returncode, VERIFIED in done.stdout) == (0, True), done
