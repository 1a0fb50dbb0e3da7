"""Files that a command leaves in the folder of its run."""

from __future__ import annotations

import os

from core.evidence.left_files import left_files

TRACE = 'Exception in thread "main" java.lang.IllegalStateException: x\n\tat p.A.f(A.java:3)\n'


def test_a_stack_trace_in_a_file_is_found(tmp_path):
    (tmp_path / "log.txt").write_text(TRACE)
    (tmp_path / "other.txt").write_text("nothing")
    assert [file.name for file in left_files(tmp_path)] == ["log.txt"]


def test_neither_links_nor_pipes_are_read(tmp_path):
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "log.txt").write_text(TRACE)
    (folder / "link").symlink_to(elsewhere / "log.txt")
    (folder / "links").symlink_to(elsewhere)
    os.mkfifo(folder / "pipe")
    assert left_files(folder) == []


def test_a_folder_that_became_a_link_is_not_read(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "log.txt").write_text(TRACE)
    (tmp_path / "folder").symlink_to(elsewhere)
    assert left_files(tmp_path / "folder") == []
