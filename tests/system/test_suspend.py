"""All processes of a run are stopped for longer than a probe may take, and go on: no probe counts as timed out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.patience import patience

STOPPED = 6.0
"""Seconds for which all is stopped: twelve times the least limit of a probe."""


def family(leader: int) -> set[int]:
    """Return a process with all its descendants."""
    children = {leader}
    found: set[int] = set()
    while children:
        found |= children
        places = [place for pid in children for place in Path(f"/proc/{pid}/task").glob("*/children")]
        children = set()
        for place in places:
            try:
                children |= set(map(int, place.read_text().split()))
            except OSError:
                continue  # gone meanwhile
        children -= found
    return found


def send(processes: set[int], number: signal.Signals) -> None:
    for pid in processes:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


@pytest.mark.slow
def test_time_in_which_all_was_stopped_is_no_time_of_a_probe(
    program: Callable[..., subprocess.Popen[str]], script: Callable[[str], Path], sample_jar: Path, tmp_path: Path
) -> None:
    steps = "for i in 1 2 3 4 5; do sleep 0.04; done; grep -aq sample/number/Rational.class $1"
    check = script(f"#!/bin/sh\necho >> {tmp_path}/begun\n{steps}\n")
    words = ("reduce", sample_jar, "--predicate", f"{check} {{jar}}", "--algorithm", "ddmin")
    whole = program(*words, "-o", "whole.jar")
    whole.communicate(timeout=patience(300))
    assert whole.returncode == 0
    probes = len((tmp_path / "begun").read_text().splitlines())
    (tmp_path / "begun").unlink()
    cut = program(*words, "-o", "cut.jar", "--report", "cut.json")
    stops = 0
    while cut.poll() is None:
        begun = (tmp_path / "begun").read_text().splitlines() if (tmp_path / "begun").exists() else []
        if len(begun) < (2, probes // 2, probes)[min(stops, 2)] or stops == 2:
            time.sleep(0.01)
            continue
        stops += 1
        held: set[int] = set()
        while new := family(cut.pid) - held:
            send(new, signal.SIGSTOP)
            held |= new
        time.sleep(STOPPED)
        send(held, signal.SIGCONT)
    cut.communicate(timeout=patience())
    assert cut.returncode == 0
    report = json.loads((tmp_path / "cut.json").read_text())
    assert stops == 2
    assert "timed out" not in report["probes"]["verdicts"], report["probes"]
    assert (tmp_path / "cut.jar").read_bytes() == (tmp_path / "whole.jar").read_bytes()
