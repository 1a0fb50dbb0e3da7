"""``jarlet bench corpus``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from app.commands.parsing import BAD_USE, DONE, INTERRUPTED, ending_gently

ALGORITHMS = (
    *("ddmin", "verify", "closure", "binary", "lossy-first", "lossy-last"),
    *("gbr", "hdd-ddmin", "hdd-wddmin", "perses-ddmin", "auto"),
)

_EPILOG = """\
The jars come from Debian's packages (apt-get download, nothing is installed). A finished run is not run again,
an interrupted one is resumed; remove its files in the folder to start over. In the folder: tables.md,
reduction.svg and probes.svg (mean share of bytes left by seconds and probes), frequency.svg (share of cases that are
at most so large), runs/.

exit codes:
  0 all runs finished, 2 bad use, or some could not be run, 130 interrupted.
"""


def add_bench(bench: argparse.ArgumentParser) -> None:
    """What ``jarlet bench`` takes."""
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
        "--cases", nargs="+", default=["10"], metavar="N|NAME", help="the N lightest, or jars, or JAR-PRESET (10)"
    )
    corpus.add_argument("--algorithms", default=",".join(ALGORITHMS), metavar="LIST", help="by commas")
    corpus.add_argument("--presets", default="", metavar="LIST", help="decompilers, by commas (default: all)")
    corpus.add_argument(
        "--limit", type=float, default=300.0, metavar="S", help="time limit per run, in seconds (default: 300)"
    )
    corpus.add_argument("--max-probes", type=int, metavar="N", help="limit of probes per run (default: none)")
    classic = "delta debugging as published (default), or with tests of complements only; not both in one folder"
    corpus.add_argument("--classic", action=argparse.BooleanOptionalAction, default=True, help=classic)
    corpus.add_argument("--parallel", type=int, default=2, metavar="N", help="parallel runs (default: 2)")
    place = "folder for jars and results: new, empty, or of earlier runs (default: out/corpus)"
    corpus.add_argument("--folder", type=Path, default=Path("out/corpus"), metavar="DIR", help=place)
    corpus.add_argument(
        "--report-only", action="store_true", help="write tables and plots of the runs that are there; run nothing"
    )


def _corpus(options: argparse.Namespace) -> int:
    from app.bench.corpus_bench import KEPT, Bench
    from app.bench.report import RESULTS, write_all
    from core.batch.corpus import cases
    from core.batch.executors import Local
    from core.errors import UsageError
    from core.search.catalogue import find
    from core.system.outputs import Output, guard, refuse_filled

    def words(text: str) -> list[str]:
        return [word for word in text.split(",") if word]

    bench = Bench(
        folder=options.folder,
        cases=cases(options.cases, words(options.presets)),
        algorithms=words(options.algorithms),
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
