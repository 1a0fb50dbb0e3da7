"""Writing jars and folders: the same bytes each time, whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from core.archive.jar import read_jar, write_folder, write_jar
from core.errors import OutputError

ENTRIES = [
    ("META-INF/", b""),
    ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\n\r\n"),
    ("b/\u00e9.class", os.urandom(5000)),
    ("a/A.class", b"a" * 5000),
    ("empty", b""),
]


def test_round_trip_in_order(tmp_path: Path) -> None:
    size = write_jar(tmp_path / "x.jar", ENTRIES)
    assert size == (tmp_path / "x.jar").stat().st_size
    assert read_jar([tmp_path / "x.jar"]).contents == ENTRIES


def test_same_bytes_whatever_the_target_and_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_jar(tmp_path / "x.jar", ENTRIES)
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    write_jar(tmp_path / "y.jar", iter(ENTRIES))
    assert (tmp_path / "x.jar").read_bytes() == (tmp_path / "y.jar").read_bytes()
    with zipfile.ZipFile(tmp_path / "y.jar") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.extra for info in archive.infolist()} == {b""}


def test_java_reads_it(tmp_path: Path) -> None:
    write_jar(tmp_path / "x.jar", ENTRIES)
    run = subprocess.run(["jar", "tf", tmp_path / "x.jar"], capture_output=True, check=True, encoding="utf-8")
    assert run.stdout.splitlines()[3] == "a/A.class"


def test_replaces_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    target = tmp_path / "x.jar"
    target.write_text("old")
    write_jar(target, ENTRIES, durable=False)
    assert zipfile.is_zipfile(target)
    assert list(tmp_path.iterdir()) == [target]


def test_rights_follow_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_jar(tmp_path / "x.jar", ENTRIES)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "x.jar").stat().st_mode) == 0o640


def test_writes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.jar").symlink_to(tmp_path / "real" / "x.jar")
    write_jar(tmp_path / "link.jar", ENTRIES)
    assert (tmp_path / "link.jar").is_symlink()
    assert zipfile.is_zipfile(tmp_path / "real" / "x.jar")


def test_failure_half_way_keeps_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "x.jar"
    target.write_text("old")

    def entries():
        yield "a", b"a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_jar(target, entries())
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("missing/x.jar", "No such file"),
        ("folder", "it is a folder"),
        ("/dev/null", "not an ordinary file"),
        ("file/x.jar", "Not a directory"),
        ("n" * 300, "too long"),
        ("a\0b", "null (byte|character)"),
    ],
)
def test_targets_that_cannot_be_written(tmp_path: Path, target: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=reason) as caught:
        write_jar(tmp_path / target, ENTRIES)
    assert target.replace("\0", "\\x00") in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_device_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_jar(Path("/dev/null"), ENTRIES)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_folder(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "classes"
    assert write_folder(target, [*ENTRIES, ("d/", b"")]) == sum(len(data) for _, data in ENTRIES)
    for name, data in ENTRIES[1:]:
        assert (target / name).read_bytes() == data
    assert (target / "d").is_dir()
    assert write_folder(tmp_path / "nothing", []) == 0
    assert (tmp_path / "nothing").is_dir()


@pytest.mark.parametrize("name", ["../evil", "/evil", "a\\b", ""])
def test_folder_refuses_to_write_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write_folder(tmp_path / "x", [(name, b"")])
    assert not (tmp_path / "evil").exists()


def test_folder_with_a_file_in_the_way(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="entry a/b cannot be a file, beside the entry a"):
        write_folder(tmp_path, [("a", b""), ("a/b", b"")])
    (tmp_path / "f").write_text("")
    with pytest.raises(OutputError, match="cannot be"):
        write_folder(tmp_path / "f", [])
