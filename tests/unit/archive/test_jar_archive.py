"""Reading inputs: what comes in, and every way in which it can be unusable."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest

from core.archive.jar import EntryKind, read_jar
from core.archive.packer import write_folder
from core.errors import InputError, OutputError

CLASS = b"\xca\xfe\xba\xbe not really"


def make_zip(path: Path, entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.writestr(info, data)
    return path


def patch_headers(path: Path, local_offset: int, central_offset: int, format_: str, value: int) -> None:
    """Overwrites a field in every local and central header of a zip."""
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", local_offset), (b"PK\x01\x02", central_offset)):
        at = data.find(mark)
        while at >= 0:
            struct.pack_into(format_, data, at + offset, value)
            at = data.find(mark, at + 4)
    path.write_bytes(data)


def message(*paths: Path | str, **options: int) -> str:
    with pytest.raises(InputError) as caught:
        read_jar(paths, **options)
    text = str(caught.value)
    assert "Traceback" not in text
    return text


def test_kinds_and_order(tmp_path: Path) -> None:
    names = {
        "META-INF/": EntryKind.DIRECTORY,
        "META-INF/MANIFEST.MF": EntryKind.RESOURCE,
        "META-INF/ME.SF": EntryKind.SIGNATURE,
        "META-INF/me.rsa": EntryKind.SIGNATURE,
        "META-INF/ME.DSA": EntryKind.SIGNATURE,
        "META-INF/ME.EC": EntryKind.SIGNATURE,
        "META-INF/SIG-X": EntryKind.SIGNATURE,
        "META-INF/deeper/ME.SF": EntryKind.RESOURCE,
        "b/B.class": EntryKind.CLASS,
        "a/A.class": EntryKind.CLASS,
        "META-INF/versions/9/a/A.class": EntryKind.CLASS,
        "WEB-INF/classes/c/C.class": EntryKind.CLASS,
        "WEB-INF/lib/x.jar": EntryKind.NESTED,
        "a/caf\u00e9.txt": EntryKind.RESOURCE,
    }
    path = make_zip(tmp_path / "x.war", dict.fromkeys(names, b"x"))
    jar = read_jar([path])
    assert {entry.name: entry.kind for entry in jar.entries} == names
    assert [entry.name for entry in jar.entries] == list(names)
    assert jar.title == "x.war"
    assert jar.paths == (path,)
    assert [text.partition(":")[0] for text in jar.warnings] == [
        "Jars inside are whole, each kept or removed as one, and serve as libraries"
    ]
    assert [jar.entries[index].name for index in jar.classes()][:2] == ["b/B.class", "a/A.class"]


def test_utf8_names_without_the_flag(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"a/\u00e9.class": CLASS})
    patch_headers(path, 6, 8, "<H", 0)
    assert [entry.name for entry in read_jar([path]).entries] == ["a/\u00e9.class"]


def test_names_in_another_encoding_are_read_somehow(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"a/X.class": CLASS})
    path.write_bytes(path.read_bytes().replace(b"a/X.class", b"a/\x82.class"))
    assert [entry.name for entry in read_jar([path]).entries] == ["a/\u00e9.class"]


def test_folder_is_sorted_with_the_manifest_first(tmp_path: Path) -> None:
    for name in ("b/B.class", "a/A.class", "META-INF/MANIFEST.MF", "B.class"):
        file = tmp_path / "classes" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(CLASS)
    jar = read_jar([tmp_path / "classes"])
    assert [e.name for e in jar.entries] == ["META-INF/MANIFEST.MF", "B.class", "a/A.class", "b/B.class"]
    assert jar.title == "classes"


def test_folder_leaves_special_files_out(tmp_path: Path) -> None:
    (tmp_path / "A.class").write_bytes(CLASS)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path)
    jar = read_jar([tmp_path])
    assert [entry.name for entry in jar.entries] == ["A.class"]
    assert len(jar.warnings) == 1
    assert "pipe" in jar.warnings[0]
    assert "loop" in jar.warnings[0]


def test_folder_refuses_names_that_mean_something_else_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "a\\b.class").write_bytes(CLASS)
    assert "backslash" in message(tmp_path)


def test_folder_refuses_names_that_are_no_utf8(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff.class", "wb") as file:
        file.write(CLASS)
    assert "not valid UTF-8" in message(tmp_path)


def test_several_inputs_are_joined_to_one_jar_where_that_is_wanted(tmp_path: Path) -> None:
    one = make_zip(tmp_path / "one.jar", {"A.class": b"one", "META-INF/X.SF": b"", "B.class": b"b"})
    two = make_zip(tmp_path / "two.jar", {"A.class": b"two", "C.class": b"c"})
    jar = read_jar([one, str(two)], merge=True)
    assert [(e.name, e.data) for e in jar.entries] == [("A.class", b"one"), ("B.class", b"b"), ("C.class", b"c")]
    assert jar.title == "one.jar + 1"
    assert len(jar.warnings) == 2
    assert "A.class" in jar.warnings[0]
    assert "X.SF" in jar.warnings[1]


def test_the_last_of_equal_names_counts_as_in_the_jvm(tmp_path: Path, compile_java) -> None:
    source = 'public class Main { public static void main(String[] a) { System.out.print("first"); } }'
    first = (compile_java({"Main.java": source}) / "Main.class").read_bytes()
    last = first.replace(b"\x05first", b"\x04last")
    path = tmp_path / "x.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Main.class", first)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("Main.class", last)
    jar = read_jar([path])
    assert [entry.data for entry in jar.entries] == [last]
    assert "more than one entry" in jar.warnings[0]
    run = subprocess.run(["java", "-Xshare:auto", "-cp", path, "Main"], capture_output=True, check=True)
    assert run.stdout == b"last"


@pytest.mark.parametrize("name", ["gone.jar", "gone/classes"])
def test_missing(tmp_path: Path, name: str) -> None:
    assert f"{tmp_path / name}: there is no such" in message(tmp_path / name)


def test_nothing_named() -> None:
    assert "No input given" in message()


def test_text_file_named_jar(tmp_path: Path) -> None:
    (tmp_path / "x.jar").write_text("I am a text file. " * 20)
    assert "not a jar, war or zip" in message(tmp_path / "x.jar")


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "x.jar").write_bytes(b"")
    assert "is empty" in message(tmp_path / "x.jar")


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9, 0.99])
def test_truncated(tmp_path: Path, part: float) -> None:
    path = make_zip(tmp_path / "x.jar", {f"A{n}.class": os.urandom(200) for n in range(50)})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    assert "truncated" in message(path)


def test_any_damage_gives_a_message_or_the_bytes(tmp_path: Path) -> None:
    """Each byte of a small zip is changed in turn: nothing but InputError may come out."""
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS * 3, "b/": b"", "b/B.class": CLASS})
    whole = path.read_bytes()
    right = {entry.data for entry in read_jar([path]).entries}
    refused = set()
    for at in range(len(whole)):
        for value in (0xFF, whole[at] ^ 0x01):
            path.write_bytes(whole[:at] + bytes([value]) + whole[at + 1 :])
            try:
                jar = read_jar([path])
            except InputError as error:
                refused.add(str(error).startswith(f"{path}: "))
            else:
                assert {entry.data for entry in jar.entries} <= right
    assert refused == {True}


@pytest.mark.parametrize("flag", [0x1, 0x41])
def test_encrypted(tmp_path: Path, flag: int) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS})
    patch_headers(path, 6, 8, "<H", flag)
    assert "A.class is encrypted" in message(path)


def test_wrong_checksum(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"really", b"REALLY"))
    assert "A.class is damaged" in message(path)


def test_corrupt_deflate_stream(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": b"\x00" * 1000})
    data = bytearray(path.read_bytes())
    start = data.index(b"A.class") + len(b"A.class")
    data[start] = 0xFF  # a block type that does not exist
    path.write_bytes(data)
    assert "A.class is damaged" in message(path)


def test_compression_that_the_jvm_cannot_read(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS}, zipfile.ZIP_BZIP2)
    assert "compression" in message(path)


def test_no_class_in_it(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"readme.txt": b"hello"})
    assert "no class file" in message(path)
    (tmp_path / "empty").mkdir()
    assert "no class file" in message(tmp_path / "empty")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    assert "no class file" in message(tmp_path / "empty.zip")


def test_only_jars_in_it(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.war", {"WEB-INF/lib/a.jar": b"PK"})
    assert "jars inside" in message(path)


def test_bomb_that_declares_its_size(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": bytes(60_000), "B.class": bytes(60_000)})
    assert "zip bomb" in message(path, limit=100_000)
    assert read_jar([path], limit=120_000).size == 120_000


def test_bomb_that_hides_its_size(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": bytes(50_000_000)})
    assert path.stat().st_size < 100_000
    patch_headers(path, 22, 24, "<I", 10)
    assert "damaged" in message(path, limit=100_000)


def test_declared_size_that_is_too_large(tmp_path: Path) -> None:
    data = b"x" * 100
    path = make_zip(tmp_path / "x.jar", {"A.class": data})
    patch_headers(path, 22, 24, "<I", 1_000_000)
    patch_headers(path, 14, 16, "<I", zlib.crc32(data))
    assert "damaged" in message(path)


def test_bomb_over_several_inputs_and_folders(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": bytes(600)})
    folder = tmp_path / "classes"
    folder.mkdir()
    (folder / "B.class").write_bytes(bytes(600))
    assert "zip bomb" in message(path, folder, limit=1000)
    assert "zip bomb" in message(folder, path, limit=1000)


@pytest.mark.parametrize(
    "name", ["../evil.class", "a/../../evil.class", "/etc/evil.class", "C:/evil.class", "a\\b.class", "..", "/"]
)
def test_names_that_lead_out(tmp_path: Path, name: str) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS, name: CLASS})
    text = message(path)
    assert repr(name) in text
    assert "refused" in text


def test_name_with_nul(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS, "evil.class_jpg": CLASS})
    path.write_bytes(path.read_bytes().replace(b"evil.class_jpg", b"evil.class\0jpg"))
    assert "NUL" in message(path)


def test_special_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jar")
    for path in (tmp_path / "pipe.jar", Path("/dev/null")):
        assert "neither a file nor a folder" in message(path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert "neither a file nor a folder" in message(tmp_path / "s")


def test_impossible_paths(tmp_path: Path) -> None:
    assert "cannot be read" in message("a\0b.jar")
    assert "cannot be read" in message(tmp_path / ("x" * 300))
    (tmp_path / "loop.jar").symlink_to(tmp_path / "loop.jar")
    assert "cannot be read" in message(tmp_path / "loop.jar")


def test_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS})
    path.chmod(0)
    try:
        if os.geteuid():
            assert "cannot be read (Permission denied)" in message(path)
            return
        # The superuser may read everything: ask as somebody else.
        script = f"""
import os
from core.archive.jar import read_jar
os.setuid(65534)
try:
    read_jar([{str(path)!r}])
except Exception as error:
    print(type(error).__name__, error)
"""
        root = Path(__file__).parents[3]
        run = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
        assert run.stdout.startswith("InputError")
        assert "cannot be read (Permission denied)" in run.stdout
    finally:
        path.chmod(0o600)


def test_the_input_is_only_read(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "x.jar", {"A.class": CLASS})
    path.chmod(0o400)
    before = path.stat(), path.read_bytes()
    read_jar([path])
    after = path.stat(), path.read_bytes()
    assert (before[0].st_mtime_ns, before[0].st_ino, before[1]) == (after[0].st_mtime_ns, after[0].st_ino, after[1])
    assert sorted(tmp_path.iterdir()) == [path]


def _jar(path: Path, *entries: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def test_service_files_of_several_inputs_are_joined(tmp_path: Path) -> None:
    service = "META-INF/services/p.S"
    one = _jar(tmp_path / "a.jar", ("A.class", b"a"), (service, b"# ours\np.A # first\np.B"))
    two = _jar(tmp_path / "b.jar", ("B.class", b"b"), (service, b"# theirs\np.B\np.C\np.C\n"))
    jar = read_jar([one, two], merge=True)
    assert {entry.name: entry.data for entry in jar.entries}[service] == b"# ours\np.A # first\np.B\np.C\n"
    assert jar.warnings == ()


def test_what_a_manifest_says_of_other_jars_does_not_stay_when_inputs_are_joined(tmp_path: Path) -> None:
    first, rest = b"Manifest-Version: 1.0\r\n", b"Main-Class: A\r\n\r\nName: p/\r\nSealed: true\r\n"
    manifest = first + b"Class-Path: lib/x.jar\r\n  b.jar\r\n" + rest
    entries = (("META-INF/MANIFEST.MF", manifest), ("META-INF/INDEX.LIST", b"Index"), ("A.class", b"a"))
    jar = read_jar([_jar(tmp_path / "a.jar", *entries), _jar(tmp_path / "b.jar", ("B.class", b"b"))], merge=True)
    found = {entry.name: entry.data for entry in jar.entries}
    assert found.keys() == {"META-INF/MANIFEST.MF", "A.class", "B.class"}
    assert found["META-INF/MANIFEST.MF"] == first + rest
    assert "a.jar: the Class-Path of its manifest is left out" in jar.warnings[0]
    assert "lib/x.jar b.jar" in jar.warnings[0]
    alone = read_jar([tmp_path / "a.jar"])
    assert {entry.name: entry.data for entry in alone.entries} == dict(entries), "one input stays as it is"


def test_without_a_class_in_opened_jars_the_sentence_does_not_ask_to_open_them(tmp_path: Path) -> None:
    path = _jar(tmp_path / "a.jar", ("lib/bad.jar", b"no zip"))
    with pytest.raises(InputError, match="--nested opens them"):
        read_jar([path])
    with pytest.raises(InputError, match=r"Nor is there one in the jars inside .* lib/bad\.jar stays whole") as told:
        read_jar([path], nested=True)
    assert "--nested" not in str(told.value)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("q/A.class", "q/A.class/B.class"), "q/A.class/B.class cannot be a file, beside the entry q/A.class "),
        (("q/A.class/B.class", "q/A.class"), "q/A.class cannot be a file, beside the entry q/A.class/B.class "),
        ((f"q/{'x' * 300}.class",), "xxx.class cannot be a file"),
    ],
)
def test_entries_that_cannot_be_files_are_read_and_named_when_they_are_written(tmp_path: Path, names, said) -> None:
    jar = read_jar([_jar(tmp_path / "a.jar", *((name, b"") for name in names))])
    with pytest.raises(OutputError, match=r"Use \{jar\} in place of \{classes\}") as told:
        write_folder(tmp_path / "classes", jar.contents)
    assert said in str(told.value)
