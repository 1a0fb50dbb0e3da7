"""The session's folder: steps and best, lock, damage, moves, full disks; and what dead runs leave behind."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.archive.content import content_key
from core.archive.jar import Entry, Jar, kind_of, read_jar
from core.archive.packer import Packer
from core.errors import InputError, JarletError, OutputError, UsageError
from core.model import class_model
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition, Reference
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.reduction.candidate_tester import SourceTester
from core.reduction.driver import TimelineStep
from core.reduction.records import sub_input_of
from core.reduction.sources.whole_source import WholeSource
from core.service.saver import Saver
from core.store import history
from core.store.fingerprint import Fingerprint, fingerprint
from core.store.session import Session
from core.system.processes.leftovers import kill_leftovers
from core.system.work_folder import WorkFolder

ROOT = Path(__file__).resolve().parents[3]
PRINT = Fingerprint({"command": "x"})
SEARCH = {"algorithm": "binary"}


def jar(path: Path, *names: str, salt: str = "") -> Jar:
    """An input that was read from ``path``, where there is something."""
    path.touch()
    entries = tuple(Entry(name, (salt + name).encode() * 30, kind_of(name)) for name in names)
    return Jar((path,), path.name, entries)


def entries(count: int, size: int = 100) -> list[tuple[str, bytes]]:
    """``count`` entries that do not compress well."""
    return [(f"p/C{n}.class", (bytes(str(n), "ascii") + os.urandom(size))[:size]) for n in range(count)]


def step(size: int, probe: int = 1) -> TimelineStep:
    return TimelineStep(0.5, probe, size, size, size)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session.create(tmp_path / "s", jar(tmp_path / "in.jar", "A.class"), {"predicate": "x"}) as folder:
        yield folder


def reopened(folder: Session, **more: int) -> Session:
    folder.close()
    return Session.open(folder.path, **more)


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return archive.namelist()


def test_a_session_goes_on_where_it_was(session: Session) -> None:
    assert session.path.name == "s.jarlet"
    assert session.best is None
    memory = session.memory(PRINT, 5.0, SEARCH)
    memory.put(b"k", Outcome(Verdict.INTERESTING, 0.1, 0, ""))
    small, large = entries(2), entries(5)
    assert session.accept(step(5), large) == 1
    assert session.accept(step(2, 2), small) == 2
    session.finish("done", {"schema": 1})
    with reopened(session) as again:
        assert again.manifest.settings == {"predicate": "x"}
        assert again.warnings == []
        memory = again.memory(PRINT, 5.0, SEARCH)
        assert memory.get(b"k") == Outcome(Verdict.INTERESTING, 0.1, 0, "")
        before = {path.name: path.stat().st_mtime_ns for path in (again.path / "steps").iterdir()}
        assert again.accept(step(5), large) == 1  # as the replay does
        assert again.best is not None
        assert names(again.best) == ["p/C0.class", "p/C1.class"]
        assert again.accept(step(2, 2), small) == 2
        assert {path.name: path.stat().st_mtime_ns for path in (again.path / "steps").iterdir()} == before
        assert again.best.stat().st_ino == (again.path / "steps" / "0002.jar").stat().st_ino
        assert json.loads((again.path / "report.json").read_text()) == {"schema": 1}
        # another search of the same predicate: its own steps, the same answers, the same files
        assert again.memory(PRINT, 5.0, {"algorithm": "ddmin"}).get(b"k") is not None
        assert again.accept(step(5), large) == 3
        assert sorted(path.name for path in (again.path / "steps").iterdir()) == ["0001.jar", "0002.jar"]
        assert names(again.best) == ["p/C0.class", "p/C1.class"]


def test_another_predicate_has_its_own_verdicts_and_best(session: Session) -> None:
    session.memory(PRINT, 5.0, SEARCH).put(b"k", Outcome(Verdict.NOT_INTERESTING, 0.1, 1, ""))
    session.accept(step(2), entries(2))
    other = Fingerprint({"command": "y", "file /x/check.sh": "1"})
    assert session.memory(other, 5.0, SEARCH).get(b"k") is None
    assert "file /x/check.sh" in session.warnings[0]
    session.accept(step(4), entries(4))
    assert session.best is not None
    assert len(names(session.best)) == 4
    session.memory(PRINT, 5.0, SEARCH)
    assert len(names(session.best)) == 2
    assert len(session.warnings) == 1


def test_the_time_of_a_run_is_counted_over_its_parts(session: Session) -> None:
    session.memory(PRINT, 5.0, SEARCH)
    assert (session.used, session.ended) == (0.0, "")
    session.spent(3.0)
    session.spent(3.1)  # too soon to be worth a write
    with reopened(session) as again:
        assert (again.used, again.ended) == (3.0, "")
        again.memory(PRINT, 5.0, {"algorithm": "gbr"})
        assert again.used == 0.0  # another search, another clock
        again.memory(PRINT, 5.0, SEARCH)
        again.spent(1.5, last=True)
        again.finish("time", {})
    with Session.open(again.path) as last:
        assert (last.used, last.ended) == (4.5, "time")
        last.forget_time()
        last.memory(PRINT, 5.0, SEARCH)
        assert last.used == 0.0


def test_a_journal_without_clocks_gets_them(session: Session) -> None:
    session.memory(PRINT, 5.0, SEARCH)
    session.close()
    with closing(sqlite3.connect(session.path / "journal.sqlite")) as connection:
        connection.execute("DROP TABLE clocks")
    assert history.totals(session.path).verdicts == {}
    with Session.open(session.path) as again:
        assert (again.warnings, again.used) == ([], 0.0)
        again.memory(PRINT, 5.0, SEARCH)
        again.spent(2.0, last=True)
    assert not list(session.path.glob("damaged-*"))


def test_history(session: Session) -> None:
    memory = session.memory(PRINT, 5.0, SEARCH)
    chosen = [entries(count) for count in (5, 3, 2)]
    chosen[1][0] = ("p/C0.class", b"less")
    for number, content in enumerate(chosen, 1):
        memory.put(
            content_key(content), Outcome(Verdict.INTERESTING, 0.25, 0, "", failures=("A.java: b", f"n{number}"))
        )
        session.accept(step(len(content), number), content)
    found = history.steps(session.path)  # while it is open
    assert [(row.number, row.classes, row.probe, row.seconds) for row in found] == [
        (1, 5, 1, 0.25), (2, 3, 2, 0.25), (3, 2, 3, 0.25),
    ]  # fmt: skip
    assert found[0].failures == ("A.java: b", "n1")
    assert found[0].search == SEARCH
    totals = history.totals(session.path)
    assert (totals.verdicts, totals.seconds) == ({"interesting": 3}, 0.75)
    assert totals.failures == {"A.java: b": 3, "n1": 1, "n2": 1, "n3": 1}
    assert history.entries(session.path, 2) == chosen[1]
    assert history.entries(session.path) == chosen[2]
    changes = history.compare(chosen[0], history.entries(session.path, 2))
    assert changes[0] == history.Change("p/C0.class", 100, 4)
    assert [change.name for change in changes if change.after is None] == ["p/C3.class", "p/C4.class"]
    with pytest.raises(InputError, match="no step 9"):
        history.entries(session.path, 9)
    with pytest.raises(InputError, match="not a session"):
        history.steps(session.path.parent)
    session.close()
    found[0].jar.unlink()  # type: ignore[union-attr]
    assert [row.jar is None for row in history.steps(session.path)] == [True, False, False]


def test_the_oldest_steps_are_dropped_but_never_the_best(session: Session) -> None:
    with reopened(session, size_cap=20_000) as small:
        small.memory(PRINT, 5.0, SEARCH)
        best = entries(2, 3000)
        small.accept(step(1), best)
        others = [entries(4, 1000) for _ in range(6)]
        for number, content in enumerate(others):
            small.accept(step(100 - number), content)
        rows = history.steps(small.path)
        assert sorted(row.number for row in rows if row.jar) == [1, 5, 6, 7]
        assert history.entries(small.path) == best
        with pytest.raises(InputError, match="dropped"):
            history.entries(small.path, 2)
        kept = sorted(path.name for path in (small.path / "steps").iterdir())
        small.accept(step(100), others[0])  # the replay does not bring it back
        assert sorted(path.name for path in (small.path / "steps").iterdir()) == kept


def test_what_a_sudden_end_leaves_is_mended(session: Session) -> None:
    session.memory(PRINT, 5.0, SEARCH)
    session.accept(step(5), entries(5))
    session.accept(step(2), entries(2))
    session.close()
    steps = session.path / "steps"
    (session.path / "best.jar").unlink()
    (steps / "0001.jar").unlink()
    (steps / "0009.jar").write_bytes(b"without a row")
    (steps / ".jarlet-ab.tmp").write_bytes(b"half")
    (session.path / ".best.jar.part").write_bytes(b"half")
    with Session.open(session.path) as again:
        assert again.best is not None
        assert len(names(again.best)) == 2
        assert [row.jar is None for row in history.steps(again.path)] == [True, False]
    assert sorted(path.name for path in steps.iterdir()) == ["0002.jar"]
    assert not list(session.path.glob(".*"))


def test_one_session_is_open_once(session: Session) -> None:
    with pytest.raises(UsageError, match=rf"process {os.getpid()}\) has this session open"):
        Session.open(session.path)
    code = (
        "import sys, time; from pathlib import Path; from core.store.session import Session\n"
        "folder = Session.open(Path(sys.argv[1])); print('open', flush=True); time.sleep(60)"
    )
    session.close()
    child = subprocess.Popen([sys.executable, "-c", code, session.path], cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        with pytest.raises(UsageError, match=rf"another program \(process {child.pid}\)"):
            Session.open(session.path)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()  # type: ignore[union-attr]
    Session.open(session.path).close()  # the dead hold no lock


def test_names_that_are_taken(tmp_path: Path, session: Session) -> None:
    source = jar(tmp_path / "in.jar", "A.class")
    session.close()
    with pytest.raises(UsageError, match="there is a session already"):
        Session.create(session.path, source, {})
    (tmp_path / "b.jarlet").mkdir()
    (tmp_path / "b.jarlet" / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"thesis\.txt"):
        Session.create(tmp_path / "b", source, {})
    (tmp_path / "c.jarlet").write_text("a file")
    with pytest.raises(OutputError, match="cannot be made"):
        Session.create(tmp_path / "c", source, {})
    for path in (tmp_path / "none.jarlet", tmp_path / "b.jarlet", tmp_path / "c.jarlet"):
        with pytest.raises(InputError):
            Session.open(path)
    # a creation that was cut short before its last file
    (session.path / "settings.json").unlink()
    Session.create(session.path, source, {}).close()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": "x"}', '{"schema": 1, "input": 3}', "\0"])
def test_damaged_settings(session: Session, text: str) -> None:
    session.close()
    (session.path / "settings.json").write_text(text)
    with pytest.raises(InputError, match="damaged"):
        Session.open(session.path)
    (session.path / "settings.json").write_text('{"schema": 7, "version": "9.9"}')
    with pytest.raises(InputError, match=r"newer Jarlet \(9\.9"):
        Session.open(session.path)


@pytest.mark.parametrize("how", ["truncated", "garbage", "empty", "gone", "log gone", "log garbage"])
def test_a_damaged_journal_costs_neither_the_best_nor_the_session(session: Session, how: str) -> None:
    memory = session.memory(PRINT, 5.0, SEARCH)
    content = [entries(9 - number) for number in range(3)]
    for number in range(300):
        memory.put(number.to_bytes(20, "big"), Outcome(Verdict.NOT_INTERESTING, 0.0, 1, "", stderr="e" * 300))
    for number in range(3):
        session.accept(step(9 - number), content[number])
    journal = session.path / "journal.sqlite"
    log = session.path / "journal.sqlite-wal"
    if how.startswith("log"):
        kept = (journal.read_bytes(), log.read_bytes())
        session.close()
        journal.write_bytes(kept[0])
        log.unlink(missing_ok=True)
        if how == "log garbage":
            log.write_bytes(os.urandom(len(kept[1])))
    else:
        session.close()
        data = journal.read_bytes()
        if how == "gone":
            journal.unlink()
        else:
            journal.write_bytes(
                {"truncated": data[: len(data) * 3 // 4], "garbage": os.urandom(9999), "empty": b""}[how]
            )
    assert history.entries(session.path) == content[2]
    with Session.open(session.path) as again:
        if not how.startswith("log"):
            (warning,) = again.warnings
            assert "damaged-1" in warning
            assert len(names(again.path / "damaged-1" / "best.jar")) == 7
        assert again.best is not None
        assert len(names(again.best)) == 7
        memory = again.memory(PRINT, 5.0, SEARCH)
        known = sum(memory.get(number.to_bytes(20, "big")) is not None for number in range(300))
        assert known == len(memory)
        if how == "truncated":
            assert 20 < known < 300
        for number in range(3):
            again.accept(step(9 - number), content[number])
        assert len(history.steps(again.path)) == 3
        assert len(names(again.best)) == 7
    with Session.open(session.path) as third:
        assert third.warnings == []


def test_the_input_may_move_but_not_change(tmp_path: Path) -> None:
    home = tmp_path / "a"
    home.mkdir()
    source = jar(home / "in.jar", "A.class", "B.class")
    Session.create(home / "s", source, {"x": 1}).close()
    home.rename(tmp_path / "b")
    moved = tmp_path / "b" / "s.jarlet"
    with Session.open(moved) as session:
        assert session.sources() == [tmp_path / "b" / "in.jar"]
        session.same_input(replace(source, sources=(tmp_path / "b" / "in.jar",)))
    assert str(tmp_path / "b" / "in.jar") in (moved / "settings.json").read_text()
    (tmp_path / "b" / "in.jar").unlink()
    with Session.open(moved) as session:
        with pytest.raises(InputError, match=r"in\.jar: the input of the session .* Bring it back"):
            session.sources()
        session.same_input(jar(tmp_path / "elsewhere.jar", "A.class", "B.class"))
        assert session.sources() == [tmp_path / "elsewhere.jar"]
        for other in (
            jar(tmp_path / "elsewhere.jar", "A.class"),
            jar(tmp_path / "elsewhere.jar", "A.class", "B.class", salt="x"),
        ):
            with pytest.raises(InputError, match="has changed since"):
                session.same_input(other)
        session.save_settings({"x": 2})
    with Session.open(moved) as session:
        assert session.sources() == [tmp_path / "elsewhere.jar"]
        assert session.manifest.settings == {"x": 2}


def test_how_the_input_is_packed_does_not_matter(tmp_path: Path, sample_jar: Path) -> None:
    again = tmp_path / "stored.jar"
    with zipfile.ZipFile(sample_jar) as old, zipfile.ZipFile(again, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    with Session.create(tmp_path / "s", read_jar([sample_jar]), {}) as session:
        session.same_input(read_jar([again]))


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("needs the right to mount")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk(mounted: Path, tmp_path: Path) -> None:
    source = jar(tmp_path / "in.jar", "A.class")
    folder = Session.create(mounted / "s", source, {})
    memory = folder.memory(PRINT, 5.0, SEARCH)
    folder.accept(step(3), entries(3))
    done: list[bytes] = []

    def fill() -> None:
        while len(done) < 10_000:
            key = len(done).to_bytes(20, "big")
            memory.put(key, Outcome(Verdict.NOT_INTERESTING, 0.01, 1, "", stdout=os.urandom(1500).hex()))
            done.append(key)

    with pytest.raises(JarletError, match=r"disk.*best\.jar") as caught:
        fill()
    assert caught.value.exit_code == 2
    assert len(done) > 50
    # the old steps give way to a new best
    large = [entries(10, 2000) for _ in range(2)]
    with pytest.raises(OutputError, match="No space left"):
        folder.accept(step(2), entries(90, 9000))
    assert len(names(folder.path / "best.jar")) == 3
    folder.close()
    assert len(names(folder.path / "best.jar")) == 3
    subprocess.run(["mount", "-o", "remount,size=8m", mounted], check=True)
    with Session.open(folder.path) as again:
        assert again.warnings == []
        memory = again.memory(PRINT, 5.0, SEARCH)
        assert all(memory.get(key) is not None for key in done)
        again.accept(step(2), large[0])
        assert len(names(again.path / "best.jar")) == 10


def test_a_folder_that_may_not_be_written_to(mounted: Path, tmp_path: Path) -> None:
    folder = Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {})
    folder.memory(PRINT, 5.0, SEARCH)
    folder.accept(step(3), entries(3))
    kept = {name: (folder.path / name).read_bytes() for name in ("journal.sqlite", "journal.sqlite-wal")}
    folder.close()
    for name, data in kept.items():  # as after kill -9: the step is in the log alone
        (folder.path / name).write_bytes(data)
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    with pytest.raises(OutputError, match=r"(?i)read-only.*best\.jar"):
        Session.open(folder.path)
    with pytest.raises(OutputError, match=r"(?i)read-only"):
        Session.create(mounted / "t", jar(tmp_path / "in.jar", "A.class"), {})
    assert [row.classes for row in history.steps(folder.path)] == [3]
    assert len(history.entries(folder.path, 1)) == 3


OUT = Reference(0, "out", "err", ("f",))


def print_of(text: str, reference: Reference = OUT, **condition: Any) -> Fingerprint:
    wanted = Condition(**condition)
    predicate = CommandPredicate(PredicateCommand.parse(text), wanted, reference=reference, timeout=time.monotonic())
    return fingerprint(predicate, wanted, limits=ProbeLimits(), template=text)


def test_the_fingerprint_sees_what_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, log, data = tmp_path / "check.sh", tmp_path / "log.zip", tmp_path / "data.txt"
    script.write_text("#!/bin/sh\nexit 0\n")
    script.chmod(0o755)
    data.write_text("1")
    text = f"{script} {{jar}} --log={log} {{file:{data}}}"
    first = print_of(text)
    assert print_of(text) == first
    assert len(first.digest) == 20
    other = Reference(1, "o", "e", ("g",))
    assert print_of(text, other) == first  # nothing of it is compared
    names = {"reading": FailureNaming(("javac",)), "wanted": Wanted()}
    different = [
        first,
        print_of(text + " -x"),
        print_of(text, match="x"),
        *(print_of(text, reference, preserve=frozenset({"out"})) for reference in (OUT, other)),
        *(print_of(text, reference, **names) for reference in (OUT, other)),
    ]
    assert len({found.digest for found in different}) == 7
    log.write_text("written by the command itself")
    assert print_of(text) != first
    assert first.steady(print_of(text)) == first
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dx=y")
    assert first.steady(print_of(text)) != first
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")
    log.unlink()
    for path in (script, data):
        before = path.read_text()
        path.write_text(before + "#")
        assert {name for name in first.parts if first.parts[name] != print_of(text).parts[name]} == {f"file {path}"}
        path.write_text(before)
    assert print_of(text) == first
    java = print_of("sh -c 'java -cp {jar} x.Main | grep y'")
    assert {Path(name).name for name in java.parts if name.startswith("file ")} >= {"java", "grep", "release"}


def test_processes_of_a_dead_run_are_killed(tmp_path: Path, processes: Callable[[str], list[int]]) -> None:
    marker = f"400.{os.getpid()}7"
    code = (
        "import os, sys, time; from pathlib import Path; from core.system.work_folder import WorkFolder\n"
        "import subprocess; work = WorkFolder(Path(sys.argv[1])).path / 'probe-00001'; work.mkdir()\n"
        "env = {**os.environ, 'JARLET_WORK': str(work)}\n"
        "subprocess.Popen(['sh', '-c', 'sleep ' + sys.argv[2] + ' & sleep ' + sys.argv[2]], env=env,"
        " start_new_session=True, cwd=work)\n"
        "print('up', flush=True); time.sleep(60)"
    )
    runs = []
    for name in ("dead", "alive"):
        child = subprocess.Popen(
            [sys.executable, "-c", code, tmp_path, f"{marker}{len(runs)}"], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n", name
        child.stdout.close()
        runs.append(child)
    runs[0].send_signal(signal.SIGKILL)
    runs[0].wait()
    assert processes(f"{marker}0")
    try:
        with WorkFolder(tmp_path) as work:
            deadline = time.monotonic() + 5
            while processes(f"{marker}0") and time.monotonic() < deadline:
                time.sleep(0.02)
            assert processes(f"{marker}0") == []
            assert processes(f"{marker}1")
            assert len(list(tmp_path.glob("jarlet-*"))) == 2
            assert work.path.is_dir()
    finally:
        runs[1].kill()
        runs[1].wait()
        kill_leftovers(list(tmp_path.glob("jarlet-*")))
    assert kill_leftovers([]) == 0


def fill_up(disk: Path) -> None:
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def test_a_full_disk_gives_up_old_steps_before_the_run(mounted: Path, tmp_path: Path) -> None:
    with Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {}) as folder:
        memory = folder.memory(PRINT, 5.0, SEARCH)
        for size in (9, 8, 7, 6):
            folder.accept(step(size), entries(size, 8000))
        kept = sorted(path.name for path in (folder.path / "steps").iterdir())
        assert len(kept) == 4
        fill_up(mounted)
        number = 0
        while len(list((folder.path / "steps").iterdir())) == 4:  # each verdict takes a little of what the log has left
            number += 1
            memory.put(
                number.to_bytes(20, "big"), Outcome(Verdict.NOT_INTERESTING, 0.01, 1, "", stdout=os.urandom(1500).hex())
            )
        assert [path.name for path in (folder.path / "steps").iterdir()] == ["0004.jar"], "the best stays"
        assert len(names(folder.path / "best.jar")) == 6
        assert all(memory.get(at.to_bytes(20, "big")) is not None for at in range(1, number + 1))
        folder.finish("done", {"text": "x" * 1000})


def test_a_full_disk_gives_up_old_steps_for_the_output(mounted: Path, tmp_path: Path) -> None:
    with Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {}) as folder:
        folder.memory(PRINT, 5.0, SEARCH)
        for size in (9, 8, 7):
            folder.accept(step(size), entries(size, 8000))
        fill_up(mounted)
        files = tuple(Entry(name.replace(".class", ".bin"), data, kind_of("a.bin")) for name, data in entries(7, 8000))
        model = class_model.build(Jar((tmp_path / "in.jar",), "in.jar", files))
        best = sub_input_of(
            SourceTester(WholeSource(model), CommandPredicate(PredicateCommand.parse("true"), Condition()), tmp_path),
            model.full,
        )
        with pytest.raises(OutputError, match="No space"):
            Saver(mounted / "out.jar").save(best, Packer())
        Saver(mounted / "out.jar", folder).save(best, Packer())
        assert len(names(mounted / "out.jar")) == 7
        assert len(names(folder.path / "best.jar")) == 7


def test_a_damaged_best_gives_way_to_the_next_one(session: Session) -> None:
    session.memory(PRINT, 5.0, SEARCH)
    for size in (4, 3, 2):
        session.accept(step(size), entries(size))
    data = bytearray((session.path / "steps" / "0003.jar").read_bytes())
    data[60] ^= 255
    (session.path / "steps" / "0003.jar").write_bytes(data)
    with reopened(session) as again:
        assert "0003.jar: this step's jar was damaged" in again.warnings[0]
        assert len(names(again.path / "best.jar")) == 3
