"""A run's progress on a real terminal, and in a log that is none."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ("--predicate", "sh -c 'test -f {classes}/sample/Main.class'", "--no-evidence", "--jobs", "1", "-o", "small.jar")


@pytest.fixture
def on_terminal(tmp_path, temporary):
    """``on_terminal(columns, "reduce", ...)``: exit code, and what a terminal of this width was given."""

    def run(columns: int, *words: object) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary), "TERM": "xterm"}
        environment.pop("COLUMNS", None)
        child = subprocess.Popen(
            [sys.executable, "-m", "app", *map(str, words)],
            cwd=tmp_path,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        said = bytearray()
        try:
            while block := os.read(ours, 1 << 16):
                said += block
        except OSError:  # nobody has the terminal any more
            pass
        finally:
            os.close(ours)
        return child.wait(), said.decode()

    return run


def test_a_terminal_shows_one_line_that_is_written_over(on_terminal, sample_jar):
    code, said = on_terminal(100, "reduce", sample_jar, *RUN, "--granularity", "class", "--algorithm", "binary")
    assert code == 0, said
    bars = [part for part in said.split("\r\x1b[K") if part.startswith("[")]
    assert bars, said
    assert all("\n" not in bar and len(bar) <= 99 for bar in bars)
    assert "64 classes" in bars[0]
    assert " probes, " in bars[-1]
    assert "The full input is interesting" in said
    assert "█" in bars[0]


def test_a_log_has_a_line_for_each_step(tmp_path, temporary, sample_jar):
    words = ["reduce", sample_jar, *RUN, "--granularity", "class", "--algorithm", "binary"]
    done = subprocess.run(
        [sys.executable, "-m", "jarlet", *map(str, words)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("Still ")]
    assert lines[0] == "Checking whether the full input shows what is asked for.", (
        "a slow tool lets it wait for minutes"
    )
    assert "Algorithm binary, from 64 classes" in done.stderr
    steps = [line for line in lines if " probe " in line and line.endswith("%")]
    assert steps
    assert "\x1b" not in done.stderr
    shares = [float(line.split()[-1].rstrip("%")) for line in steps]
    assert shares == sorted(shares, reverse=True)
    assert (tmp_path / "small.jar").exists()
