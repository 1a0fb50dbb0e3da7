"""The session's folder: steps and best, lock, damage; and what dead runs leave behind."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.archive.selection import content_key
from core.errors import InputError, OutputError, UsageError
from core.predicate.verdict import Outcome, Verdict
from core.store import history
from core.store.fingerprint import Fingerprint
from core.store.session import Session
from core.system.work_folder import WorkFolder, kill_leftovers
from tests.support import histories
from tests.support.patience import patience
from tests.support.sessions import PRINT, SEARCH, entries, jar, names, step

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session.create(tmp_path / "s", jar(tmp_path / "in.jar", "A.class"), {"predicate": "x"}) as folder:
        yield folder


def reopened(folder: Session) -> Session:
    folder.close()
    return Session.open(folder.path)


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
    assert histories.steps(session.path) == []
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
    found = histories.steps(session.path)
    assert [(row.number, row.classes, row.probe) for row in found] == [(1, 5, 1), (2, 3, 2), (3, 2, 3)]
    assert found[0].search == json.dumps(SEARCH)
    sizes = [(row.bytes, row.classes) for row in found]
    assert history.step(session.path, *sizes[1]) == chosen[1], "also while the session is open"
    assert history.step(session.path, sizes[2][0], 0) == chosen[2]
    with pytest.raises(InputError, match="not kept"):
        history.step(session.path, sizes[1][0], 9)
    with pytest.raises(InputError, match="not a session"):
        history.step(session.path.parent, *sizes[1])
    session.close()
    found[0].jar.unlink()  # type: ignore[union-attr]
    with pytest.raises(InputError, match="not kept"):
        history.step(session.path, *sizes[0])


def test_the_oldest_steps_are_dropped_but_never_the_best(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.accepted_steps.SIZE_CAP", 20_000)
    with reopened(session) as small:
        small.memory(PRINT, 5.0, SEARCH)
        best = entries(2, 3000)
        small.accept(step(1), best)
        others = [entries(4, 1000) for _ in range(6)]
        for number, content in enumerate(others):
            small.accept(step(100 - number), content)
        rows = histories.steps(small.path)
        assert sorted(row.number for row in rows if row.jar) == [1, 5, 6, 7]
        assert histories.entries(small.path) == best
        assert next(row.jar for row in rows if row.number == 2) is None
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
        assert [row.jar is None for row in histories.steps(again.path)] == [True, False]
    assert sorted(path.name for path in steps.iterdir()) == ["0002.jar"]
    assert not list(session.path.glob(".*"))


def test_one_session_is_open_once(session: Session) -> None:
    with pytest.raises(UsageError, match=rf"process {os.getpid()}\) has this session open"):
        Session.open(session.path)
    code = (
        "import sys, time; from pathlib import Path; from core.store.session import Session\n"
        "folder = Session.open(Path(sys.argv[1])); print('open', flush=True); time.sleep(600)"
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
    assert histories.entries(session.path) == content[2]
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
        assert len(histories.steps(again.path)) == 3
        assert len(names(again.best)) == 7
    with Session.open(session.path) as third:
        assert third.warnings == []


def test_processes_of_a_dead_run_are_killed(tmp_path: Path, processes: Callable[[str], list[int]]) -> None:
    marker = f"400.{os.getpid()}7"
    code = (
        "import os, sys, time; from pathlib import Path; from core.system.work_folder import WorkFolder\n"
        "import subprocess; work = WorkFolder(Path(sys.argv[1])).path / 'probe-00001'; work.mkdir()\n"
        "env = {**os.environ, 'JARLET_WORK': str(work)}\n"
        "subprocess.Popen(['sh', '-c', 'sleep ' + sys.argv[2] + ' & sleep ' + sys.argv[2]], env=env,"
        " start_new_session=True, cwd=work)\n"
        "print('up', flush=True); time.sleep(600)"
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
            deadline = time.monotonic() + patience()
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
