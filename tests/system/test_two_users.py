"""Two users with one folder for temporary files, as in ``/tmp``: neither removes, ends or reads what is the other's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.system.removal import remove
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
NOBODY = 54321

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can be another user"),
]


@dataclass(frozen=True)
class User:
    """A user with a home of its own, and the folder that all users share."""

    number: int
    home: Path
    shared: Path

    def start(self, *words: object, python: str = sys.executable) -> subprocess.Popen[str]:
        """Start a program of Python as this user; by default Jarlet."""
        become = ["setpriv", f"--reuid={self.number}", f"--regid={self.number}", "--clear-groups"]
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "TMPDIR": str(self.shared),
            "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [*(become if self.number else ()), python, *map(str, words)]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=self.home, env=environment, **streams)  # type: ignore[call-overload,no-any-return]

    def check(self, predicate: str, jar: Path, python: str) -> subprocess.Popen[str]:
        return self.start(
            "-m", "app", "check", jar, "--predicate", predicate, "--runs", 1, "--timeout", 900, python=python
        )

    def folders(self) -> set[Path]:
        """Return this user's folders among those of all users."""
        return {path for path in self.shared.iterdir() if path.lstat().st_uid == self.number}


@pytest.fixture
def users() -> Iterator[tuple[User, User]]:
    """Root and a user without rights, with one sticky folder, which lies where both can go."""
    base = Path(tempfile.mkdtemp(dir="/tmp"))
    base.chmod(0o755)
    found = [User(number, base / str(number), base / "shared") for number in (0, NOBODY)]
    for user in found:
        user.home.mkdir(mode=0o700)
        os.chown(user.home, user.number, user.number)
    (base / "shared").mkdir()
    (base / "shared").chmod(0o1777)
    yield found[0], found[1]
    remove(base)


@pytest.fixture
def python(users: tuple[User, User]) -> str:
    """A Python that the other user may start and that has what Jarlet needs."""
    for python in PYTHONS:
        child = (
            users[1].start("-c", "import app.cli, numpy, networkx", python=python) if Path(python).exists() else None
        )
        if child is not None and not child.communicate()[1]:
            return python
    pytest.skip("the other user may start no Python that has what Jarlet needs")


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + patience()
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_neither_removes_nor_ends_what_is_the_others(
    users: tuple[User, User], python: str, sample_jar: Path, processes: Callable[[str], list[int]]
) -> None:
    """Each has a run that goes on, the remains of one that was killed, and starts another one."""
    jar = users[0].shared.parent / "input.jar"
    shutil.copyfile(sample_jar, jar)
    go = users[0].shared.parent / "go"
    running, dead = {}, {}
    for user in users:
        waits = f"sh -c 'touch {user.home}/waits; until [ -e {go} ]; do sleep 0.1; done'"
        running[user] = user.check(waits, jar, python)
        until((user.home / "waits").exists)
    for user in users:
        before = user.folders()
        killed = user.check(f"sh -c 'touch {user.home}/hangs; exec sleep 77{user.number}'", jar, python)
        until((user.home / "hangs").exists)
        (dead[user],) = user.folders() - before
        killed.kill()
        killed.communicate()
    for user, other in (users, users[::-1]):
        assert dead[user].is_dir()
        assert processes(f"sleep 77{user.number}")
        child = user.check("true", jar, python)
        said = child.communicate()[1]
        assert child.returncode == 0, said
        assert not dead[user].exists()
        assert not processes(f"sleep 77{user.number}")
        assert other is users[0] or (dead[other].is_dir() and processes(f"sleep 77{other.number}"))
    assert {path.stat().st_mode & 0o777 for user in users for path in user.folders()} == {0o700}
    go.touch()
    for child in running.values():
        said = child.communicate(timeout=patience())[1]
        assert child.returncode == 0, said
    assert list(users[0].shared.iterdir()) == []


FORGE = """
import os, sys
from pathlib import Path
shared, theirs, mark = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
try:
    os.listdir(theirs)
except PermissionError:
    pass
else:
    sys.exit("the other one's folder can be read")
for name in ("jarlet-forged", ".jarlet-new-forged", "jarlet-check-forged"):
    (shared / name).mkdir()
    (shared / name / "lock").write_text(mark)
    (shared / name / "precious").touch()
for name in ("jarlet-link", ".jarlet-new-link", "jarlet-check-link"):
    (shared / name).symlink_to(theirs)
"""


def test_folders_that_the_other_one_forged_are_left_and_end_nothing(
    users: tuple[User, User], python: str, sample_jar: Path
) -> None:
    """They carry the mark of a run that goes on, which its user's next start would take for dead."""
    root, other = users
    go = root.home / "go"
    waits = f"sh -c 'touch {root.home}/waits; until [ -e {go} ]; do sleep 0.1; done'"
    running = root.check(waits, sample_jar, python)
    until((root.home / "waits").exists)
    (folder,) = root.folders()
    child = other.start("-c", FORGE, root.shared, folder, (folder / "lock").read_text(), python=python)
    said = child.communicate()[1]
    assert child.returncode == 0, said
    forged = other.folders()
    assert len(forged) == 6
    for predicate, code in (("true", 0), ("false", 1)):
        child = root.check(predicate, sample_jar, python)
        said = child.communicate()[1]
        assert child.returncode == code, said
    assert other.folders() == forged
    assert len(list(root.shared.glob("*forged/precious"))) == 3
    go.touch()
    said = running.communicate(timeout=patience())[1]
    assert running.returncode == 0, said
