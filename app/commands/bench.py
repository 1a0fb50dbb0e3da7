"""``jarlet bench corpus`` and ``jarlet bench programs``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.parsing import BAD_USE, DONE, INTERRUPTED, ending_gently

if TYPE_CHECKING:
    from app.bench.corpus_bench import BenchCase

ALGORITHMS = (
    *("ddmin", "verify", "closure", "binary", "lossy-first", "lossy-last"),
    *("gbr", "hdd-ddmin", "hdd-wddmin", "perses-ddmin", "auto"),
)
FOR_PROGRAMS = ("binary", "gbr", "items/probdd", "perses-probdd", "auto")

_EPILOG = """\
The jars come from Debian's packages (apt-get download, nothing is installed). A finished run is not run again,
an interrupted one is resumed; remove its files in the folder to start over. In the folder: tables.md,
reduction.svg and probes.svg (mean share of bytes left by seconds and probes), frequency.svg (share of cases that are
at most so large), steps.csv (every accepted step), runs/ (a report and a list of probes for each run).

exit codes:
  0 all runs finished, 2 bad use, or some could not be run, 130 interrupted.
"""


def add_bench(bench: argparse.ArgumentParser) -> None:
    """Add the options of ``jarlet bench``."""
    kinds = bench.add_subparsers(required=True, metavar="WHAT", parser_class=type(bench))
    corpus = kinds.add_parser(
        "corpus",
        help="all algorithms on jars that break decompilers",
        description="Runs the algorithms on jars that break decompilers, and writes tables and plots.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    corpus.set_defaults(run=_corpus)
    corpus.add_argument(
        "--cases",
        nargs="+",
        default=["standard"],
        metavar="N|NAME",
        help="the N lightest, or jars, or JAR-PRESET (default: standard, thirty of different origins)",
    )
    corpus.add_argument("--presets", default="", metavar="LIST", help="decompilers, by commas (default: all)")
    _add_runs(corpus, ALGORITHMS, 300.0, None, "out/corpus", classic=True)
    programs = kinds.add_parser(
        "programs",
        help="algorithms on programs that must still run",
        description="Runs algorithms on programs of Debian that must still do the same work, and writes tables and "
        "plots.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    programs.set_defaults(run=_programs)
    programs.add_argument("--cases", nargs="+", default=[], metavar="N|NAME", help="the N lightest, or names (all)")
    _add_runs(programs, FOR_PROGRAMS, 600.0, 1000, "out/programs", classic=False)


def _add_runs(
    command: argparse.ArgumentParser,
    algorithms: Sequence[str],
    seconds: float,
    probes: int | None,
    folder: str,
    classic: bool,
) -> None:
    add = command.add_argument
    add("--algorithms", default=",".join(algorithms), metavar="LIST", help="by commas")
    limit = f"time limit per run, in seconds (default: {seconds:g})"
    add("--limit", type=float, default=seconds, metavar="S", help=limit)
    most = f"limit of probes per run (default: {probes or 'none'})"
    add("--max-probes", type=int, default=probes, metavar="N", help=most)
    way = "--classic" if classic else "--no-classic"
    published = f"delta debugging as published, or with tests of complements only (default: {way})"
    add("--classic", action=argparse.BooleanOptionalAction, default=classic, help=published)
    add("--parallel", type=int, default=2, metavar="N", help="parallel runs (default: 2)")
    place = f"folder for jars and results: new, empty, or of earlier runs (default: {folder})"
    add("--folder", type=Path, default=Path(folder), metavar="DIR", help=place)
    add("--report-only", action="store_true", help="write tables and plots of the runs that are there; run nothing")


def _corpus(options: argparse.Namespace) -> int:
    from core.batch.corpus import cases

    return _bench(options, cases(options.cases, _words(options.presets)))


def _programs(options: argparse.Namespace) -> int:
    from core.batch.programs import programs

    return _bench(options, programs(options.cases))


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _bench(options: argparse.Namespace, cases: Sequence[BenchCase]) -> int:
    from app.bench.corpus_bench import KEPT, Bench
    from app.bench.report import RESULTS, write_all
    from core.batch.executors import Local
    from core.errors import UsageError
    from core.plan.catalogue import find
    from core.system.outputs import Output, guard, refuse_filled

    bench = Bench(
        folder=options.folder,
        cases=cases,
        algorithms=_words(options.algorithms),
        seconds=options.limit,
        probes=options.max_probes,
        classic=options.classic,
    )
    try:
        for name in bench.algorithms:
            find(name)
    except LookupError as error:
        raise UsageError(str(error)) from error
    outputs = [Output(bench.folder / name, "a result", parents=True) for name in RESULTS]
    guard([Output(bench.folder, "--folder", folder=True, alone=False), *outputs], [])
    if not any((bench.folder / name).is_dir() for name in KEPT):
        refuse_filled(bench.folder, "bench")  # it is nothing of ours
    whole, stopped = True, False
    if not options.report_only:
        with Local(options.parallel) as executor, ending_gently(executor.stop) as ended:
            whole = bench.run(executor, lambda text: print(text, file=sys.stderr, flush=True))
            stopped = ended()
    print(write_all(bench), end="")
    return INTERRUPTED if stopped else DONE if whole else BAD_USE
