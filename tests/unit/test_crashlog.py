"""What becomes of an exception that the window catches nowhere, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = (
    "import sys; from pathlib import Path; from app.window.application import CrashLog; "
    "log = CrashLog(Path(sys.argv[1]));"
)


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", START + code, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_nobody_caught_is_logged_and_told(tmp_path: Path) -> None:
    done = run("log.watch(print); {}['gone']", tmp_path / "logs")
    log = tmp_path / "logs" / "window.log"
    assert done.stdout == f"Something went wrong inside Jarlet: KeyError: 'gone'. Details: {log}\n"
    assert "KeyError: 'gone'" in done.stderr
    assert "not caught:\nTraceback" in log.read_text()


def test_an_interruption_is_no_error(tmp_path: Path) -> None:
    done = run("log.watch(print); raise KeyboardInterrupt", tmp_path / "logs")
    assert done.stdout == ""
    assert (tmp_path / "logs" / "window.log").read_text() == ""


def test_without_a_place_for_the_log_it_is_told_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    done = run("log.watch(print); 1 / 0", tmp_path / "logs")
    assert done.stdout == "Something went wrong inside Jarlet: ZeroDivisionError: division by zero.\n"


def test_after_its_end_all_is_as_before(tmp_path: Path) -> None:
    code = "before = sys.excepthook; log.watch(print); assert sys.excepthook != before; log.close();"
    done = run(code + "assert sys.excepthook == before; 1 / 0", tmp_path / "logs")
    assert done.stdout == ""
    assert "ZeroDivisionError" in done.stderr
    assert (tmp_path / "logs" / "window.log").read_text() == ""
