"""Neutral names in whole reductions, with real commands; what is handed on has no old name; bugs told apart."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.archive.jar import read_jar, write_jar
from tests.support.files import jar_of

SOURCES = {
    "secret/vault/Opening.java": """package secret.vault;
public class Opening {
    public static void main(String[] arguments) { new secret.money.Treasure().counted("sesame"); }
    static String unneeded() { return "a hidden sentence"; }
}
""",
    "secret/money/Treasure.java": """package secret.money;
public class Treasure {
    private int amountOfGold;
    public void counted(String password) {
        if (password.length() == 6) throw new IllegalStateException("thieves came " + amountOfGold);
        if (password.isEmpty()) throw new IllegalArgumentException("nobody came");
    }
}
""",
}
MANIFEST = b"Manifest-Version: 1.0\r\nBuilt-By: somebody\r\nMain-Class: secret.vault.Opening\r\n\r\n"
OLD = (
    b"secret",
    b"vault",
    b"Opening",
    b"money",
    b"Treasure",
    b"counted",
    b"amountOfGold",
    b"thieves",
    b"sesame",
    b"somebody",
)


@pytest.fixture
def jar(compile_java, tmp_path) -> Path:
    path = jar_of(compile_java(SOURCES), tmp_path / "secret.jar")
    entries = read_jar([str(path)]).contents
    write_jar(path, [("META-INF/MANIFEST.MF", MANIFEST), *entries])
    return path


TRACES = (
    "--predicate",
    "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar {jar}",
    "--failures-as",
    "traces",
    "--jobs",
    "1",
)
SIMPLE = (*TRACES, "--algorithm", "simplify", "--rewritings", "versions", "--rename")


def contents(data: bytes) -> Iterator[bytes]:
    """The file, or all that is in the archive, archives inside too."""
    if not data.startswith(b"PK"):
        yield data
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            yield name.encode()
            yield from contents(archive.read(name))


def names_in(path: Path) -> list[bytes]:
    found = b"".join(entry.name.encode() + entry.data for entry in read_jar([str(path)]).entries)
    return [name for name in OLD if name in found]


def test_a_trace_of_the_input_is_the_same_through_the_map_and_another_run_gives_the_same_bytes(jar, jarlet, tmp_path):
    done = jarlet("reduce", jar, *SIMPLE, "-o", "out.jar", "--report", "out.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["names"]["stayed"] == []
    assert names_in(tmp_path / "out.jar") == []
    assert "names became neutral; the old ones are in out.names.json" in done.stdout
    run = subprocess.run(["java", "-jar", "out.jar"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "IllegalStateException" in run.stderr
    (failure,) = set(report["final"]["failures"])
    assert "secret.money.Treasure.counted" in failure
    names = json.loads((tmp_path / "out.names.json").read_text())
    assert names["classes"]["secret.money.Treasure"] in run.stderr
    assert jarlet("reduce", jar, *SIMPLE, "-o", "again.jar").returncode == 0
    assert (tmp_path / "again.jar").read_bytes() == (tmp_path / "out.jar").read_bytes()


@pytest.mark.guarded
def test_what_is_handed_on_has_no_old_name(jar, jarlet, tmp_path):
    done = jarlet(
        "reduce", jar, *TRACES, "--match", "Treasure.counted", "--rename", "-o", "out.jar", "--bug-folder", "bug",
        "--source-time", 0, "--report", "out.md", "--algorithm", "simplify",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Verified: run in an empty folder, the script shows what is wanted." in done.stdout
    written = [tmp_path / "out.md", *(path for path in (tmp_path / "bug").rglob("*") if path.is_file())]
    assert len(written) > 6
    for path in written:
        for data in contents(path.read_bytes()):
            assert [name for name in OLD if name in data] == [], path
    assert not list((tmp_path / "bug").rglob("*names*"))


@pytest.mark.slow
def test_a_name_that_the_failure_needs_stays_and_is_told(jar, jarlet, tmp_path):
    command = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {jar} secret.vault.Opening"
    done = jarlet(
        *("reduce", jar, "--predicate", command, "--match", "thieves", "--rename", "-o", "out.jar", "--report"),
        *("out.json", "--jobs", "1", "--algorithm", "simplify", "--rewritings", "versions"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out.json").read_text())
    stayed = {(each["of"], each["name"]) for each in report["names"]["stayed"]}
    assert stayed == {("package", "secret/vault"), ("class", "secret/vault/Opening")}
    assert "Some names stayed: without them the failure is gone" in done.stdout
    assert "class secret/vault/Opening" in done.stdout
    assert "secret/money/Treasure.class" not in {entry.name for entry in read_jar([str(tmp_path / "out.jar")]).entries}


@pytest.mark.guarded
def test_a_finished_jar_gets_neutral_names(jar, jarlet, tmp_path):
    quickly = ("--algorithm", "binary", "--granularity", "class")
    assert jarlet("reduce", jar, *TRACES, *quickly, "-o", "small.jar").returncode == 0
    assert names_in(tmp_path / "small.jar") != []
    simplify = ("--algorithm", "simplify", "--rewritings", "versions", "--rename")
    assert jarlet("reduce", "small.jar", *TRACES, *simplify, "-o", "out.jar").returncode == 0
    assert names_in(tmp_path / "out.jar") == []


@pytest.mark.slow
def test_a_neutral_result_has_neighbours_that_do_not_fail_under_its_own_names(jar, jarlet, tmp_path):
    """All neighbours that the search tried before have the old names; those of the new ones are asked about last."""
    members = ("--no-rewrite", "--rename", "--granularity", "member")
    reports = ("--report", "out.json", "--bug-folder", "bug", "--source-time", 0)
    done = jarlet("reduce", jar, *TRACES, *members, "-o", "out.jar", *reports)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out.json").read_text())
    near = [each for each in report["nearest"] if not each["along"]]
    assert any(each["change"].startswith("without ") and not each["failures"] for each in near), report["nearest"]
    assert not [name for name in OLD if name.decode() in str([each["change"] for each in near])]
    text = (tmp_path / "bug" / "report.html").read_text()
    assert "The nearest inputs that do not fail" in text
    assert not [name for name in OLD if name in text.encode()]


def test_a_file_that_is_there_is_not_replaced_by_names(jar, jarlet, tmp_path):
    (tmp_path / "out.names.json").write_text('{"mine": 1}')
    done = jarlet("reduce", jar, *SIMPLE, "-o", "out.jar")
    assert done.returncode == 2
    assert "out.names.json: this file is there already" in done.stderr
    assert (tmp_path / "out.names.json").read_text() == '{"mine": 1}'


TWICE = {
    "shop/Till.java": "package shop; public class Till { int total; int add(int price) { return total += price; } }",
    "zoo/Cage.java": "package zoo; public class Cage { int feed(int meal) { return hunger += meal; } int hunger; }",
    "far/Star.java": "package far; public class Star { long[] light(long a) { return new long[] {a, a % 7}; } }",
}
LOOKS = " ".join(f"test -f {{classes}}/{name[:-5]}.class && echo BUG {name[:-5]};" for name in TWICE)
EACH = ("--predicate", f"sh -c '{LOOKS} exit 0'", "--failures-as", "BUG .*", "--algorithm", "binary", "--jobs", "1")


@pytest.fixture
def each(compile_java, tmp_path, jarlet):
    """The folder of a reduction for each of three failures, and what it printed."""
    path = jar_of(compile_java(TWICE), tmp_path / "shop.jar")

    def run(*options: str):
        done = jarlet("reduce", path, *EACH, "--each", "--failures", "same", "-o", "found", "-q", *options)
        assert done.returncode == 0, done.stderr
        return tmp_path / "found", done.stdout

    return run


def test_equal_forms_are_one_bug_and_a_known_one_is_named(each, jarlet, tmp_path):
    found, said = each()
    bugs = json.loads((found / "bugs.json").read_text())
    assert "3 failures, 2 bugs in 1 family of near ones:" in said
    assert [[failure["failure"] for failure in bug["failures"]] for bug in bugs] == [
        ["BUG shop/Till", "BUG zoo/Cage"],
        ["BUG far/Star"],
    ]
    both, star = bugs
    where = ("--issue", "https://example.org/412", "--tool", "java", "--version", "17")
    added = jarlet("known", "add", "known.json", star["jar"], *where)
    assert added.returncode == 0, added.stderr
    check = jarlet("known", "check", "known.json", star["jar"], both["jar"])
    assert check.returncode == 1
    first, second = check.stdout.splitlines()
    assert "this is https://example.org/412 (java 17)" in first
    assert "not known" in second
    assert jarlet("known", "check", "known.json", star["jar"]).returncode == 0


def test_known_bugs_are_named_in_the_table(each, jarlet, tmp_path):
    found, _ = each()
    bugs = json.loads((found / "bugs.json").read_text())
    assert jarlet("known", "add", "known.json", bugs[0]["jar"], "--issue", "#412").returncode == 0
    found.rename(tmp_path / "before")
    _, said = each("--known", str(tmp_path / "known.json"))
    assert "#412" in said.splitlines()[-len(bugs)]


@pytest.mark.parametrize("command", ["check", "each", "add"])
def test_a_damaged_file_of_known_bugs(compile_java, jarlet, tmp_path, command):
    path = jar_of(compile_java(TWICE), tmp_path / "shop.jar")
    (tmp_path / "known.json").write_text('{"schema": 1, "bugs": [{"hash": ')
    done = {
        "check": lambda: jarlet("known", "check", "known.json", path),
        "add": lambda: jarlet("known", "add", "known.json", path, "--issue", "#1"),
        "each": lambda: jarlet("reduce", path, "--predicate", "true", "--each", "--known", "known.json", "-o", "out"),
    }[command]()
    assert done.returncode == 2
    assert "known.json: this is no file of known bugs. It is not JSON" in done.stderr
    assert (tmp_path / "known.json").read_text() == '{"schema": 1, "bugs": [{"hash": '


def test_known_needs_each(compile_java, jarlet, tmp_path):
    path = jar_of(compile_java(TWICE), tmp_path / "shop.jar")
    done = jarlet("reduce", path, "--predicate", "true", "--known", "known.json")
    assert done.returncode == 2
    assert "add --each" in done.stderr
