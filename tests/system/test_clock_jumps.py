"""The clock of the machine goes an hour forward and a day back in the middle of a run, and between two parts of one:
probes, times, result and session are as without."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.patience import patience

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static long jumped(void) {
    long seconds = 0;
    FILE *file = fopen(CLOCK, "r");
    if (file) {
        if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, now);
    if (!code && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += jumped();
    return code;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec found;
    if (clock_gettime(CLOCK_REALTIME, &found)) return -1;
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now) *now = found.tv_sec;
    return found.tv_sec;
}
"""
"""A library that sets the clock of the processes that load it, as ``date --set`` does: what measures intervals and the
times of files stay. libfaketime 0.9.10 does not do: ``time.sleep`` of Python then fails with EINVAL."""

HOUR, DAY = 3600, 86400

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler (Debian: gcc)"),
]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file with the seconds by which the clock differs for all that ``program``, which comes after it, starts."""
    place, library = tmp_path / "clock", tmp_path / "clock.so"
    place.write_text("0")
    (tmp_path / "clock.c").write_text(SHIM)
    words = ["cc", "-shared", "-fPIC", f'-DCLOCK="{place}"', "-o", library, tmp_path / "clock.c", "-ldl"]
    subprocess.run(words, check=True)
    monkeypatch.setenv("LD_PRELOAD", str(library))
    return place


def command(tmp_path: Path, script: Callable[[str], Path], jumps: dict[int, int]) -> str:
    """Return a predicate that sets the clock in the probes of these numbers."""
    sets = "".join(f"[ $n = {number} ] && echo {seconds} > {tmp_path}/clock\n" for number, seconds in jumps.items())
    count = f"echo >> {tmp_path}/begun\nn=$(wc -l < {tmp_path}/begun)\ndate +%s >> {tmp_path}/dates\n"
    text = f"#!/bin/sh\n{count}{sets}grep -aq sample/number/Rational.class $1\n"
    return f"{script(text)} {{jar}}"


def ended(process: subprocess.Popen[str], code: int) -> str:
    """Return what a command wrote to its standard error."""
    said = process.communicate(timeout=patience(300))[1]
    assert process.returncode == code, said
    return said


def test_a_run_in_which_the_clock_jumps_is_as_one_without(
    clock: Path,
    program: Callable[..., subprocess.Popen[str]],
    script: Callable[[str], Path],
    sample_jar: Path,
    tmp_path: Path,
) -> None:
    ways: dict[str, dict[int, int]] = {"calm": {}, "jumping": {4: HOUR, 7: -DAY}}
    reports = {}
    for name, jumps in ways.items():
        words = ("reduce", sample_jar, "--predicate", command(tmp_path, script, jumps), "--algorithm", "ddmin")
        begun = time.monotonic()
        ended(program(*words, "--jobs", 1, "-o", f"{name}.jar", "--report", f"{name}.json", "--session", name), 0)
        reports[name] = json.loads((tmp_path / f"{name}.json").read_text())
        assert 0 < reports[name]["seconds"]["total"] < time.monotonic() - begun
        dates = [int(line) for line in (tmp_path / "dates").read_text().split()]
        assert (max(dates) - min(dates) > DAY) is bool(jumps), "the clock did not jump"
        for left in ("dates", "begun"):
            (tmp_path / left).unlink()
    calm, jumped = reports["calm"], reports["jumping"]
    assert jumped["probes"] == calm["probes"]
    assert (tmp_path / "jumping.jar").read_bytes() == (tmp_path / "calm.jar").read_bytes()
    times = [step["at"] for step in jumped["timeline"]]
    assert times == sorted(times)
    assert 0 < times[0] <= times[-1] < jumped["seconds"]["total"]


def test_a_session_goes_on_a_day_earlier_with_its_verdicts(
    clock: Path,
    program: Callable[..., subprocess.Popen[str]],
    script: Callable[[str], Path],
    sample_jar: Path,
    tmp_path: Path,
) -> None:
    words = ("reduce", sample_jar, "--predicate", command(tmp_path, script, {}), "--algorithm", "ddmin", "--jobs", 1)
    ended(program(*words, "-o", "whole.jar"), 0)
    probes = len((tmp_path / "begun").read_text().splitlines())
    (tmp_path / "begun").unlink()
    clock.write_text(f"{HOUR}")
    ended(program(*words, "-o", "cut.jar", "--session", "s", "--max-probes", 4), 3)
    first = len((tmp_path / "begun").read_text().splitlines())
    (tmp_path / "dates").rename(tmp_path / "dates of the first part")
    clock.write_text(f"{-DAY}")
    ended(program("reduce", "--resume", "s", "--max-probes", 100000), 0)
    assert (tmp_path / "cut.jar").read_bytes() == (tmp_path / "whole.jar").read_bytes()
    again = len((tmp_path / "begun").read_text().splitlines()) - first
    dates = [(tmp_path / name).read_text().split() for name in ("dates of the first part", "dates")]
    assert int(dates[0][-1]) > int(dates[1][0]) + DAY, "the clock did not jump"
    anew = 3 + 2  # full input, empty jar, an empty interface; result, twice
    assert first + again <= probes + anew, "verdicts were not used: only check and confirmation are run anew"
