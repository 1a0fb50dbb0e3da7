"""Files that are whole or not there, and the guard for what may be written."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.archive.packer import write_jar
from core.errors import OutputError, UsageError
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.reads import all_read, report_output, result_output
from core.store.other_failures import OtherFailureStore
from core.store.session_folder import session_place
from core.system import files
from core.system.files import check_file, check_folder, sweep_dead, write_whole
from core.system.outputs import Origin, Output, guard, refuse_filled, refuse_present

ROOT = Path(__file__).resolve().parents[3]


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    place = tmp_path / ("x" * 254)
    place.write_bytes(b"before")
    check_file(place)
    assert write_whole(place, [b"af", b"ter"]) == 5
    assert place.read_bytes() == b"after"
    assert os.listdir(tmp_path) == [place.name]


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_result_or_report_replaces_only_one_of_ours(tmp_path: Path) -> None:
    jar, report = result_output(tmp_path / "o.jar", "-o", ()), report_output(tmp_path / "r.md", "--report")
    guard([jar, report], [])
    with zipfile.ZipFile(jar.path, "w") as theirs:
        theirs.writestr("a/A.class", b"x")
    report.path.write_text("# Notes\n")
    for output in (jar, report):
        with pytest.raises(OutputError, match="Jarlet did not write it"):
            guard([output], [])
    for entries in ([("a/A.class", b"x")], []):
        write_jar(jar.path, entries)
        guard([jar], [])
    report.path.write_text("Jarlet removed parts")
    guard([report], [])
    for output in (jar, report):
        output.path.write_bytes(b"")
        guard([output], [])


def test_what_is_no_ordinary_file_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    for name, words in (("pipe", "not an ordinary file"), (".", "it is a folder"), ("one", "in a circle")):
        for write in (check_file, lambda path: write_whole(path, b"x")):
            with pytest.raises(OutputError, match=words):
                write(tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(OutputError, match="not an ordinary file"):
        write_whole("/dev/null", b"x")
    assert Path("/dev/null").is_char_device()


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    # in a process of its own: the limit stands for a full disk
    code = (
        "import os, resource, signal, sys\n"
        "from core.errors import OutputError\n"
        "from pathlib import Path\n"
        "from core.system.files import write_folder, write_whole\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "files = [('a/b', b'whole', True), ('a/c/d', bytes(5000), False)]\n"
        "new, there = Path(sys.argv[2]), Path(sys.argv[3])\n"
        "for write in (lambda: write_whole(sys.argv[1], bytes(5000)), lambda: write_folder(new, files),\n"
        "              lambda: write_folder(there, files)):\n"
        "    try:\n        write()\n"
        "    except OutputError as error:\n        print(error)\n"
    )
    place = tmp_path / "out"
    place.write_bytes(b"before")
    (tmp_path / "there").mkdir()
    command = [sys.executable, "-c", code, str(place), str(tmp_path / "new" / "folder"), str(tmp_path / "there")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.count("cannot be written (File too large)") == 3
    assert place.read_bytes() == b"before"
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == ["out", "there"]


def test_a_check_makes_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"before")
    check_file(tmp_path / "there")
    check_file(tmp_path / "new")
    check_file(tmp_path / "far" / "away" / "new", parents=True)
    check_folder(tmp_path / "far" / "folder")
    assert os.listdir(tmp_path) == ["there"]
    assert (tmp_path / "there").read_bytes() == b"before"


def test_a_check_finds_what_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "none" / "out", tmp_path / "file" / "out", tmp_path / ("x" * 256), Path("/proc/out")):
        with pytest.raises(OutputError, match="cannot be written"):
            check_file(path)
    for path in (tmp_path / "none" / ("x" * 256), tmp_path / "file" / "out"):
        with pytest.raises(OutputError):
            check_file(path, parents=True)
    with pytest.raises(OutputError, match="it is a file"):
        check_folder(tmp_path / "file")


def test_a_sweep_takes_dead_files_of_ours_alone(tmp_path: Path) -> None:
    dead, alive, strange = (tmp_path / files._fresh_name() for _ in range(3))
    for path in (dead, alive):
        path.write_bytes(b"half")
    strange.symlink_to(alive)
    foreign = tmp_path / ".jarlet-0123456789ab-0123456789ab.tmp"
    foreign.write_bytes(b"somebody's")
    twice = tmp_path / files._fresh_name()
    twice.write_bytes(b"linked")
    os.link(twice, tmp_path / "kept")
    with alive.open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        sweep_dead(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {alive.name, strange.name, foreign.name, twice.name, "kept"}


def test_the_next_write_sweeps_what_a_killed_one_left(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from core.system import files\n"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.write_whole(sys.argv[1], b'half')\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "out")]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -9
    (left,) = os.listdir(tmp_path)
    assert left.startswith(".jarlet-")
    write_whole(tmp_path / "other", b"whole")
    assert os.listdir(tmp_path) == ["other"]


def test_inputs_are_refused_under_every_name(tmp_path: Path) -> None:
    jar, folder = tmp_path / "in.jar", tmp_path / "classes"
    jar.write_bytes(b"jar")
    (folder / "a").mkdir(parents=True)
    (tmp_path / "soft").symlink_to(jar)
    os.link(jar, tmp_path / "hard")
    (tmp_path / "way").symlink_to(folder)
    (folder / "lib.jar").symlink_to(tmp_path / "target")
    origins = [Origin(jar), Origin(folder)]
    for name, words in (
        ("in.jar", "is the input itself"),
        ("classes/../in.jar", "is the input itself"),
        ("soft", "is the input itself"),
        ("hard", "is the input itself"),
        ("classes", "is the input itself"),
        ("classes/new", "lies in"),
        ("classes/a/b/new", "lies in"),
        ("way/new", "lies in"),
        ("target", "is linked to from within"),
    ):
        for kind in (False, True):
            with pytest.raises(UsageError, match=words):
                guard([Output(tmp_path / name, "-o", folder=kind)], origins)
    guard([Output(tmp_path / "classes.jar", "-o")], origins)


def test_outputs_keep_out_of_each_other_s_way(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    os.link(tmp_path / "x", tmp_path / "y")
    one = Output(tmp_path / "x", "-o")
    for other in (tmp_path / "x", tmp_path / "." / "x", tmp_path / "y"):
        with pytest.raises(UsageError, match="named by both -o and --report"):
            guard([one, Output(other, "--report")], [])
    with pytest.raises(UsageError, match="give each a place"):
        guard([Output(tmp_path / "s.jarlet" / "x", "-o"), Output(tmp_path / "s.jarlet", "--session", folder=True)], [])
    with pytest.raises(UsageError, match="cannot be both a file"):
        guard([Output(tmp_path / "x", "-o"), Output(tmp_path / "x" / "s", "--session", folder=True)], [])
    guard([one, Output(tmp_path, "--work", folder=True, alone=False)], [])


def test_files_of_the_predicate_are_read(tmp_path: Path) -> None:
    for name in ("breaks.sh", "list.txt", "lib.jar", "log"):
        (tmp_path / name).write_text("")
    command = "./breaks.sh --with=lib.jar {file:list.txt} {jar}"
    origins = all_read(["in.jar"], aim_of(Settings(predicate=command, classpath=("c.jar",))), tmp_path)
    for name in ("breaks.sh", "list.txt", "lib.jar"):
        with pytest.raises(UsageError, match="a file of the predicate"):
            guard([Output(tmp_path / name, "-o")], origins)
    guard([Output(tmp_path / "log", "-o")], origins)
    with pytest.raises(UsageError, match="a library of the input"):
        guard([Output(Path("c.jar"), "-o")], origins)


def test_files_of_a_preset_are_read(tmp_path: Path) -> None:
    settings = Settings(preset="command", options={"command": f"sh {tmp_path / 'breaks.sh'}"})
    (tmp_path / "breaks.sh").write_text("")
    with pytest.raises(UsageError, match="a file of the predicate"):
        guard([Output(tmp_path / "breaks.sh", "-o")], all_read([], aim_of(settings)))


def test_names_that_we_choose_replace_nothing(tmp_path: Path) -> None:
    refuse_filled(tmp_path / "none", "--each")
    refuse_filled(tmp_path, "--each")
    (tmp_path / "1.jar").write_text("")
    with pytest.raises(OutputError, match=r"there is '1\.jar' in it"):
        refuse_filled(tmp_path, "--each")
    with pytest.raises(OutputError, match="there already"):
        refuse_present(tmp_path, ["0.jar", "1.jar"])


def test_another_failure_s_jar_is_never_an_input(tmp_path: Path) -> None:
    usual = OtherFailureStore(tmp_path, "out-").path("exit code 3")
    usual.write_bytes(b"the input")
    store = OtherFailureStore(tmp_path, "out-", [Origin(usual)])
    kept = store.keep("exit code 3", [("a", b"")])
    assert kept != usual
    assert usual.read_bytes() == b"the input"
    assert len(os.fsencode(OtherFailureStore(tmp_path, "ä" * 200).path("exit code 3").name)) <= 255


def test_a_session_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (".", "..", "/"):
        with pytest.raises(UsageError, match="a new folder of its own"):
            session_place(Path(name))
    assert session_place(Path("a")) == Path("a.jarlet")
    assert session_place(Path("a.jarlet/.")) == Path("a.jarlet")


def test_two_outputs_that_differ_in_case_are_one_where_the_file_system_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [Output(tmp_path / "Small.jar", "-o"), Output(tmp_path / "small.JAR", "--report")]
    here = files.ignores_case(tmp_path)
    (tmp_path / "A").touch()
    assert here == (tmp_path / "a").exists()
    if not here:
        guard(both, [])
    monkeypatch.setattr("core.system.outputs.ignores_case", lambda folder: True)
    with pytest.raises(UsageError, match="is named by both -o and --report"):
        guard(both, [])
    assert os.listdir(tmp_path) == ["A"]


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_folder_that_a_link_leads_nowhere_for_is_told(tmp_path: Path, below: str) -> None:
    (tmp_path / "bug").symlink_to(tmp_path / "gone")
    with pytest.raises(OutputError, match=r"bug is a symbolic link to .*gone, which is not there"):
        check_folder(tmp_path / "bug" / below)
