"""Runs random cases for a time and prints how many were tried, survived and failed.

    python -m tests.fuzz [--seconds S] [--seed N] [--only PART ...] [--jar JAR]
    python -m tests.fuzz --seed N --case jars:17        # one case again

Failing cases are kept in ``build/fuzz``, with the command, what it printed, and its files. Exit code 1 if any failed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from core.system.work_folder import kill_leftovers
from tests.fuzz.case import Case, Ended, Maker, fault
from tests.fuzz.child import run
from tests.fuzz.commands import Commands
from tests.fuzz.jars import Jars
from tests.fuzz.options import Options
from tests.fuzz.sessions import Sessions

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("jars", "sessions", "options", "engine")
_TURNS = ("jars", "options", "jars", "sessions", "engine")
_WARM = ("show", "reduce", "many", "failing_tools")
_EXIT = 1


def main(arguments: list[str] | None = None) -> int:
    """Runs the cases; the exit code."""
    options = _options(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    for name in _WARM:  # what every child would import again
        importlib.import_module(f"app.commands.{name}")
    importlib.import_module("core.service.engine")
    print(f"seed {seed}", flush=True)
    tried, failed = Counter[str](), Counter[str]()
    slowest, largest = (0.0, ""), (0, "")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True) as name:
        place = Path(name)
        _at_home(place)
        makers = _makers(options, place)
        for part, number in _numbers(options, makers):
            if options.case is None and not _goes_on(options, start, sum(tried.values())):
                break
            folder = place / f"{part}-{number}"
            folder.mkdir()
            case = makers[part](random.Random(f"{seed} {part} {number}"), folder)
            ended = run(case, folder, options.limit)
            kill_leftovers([place / "TMPDIR"])  # probes of a case that was killed
            tried[part] += 1
            slowest = max(slowest, (ended.seconds, f"{part}:{number}"))
            largest = max(largest, (ended.resident, f"{part}:{number}"))
            wrong = fault(case, ended)
            if wrong:
                failed[part] += 1
                print(f"{part}:{number}: {wrong}: {case.command} {' '.join(case.arguments)!a:.200}", flush=True)
                _keep(folder, case, ended, f"{seed}-{part}-{number}", wrong, options.keep)
            _remove(folder)
    print(f"{'part':10}{'tried':>8}{'survived':>10}{'failed':>8}")
    for part in makers:
        print(f"{part:10}{tried[part]:8}{tried[part] - failed[part]:10}{failed[part]:8}")
    spent = time.monotonic() - start
    print(
        f"{spent:.0f} s; slowest {slowest[1]} ({slowest[0]:.1f} s), most memory {largest[1]} ({largest[0] >> 20} MiB)"
    )
    print(f"seed {seed}")
    return _EXIT if failed else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--count", type=int, help="so many cases instead")
    parser.add_argument("--seed", type=int, help="else a random one, which is printed")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS, help="parts (default: all)")
    parser.add_argument("--case", metavar="PART:N", help="only this case")
    parser.add_argument("--jar", type=Path, default=ROOT / "build" / "sample.jar", help="whose classes are mutated")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a case may take (default: 60)")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz", help="where failing cases are kept")
    return parser.parse_args(arguments)


def _at_home(place: Path) -> None:
    """Settings, caches, sessions and temporary files of the cases are none of the user's."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"):
        (place / name).mkdir()
        os.environ[name] = str(place / name)
    os.environ.setdefault("XDG_CACHE_HOME", str(place / "HOME" / ".cache"))


def _makers(options: argparse.Namespace, place: Path) -> dict[str, Maker]:
    """What makes the cases of each part that is wanted."""
    jars = Jars(options.jar)
    wanted = [options.case.partition(":")[0]] if options.case else options.only
    makers: dict[str, Maker] = {}
    for part in wanted:
        if part == "sessions":
            (place / "base").mkdir()
            makers[part] = Sessions(options.jar, place / "base", lambda case, folder: run(case, folder, 300)).make
        else:
            makers[part] = {"jars": jars, "options": Options(jars), "engine": Commands(jars)}[part].make
    return makers


def _numbers(options: argparse.Namespace, makers: dict[str, Maker]) -> Iterator[tuple[str, int]]:
    """Parts in turn, each with its next number."""
    if options.case:
        part, _, number = options.case.partition(":")
        yield part, int(number)
        return
    numbers = Counter[str]()
    while True:
        for part in _TURNS:
            if part in makers:
                yield part, numbers[part]
                numbers[part] += 1


def _goes_on(options: argparse.Namespace, start: float, tried: int) -> bool:
    return tried < options.count if options.count is not None else time.monotonic() - start < options.seconds


def _keep(folder: Path, case: Case, ended: Ended, name: str, wrong: str, place: Path) -> None:
    target = place / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target, symlinks=True)
    what = {"wrong": wrong, "exit": ended.code, "command": case.command, "arguments": case.arguments}
    (target / "case.json").write_text(json.dumps(what, indent=2) + "\n")


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
