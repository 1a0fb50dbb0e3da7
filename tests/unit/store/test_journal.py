"""The journal: what lasts, what is an answer, and what a damaged file costs."""

from __future__ import annotations

import hashlib
import random
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.archive.selection import content_key
from core.model import class_model
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.reduction.elements import WholeElements
from core.store.answers import Answers
from core.store.journal import Journal
from core.store.journal_schema import DamagedJournalError, JournalError, StepRow
from core.store.session_folder import salvage
from tests.support.driving import made_tester
from tests.support.old_sessions import make_old
from tests.support.rows import rows

PREDICATE = b"p" * 20


def key(number: int) -> bytes:
    return number.to_bytes(20, "big")


def outcome(
    verdict: Verdict = Verdict.NOT_INTERESTING, seconds: float = 0.5, code: int | None = 1, **more: object
) -> Outcome:
    return Outcome(verdict, seconds, code, "detail", **more)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a b?#%.sqlite"


def answers(path: Path, limit: float | None = 5.0, digest: bytes = PREDICATE, measured: bool = False) -> Answers:
    """Opens a journal (made if need be) as a process of its own would."""
    return Answers.of(Journal(path, new=not path.exists()), digest, {"command": "x"}, limit, measured)


def close(memory: Answers) -> None:
    memory._journal.close()


def test_outcomes_come_back_whole(path: Path) -> None:
    told = [
        outcome(Verdict.INTERESTING, 0.25, 0, failures=("A: b", "A: b")),
        outcome(Verdict.NOT_INTERESTING, 1, 7, failures=("A.java: b", "B.java: ä\nmore")),
        outcome(Verdict.UNRESOLVED, 0.1, 125),
        outcome(Verdict.TIMED_OUT, 5.01, None),
    ]  # fmt: skip
    memory = answers(path)
    for number, what in enumerate(told):
        memory.put(key(number), what)
    for _ in range(2):
        assert len(memory) == 4
        back = [memory.get(key(number)) for number in range(4)]
        assert back == told
        assert memory.get(key(9)) is None
        close(memory)
        memory = answers(path)
    other = Answers.of(memory._journal, b"q" * 20, {}, 5.0, False)
    assert other.get(key(1)) is None
    close(memory)


def test_a_later_outcome_takes_the_place_of_an_earlier_one(path: Path) -> None:
    memory = answers(path)
    memory.put(key(1), outcome())
    memory.put(key(2), outcome())
    memory.put(key(1), outcome(Verdict.INTERESTING, 0.1, 0, stdout="not kept"))
    found = memory.get(key(1))
    assert found is not None
    assert (found.verdict, found.stdout) == (Verdict.INTERESTING, "")
    assert memory._journal.rows("SELECT count(*) FROM probes")[0][0] == 2
    close(memory)


@rows(
    ("what", "then", "today", "stands"),
    [
        (outcome(Verdict.TIMED_OUT, 5.0, None), 5.0, 5.0, True),
        (outcome(Verdict.TIMED_OUT, 5.0, None), 5.0, 4.0, True),
        (outcome(Verdict.TIMED_OUT, 5.0, None), 5.0, 6.0, False),
        (outcome(Verdict.TIMED_OUT, 5.0, None), 5.0, None, False),
        (outcome(Verdict.INTERESTING, 3.0, 0), 5.0, 2.0, False),
        (outcome(Verdict.INTERESTING, 1.0, 0), 5.0, 2.0, True),
        (outcome(Verdict.INTERESTING, 5.02, 0), 5.0, 5.0, True),
        (outcome(Verdict.INTERESTING, 9.0, 0), None, 5.0, False),
        (outcome(Verdict.NOT_INTERESTING, 3.0, 1), 5.0, 2.0, True),
        (outcome(Verdict.NOT_INTERESTING, 3.0, -9), 5.0, 5.0, False),
        (outcome(Verdict.NOT_INTERESTING, 3.0, 143), 5.0, 5.0, False),
        (outcome(Verdict.NOT_INTERESTING, 3.0, -11), 5.0, 5.0, True),
        (outcome(Verdict.INTERESTING, 3.0, 137), 5.0, 5.0, True),
        (Outcome(Verdict.UNRESOLVED, 3.0, None, "cancelled"), 5.0, 5.0, False),
        (Outcome(Verdict.UNRESOLVED, 3.0, None, "killed: it printed too much"), 5.0, 5.0, True),
        (outcome(Verdict.UNRESOLVED, 3.0, 125), 5.0, 5.0, True),
    ],
)
def test_what_makes_a_verdict_no_answer(
    path: Path, what: Outcome, then: float | None, today: float | None, stands: bool
) -> None:
    memory = answers(path, then)
    memory.put(key(1), what)
    close(memory)
    memory = answers(path, today)
    assert memory.get(key(1)) == (what if stands else None)
    close(memory)


def test_a_journal_of_version_1_answers_in_the_words_of_today(path: Path) -> None:
    """Its rows say *boring*, which their seals cover."""
    memory = answers(path)
    for number in (1, 2):
        memory.put(key(number), outcome(seconds=0.25, code=3, failures=("A: b",)))
    memory.put(key(3), outcome(Verdict.INTERESTING, 0.25, 0))
    number = memory.predicate
    close(memory)
    make_old(path)
    with closing(sqlite3.connect(path)) as old, old:
        rows = old.execute("SELECT verdict, count(*) FROM probes GROUP BY verdict ORDER BY verdict").fetchall()
        assert (rows, old.execute("PRAGMA user_version").fetchone()[0]) == ([("boring", 2), ("interesting", 1)], 1)
        old.execute("UPDATE probes SET seal = 7 WHERE key = ?", (key(2),))
    memory = answers(path)
    assert memory.predicate == number
    assert memory.get(key(1)) == outcome(seconds=0.25, code=3, failures=("A: b",))
    assert memory.get(key(2)) is None, "damaged"
    assert memory.get(key(3)) == outcome(Verdict.INTERESTING, 0.25, 0)
    memory.put(key(2), outcome())
    close(memory)
    with closing(sqlite3.connect(path)) as now:
        assert now.execute("PRAGMA user_version").fetchone()[0] == 2, "an older Jarlet says that it is newer"
        assert now.execute("SELECT verdict FROM probes WHERE key = ?", (key(2),)).fetchone()[0] == "not interesting"


def test_a_measured_limit_is_that_of_the_first_time(path: Path) -> None:
    for limit, measured, expected in [(5, True, 5.0), (7.5, True, 5.0), (3.0, False, 3.0), (None, True, 3.0)]:
        memory = answers(path, limit, measured=measured)
        assert memory.limit == expected
        close(memory)


def synced(memory: Answers, seconds: float, count: int) -> int:
    """How many of ``count`` puts waited for the disk."""
    said: list[str] = []
    memory._journal._connection.set_trace_callback(said.append)
    for number in range(count):
        memory.put(key(number), outcome(seconds=seconds))
    memory._journal._connection.set_trace_callback(None)
    assert said.count("COMMIT") == count
    return said.count("PRAGMA synchronous = FULL")


def test_a_power_cut_costs_a_tenth_of_a_second_of_probes(path: Path) -> None:
    memory = answers(path)
    assert synced(memory, 1.0, 50) == 50
    assert 4 <= synced(memory, 0.005, 100) <= 5
    close(memory)


def test_threads_may_share_it(path: Path) -> None:
    memory = answers(path)

    def work(first: int) -> None:
        for number in range(first, first + 50):
            memory.put(key(number), outcome(failures=(f"n{number % 60}", "all")))
            assert memory.get(key(number)) is not None

    threads = [threading.Thread(target=work, args=(first,)) for first in range(0, 200, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory) == 200
    close(memory)
    memory = answers(path)
    for number in range(200):
        found = memory.get(key(number))
        assert found is not None
        assert found.failures == (f"n{number % 60}", "all")
    close(memory)


def test_a_transaction_that_fails_leaves_nothing(path: Path) -> None:
    memory = answers(path)
    memory.put(key(1), outcome(failures=("a",)))
    step = StepRow(1, 1, b"", 0, 0, 0, 0, 0, None)
    memory._journal.add_step(step)
    with pytest.raises(JournalError, match="UNIQUE"):
        memory._journal.add_step(step)
    broken = outcome(code=object(), failures=("b",))
    with pytest.raises(JournalError, match="not supported"):
        memory.put(key(2), broken)
    assert memory.get(key(2)) is None
    memory.put(key(2), outcome(failures=("c", "b")))
    found = memory.get(key(2))
    assert found is not None
    assert found.failures == ("c", "b")
    close(memory)


def test_the_content_key_is_the_testers(sample_jar: Path, tmp_path: Path) -> None:
    model = class_model.build(read_jar([sample_jar]))
    tester = made_tester(
        WholeElements(model), CommandPredicate(PredicateCommand.parse("true"), condition=Condition()), tmp_path
    )
    for kept in (model.full, 0b1011, 0):
        assert content_key(model.entries(kept)) == tester.key(kept)


def test_changed_names_of_failures_are_no_answer(path: Path) -> None:
    memory = answers(path)
    memory.put(key(1), outcome(failures=("a", "b")))
    memory.put(key(2), outcome(failures=("a",)))
    close(memory)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE failures SET name = 'c' WHERE name = 'b'")
    connection.commit()
    connection.close()
    memory = answers(path)
    assert memory.get(key(1)) is None
    assert memory.get(key(2)) == outcome(failures=("a",))
    close(memory)


def filled(path: Path, count: int = 400) -> None:
    memory = answers(path)
    for number in range(count):
        text = hashlib.sha512(key(number)).hexdigest()
        memory.put(key(number), outcome(seconds=0.0, stdout=text, failures=(f"f{number % 50}",)))
    close(memory)


def test_files_that_are_no_journals(tmp_path: Path) -> None:
    for data in (b"", b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 4096):
        file = tmp_path / "f.sqlite"
        file.write_bytes(data)
        with pytest.raises(DamagedJournalError, match=r"f\.sqlite"):
            Journal(file)
        with pytest.raises(DamagedJournalError):
            Journal(file)  # and it was not touched
        assert file.read_bytes() == data
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(DamagedJournalError, match="not the journal"):
        Journal(other)
    with pytest.raises(JournalError, match="already"):
        Journal(other, new=True)
    with pytest.raises(JournalError, match="Make the file"):
        Journal(tmp_path / "none" / "x.sqlite", new=True)
    with pytest.raises(JournalError, match=r"missing\.sqlite"):
        Journal(tmp_path / "missing.sqlite")
    assert not (tmp_path / "missing.sqlite").exists()


def test_a_newer_schema_is_told_from_damage(path: Path) -> None:
    filled(path, 1)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(JournalError, match="newer Jarlet") as caught:
        Journal(path)
    assert not isinstance(caught.value, DamagedJournalError)


def test_a_truncated_journal_is_salvaged(path: Path, tmp_path: Path) -> None:
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(DamagedJournalError):
        Journal(path)
    new = Journal(tmp_path / "new.sqlite", new=True)
    saved = salvage(path, new)
    assert 50 < saved < 400
    memory = Answers.of(new, PREDICATE, {}, 5.0, False)
    found = [memory.get(key(number)) for number in range(400)]
    said = [what for what in found if what is not None]
    assert len(said) == saved
    assert all(what.verdict is Verdict.NOT_INTERESTING for what in said)
    new.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "j.sqlite"
    filled(path, 120)
    return path.read_bytes()


@rows("seed", range(40))
def test_whatever_is_damaged_no_wrong_answer_is_given(whole: bytes, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    broken = bytearray(whole)
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(broken) - 200)
        broken[start : start + 200] = dice.randbytes(200)
    path = tmp_path / "j.sqlite"
    path.write_bytes(broken)
    try:
        journal = Journal(path)
    except DamagedJournalError:
        journal = Journal(tmp_path / "new.sqlite", new=True)
        salvage(path, journal)
    memory = Answers.of(journal, PREDICATE, {}, 5.0, False)
    for number in range(120):
        found = said_in_words(memory, key(number))
        assert found is None or (found.verdict, found.seconds, found.exit) == (Verdict.NOT_INTERESTING, 0.0, 1)
    journal.close()


def said_in_words(memory: Answers, what: bytes) -> Outcome | None:
    """The answer; None where the journal says that it cannot be read."""
    try:
        return memory.get(what)
    except JournalError:
        return None


def test_a_log_that_was_deleted_costs_only_what_was_in_it(path: Path) -> None:
    memory = answers(path)
    memory.put(key(1), outcome())
    close(memory)
    memory = answers(path)
    memory.put(key(2), outcome())
    copy = path.with_name("copy.sqlite")
    shutil.copyfile(path, copy)
    with_log = path.with_name("with.sqlite")
    shutil.copyfile(path, with_log)
    shutil.copyfile(f"{path}-wal", f"{with_log}-wal")
    close(memory)
    memory = answers(copy)
    assert memory.get(key(1)) is not None
    assert memory.get(key(2)) is None
    close(memory)
    memory = answers(with_log)
    assert memory.get(key(2)) is not None
    close(memory)
    shutil.copyfile(path, with_log)
    Path(f"{with_log}-wal").write_bytes(b"garbage" * 999)
    memory = answers(with_log)
    assert memory.get(key(1)) is not None
    close(memory)
