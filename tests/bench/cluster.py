"""One reduction on clusters of several sizes, all on this machine, with a predicate that waits.

``python -m tests.bench.cluster JAR NEEDED... [--workers 1 4] [--seconds 2] [--algorithm auto]``: NEEDED are texts that
names of the jar's entries must hold, which stands for the failure. With ``--preset P`` instead the failures are those
of a preset, and each answer of its resident processes comes so many seconds later. Prints seconds from the call to the
result, check and confirmation included, those of the search, probes, and bytes left.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shlex
import time
from pathlib import Path
from typing import Any

from core.protocol import events
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from tests.support.dask_cluster import loopback_cluster, wait_for_workers

SLOW, SECONDS = "tests.bench.slow_hosts", "JARLET_BENCH_SECONDS"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jar", type=Path)
    parser.add_argument("needed", nargs="*")
    parser.add_argument("--preset")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--algorithm", default="auto")
    options = parser.parse_args()
    os.environ[SECONDS] = str(options.seconds)
    if options.preset:
        importlib.import_module(SLOW)
    settings = {"algorithm": options.algorithm, **_predicate(options)}
    first = 0.0
    for workers in options.workers:
        with loopback_cluster(workers, str(Path.cwd()), SLOW if options.preset else "") as cluster:
            wait_for_workers(cluster.address, workers)
            workspace = Workspace(_silent)
            workspace.open([str(options.jar)])
            begun = time.monotonic()
            reduction = workspace.reduce(Settings.from_json({**settings, "cluster": cluster.address}))
            took = time.monotonic() - begun
            first = first or took
            assert workspace.last_report is not None
            report = workspace.last_report
            probes, search = report["probes"]["run"], report["seconds"]["search"]
            print(
                f"{workers} workers: {took:.1f} s ({first / took:.2f} times as fast), {search:.1f} s of it search, "
                f"{probes} probes, {reduction.best.bytes} bytes left",
                flush=True,
            )
            workspace.close()


def _predicate(options: argparse.Namespace) -> dict[str, Any]:
    if options.preset:
        return {"preset": options.preset}
    asks = " && ".join(f"grep -aq {shlex.quote(text)} {{jar}}" for text in options.needed)
    script = f"sleep {options.seconds:g}; {asks}"
    return {"predicate": f"sh -c {shlex.quote(script)}", "evidence": False}


def _silent(event: events.Event) -> None:
    """Nothing is shown."""


if __name__ == "__main__":
    main()
