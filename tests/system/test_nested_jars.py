"""A Spring Boot layout and a war, reduced with their libraries whole and opened."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import jarlet as api
from core.archive.jar import read_jar
from core.library.library import open_library
from core.predicate.failure_kinds import FailureKinds
from core.predicate.presets import find, user_folder
from core.protocol.settings import Settings
from core.service.aims import aim_of
from tests.support import histories
from tests.support.files import jar_of
from tests.support.java import CompileJava

pytestmark = pytest.mark.usefixtures("decompilers")

Run = Callable[..., Any]
LIBRARY = {
    "lib/Base.java": """package lib;
public class Base {
    public int twice(int number) { return 2 * number; }
    public void unused() { new Other(); }
}
""",
    "lib/Other.java": "package lib; public class Other {}",
}
MAIN = """package app;
public class Main extends lib.Base {
    @Override public int twice(int number) { return super.twice(number) + 1; }
    static void never() { new lib.Other(); }
    public static void main(String[] words) { throw new IllegalStateException("broken " + new Main().twice(4)); }
}
"""
JAVA = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
RUN = f"sh -c 'unzip -qo $JARLET_JAR && {JAVA} -cp \"{{0}}classes:{{0}}lib/*\" app.Main'"


BOTH_IF_SLOW = pytest.mark.parametrize(
    "layout", ["BOOT-INF/", pytest.param("WEB-INF/", marks=pytest.mark.slow)], indirect=True
)
"""The quick tests take the first layout where a test starts many virtual machines, and both elsewhere."""


@pytest.fixture(params=["BOOT-INF/", pytest.param("WEB-INF/", marks=pytest.mark.slow)])
def layout(request: pytest.FixtureRequest, compile_java: CompileJava, tmp_path: Path) -> tuple[str, Path]:
    """The folder of the layout, and a jar of that layout."""
    folder = str(request.param)
    library = compile_java(LIBRARY)
    classes = compile_java({"app/Main.java": MAIN}, "-cp", str(library))
    inner = jar_of(library, tmp_path / "lib.jar").read_bytes()
    path = tmp_path / "app.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{folder}classes/app/Main.class", (classes / "app/Main.class").read_bytes())
        archive.writestr(zipfile.ZipInfo(f"{folder}lib/lib.jar"), inner)
    return folder, path


@pytest.mark.guarded
@BOTH_IF_SLOW
def test_a_library_inside_is_reduced_with_the_rest_and_stays_a_stored_jar(
    jarlet: Run, layout: tuple[str, Path], tmp_path: Path
) -> None:
    folder, jar = layout
    words = ("--predicate", RUN.format(folder), "--expect-exit", 1, "--match", "broken 9", "--nested")
    done = jarlet("reduce", jar, *words, "-o", "out.jar", "--session", "run", "--report", "r.json", "-q")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["input"]["classes"] == 3
    assert report["output"]["classes"] == 2, "Other is gone, Base is needed"
    with zipfile.ZipFile(tmp_path / "out.jar") as archive:
        info = archive.getinfo(f"{folder}lib/lib.jar")
        assert info.compress_type == zipfile.ZIP_STORED
        with zipfile.ZipFile(io.BytesIO(archive.read(info))) as inside:
            assert [name for name in inside.namelist() if name.endswith(".class")] == ["lib/Base.class"]
    resumed = jarlet("reduce", "--resume", "run", "-q")
    assert resumed.returncode == 0, resumed.stderr
    names = [name for name, _ in histories.entries(tmp_path / "run.jarlet")]
    assert f"{folder}lib/lib.jar!/lib/Base.class" in names


@pytest.mark.parametrize("algorithm", ["auto", pytest.param("gbr", marks=pytest.mark.slow)])
def test_of_several_jars_the_needed_ones_are_found_first(
    jarlet: Run, compile_java: CompileJava, tmp_path: Path, algorithm: str
) -> None:
    """Classes of each jar mention those of the next: closures would hold every jar."""
    names = [f"p{number:02}" for number in range(12)]
    sources = {
        f"{name}/C.java": f"package {name}; public class C {{ D d; }}\nclass D {{ {after}.C next; }}"
        for name, after in zip(names, names[1:] + names[:1], strict=True)
    }
    classes = compile_java(sources)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name in names:
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as jar:
                for kind in "CD":
                    jar.write(classes / name / f"{kind}.class", f"{name}/{kind}.class")
            archive.writestr(f"{name}.jar", inner.getvalue())
    command = "sh -c 'unzip -qo $JARLET_JAR && for j in 3 9; do unzip -l p*$j.jar | grep -q D.class || exit 1; done'"
    words = ("--predicate", command, "--nested", "--no-evidence", "--algorithm", algorithm)
    done = jarlet("reduce", tmp_path / "all.zip", *words, "-o", "out.jar", "--report", "r.json", "-q")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    first = report["phases"][0]
    assert first["name"] == "jars"
    assert first["probes"] <= 12
    assert [name for name in report["kept"] if "D.class" in name] == ["p03.jar!/p03/D.class", "p09.jar!/p09/D.class"]


def test_a_whole_library_is_said_to_be_whole_and_serves_as_one(
    jarlet: Run, layout: tuple[str, Path], tmp_path: Path
) -> None:
    folder, jar = layout
    told = jarlet("inspect", jar).stdout
    assert f"{folder}lib/lib.jar. --nested opens them" in told
    library = open_library(jar=read_jar([jar]))
    found = library.get("lib/Base")
    assert found is not None
    assert ("twice", "(I)I") in found.methods
    assert open_library().get("lib/Base") is None
    words = ("--predicate", RUN.format(folder), "--expect-exit", 1, "--match", "broken 9")
    done = jarlet("reduce", jar, *words, "--algorithm", "binary", "-o", "out.jar")
    assert done.returncode == 0, done.stderr
    assert "--nested opens them" in done.stderr
    with zipfile.ZipFile(tmp_path / "out.jar") as archive, zipfile.ZipFile(jar) as given:
        inner = f"{folder}lib/lib.jar"
        assert archive.read(inner) == given.read(inner)
        assert archive.getinfo(inner).compress_type == zipfile.ZIP_STORED


def test_python_opens_what_is_inside(layout: tuple[str, Path]) -> None:
    with api.open(layout[1], nested=True) as jar:
        assert set(jar.classes) == {"app.Main", "lib.Base", "lib.Other"}
    with api.open(layout[1]) as jar:
        assert jar.classes == ["app.Main"]
        assert "--nested" in jar.warnings[0]


SILENT = """name = "silent"
title = "Silent, then javac"
about = "Writes no source."
runs = false
[[steps]]
run = ["true"]
reads = false
[[steps]]
run = ["{javac}", "-d", "compiled", "@sources.list"]
makes = ["compiled"]
lists = "sources"
[failures]
read = ["javac", "traces"]
wanted = "same"
"""


def test_a_decompiler_that_writes_no_file_has_failed(jarlet: Run, layout: tuple[str, Path]) -> None:
    folder = user_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "silent.toml").write_text(SILENT)
    told = json.loads(jarlet("check", layout[1], "--preset", "silent", "--json").stdout)
    assert told["failures"] == ["no source for app.Main"]


@pytest.mark.slow
@BOTH_IF_SLOW
@pytest.mark.skipif(find("procyon").missing() is not None, reason="Procyon is not installed")
def test_whole_libraries_are_on_the_class_path_of_a_tool(jarlet: Run, layout: tuple[str, Path]) -> None:
    told = json.loads(jarlet("check", layout[1], "--preset", "procyon", "--json", "--runs", 1).stdout)
    assert "no failure was found" in told["message"], told["failures"]
    assert not told["missing"]
    once = aim_of(Settings(preset="procyon"), entries=read_jar([layout[1]]).contents)
    assert [path.name for path in once.class_path] == ["lib.jar"]
    assert aim_of(Settings.from_json(once.stored), entries=read_jar([layout[1]]).contents) == once


@pytest.mark.slow
@pytest.mark.skipif(find("procyon").missing() is not None, reason="Procyon is not installed")
def test_a_decompiler_that_writes_files_has_not(jarlet: Run, layout: tuple[str, Path]) -> None:
    told = json.loads(jarlet("check", layout[1], "--preset", "procyon", "--json", "--runs", 1, "--cold").stdout)
    assert not [name for name in told["failures"] if name.startswith("no source")]


@pytest.mark.slow
def test_a_job_of_a_batch_file_opens_jars_inside(jarlet: Run, layout: tuple[str, Path], tmp_path: Path) -> None:
    folder, _ = layout
    job = '[[job]]\ninput = "app.jar"\nname = "{0}"\noutput = "{0}.jar"\nnested = {0}\n'
    shared = f"predicate = {json.dumps(RUN.format(folder))}\nfailures_as = 'traces'\nalgorithm = 'gbr'\n"
    (tmp_path / "jobs.toml").write_text(shared + job.format("true") + job.format("false"))
    assert jarlet("batch", "jobs.toml").returncode == 0
    reports = [json.loads((tmp_path / f"{name}.json").read_text()) for name in ("true", "false")]
    assert [report["input"]["classes"] for report in reports] == [3, 1]
    (tmp_path / "wrong.toml").write_text(shared + job.format("true").replace("nested = true", "nested = 1"))
    wrong = jarlet("batch", "wrong.toml")
    assert (wrong.returncode, "nested" in wrong.stderr) == (2, True)


@pytest.fixture
def inside(compile_java: CompileJava, tmp_path: Path) -> Path:
    """A zip with a jar inside, as an ``.aar`` has it: a class in there refers to one that is nowhere."""
    gone = compile_java({"q/Gone.java": "package q; public class Gone { }"})
    use = "package app; public class Use { q.Gone g; q.Gone get() { return g; } } class Other { }"
    jar = jar_of(compile_java({"app/Use.java": use}, "-cp", str(gone)), tmp_path / "classes.jar")
    path = tmp_path / "app.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.xml", "<manifest/>")
        archive.write(jar, "classes.jar")
    return path


SLOWER = [pytest.param(name, marks=pytest.mark.guarded) for name in ("verify", "jdeps")]


@pytest.mark.slow
def test_the_tool_of_a_preset_reads_the_classes_of_opened_jars(jarlet: Run, inside: Path, tmp_path: Path) -> None:
    words = (
        "--preset",
        "jdeps",
        "--nested",
        "--allow-missing",
        "-o",
        "out.zip",
        "--bug-folder",
        "bug",
        "--source-time",
        0,
    )
    done = jarlet("reduce", inside, *words)
    assert done.returncode == 0, done.stderr
    assert "Verified" in done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        inner = zipfile.ZipFile(io.BytesIO(archive.read("classes.jar")))
    assert [name for name in inner.namelist() if name.endswith(".class")] == ["app/Use.class"]
    with zipfile.ZipFile(tmp_path / "bug" / "small.jar") as small:
        assert "app/Use.class" in small.namelist(), "the tool reads it without Jarlet"


@pytest.mark.parametrize("preset", ["silent", *SLOWER])
def test_a_preset_finds_in_an_opened_jar_what_it_finds_in_the_jar_itself(
    jarlet: Run, inside: Path, preset: str
) -> None:
    folder = user_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "silent.toml").write_text(SILENT)
    inputs = ([inside.with_name("classes.jar")], ["--nested", inside])
    words = ("--preset", preset, "--json", "--runs", 1)
    alone, opened = (json.loads(jarlet("check", *each, *words).stdout) for each in inputs)
    assert alone["failures"] == opened["failures"] != []


def test_classes_of_opened_jars_are_names_of_the_input() -> None:
    kinds = FailureKinds.of([("BOOT-INF/lib/a.jar!/lib/Base.class", b"")])
    assert kinds.of_name("X.java: cannot find symbol in lib.Base") == kinds.of_name("X.java: cannot find symbol in #")
