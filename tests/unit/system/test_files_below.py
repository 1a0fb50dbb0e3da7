"""The files below a folder."""

from __future__ import annotations

import os
from pathlib import Path

from core.system.removal import files_below, remove

DEEP = 2100
"""Number of folders inside one another: the path of the last one is longer than the system allows."""


def names(folder: Path, *left_out: str) -> list[str]:
    return sorted(os.path.relpath(entry.path, folder) for entry in files_below(folder, left_out))


def test_all_that_is_no_folder_is_there(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "a" / "pipe")
    assert names(tmp_path) == ["a/b/file", "a/pipe", "link"]
    assert names(tmp_path, "b") == ["a/pipe", "link"]
    assert names(tmp_path / "gone") == []


def test_any_depth(tmp_path: Path) -> None:
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(DEEP):
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=place))
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    assert 1000 < sum(1 for _ in files_below(tmp_path, ())) < DEEP
    remove(tmp_path / "d")
