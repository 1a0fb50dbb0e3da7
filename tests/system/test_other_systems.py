"""What systems without Linux's own things have: each is switched off in a process of its own, and a jar is reduced."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.predicate.process import Pipes
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]

NO_LINUX = """
import os, sys
for name in ("pidfd_open", "sched_getaffinity"):
    if hasattr(os, name):
        delattr(os, name)
from core.system import budget
from core.system.processes import process_table
process_table._PROC = "/nowhere"
from pathlib import Path
budget._PROC = budget._GROUPS = Path("/nowhere")
"""
"""No ``/proc``, no handles of processes: BSD, macOS."""

RUN = "import sys; from app.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def elsewhere(tmp_path):
    """Runs ``jarlet ...`` without these."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-c", NO_LINUX + RUN, *map(str, arguments)],
            cwd=tmp_path,
            # a folder of its own: without locks another Jarlet would take the work folder for a dead run's
            env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
            capture_output=True,
            text=True,
            timeout=patience(300),
            check=False,
        )

    return run


def test_a_jar_is_reduced(elsewhere, sample_jar, tmp_path):
    command = ["--predicate", "java -Xshare:auto -cp {jar} sample.Main", "--match", "zero has no reciprocal"]
    options = ["--algorithm", "binary", "--granularity", "class", "--no-evidence", "--jobs", "2"]
    done = elsewhere("reduce", sample_jar, *command, *options, "-o", "small.jar", "--report", "r.json")
    assert done.returncode == 0, done.stderr
    assert "12 of 64 classes" in done.stdout
    assert json.loads((tmp_path / "r.json").read_text())["reason"] == "done"


@pytest.mark.guarded
def test_a_command_that_hangs_is_ended(elsewhere, sample_jar, processes):
    number = f"{time.time_ns() % 10**6}"
    hangs = f"sh -c 'echo out; sleep 97{number} & sleep 98{number}'"
    done = elsewhere("check", sample_jar, "--predicate", hangs, "--timeout", "1")
    assert done.returncode == 1
    assert "does not end" in done.stdout
    assert not processes(f"sleep 97{number}")
    assert not processes(f"sleep 98{number}")


@pytest.mark.guarded
def test_memory_is_limited(elsewhere, sample_jar, tmp_path):
    (tmp_path / "large.py").write_text("import time; held = bytearray(b'x' * (200 << 20)); time.sleep(60)")
    command = f"sh -c '{sys.executable} {tmp_path / 'large.py'} & wait'"
    done = elsewhere("check", sample_jar, "--predicate", command, "--memory", "100", "--timeout", "60")
    assert done.returncode == 1
    assert "it uses more than 100 MB of memory" in done.stdout


def test_pipes_are_read_to_their_ends():
    code = "import sys; sys.stdout.write('o' * 300000); sys.stderr.write('e' * 200000)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = bytearray(), bytearray()
    with Pipes([(process.stdout, out.extend), (process.stderr, err.extend)]) as pipes:
        deadline = time.monotonic() + patience()
        while pipes.open and time.monotonic() < deadline:
            pipes.wait(0.05)
        assert not pipes.open
    process.wait()
    assert (len(out), len(err)) == (300000, 200000)


def test_a_pipe_that_somebody_holds_is_not_waited_for():
    reading, writing = os.pipe()
    found = bytearray()
    with Pipes([(os.fdopen(reading, "rb"), found.extend)]) as pipes:
        assert not pipes.wait(0.01)
        os.write(writing, b"x")
        assert pipes.wait(patience())
        assert pipes.open
    os.close(writing)
    assert found == b"x"


def test_whatever_is_linux_alone_has_one_module():
    """The names of Linux and POSIX that other systems lack, and the one room that knows them."""
    room = ROOT / "core" / "system"
    for path in [*(ROOT / "core").rglob("*.py"), *(ROOT / "jarlet").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if not path.is_relative_to(room):
            for word in ("import fcntl", "import resource", '"/proc"', "pidfd_", "os.waitid"):
                assert word not in text, f"{path.relative_to(ROOT)}: {word}"
    for word, home in (("flock(", "file_locks"), ("os.killpg(", "families")):
        users = {path.stem for path in room.rglob("*.py") if word in path.read_text(encoding="utf-8")}
        assert users == {home}, word


def test_locks_of_this_system_keep_others_out(tmp_path):
    from core.system.file_locks import take, try_take

    file = tmp_path / "lock"
    with file.open("ab") as one, file.open("ab") as other:
        take(one.fileno())
        with pytest.raises(BlockingIOError):
            try_take(other.fileno())
        waiting = threading.Thread(target=take, args=(other.fileno(),), daemon=True)
        waiting.start()
        one.close()
        waiting.join(patience())
        assert not waiting.is_alive()
