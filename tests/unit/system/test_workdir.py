"""Folders for temporary files: what a start sweeps, and what it leaves alone."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from core.system.removal import remove
from core.system.work_folder import RUNS_KEPT, WorkFolder, keep_last


def dead(base: Path, name: str = "jarlet-dead") -> Path:
    """The folder of a run that was killed."""
    with WorkFolder(base) as work:
        shutil.copytree(work.path, base / name)
    return base / name


def test_only_what_carries_our_mark_is_swept(tmp_path: Path) -> None:
    base, elsewhere = tmp_path / "base", tmp_path / "elsewhere"
    base.mkdir()
    elsewhere.mkdir()
    foreign = base / "jarlet-app"
    foreign.mkdir()
    (foreign / "lock").touch()
    session = dead(base, "jarlet-session")
    (session / "settings.json").write_text("{}")
    linked = dead(elsewhere)
    (base / "jarlet-link").symlink_to(linked)
    fifo = base / "jarlet-fifo"
    fifo.mkdir()
    os.mkfifo(fifo / "lock")
    old = base / ".jarlet-new-theirs"
    old.mkdir()
    (old / "precious").touch()
    swept = [dead(base), base / ".jarlet-new-ours"]
    swept[1].mkdir()
    for path in (old, swept[1]):
        os.utime(path, (0, 0))
    (swept[0] / "out").symlink_to(linked)
    WorkFolder(base).close()
    assert not any(path.exists() for path in swept)
    assert {path.name for path in base.iterdir()} == {
        "jarlet-app", "jarlet-session", "jarlet-link", "jarlet-fifo", ".jarlet-new-theirs",
    }  # fmt: skip
    assert (linked / "lock").is_file()


def test_a_link_goes_and_its_target_stays(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "file").touch()
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "link").symlink_to(tmp_path / "target")
    (tmp_path / "top").symlink_to(tmp_path / "target")
    assert remove(tmp_path / "tree") == remove(tmp_path / "top") == remove(tmp_path / "none") == ()
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
    assert (tmp_path / "target" / "file").exists()


def test_the_folders_of_the_last_failed_checks_stay_and_older_ones_go(tmp_path: Path) -> None:
    foreign = tmp_path / "jarlet-check-mine"
    foreign.mkdir()
    kept = []
    for number in range(RUNS_KEPT + 2):
        work = tmp_path / f"work-{number}"
        work.mkdir()
        (work / "candidate.jar").write_text(str(number))
        kept.append(keep_last(work, tmp_path))
        os.utime(kept[-1].parent, ns=(number, number))
    assert [path.exists() for path in kept] == [False, False, *[True] * RUNS_KEPT]
    assert (kept[-1] / "candidate.jar").read_text() == str(RUNS_KEPT + 1)
    assert foreign.is_dir()
