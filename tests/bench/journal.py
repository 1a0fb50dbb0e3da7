"""What it costs to make verdicts last: ``python -m tests.bench.journal [FOLDER]``.

Times of ``Answers.put`` (one commit a verdict) and how many of the commits waited for the disk, for probes of
5 ms and of 1 s, beside all commits waiting and none; then the time to answer from the journal and to open it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from core.predicate.verdict import Outcome, Verdict
from core.store import journal as module
from core.store.journal import Journal

ERR = "".join(f"\tat some.pack.Name{number}.method(Name{number}.java:{number})\n" for number in range(60))
NAMES = tuple(f"Name{number}.java: error: cannot find symbol method{number}()" for number in range(40))


def puts(folder: Path, seconds: float, count: int, at_stake: float) -> list[bytes]:
    """Puts ``count`` outcomes of ``seconds`` each and prints the times."""
    module.AT_STAKE = at_stake
    path = folder / "journal.sqlite"
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    journal = Journal(path, new=True)
    answers = journal.answers(os.urandom(20), {}, 5.0, False)
    keys = [os.urandom(20) for _ in range(count)]
    times = []
    for number, key in enumerate(keys):
        outcome = Outcome(Verdict.NOT_INTERESTING, seconds, 1, "exit code 1", f"{number}", ERR, NAMES[: number % 40])
        start = time.perf_counter()
        answers.put(key, outcome)
        times.append((time.perf_counter() - start) * 1e3)
    rule = {0.0: "all wait", float("inf"): "none waits"}.get(at_stake, f"waits each {at_stake} s")
    print(
        f"  probes of {seconds * 1e3:6.0f} ms, {rule:>16}: median {statistics.median(times):.3f} ms, mean "
        f"{statistics.mean(times):.3f} ms, worst {max(times):.1f} ms = {statistics.mean(times) / seconds / 10:.2f} %"
    )
    start = time.perf_counter()
    for key in keys:
        assert answers.get(key) is not None
    each = (time.perf_counter() - start) / count
    journal.close()
    size = path.stat().st_size
    start = time.perf_counter()
    Journal(path).close()
    print(
        f"    get {each * 1e6:.0f} us; {count} verdicts: {size / 1e6:.1f} MB, "
        f"opened and checked in {(time.perf_counter() - start) * 1e3:.1f} ms"
    )
    return keys


def main() -> None:
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        print(f"journal in {Path(name).parent}")
        for seconds in (0.005, 1.0):
            for at_stake in (0.0, 0.1, float("inf")):
                puts(Path(name), seconds, 2000, at_stake)
        puts(Path(name), 0.005, 50_000, 0.1)


if __name__ == "__main__":
    main()
