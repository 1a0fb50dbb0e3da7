"""The zip writer, read back by others: the standard library and the JDK."""

import io
import subprocess
import zipfile
import zlib

import pytest

from core.archive.packer import Packer

ENTRIES = [
    ("META-INF/", b""),
    ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\r\n\r\n"),
    ("a/Größe.txt", "ä".encode()),
    ("empty", b""),
    ("long", bytes(range(256)) * 1000),
]


def test_what_is_packed_is_read_back_by_others(tmp_path):
    path = tmp_path / "x.jar"
    path.write_bytes(b"".join(Packer().pack(ENTRIES)))
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert [(info.filename, archive.read(info)) for info in archive.infolist()] == ENTRIES
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.getinfo("META-INF/").is_dir()
        assert archive.getinfo("long").compress_size < 2000
    listed = subprocess.run(["jar", "tf", path], capture_output=True, text=True, check=True).stdout.splitlines()
    assert [name for name, _ in ENTRIES] == listed


def test_a_packer_that_knows_the_entries_gives_the_same_bytes():
    packer = Packer()
    first = b"".join(packer.pack(ENTRIES))
    assert b"".join(packer.pack(ENTRIES[2:])) == b"".join(Packer().pack(ENTRIES[2:]))
    assert b"".join(packer.pack(ENTRIES)) == first == b"".join(Packer().pack(ENTRIES))


@pytest.mark.parametrize("count", [65_535, 65_536, pytest.param(70_000, marks=pytest.mark.slow)])
def test_more_entries_than_a_plain_zip_can_count(count):
    data = b"".join(Packer().pack((f"f{number}", b"x") for number in range(count)))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert len(archive.namelist()) == count
        assert archive.read(f"f{count - 1}") == b"x"


def test_no_entries_make_an_empty_archive():
    with zipfile.ZipFile(io.BytesIO(b"".join(Packer().pack([])))) as archive:
        assert archive.namelist() == []


def test_a_packer_forgets_what_is_too_much():
    packer = Packer(remembered=5000)
    for number in range(200):
        packer.learn([bytes([number]) * 1000])
        assert packer.held <= 5000
    assert b"".join(packer.pack(ENTRIES)) == b"".join(Packer().pack(ENTRIES))


def test_what_is_kept_is_never_compressed_again(monkeypatch: pytest.MonkeyPatch):
    packer = Packer(remembered=5000)
    own = [bytes([number]) * 4000 for number in range(9)]
    packer.keep(own)
    expected = b"".join(Packer().pack([("f", data) for data in own]))
    packer.learn(bytes([number]) * 3000 for number in range(9))
    monkeypatch.setattr(zlib, "compressobj", None)
    assert b"".join(packer.pack([("f", data) for data in own])) == expected
