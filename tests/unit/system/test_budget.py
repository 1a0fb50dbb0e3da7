"""What an input may take of the machine: refused with a sentence, early, and with little memory."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from core.archive.jar import Entry, EntryKind, Jar, read_jar
from core.archive.manifest import prune_manifest
from core.archive.selection import Folders, select
from core.errors import InputError
from core.library.class_path import Classpath
from core.library.library import open_library
from core.model import building
from core.system import budget
from tests.fuzz.monsters import cycle, members

ROOT = Path(__file__).parents[3]
CLASS = b"\xca\xfe\xba\xbe and so on"

CHILD = """
import re, sys
from pathlib import Path
from core.errors import InputError
from core.archive.jar import read_jar
try:
    print(len(read_jar([Path(sys.argv[1])]).entries))
except InputError as error:
    print(error)
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10)
"""


def read_elsewhere(path: Path, address_space: int | None = None) -> tuple[str, int]:
    """What reading the input says, and the most MiB that it was resident, in a process of its own."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({address_space}, {address_space}))\n"
    script = (limit if address_space else "") + CHILD
    run = subprocess.run(
        [sys.executable, "-c", script, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    text, most = run.stdout.strip().rsplit("\n", 1)
    return text, int(most)


def zip_of(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def bomb(path: Path, megabytes: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("A.class", CLASS)
        with archive.open("zeros.bin", "w", force_zip64=True) as file:
            for _ in range(megabytes):
                file.write(bytes(1 << 20))
    return path


def many(path: Path, count: int, name: Callable[[int], bytes]) -> Path:
    """A zip of that many entries without content, all of which overlap."""
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, 0, 0, 0, 1, 0) + b"A"
    with path.open("wb") as file:
        file.write(local)
        for number in range(count):
            raw = name(number)
            file.write(b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 20, 20, 0, 0, 0, 33, 0, 0, 0, len(raw), *[0] * 6))
            file.write(raw)
        size = file.tell() - len(local)
        end = file.tell()
        file.write(
            struct.pack(
                "<4sQHHIIQQQQ4sIQI",
                *(b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, len(local), b"PK\6\7", 0, end, 1),
            )
        )
        file.write(struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, size, len(local), 0))
    return path


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    text, most = read_elsewhere(bomb(tmp_path / "x.jar", 600))
    assert "zip bomb" in text
    assert "629 MB" in text.replace("630", "629")
    assert most < 150


def test_a_deep_entry_is_refused(tmp_path: Path) -> None:
    name = "a/" * 32_000 + "B.class"
    text, most = read_elsewhere(zip_of(tmp_path / "x.jar", {"A.class": CLASS, name: CLASS}))
    assert "nested in 32,000 folders" in text
    assert len(text) < 400
    assert most < 150


def test_depths_up_to_the_bound_are_read(tmp_path: Path) -> None:
    names = {"a/" * budget.DEEPEST + "B.class": CLASS, "b/" * budget.DEEPEST: b""}
    assert len(read_jar([zip_of(tmp_path / "x.jar", names)]).entries) == 2
    with pytest.raises(InputError, match="folders"):
        read_jar([zip_of(tmp_path / "x.jar", {"a/" * (budget.DEEPEST + 2) + "B.class": CLASS})])


def test_a_folder_as_deep_as_the_system_allows_is_refused(tmp_path: Path) -> None:
    """Python's own walk is recursive: here 1,500 folders are no crash."""
    handle = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)
    with pytest.raises(InputError, match="folders"):
        read_jar([tmp_path])
    subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_a_directory_of_many_megabytes_is_refused(tmp_path: Path) -> None:
    text, most = read_elsewhere(many(tmp_path / "x.jar", 1_200, lambda number: b"%060000x" % number))
    assert "directory of the zip" in text
    assert most < 150


def test_many_entries_of_one_name_are_counted_once(tmp_path: Path) -> None:
    # newer Pythons refuse entries that lie over each other
    with pytest.raises(InputError, match=r"no class file|Overlapped entries"):
        read_jar([many(tmp_path / "x.jar", 20_000, lambda number: b"A")])


def test_a_machine_with_little_memory_is_asked_first(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "x.jar", {"A.class": CLASS})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr("zeros.bin", bytes(90 << 20))
    assert read_elsewhere(path)[0] == "2"
    text, most = read_elsewhere(path, 320 << 20)
    assert "of memory" in text
    assert "available" in text
    assert most < 150


@pytest.mark.parametrize("asked", [2, 3])
def test_a_model_is_given_up_while_it_grows(asked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory runs out while classes are read, or while rules are applied."""
    jar = read_jar([zip_of(tmp_path / "x.jar", {"m/Cycle0.class": cycle(random.Random(1)).bytes()})])
    answers = [1 << 40] * (asked - 2) + [1 << 20]
    monkeypatch.setattr(budget, "available", lambda: answers.pop(0))
    with pytest.raises(InputError, match=r"x\.jar: its model does not fit"):
        building.build(jar, open_library())
    assert not answers


@pytest.mark.slow
def test_a_model_that_does_not_fit_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    """Classes of 24,000 members each: a few hundred kB as a jar, gigabytes as a model."""
    data = members(random.Random(1)).bytes()
    path = zip_of(
        tmp_path / "x.jar",
        {f"m/M{number}.class": data.replace(b"m/Members", b"m/M%06d" % number) for number in range(40)},
    )
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))\n"
        "import sys; from app.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "inspect", str(path), "--granularity", "full"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 2, run.stderr[-500:]
    assert "x.jar: its model does not fit into memory" in run.stderr


def test_several_inputs_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [zip_of(tmp_path / f"{n}.jar", {f"A{n}.class": CLASS, f"{n}.bin": os.urandom(1 << 20)}) for n in range(3)]
    with pytest.raises(InputError, match="larger than Jarlet reads"):
        read_jar(paths, limit=2 << 20)
    monkeypatch.setattr(budget, "available", lambda: 1 << 20)
    with pytest.raises(InputError, match="memory"):
        read_jar(paths)


def test_the_tightest_limit_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The groups of version 2, nested, with a cache that gives way, beside what the system has."""
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path / "proc"))
    monkeypatch.setattr(budget, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(budget, "_GROUPS", tmp_path / "cgroup")
    (tmp_path / "proc" / "self").mkdir(parents=True)
    told = {"MemTotal": 9000, "MemAvailable": 4000}
    kinds = ("MemFree", "Buffers", "Cached", "Shmem", "Active", "Inactive")
    lines = [f"{kind}: {size:8} kB\n" for kind, size in (told | dict.fromkeys(kinds, 100)).items()]
    (tmp_path / "proc" / "meminfo").write_text("".join(lines))
    assert budget.available() == 4000 << 10
    (tmp_path / "proc" / "self" / "cgroup").write_text("0::/outer/inner\n")
    inner = tmp_path / "cgroup" / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (inner.parent / "memory.max").write_text("3000000\n")
    (inner.parent / "memory.current").write_text("2500000\n")
    (inner.parent / "memory.stat").write_text("anon 1\ninactive_file 500000\n")
    assert budget.available() == 1_000_000
    (inner.parent / "memory.max").write_text("1000\n")
    assert budget.available() == 0


def test_the_groups_of_version_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(budget, "_GROUPS", tmp_path / "cgroup")
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "self" / "cgroup").write_text("5:cpu:/x\n4:memory:/docker/1\n")
    group = tmp_path / "cgroup" / "memory"
    group.mkdir(parents=True)
    (group / "memory.limit_in_bytes").write_text("700\n")
    (group / "memory.usage_in_bytes").write_text("300\n")
    assert budget.available() == 400


@pytest.mark.guarded
def test_a_class_path_is_opened_with_the_same_care(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jar")
    with pytest.raises(InputError, match="not an ordinary file"):
        Classpath([tmp_path / "pipe.jar"], lambda: 17)
    with pytest.raises(InputError, match="directory of the zip"):
        Classpath([many(tmp_path / "x.jar", 1_200_000, lambda number: b"%x" % number)], lambda: 17)
    folder = tmp_path / "classes"
    folder.mkdir()
    os.mkfifo(folder / "A.class")
    with pytest.raises(InputError, match="not an ordinary file"):
        Classpath([folder], lambda: 17).class_bytes("A")


def test_folders_that_hold_files_are_found_without_a_list_of_them() -> None:
    folders = Folders({"a/b/C.class", "a.b/D", "a", "z/y/x"})
    assert all(name in folders for name in ("a/", "a/b/", "a.b/", "z/", "z/y/"))
    assert all(name not in folders for name in ("b/", "a/c/", "a/b/C/", "z/y/x/", "zz/"))


def test_deep_names_of_a_jar_in_memory_take_memory_by_their_length_alone() -> None:
    """Each of 40 names has 20,000 folders: all of them in a set would be 16 GB."""
    entries = [Entry("k/", b"", EntryKind.DIRECTORY), Entry("k/K.class", b"", EntryKind.CLASS)]
    entries += [Entry(f"{n}/" + "a/" * 20_000 + "R", b"", EntryKind.RESOURCE) for n in range(40)]
    jar = Jar((), "x", tuple(entries))
    assert len(select(jar, lambda index: index > 1)) == 40
    assert len(select(jar, lambda index: index == 1)) == 2


def test_a_manifest_of_many_lines_is_read_in_one_pass() -> None:
    main = b"Manifest-Version: 1.0\n" + b"X: 1\n" * 300_000
    section = b"\nName: a\n" + b" b\n" * 300_000
    assert prune_manifest(main + section, lambda name: False) == main + section
    assert prune_manifest(main + section, lambda name: True) == main + b"\n"
