"""``kill -9`` at moments that seeds choose, once the work has begun: what goes on ends as undisturbed."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from core.predicate import presets
from core.predicate.releases.maven import VARIABLE
from tests.support.engine_client import Client
from tests.support.files import jar_of
from tests.support.java import CompileJava
from tests.support.maven_repository import list_versions, publish, served
from tests.support.own_tools import decompiler, versioned_tool
from tests.support.patience import patience
from tests.support.rewriting import PRINTS_SEVEN

Program = Callable[..., "subprocess.Popen[str]"]
SEEDS = range(int(os.environ.get("JARLET_TEST_SEEDS", "3")))
LATEST = 0.2
"""Most seconds between the fact that is waited for and the kill."""


UNBORN = ".jarlet-new-"
"""Beginning of the name of a folder until it is locked: of a program killed then, it goes an hour later."""


def remains(temporary: Path) -> list[Path]:
    """Return what killed programs have left and the next start did not remove."""
    return [path for path in temporary.iterdir() if not path.name.startswith(UNBORN)]


def kill_once(process: subprocess.Popen[str], fact: Callable[[], bool], chance: random.Random) -> None:
    """Kill a program at a random moment after a fact has become true."""
    end = time.monotonic() + patience()
    while not fact() and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.002)
    time.sleep(chance.uniform(0, LATEST))
    process.kill()
    process.communicate()


def answered(session: Path) -> int:
    """Return the number of verdicts in the journal of a session that another process writes."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{session}/journal.sqlite?mode=ro", uri=True)) as found:
        return int(found.execute("SELECT count(*) FROM probes").fetchone()[0])
    return 0


def ended(process: subprocess.Popen[str], *codes: int) -> str:
    out, err = process.communicate(timeout=patience(900))
    assert process.returncode in (codes or (0,)), err
    assert "Traceback" not in err
    return out


def trees(folder: Path) -> dict[str, bytes]:
    """Return the content of all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    """The folder in which programs run; at the end no part of a file may be there."""
    yield tmp_path
    assert [path.name for path in tmp_path.rglob(".jarlet-*") if not path.name.startswith(UNBORN)] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_reduction_with_rewriting_goes_on_to_the_same_bytes(
    seed: int, work: Path, program: Program, compile_java: CompileJava, temporary: Path
) -> None:
    chance = random.Random(seed)
    jar = jar_of(compile_java(PRINTS_SEVEN), work / "in.jar")
    java = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xverify:all -cp {jar}"
    predicate = f"sh -c '{java} Main | grep -qx 7 || {java} One | grep -qx 7'"
    # with a limit of its own no probe is cut short: a candidate that is good by its second command takes twice the time
    limit = ("--timeout", 900)
    words = ("reduce", jar, "--predicate", predicate, "--algorithm", "simplify", "--jobs", seed % 2 + 1, *limit)
    said = ended(program(*words, "-o", "whole.jar", "--session", "whole"))
    assert "merged" in said
    probes = answered(work / "whole.jarlet")
    assert probes > 10
    command, kills = (*words, "-o", "cut.jar", "--session", "cut"), 0
    for least in sorted(chance.sample(range(1, probes), 3)):
        process = program(*command)
        kill_once(process, lambda least=least: answered(work / "cut.jarlet") >= least, chance)  # type: ignore[misc]
        kills += process.returncode == -9
        if (work / "cut.jar").exists():
            with zipfile.ZipFile(work / "cut.jar") as archive:
                assert archive.testzip() is None
        command = ("reduce", "--resume", "cut")
    assert kills > 0
    ended(program(*command))
    assert (work / "cut.jar").read_bytes() == (work / "whole.jar").read_bytes()
    assert remains(temporary) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_file_of_known_bugs_is_the_old_or_the_new_one(
    seed: int, work: Path, program: Program, compile_java: CompileJava
) -> None:
    chance = random.Random(seed)
    bodies = {"Two": "int g() { return 5; }", "Text": 'String g() { return "five"; }'}
    jars = [
        jar_of(compile_java({f"{name}.java": f"class {name} {{ {body} }}"}), work / f"{name}.jar")
        for name, body in bodies.items()
    ]
    ended(program("known", "add", "known.json", jars[0], "--issue", "#1"))
    old = (work / "known.json").read_bytes()
    shutil.copyfile(work / "known.json", work / "new.json")
    ended(program("known", "add", "new.json", jars[1], "--issue", "#2"))
    new = (work / "new.json").read_bytes()
    began = chance.uniform(0, 1.5)
    process = program("known", "add", "known.json", jars[1], "--issue", "#2")
    begun = time.monotonic()
    kill_once(process, lambda: time.monotonic() > begun + began, chance)
    assert (work / "known.json").read_bytes() in (old, new)
    ended(program("known", "add", "known.json", jars[1], "--issue", "#2"))
    assert (work / "known.json").read_bytes() == new


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_window_exports_is_there_whole_or_not_at_all(
    seed: int, work: Path, sample_jar: Path, temporary: Path
) -> None:
    chance = random.Random(seed)
    kinds = ("jar", "svg", "json", "dot", "graphml")

    def engine(out: Path, killed: bool) -> None:
        client = Client(temporary)
        try:
            client.send(command="open", paths=[str(sample_jar)])
            client.send(command="reduce", settings={"predicate": "grep -aq sample/Main {jar}", "algorithm": "binary"})
            client.wait("finished")
            for what in kinds:
                client.send(command="export", what=what, path=str(out / f"out.{what}"))
            for what in [chance.choice(kinds)] if killed else kinds:
                client.wait("exported", what=what)
            if killed:
                client.process.kill()
        finally:
            client.close()

    for name in ("whole", "cut"):
        (work / name).mkdir()
        engine(work / name, killed=name == "cut")
    whole, cut = trees(work / "whole"), trees(work / "cut")
    written = {name: data for name, data in cut.items() if not name.startswith(".jarlet-")}
    assert written
    for name, data in written.items():
        assert data == whole[name], name
    engine(work / "cut", killed=False)
    assert trees(work / "cut").keys() == whole.keys()


BAD = 'unzip -l "$1" | grep -q Rational || exit 0\necho FAIL x; exit 1\n'
VERSIONS = {f"1.{number}": BAD if 3 <= number < 6 else "exit 0\n" for number in range(8)}


@pytest.fixture
def repository(work: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file with a line for each run of a tool, of which a repository has eight versions; before ``program``."""
    log, folder, programs = work / "ran", work / "repository", work / "programs"
    user = presets.user_folder()
    user.mkdir(parents=True)
    (user / "faulty.toml").write_text(versioned_tool(f"echo >> {log}; "))
    programs.mkdir()
    for name in ("sh", "unzip", "grep", "java", "javac"):  # no mvn
        (programs / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    for version, script in VERSIONS.items():
        made = work / f"{version}.jar"
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("run.sh", script)
        publish(folder, f"org.demo:faulty:{version}", made.read_bytes())
    list_versions(folder, "org.demo:faulty", list(VERSIONS))
    with served(folder) as address:
        monkeypatch.setenv(VARIABLE, address)
        yield log


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_versions_that_are_killed_give_the_same_answers(
    seed: int, work: Path, sample_jar: Path, repository: Path, program: Program, temporary: Path
) -> None:
    chance = random.Random(seed)
    words = ("versions", sample_jar, "--preset", "faulty", "--failing", "1.4", "--all", "--json")

    def ran() -> int:
        return len(repository.read_text().splitlines()) if repository.exists() else 0

    for least in sorted(chance.sample(range(1, len(VERSIONS)), 2)):
        before = ran()
        kill_once(program(*words), lambda least=least, before=before: ran() >= before + least, chance)  # type: ignore[misc]
    told = json.loads(ended(program(*words)))
    assert {row["version"]: row["answer"] for row in told["versions"]} == {
        version: "fails" if "FAIL" in script else "does not fail" for version, script in VERSIONS.items()
    }
    assert remains(temporary) == []


WRITER = decompiler(
    "writer",
    r"""["sh", "-c", "mkdir -p sources; echo 'class A { String a() { return \"needed\"; } }' > sources/A.java"]""",
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_test_of_a_project_has_whole_files(
    seed: int, work: Path, program: Program, compile_java: CompileJava, temporary: Path
) -> None:
    """A folder of which a kill let some files alone stays, and is refused the next time: another name is asked for."""
    chance = random.Random(seed)
    user = presets.user_folder()
    user.mkdir(parents=True)
    (user / "writer.toml").write_text(WRITER)
    source = {"A.java": 'class A { String a() { return "needed"; } }'}
    jar = jar_of(compile_java(source), work / "in.jar")
    words = ("source", jar, "--predicate", "sh -c 'unzip -p {jar} | grep -aq needed'", "--as", "jtreg")
    ended(program(*words, "-o", "whole"))
    whole = trees(work / "whole")
    assert whole
    process = program(*words, "-o", "cut")
    fact = (work / "cut").exists if seed % 2 else lambda: any(temporary.iterdir())
    kill_once(process, fact, chance)
    cut = trees(work / "cut")
    assert cut.items() <= whole.items()
    ended(program(*words, "-o", "cut" if not cut else "next"))
    assert trees(work / ("cut" if not cut else "next")) == whole
    assert remains(temporary) == []
