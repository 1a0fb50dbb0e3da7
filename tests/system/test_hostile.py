"""Predicates that do what they should not: right exit code, no process and no folder left, the input as it was."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.cli import main
from core.system.processes import process_table
from core.system.work_folder import RUNS_KEPT
from tests.support.engine_client import Client
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]
PYTHON = f"{sys.executable} -IS -c"

# text of the script (M: the marker in command lines, J: the input, P: a Python without modules of others) -> exit code
NAUGHTY: dict[str, tuple[str, int]] = {
    # folders
    "1,200 nested folders": (
        "exec P 'import os\nfor i in range(1200): os.mkdir(\"d\" * 20); os.chdir(\"d\" * 20)'", 0,
    ),
    "1,200 nested folders of short names": (
        "exec P 'import os\nfor i in range(1200): os.mkdir(\"d\"); os.chdir(\"d\")'", 0,
    ),
    "nested folders of long names": (
        "exec P 'import os\nfor i in range(200): os.mkdir(\"d\" * 250); os.chdir(\"d\" * 250)'", 0,
    ),
    "a read-only folder": ("mkdir -p a/b; touch a/b/c; chmod 500 a/b a", 0),
    "a folder without any permission": ("mkdir -p a/b/c; touch a/b/c/d; chmod 000 a/b/c a/b a", 0),
    "its folder without any permission": ("chmod 000 .", 0),
    "its folder read-only": ("touch a; chmod 500 .", 0),
    "deletes its folder": ('rm -rf "$JARLET_WORK"', 0),
    "deletes its folder and fails": ('rm -rf "$JARLET_WORK"; exit 1', 1),
    "its folder becomes a file": ('rm -rf "$JARLET_WORK"; echo x >"$JARLET_WORK"', 0),
    "its folder becomes a link to /": ('rm -rf "$JARLET_WORK"; ln -s / "$JARLET_WORK"', 0),
    "its folder becomes a link to the input's": ('rm -rf "$JARLET_WORK"; ln -s "$(dirname J)" "$JARLET_WORK"', 0),
    "moves its folder": ('mv "$JARLET_WORK" "$JARLET_WORK-moved"', 0),
    "1,000 files": ("exec P 'for i in range(1000): open(str(i), \"w\")'", 0),
    "400 folders": ("exec P 'import os\nfor i in range(400): os.makedirs(f\"{i % 20}/{i}\")'", 0),
    "names that are no UTF-8": ("exec P 'import os\nos.mkdir(b\"a\\xff\"); open(b\"a\\xff/\\xfe\", \"w\")'", 0),
    "names with line ends": ("mkdir 'a\nb'; touch 'a\nb/c\td'", 0),
    "names that begin with a dash": ("mkdir -- -rf; touch -- -rf/-f", 0),
    # special files
    "a pipe": ("mkfifo a", 0),
    "a pipe as the candidate": ('rm "$1"; mkfifo "$1"', 0),
    "a socket": ("exec P 'import socket; s = socket.socket(socket.AF_UNIX); s.bind(\"s\")'", 0),
    "a device or none": ("mknod n c 1 3 2>/dev/null; exit 0", 0),
    "a link to /": ("ln -s / root", 0),
    "a link to the input": ("ln -s J input", 0),
    "a link to the input's folder": ('ln -s "$(dirname J)" folder', 0),
    "a link to itself": ("ln -s a a", 0),
    "a link to its parent": ("ln -s .. up", 0),
    "a hard link to the input": ("ln J input 2>/dev/null; exit 0", 0),
    "the candidate becomes a link to the input": ('ln -sf J "$1"', 0),
    # the candidate
    "deletes the candidate": ('rm "$1"', 0),
    "changes the candidate": ('echo changed >"$1"', 0),
    "empties the candidate": (': >"$1"', 0),
    "the candidate becomes a folder": ('rm "$1"; mkdir "$1"; touch "$1/a"', 0),
    "the candidate without permission": ('chmod 000 "$1"', 0),
    # processes
    "a process in the background": ("sleep M & exit 0", 0),
    "a process in a session of its own": ("setsid sleep M >/dev/null 2>&1 & exit 0", 0),
    "a daemon": ("(setsid setsid sleep M </dev/null >/dev/null 2>&1 &); exit 0", 0),
    "a daemon elsewhere": ("cd /; (setsid sleep M </dev/null >/dev/null 2>&1 &); exit 0", 0),
    "a daemon without environment": ("(env -i setsid sleep M </dev/null >/dev/null 2>&1 &); exit 0", 0),
    "a daemon without anything": ("cd /; (env -i setsid sleep M </dev/null >/dev/null 2>&1 &); exit 0", 0),
    "ten daemons without anything": (
        "cd /; for i in 1 2 3 4 5 6 7 8 9 0; do (env -i setsid sleep M </dev/null >/dev/null 2>&1 &); done", 0,
    ),
    "a daemon without anything, and fails": (
        "cd /; (env -i setsid sleep M </dev/null >/dev/null 2>&1 &); exit 1", 1,
    ),
    "a daemon that holds the outputs": ("cd /; (env -i setsid sleep M &); exit 0", 0),
    "a daemon that forks twice": (
        "exec P 'import os, time\nif os.fork(): os._exit(0)\nos.setsid(); os.chdir(\"/\")\n"
        "if os.fork(): os._exit(0)\nos.closerange(0, 99); os.execve(\"/bin/sleep\", [\"sleep\", \"M\"], {})'", 0,
    ),
    "a daemon that ignores signals": (
        "cd /; (trap '' TERM HUP INT; env -i setsid sleep M </dev/null >/dev/null 2>&1 &); exit 0", 0,
    ),
    "a daemon that is stopped": (
        "cd /; (env -i setsid sh -c 'kill -STOP $$; sleep M' </dev/null >/dev/null 2>&1 &); sleep 0.1; exit 0", 0,
    ),
    "a daemon that writes on": (
        "(env -i setsid sh -c 'while :; do echo M >>a; mkdir -p b; sleep 0.001; done' </dev/null >/dev/null 2>&1 &); "
        "sleep 0.05; exit 0", 0,
    ),
    "twenty processes": ("for i in 1 2 3 4 5 6 7 8 9 0; do sleep M & sleep M & done; exit 0", 0),
    "processes that start one another": (
        "cd /; exec P 'import os, time\nfor i in range(30):\n if os.fork(): os._exit(0)\n os.setsid()\n"
        "os.execve(\"/bin/sleep\", [\"sleep\", \"M\"], {})' >/dev/null 2>&1", 0,
    ),
    "ends its group": ("kill -TERM 0; sleep 5", 1),
    "kills its group": ("kill -KILL 0; sleep 5", 1),
    "changes its name": ("exec P 'import ctypes; ctypes.CDLL(None).prctl(15, b\") Z 1 1\", 0, 0, 0)'", 0),
    # time
    "sleeps past the limit": ("exec sleep M", 1),
    "stops itself": ("kill -STOP $$", 1),
    "stops its parent past the limit": ("sh -c 'kill -STOP $PPID'; exit 0", 1),
    "ignores signals past the limit": ("trap '' TERM INT HUP; sleep M", 1),
    "a daemon, and sleeps past the limit": (
        "cd /; (env -i setsid sleep M </dev/null >/dev/null 2>&1 &); exec sleep M", 1,
    ),
    "closes its streams past the limit": ("exec >&- 2>&- <&-; exec sleep M", 1),
    "reads its input": ("cat; exit 0", 0),
    # outputs
    "closes its streams": ("exec >&- 2>&- <&-; exit 0", 0),
    "control characters": ("printf '\\033[2J\\033]0;x\\007\\001\\002'; exit 0", 0),
    "control characters, and fails": ("printf '\\033[2J\\001' >&2; exit 1", 1),
    "no UTF-8": ("printf '\\377\\376\\300\\200'; printf '\\377' >&2; exit 0", 0),
    "zeros": ("head -c 100000 /dev/zero; exit 0", 0),
    "a long line": ("head -c 5000000 /dev/zero | tr '\\0' x; exit 0", 0),
    "a long line, and fails": ("head -c 5000000 /dev/zero | tr '\\0' x >&2; exit 1", 1),
    "many lines": ("yes | head -n 500000; exit 0", 0),
    "20 MB on both": ("head -c 20000000 /dev/zero; head -c 20000000 /dev/zero >&2; exit 0", 0),
    # files and limits
    "writes 20 MB": ("head -c 20000000 /dev/zero >a; exit 0", 0),
    "a file with a hole of 1 GB": ("truncate -s 1G a; exit 0", 0),
    "opens many files": ("exec P 'x = [open(\"/dev/null\") for i in range(200)]'", 0),
    "a temporary file": ("mktemp >/dev/null", 0),
    "a temporary folder": ('d=$(mktemp -d); touch "$d/a"; chmod 500 "$d"', 0),
    "a temporary file of Python's": ("exec P 'import tempfile; tempfile.mkdtemp(); tempfile.mkstemp()'", 0),
    "a temporary folder that looks like ours": ('d=$(mktemp -d -t jarlet-XXXX); touch "$d/lock"', 0),
    "a low limit of files": ("ulimit -n 10; exit 0", 0),
    # exits
    "no tail": ("exit 255", 1),
    "cannot tell": ("exit 125", 1),
    **{f"signal {name}": (f"kill -{name} $$", 1) for name in ("KILL", "SEGV", "ABRT", "TERM", "HUP", "PIPE", "USR1")},
    **{f"exit code {code}": (f"exit {code}", 1) for code in (1, 2, 3, 64, 70, 124, 126, 127, 128, 130, 137, 143)},
}  # fmt: skip


@pytest.fixture
def jar(tmp_path: Path, sample_jar: Path) -> Path:
    """The first classes of the sample: what a command does to its surroundings does not depend on the input."""
    path = tmp_path / "in" / "input.jar"
    path.parent.mkdir()
    with zipfile.ZipFile(sample_jar) as sample, zipfile.ZipFile(path, "w") as made:
        for name in [name for name in sample.namelist() if name.endswith(".class")][:8]:
            made.writestr(name, sample.read(name))
    return path


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def script(folder: Path, text: str, jar: Path, marker: str) -> Path:
    path = folder / "check.sh"
    words = re.sub(r"\b[MJP]\b(?!B)", lambda match: {"M": marker, "J": str(jar), "P": PYTHON}[match[0]], text)
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)
    return path


def print_of(jar: Path) -> tuple[str, int, int]:
    found = jar.stat()
    return hashlib.sha256(jar.read_bytes()).hexdigest(), found.st_mtime_ns, found.st_mode


HEAVY = ("20 MB on both", "1,200 nested folders of short names")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found in /proc")
@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind in HEAVY)) for kind in NAUGHTY])
def test_nothing_is_left_and_nothing_is_changed(
    kind: str,
    tmp_path: Path,
    jar: Path,
    temporary: Path,
    processes: Callable[[str], list[int]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    text, wanted = NAUGHTY[kind]
    marker = f"97{os.getpid()}"
    path = script(tmp_path, text, jar, marker)
    before = print_of(jar)
    monkeypatch.chdir(tmp_path)
    limit = "0.3" if wanted and ("limit" in kind or kind == "stops itself") else "60"
    code = main(["check", str(jar), "--predicate", f"{path} {{jar}}", "--runs", "1", "--timeout", limit])
    said = capfd.readouterr()
    assert code == wanted, said
    assert "Traceback" not in said.err
    assert processes(marker) == []
    left = sorted(entry.name for entry in temporary.iterdir())
    assert [name for name in left if not name.startswith("jarlet-check-")] == []
    assert len(left) <= wanted, left
    assert print_of(jar) == before
    assert sorted(entry.name for entry in jar.parent.iterdir()) == ["input.jar"]


def test_of_kept_checks_the_last_ones_stay(
    tmp_path: Path, jar: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the input as given is run here
    path = script(tmp_path, "mkdir a; chmod 500 a; exit 1", jar, "")
    foreign = temporary / "jarlet-check-mine"
    foreign.mkdir()
    (foreign / "file").write_text("precious")
    for number in range(1, RUNS_KEPT + 2):
        assert main(["check", str(jar), "--predicate", f"{path} {{jar}}", "--runs", "1"]) == 1
        kept = set(temporary.iterdir()) - {foreign}
        assert len(kept) == min(number, RUNS_KEPT)
        assert all((one / "work/inputs/input.jar").is_file() for one in kept)
    assert (foreign / "file").read_text() == "precious"


def started(arguments: list[str], temporary: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until(condition: Callable[[], object]) -> bool:
    deadline = time.monotonic() + patience()
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(condition())


HIDDEN = "(cd /; env -i setsid sleep M </dev/null >/dev/null 2>&1 &);"


def test_two_signals_end_the_command_too(
    tmp_path: Path, jar: Path, temporary: Path, processes: Callable[[str], list[int]]
) -> None:
    marker = f"98{os.getpid()}"
    path = script(tmp_path, f"{HIDDEN} trap '' TERM; sleep M; sleep M", jar, marker)
    child = started(["check", str(jar), "--predicate", f"{path} {{jar}}"], temporary)
    assert until(lambda: len(processes(f"sleep {marker}")) == 2)
    child.send_signal(signal.SIGTERM)
    child.send_signal(signal.SIGTERM)
    child.wait(patience())
    assert processes(marker) == []


def test_what_a_command_leaves_that_kills_us_is_ended_by_the_next_start(
    tmp_path: Path, jar: Path, temporary: Path, processes: Callable[[str], list[int]]
) -> None:
    marker = f"99{os.getpid()}"
    path = script(tmp_path, f"{HIDDEN} mkdir -p a/b; chmod 500 a; kill -KILL $PPID; exec sleep M", jar, marker)
    child = started(["check", str(jar), "--predicate", f"{path} {{jar}}"], temporary)
    assert child.wait(patience()) == -signal.SIGKILL
    assert until(lambda: len(processes(f"sleep {marker}")) == 2)
    assert len(list(temporary.iterdir())) == 1
    assert main(["check", str(jar), "--predicate", "true", "--runs", "1"]) == 0
    assert processes(marker) == []
    assert list(temporary.iterdir()) == []


IMMUTABLE = 'cd "$JARLET_WORK"; mkdir a; touch a/b; chattr +i a/b; grep -q [.]class "$1"'


@pytest.fixture
def immutable(temporary: Path) -> Iterator[str]:
    """The text of a script that leaves a file that nobody can remove, until the test ends, however it ends: even where
    the tests are killed, somebody else sees the end of a pipe."""
    (temporary / "file").touch()
    if shutil.which("chattr") is None:
        pytest.skip("there is no chattr: Debian's package e2fsprogs has it")
    if subprocess.run(["chattr", "+i", temporary / "file"], capture_output=True, check=False).returncode:
        pytest.skip("only root can make a file immutable, and not on every file system")
    clean = ["sh", "-c", 'read -r _; exec chattr -R -i "$0" 2>/dev/null', str(temporary)]
    with subprocess.Popen(clean, stdin=subprocess.PIPE, start_new_session=True):
        subprocess.run(["chattr", "-i", temporary / "file"], check=True)
        (temporary / "file").unlink()
        yield IMMUTABLE


def test_a_folder_that_cannot_be_removed_is_told_once_with_the_command_that_removes_it(
    tmp_path: Path, jar: Path, temporary: Path, immutable: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = script(tmp_path, immutable, jar, "")
    output = ["-o", str(tmp_path / "out.jar"), "--max-probes", "3", "--jobs", "1"]
    assert main(["reduce", str(jar), "--predicate", f"{path} {{jar}}", *output]) in (0, 3)
    said = [line for line in capfd.readouterr().err.splitlines() if "cannot be removed" in line]
    assert len(said) == 1, said
    subprocess.run(said[0].partition(": remove it with ")[2], shell=True, check=True)
    assert list(temporary.iterdir()) == []


def test_an_immutable_folder_of_a_failed_check_is_told_too(
    tmp_path: Path, jar: Path, temporary: Path, immutable: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The command runs in the current folder too: it changes its own folder alone."""
    path = script(tmp_path, 'chattr +i "$JARLET_WORK"; exit 1', jar, "")
    assert main(["check", str(jar), "--predicate", f"{path} {{jar}}", "--runs", "1"]) == 1
    said = [line for line in capfd.readouterr().err.splitlines() if "cannot be removed" in line]
    assert len(said) == 1, said


@pytest.mark.slow
def test_the_window_hears_of_a_folder_that_cannot_be_removed(
    tmp_path: Path, jar: Path, temporary: Path, immutable: str
) -> None:
    path = script(tmp_path, immutable, jar, "")
    engine = Client(temporary)
    try:
        engine.send(command="open", paths=[str(jar)])
        engine.send(command="reduce", settings={"predicate": f"{path} {{jar}}", "max_probes": 3, "jobs": 1})
        engine.wait("finished")
        names = [event["event"] for event in engine.events]
        said = [event["message"] for event in engine.events if event["event"] == "warned"]
    finally:
        engine.close()
    assert names.index("warned") < names.index("finished")
    assert len([text for text in said if ": remove it with chattr -R -i" in text]) == 1, said


@pytest.mark.slow
def test_a_run_that_a_command_stops_goes_on_when_somebody_continues_it(
    tmp_path: Path, jar: Path, temporary: Path
) -> None:
    """Nobody who is stopped can help himself, so this is the user's to do; nothing is lost by it."""
    once = f"mkdir {tmp_path}/stopped 2>/dev/null && kill -STOP $PPID"
    path = script(tmp_path, f"[ -e {tmp_path}/go ] && {once}\nset -- $1\ngrep -aq sample/Main.class $1", jar, "")
    outputs = [tmp_path / "calm.jar", tmp_path / "out.jar"]
    for output in outputs:
        command = ["reduce", str(jar), "--predicate", f"{path} {{jar}}", "--algorithm", "binary", "--jobs", "1"]
        child = started([*command, "-o", str(output)], temporary)
        if output is outputs[1]:
            assert until(lambda number=child.pid: process_table.row(number).state == "T")
            child.send_signal(signal.SIGCONT)
        assert child.wait(patience()) == 0
        (tmp_path / "go").touch()
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert list(temporary.iterdir()) == []
