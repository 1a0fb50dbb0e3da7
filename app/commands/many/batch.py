"""``jarlet batch``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from app.commands.parsing import ending_gently
from app.text import count, seconds, share, size
from core.batch import batch_file
from core.batch.batch_file import Batch
from core.batch.executors import Cluster, Executor, Local
from core.batch.job import Done
from core.report.reduction_report import probes_of
from core.system.files import write_whole
from core.words import in_line

_EPILOG = """\
the file (TOML):
  time_limit = 300              # before the first job: defaults for all, any setting of a reduction
  preset = "procyon"

  [[job]]
  input = "app.jar"             # or a list; paths begin at the file's folder
  output = "small/app.jar"      # report: small/app.json, session: small/app.jarlet

  [[job]]
  name = "verifier"
  input = "other.jar"
  predicate = "./breaks.sh {jar}"
  expect_exit = 1
  algorithm = "binary"

A finished job is not run again, and an interrupted one is resumed: its session lies beside its output (remove it to
start over). On a Dask cluster a job is one task; its workers need the same Jarlet and see the same files.

exit codes:
  the worst of all jobs: 130 interrupted (all end with their best so far), 70 something went wrong inside Jarlet
  ("crashed"), 2 bad use or a job failed, 1 an input is not interesting, 3 stopped by a limit, 0 all done. A job that
  fails does not stop the others.
"""


def add_batch(command: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet batch``."""
    command.set_defaults(run=_batch)
    command.epilog = _EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument("file", type=Path, metavar="FILE", help="the list of jobs")
    lanes = "jobs at a time (default: 1; on a cluster: as many as its workers have threads)"
    command.add_argument("--parallel", type=int, metavar="N", help=lanes)
    cluster = "run on the Dask cluster of this scheduler (tcp://HOST:PORT)"
    command.add_argument("--cluster", metavar="ADDRESS", help=cluster)
    results = "file for the results of all jobs, as JSON (default: beside FILE, NAME-results.json)"
    command.add_argument("--results", type=Path, metavar="FILE", help=results)
    command.add_argument("-q", "--quiet", action="store_true", help="print the final table only")


def _batch(options: argparse.Namespace) -> int:
    jobs = batch_file.load(options.file)
    results = options.results or options.file.with_name(f"{options.file.stem}-results.json")
    batch_file.guard_all(jobs, options.file, results)

    def on_end(number: int, done: Done) -> None:
        if not options.quiet:
            again = " before" if done.before else ""
            print(f"{number} of {len(jobs.jobs)}: {done.name}: {done.state}{again}", file=sys.stderr, flush=True)

    with _executor(options) as executor, ending_gently(executor.stop):
        ends = jobs.run(executor, on_end)
    write_whole(results, (json.dumps(jobs.to_json(ends), indent=2) + "\n").encode(), parents=True)
    print(_table(jobs, ends))
    return batch_file.exit_code(ends)


def _executor(options: argparse.Namespace) -> Executor:
    return Cluster(options.cluster, options.parallel) if options.cluster else Local(options.parallel or 1, stays=True)


def _table(jobs: Batch, ends: Sequence[Done]) -> str:
    rows = [("job", "state", "classes", "size", "left", "probes", "time")]
    for done in ends:
        if done.report is None:
            rows.append((in_line(done.name), done.state, "", "", "", "", ""))
            continue
        whole, left = done.report["input"], done.report["output"]
        rows.append(
            (
                in_line(done.name),
                done.state,
                f"{count(left['classes'])} of {count(whole['classes'])}",
                size(left["bytes"]),
                share(left["bytes"], whole["bytes"]),
                count(probes_of(done.report)),
                seconds(done.report["seconds"]["total"]),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    notes = [f"{in_line(done.name)}: {done.message}" for done in ends if done.message]
    return "\n".join([*lines, *(["", *notes] if notes else [])])
