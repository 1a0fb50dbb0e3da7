"""A disk that is full from any moment of a run on: a sentence, a whole result or none, and the session goes on to the
same bytes."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[2]
SEEDS = int(os.environ.get("JARLET_TEST_SEEDS", "20"))
LATEST = 3.0
"""Most seconds from the start of a run until its disk is full."""

DRIVER = """
import json, os, subprocess, sys, time
from pathlib import Path
from tests.support.patience import patience
disk, jar, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", disk], check=True)
(disk / "tmp").mkdir()
environment = {**os.environ, "TMPDIR": str(disk / "tmp")}
script = disk / "check.sh"
script.write_text("#!/bin/sh\\nsleep 0.05\\ngrep -aq sample/number/Rational.class $1\\n")
script.chmod(0o755)
begin = [sys.executable, "-m", "app", "reduce"]
first = [*begin, jar, "--predicate", f"{script} {{jar}}", "--algorithm", "ddmin", "-o", "out.jar", "--session", "s"]

def run(words, fill):
    process = subprocess.Popen(words, cwd=disk, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if fill:
        while fill > 1 and not (disk / "s.jarlet" / "settings.json").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(seconds)
        with (disk / "fill").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 12))
            except OSError:
                pass
    out, err = process.communicate(timeout=patience())
    return process.returncode, err.decode()

full, said = run(first, 1 + int(sys.argv[4]))
found = (disk / "out.jar").read_bytes() if (disk / "out.jar").exists() else b""
(disk / "fill").unlink()
resumed = (disk / "s.jarlet" / "settings.json").exists()
code, again = run([*begin, "--resume", "s"] if resumed else first, 0)
last = (disk / "out.jar").read_bytes() if code == 0 else b""
left = [path.name for path in (disk / "tmp").iterdir()]
print(json.dumps([full, said, found.hex(), resumed, code, again, last.hex(), left]))
"""


def run(tmp_path: Path, jar: Path, seconds: float, begun: bool) -> list[object]:
    """Return what :data:`DRIVER` finds of a disk that is full so long after the run, or its session, has begun."""
    disk = tmp_path / "disk"
    disk.mkdir(exist_ok=True)
    command = ["unshare", "--mount", sys.executable, "-c", DRIVER, str(disk), str(jar), str(seconds), str(int(begun))]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=patience(300))
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_a_disk_that_is_full_at_any_moment(tmp_path: Path, sample_jar: Path) -> None:
    may = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "none", tmp_path], capture_output=True, check=False
    )
    if may.returncode:
        pytest.skip("nothing can be mounted here")
    results = set()
    for seed in range(SEEDS):
        seconds = random.Random(seed).uniform(0.0, LATEST)
        full, said, found, resumed, code, again, last, left = run(tmp_path, sample_jar, seconds, seed % 4 > 0)
        where = f"seed {seed}, {seconds:.2f} s: exit code {full}, then {code}\n{said}\n{again}"
        print(f"{seed:2} {seconds:.2f} s: {full} {'resumed' if resumed else 'anew'} {code}")
        assert full in (0, 2), where
        assert "Traceback" not in f"{said}{again}", where
        assert (full == 0) or re.search("No space left on device|disk is full", str(said)), where
        if found:
            (tmp_path / "found.jar").write_bytes(bytes.fromhex(str(found)))
            with zipfile.ZipFile(tmp_path / "found.jar") as archive:
                assert archive.testzip() is None, where
        assert code == 0, where
        assert left == [], where
        results.add(last)
    assert len(results) == 1
