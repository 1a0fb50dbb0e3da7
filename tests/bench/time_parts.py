"""Where the seconds of a run go: ``python -m tests.bench.time_parts [--runs N] JAR:PRESET...``.

Each case is reduced by a process of its own, in a new folder. A row is one run: for each part seconds on a watch, and
processor seconds of Jarlet's own process and of all processes that it started. *start* ends with the first line that
Jarlet prints, *reading* with the opened input, *check* with the start of the search, *search* with the first run of
the result, *end* with the last process. Within check and search, *model* is the making of models. A process that ended
counts from when its parent has waited for it, and may count in the next part. ``--cold`` measures a cold run of the
full input too, in processor seconds. The last columns are such multiples, of the first gain and of the whole run, and
Jarlet's own share of the processor seconds.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import psutil

_PARTS = ("start", "reading", "check", "model", "search", "end")
_LAST = ("finished", "exported")
"""Events after which the own seconds of the last part are read: the process may end."""
_ENDS = {"loading": "reading", "opened": "check", "searching": "search", "started": "search"}
"""The part that begins with an event. A model is made from ``working`` to ``searching``."""


def spent(process: psutil.Process) -> tuple[float, float]:
    """Return the processor seconds of a process, and of all that it started."""
    own = process.cpu_times()
    others = own.children_user + own.children_system
    for child in process.children(recursive=True):
        try:
            others += sum(child.cpu_times()[:4])
        except psutil.Error:  # it ended: its parent has its seconds
            continue
    return own.user + own.system, others


def run(jar: str, preset: str, folder: Path, options: list[str]) -> tuple[dict[str, list[float]], str, float]:
    """Reduce a jar. Return for each part the three figures, a text with bytes and probes, and the processor seconds
    until the first gain; 0 without any."""
    command = [sys.executable, "-P", "-m", "app", "reduce", jar, "--preset", preset, "-o", str(folder / "out.jar")]
    command += ["--json", *options]
    figures: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    part, before = "start", [time.monotonic(), 0.0, 0.0]
    ending, at_start, first = "no result |", _of_children(), 0.0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        watched = psutil.Process(process.pid)
        assert process.stdout is not None
        for line in process.stdout:
            if not line.startswith("{"):
                ending = f"no result: {line.strip()} |" if ending.startswith("no") else ending
                continue
            event = json.loads(line)
            if event["event"] == "finished":
                ending = f"{event['bytes']} | {event['probes']}"
            if event["event"] == "accepted":
                first = first or sum(spent(watched))
            name = _part(event, part)
            if name != part or event["event"] in _LAST:
                now = [time.monotonic(), *spent(watched)]
                figures[part] = [sum(pair) for pair in zip(figures[part], _less(now, before), strict=True)]
                part, before = name, now
    figures["end"][0] += time.monotonic() - before[0]
    after = _of_children() - at_start
    figures["end"][2] += after - sum(own + others for _, own, others in figures.values())
    return figures, ending, first


def _of_children() -> float:
    """Return the processor seconds of all processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _part(event: dict[str, object], part: str) -> str:
    """Return the part of the run that goes on after an event."""
    name = event["event"]
    if name == "working":
        message = str(event["message"])
        return "model" if "building the model" in message else "end" if "confirming" in message else part
    if name == "finished":
        return "end"
    return _ENDS.get(str(name), part)


def _less(now: list[float], before: list[float]) -> list[float]:
    return [later - earlier for later, earlier in zip(now, before, strict=True)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", metavar="JAR:PRESET")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--cold", action="store_true", help="measure a cold run of the full input too")
    options, others = parser.parse_known_args()
    print(f"| case | bytes | probes | {' | '.join(_PARTS)} | in all | cold | first | times | own |")
    print("|---|" + "---:|" * (len(_PARTS) + 7), flush=True)
    for case in options.cases:
        jar, _, preset = case.rpartition(":")
        for _ in range(options.runs):
            with tempfile.TemporaryDirectory() as folder:
                cold = _cold(jar, preset) if options.cold else None
                figures, ending, first = run(jar, preset, Path(folder), others)
            total = [sum(figures[part][place] for part in _PARTS) for place in range(3)]
            cells = [_cell(figures[part]) for part in _PARTS] + [_cell(total)]
            both = total[1] + total[2]
            cells += ["", "", ""] if cold is None else [f"{each:.1f}" for each in (cold, first / cold, both / cold)]
            cells.append(f"{100 * total[1] / both:.0f} %")
            print(f"| {Path(jar).stem} {preset} | {ending} | {' | '.join(cells)} |", flush=True)


def _cell(figures: list[float]) -> str:
    wall, own, others = figures
    return f"{wall:.1f} ({own:.1f} + {others:.1f})"


def _cold(jar: str, preset: str) -> float:
    """Return the processor seconds of a cold run of the full input: its share of those of all runs of a check."""
    command = [sys.executable, "-P", "-m", "app", "check", jar, "--preset", preset, "--cold", "--runs", "1"]
    with subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        watched, seconds = psutil.Process(process.pid), 0.0
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "checked":
                seconds = spent(watched)[1] * event["seconds"] / event["spent"]
    return seconds


if __name__ == "__main__":
    main()
