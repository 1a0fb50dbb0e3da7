"""Removing trees that somebody else filled: what is locked, foreign, deep or mounted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.system.removal import remove
from core.system.work_folder import WorkFolder

ROOT = Path(__file__).resolve().parents[3]
NOBODY = 65534


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in which the test is an ordinary user, whoever runs it: root may enter and remove anything."""
    base = Path(tempfile.mkdtemp())
    folder = base / "place"
    folder.mkdir()
    root = os.geteuid() == 0
    if root:
        base.chmod(0o755)
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        subprocess.run(["chmod", "-R", "u+rwx", base], check=True)
        shutil.rmtree(base)


def locked(folder: Path, mode: int = 0) -> Path:
    """A folder with a file in it that nobody is let into."""
    folder.mkdir(parents=True)
    (folder / "file").touch()
    folder.chmod(mode)
    return folder


@pytest.mark.parametrize("mode", [0, 0o111, 0o444, 0o555])
def test_permissions_of_our_own_folders_do_not_matter(place: Path, mode: int) -> None:
    tree = place / "tree"
    locked(tree / "open" / "inner", mode)
    locked(tree / "other", mode)
    tree.chmod(mode)
    assert remove(tree) == ()
    assert list(place.iterdir()) == []


def test_a_locked_folder_far_down_goes_too(place: Path) -> None:
    tree = place / "tree"
    deep = tree.joinpath(*(f"d{number}" for number in range(70)))
    locked(deep / "locked")
    (deep / "beside").touch()
    assert remove(tree) == ()
    assert not tree.exists()


def test_what_may_not_be_removed_is_named_and_the_rest_goes(place: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can make what a user may not remove")
    tree = place / "tree"
    (tree / "mine").mkdir(parents=True)
    os.seteuid(0)
    locked(tree / "inner" / "theirs")
    os.chown(tree / "inner", NOBODY, NOBODY)
    (tree / "inner" / "theirs").chmod(0o755)
    os.seteuid(NOBODY)
    stuck = remove(tree)
    assert str(tree / "inner" / "theirs" / "file") in stuck
    assert sorted(path.name for path in tree.rglob("*")) == ["file", "inner", "theirs"]
    place.chmod(0o555)
    (tree / "inner").chmod(0o700)
    assert remove(place / "tree") != ()
    assert remove(place / "tree" / "nothing" / "here") == ()


def test_the_last_file_stays_as_long_as_anything_else_does(place: Path) -> None:
    """By its file for the lock a start knows what a killed one left, also in the middle of its removal."""
    if os.getuid() != 0:
        pytest.skip("only root can make what a user may not remove")
    tree = place / "tree"
    tree.mkdir()
    for name in ("a", "lock", "z"):
        (tree / name).touch()
    os.seteuid(0)
    locked(tree / "theirs", 0o755)
    os.seteuid(NOBODY)
    assert remove(tree, last="lock") == (str(tree / "theirs" / "file"),)
    assert sorted(path.name for path in tree.iterdir()) == ["lock", "theirs"]
    os.seteuid(0)
    shutil.rmtree(tree / "theirs")
    os.seteuid(NOBODY)
    (tree / "deep" / "lock").mkdir(parents=True)
    assert remove(tree, last="lock") == ()
    assert not tree.exists()


def test_a_file_in_a_locked_folder_is_named(place: Path) -> None:
    folder = locked(place / "folder", 0o555)
    assert remove(folder / "file") == (str(folder / "file"),)
    folder.chmod(0)
    assert remove(folder / "file") == (str(folder / "file"),)
    assert remove(folder / "none" / "file") == (str(folder / "none" / "file"),)


MOUNTS = """
import subprocess, sys
from pathlib import Path
from core.system.removal import remove
tree = Path(sys.argv[1])
for folder in (tree / "inner", tree / "top"):
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    (folder / "precious").touch()
(tree / "file").touch()
assert remove(tree / "top") == (str(tree / "top"),)
assert set(remove(tree)) == {str(tree / "inner"), str(tree / "top")}
assert (tree / "inner" / "precious").exists() and not (tree / "file").exists()
"""


def test_nothing_goes_where_another_file_system_is_mounted(tmp_path: Path) -> None:
    command = ["unshare", "--mount", sys.executable, "-c", MOUNTS, str(tmp_path / "tree")]
    may = subprocess.run([*command[:2], "mount", "-t", "tmpfs", "none", tmp_path], capture_output=True, check=False)
    if may.returncode:
        pytest.skip("nothing can be mounted here")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


REMAINS = """
import subprocess, sys
from pathlib import Path
from core.system.work_folder import WorkFolder
base, kind = Path(sys.argv[1]), sys.argv[2]
folder = WorkFolder(base)
inner = folder.path / "probe 1"
inner.mkdir()
(inner / "file").touch()
if kind == "immutable":
    subprocess.run(["chattr", "+i", inner], check=True)
elif kind == "mount":
    subprocess.run(["mount", "-t", "tmpfs", "none", inner], check=True)
elif kind == "parent":
    subprocess.run(["chattr", "+i", base], check=True)
told = folder.close()
print(told)
command = told.partition(": remove it with ")[2]
assert command and folder.path.is_dir(), told
subprocess.run(command, shell=True, check=True)
assert not folder.path.exists()
subprocess.run(["chattr", "-i", base], check=True)
"""


@pytest.mark.parametrize("kind", ["immutable", "mount", "parent"])
def test_a_work_folder_that_stays_is_told_with_the_command_that_removes_it(tmp_path: Path, kind: str) -> None:
    if shutil.which("chattr") is None:
        pytest.skip("there is no chattr: Debian's package e2fsprogs has it")
    (tmp_path / "file").touch()
    may = subprocess.run(["chattr", "+i", tmp_path / "file"], capture_output=True, check=False)
    if may.returncode or subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("only root can do that, and not on every file system")
    subprocess.run(["chattr", "-i", tmp_path / "file"], check=True)
    command = ["unshare", "--mount", sys.executable, "-c", REMAINS, str(tmp_path), kind]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    subprocess.run(["chattr", "-R", "-i", tmp_path], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\n") == 1
    assert {"immutable": "is immutable", "mount": "is a mount", "parent": f"{tmp_path} is immutable"}[
        kind
    ] in done.stdout


def test_a_folder_in_a_place_that_may_not_be_written_to_is_told(place: Path) -> None:
    folder = WorkFolder(place)
    place.chmod(0o555)
    told = folder.close()
    assert f"({place} may not be written to): remove it with chmod u+w {place} && rm -rf {folder.path}" in told
    subprocess.run(told.partition(": remove it with ")[2], shell=True, check=True)
    assert not folder.path.exists()
