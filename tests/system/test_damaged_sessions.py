"""Sessions that a disk, an editor or a stranger damaged: going on with them and listing them end in an answer or in a
sentence, never in a trace, and what can be saved of them is."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from core.errors import JarletError
from core.store import history, retention
from core.store.journal import Journal
from core.store.session_folder import salvage
from core.user_folders import sessions_folder
from tests.support import histories
from tests.support.old_sessions import make_old
from tests.support.rows import rows

SEED = 20_12
FILES = ("settings.json", "journal.sqlite", "best.jar", "report.json", "lock", "steps/*.jar")
ODD: tuple[Any, ...] = (None, True, -1, 10**9, 10**400, 1e300, "", "\0", "\ud800", "x", [], [1], [None], {}, {"x": 1})
"""Values that somebody's editor may leave where another type belongs."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an input, a predicate and a session ``s.jarlet`` that came to its end."""
    folder = tmp_path_factory.mktemp("whole")
    with zipfile.ZipFile(folder / "in.jar", "w") as jar:
        for number in range(12):
            jar.writestr(f"p/C{number}.class", _class(f"p/C{number}"))
    script = folder / "check.sh"
    script.write_text('#!/bin/sh\nunzip -l "$1" | grep -q p/C3.class && unzip -l "$1" | grep -q p/C7.class\n')
    script.chmod(0o755)
    code, _, err = run(folder, "reduce", "in.jar", "--predicate", "./check.sh {jar}", "--session", "s",
                         "-o", "out.jar", "--algorithm", "ddmin", "--granularity", "class")  # fmt: skip
    assert code == 0, err
    assert _names(folder / "out.jar") == {"p/C3.class", "p/C7.class"}
    return folder


@pytest.fixture
def damaged(whole: Path) -> Callable[[], Path]:
    """The folder as it was made, at the same place each time, so that the verdicts of before are answers."""
    pristine = whole.with_name(f"{whole.name}-pristine")
    if not pristine.exists():
        shutil.copytree(whole, pristine)

    def restore() -> Path:
        shutil.rmtree(whole)
        shutil.copytree(pristine, whole)
        return whole

    return restore


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """The command line within this process, in ``folder``: exit code and what it printed. A trace fails the test."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as error:
            code = int(error.code or 0)
    assert "Traceback" not in err.getvalue()
    return code, out.getvalue(), err.getvalue()


def survives(folder: Path) -> int:
    """Goes on with the damaged session and reads its history; the exit code."""
    for reading in (lambda session: history.step(session, 1, 0), history.last_parts):
        with contextlib.suppress(JarletError):
            reading(folder / "s.jarlet")
    code, _, err = run(folder, "reduce", "--resume", "s")
    assert code in (0, 1, 2, 3), err
    if code == 0:
        assert _names(folder / "out.jar") == {"p/C3.class", "p/C7.class"}
    else:
        assert err.strip()
        assert len(err) < 20_000
    assert _names(folder / "in.jar") == {f"p/C{number}.class" for number in range(12)}
    return code


def mutations(folder: Path, dice: random.Random) -> Iterator[Callable[[], None]]:
    """Ways to damage the session in ``folder``, without end."""
    session = folder / "s.jarlet"
    files = [path for pattern in FILES for path in sorted(session.glob(pattern))]

    def flip() -> None:
        path = dice.choice(files)
        data = bytearray(path.read_bytes() or b"\0")
        for _ in range(dice.choice((1, 1, 4, 40))):
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path.write_bytes(data)

    def flip_early() -> None:
        path = session / dice.choice(("journal.sqlite", "settings.json"))
        data = bytearray(path.read_bytes())
        for _ in range(dice.choice((1, 8))):
            data[dice.randrange(min(len(data), 4096))] = dice.randrange(256)
        path.write_bytes(data)

    def truncate() -> None:
        path = dice.choice(files)
        os.truncate(path, dice.randrange(path.stat().st_size + 1))

    def delete() -> None:
        path = dice.choice([*files, session / "steps"])
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def swap() -> None:
        one, other = dice.sample(files, 2)
        first, second = one.read_bytes(), other.read_bytes()
        one.write_bytes(second)
        other.write_bytes(first)

    def become_folder() -> None:
        path = dice.choice(files)
        path.unlink()
        path.mkdir()

    def edit() -> None:
        path = session / dice.choice(("settings.json", "settings.json", "report.json"))
        values = json.loads(path.read_text())
        place, key = dice.choice(list(_places(values)))
        place[key] = dice.choice(ODD)
        with contextlib.suppress(ValueError):  # a digit too many for Python to write
            path.write_text(json.dumps(values))

    def rewrite() -> None:
        with closing(sqlite3.connect(session / "journal.sqlite")) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            table = dice.choice(("predicates", "runs", "failures", "probes", "outputs", "steps", "clocks"))
            change = dice.choice(
                (
                    f"DELETE FROM {table}",
                    f"DROP TABLE {table}",
                    f"UPDATE sqlite_schema SET sql = CAST(x'ff2843fe' AS TEXT) WHERE name = '{table}'",
                    f"UPDATE sqlite_schema SET sql = 'CREATE TABLE {table} (a, b)' WHERE name = '{table}'",
                    "UPDATE steps SET file = '../../in.jar'",
                    "UPDATE steps SET bytes = -1, file = '0001.jar'",
                    "UPDATE probes SET verdict = 'perhaps'",
                    "UPDATE probes SET seal = 0",
                    "UPDATE predicates SET parts = '[1'",
                    "UPDATE runs SET search = '[[', opened = -5",
                    "UPDATE clocks SET used = 9e999",
                )
            )
            with contextlib.suppress(sqlite3.Error):
                connection.execute(change)
            connection.commit()

    ways = (flip, flip_early, truncate, delete, swap, become_folder, edit, edit, rewrite)
    while True:
        yield dice.choice(ways)


def _places(values: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(values, dict | list):
        for key in values if isinstance(values, dict) else range(len(values)):
            yield values, key
            yield from _places(values[key])


def _batter(damaged: Callable[[], Path], seed: int, cases: int) -> list[int]:
    codes = []
    for case in range(cases):
        folder = damaged()
        dice = random.Random(f"{seed}-{case}")
        way = next(mutations(folder, dice))
        try:
            way()
            codes.append(survives(folder))
        except BaseException as error:
            error.add_note(f"seed {seed}, case {case}: {way.__name__}")
            raise
    return codes


def test_eight_damaged_sessions(damaged: Callable[[], Path]) -> None:
    codes = _batter(damaged, SEED, 8)
    assert codes.count(0) >= 3, "most damage can be mended"


@pytest.mark.slow
def test_two_hundred_damaged_sessions(damaged: Callable[[], Path]) -> None:
    codes = _batter(damaged, SEED + 1, 200)
    assert codes.count(0) > 100


@rows(
    ("place", "value", "words"),
    [
        (("input", "paths"), [], "paths"),
        (("input", "title"), 5, "title"),
        (("input", "bytes"), "many", "bytes"),
        (("settings", "jobs"), 10**9, "jobs"),
        (("settings", "jobs"), "2", "jobs"),
        (("settings", "predicate"), 7, "predicate"),
        (("settings", "keep"), "a", "keep"),
        (("settings", "time_limit"), "long", "time limit"),
        (("made", "output"), ["x"], "output"),
        (("schema",), "1", "schema"),
    ],
)
def test_edited_settings_are_a_sentence(
    damaged: Callable[[], Path], place: tuple[str, ...], value: object, words: str
) -> None:
    folder = damaged()
    path = folder / "s.jarlet" / "settings.json"
    values = found = json.loads(path.read_text())
    for key in place[:-1]:
        found = found[key]
    found[place[-1]] = value
    path.write_text(json.dumps(values))
    code, out, err = run(folder, "reduce", "--resume", "s.jarlet")
    assert (code, out) == (2, "")
    assert "settings.json" in err
    assert words in err
    assert err.count("\n") == 1


def test_a_journal_whose_first_page_is_lost_is_saved_whole(damaged: Callable[[], Path], tmp_path: Path) -> None:
    folder = damaged()
    path = folder / "s.jarlet" / "journal.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("SELECT count(*) FROM probes").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[100:4096] = os.urandom(3996)
    path.write_bytes(data)
    fresh = Journal(tmp_path / "fresh.sqlite", new=True)
    assert salvage(path, fresh) == before > 5
    fresh.close()
    code, out, err = run(folder, "reduce", "--resume", "s")
    assert code == 0, err
    assert f"{before} of its verdicts could be saved" in err
    assert "(0 of the search" in out


def test_a_session_of_version_1_goes_on(damaged: Callable[[], Path]) -> None:
    folder = damaged()
    assert make_old(folder / "s.jarlet" / "journal.sqlite") > 3
    code, out, err = run(folder, "reduce", "--resume", "s")
    assert code == 0, err
    assert "(0 of the search" in out, "what was found out is not asked again"
    assert _names(folder / "out.jar") == {"p/C3.class", "p/C7.class"}


def test_no_name_in_a_journal_leads_out_of_the_session(damaged: Callable[[], Path]) -> None:
    folder = damaged()
    with closing(sqlite3.connect(folder / "s.jarlet" / "journal.sqlite")) as connection:
        connection.execute("UPDATE steps SET file = '../../in.jar'")
        connection.commit()
    before = (folder / "in.jar").read_bytes()
    assert all(step.jar is None for step in histories.steps(folder / "s.jarlet"))
    assert survives(folder) == 0
    assert (folder / "in.jar").read_bytes() == before


def test_a_broken_session_does_not_hide_the_others(damaged: Callable[[], Path]) -> None:
    whole = damaged()
    sessions_folder().mkdir(parents=True)
    for name, text in (("a", "{"), ("b", None), ("c", '{"schema": 1e999}'), ("d", '{"schema": 1, "input": []}')):
        place = sessions_folder() / f"{name}.jarlet"
        shutil.copytree(whole / "s.jarlet", place)
        (place / "report.json").unlink()
        if text is not None:
            (place / "settings.json").write_text(text)
        (place / "lock").write_text(f"{10**30}\n")
    strange = sessions_folder() / "e.jarlet"
    shutil.copytree(sessions_folder() / "b.jarlet", strange)
    values = json.loads((strange / "settings.json").read_text())
    values["input"]["relative"] = []
    (strange / "settings.json").write_text(json.dumps(values))
    assert [Path(one.path).name for one in retention.sessions().kept] == ["b.jarlet"]


def _names(jar: Path) -> set[str]:
    with zipfile.ZipFile(jar) as archive:
        return set(archive.namelist())


def _class(name: str) -> bytes:
    """A class file with nothing in it."""
    constants = b"".join(
        (b"\x01" + len(text).to_bytes(2, "big") + text.encode()) + b"\x07" + number.to_bytes(2, "big")
        for number, text in ((1, name), (3, "java/lang/Object"))
    )
    head = b"\xca\xfe\xba\xbe\0\0\0\x34\0\x05" + constants
    return head + b"\0\x21\0\x02\0\x04\0\0\0\0\0\0\0\0"
