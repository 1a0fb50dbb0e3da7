"""``python -m tests.bench.suite corpus``, ``programs`` and ``ablation``; ``make bench-corpus`` and its like."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from app.commands.parsing import BAD_USE, DONE, INTERRUPTED, Parser, ending_gently
from core.batch.executors import executor_of
from core.errors import JarletError, UsageError
from core.plan.catalogue import find
from core.system.files import write_whole
from core.system.outputs import Output, guard, refuse_filled
from tests.bench.suite import ablation, corpus, fresh, heuristics, programs
from tests.bench.suite.corpus_bench import KEPT, Bench, BenchCase
from tests.bench.suite.report import RESULTS, write_all

ALGORITHMS = (
    *("ddmin", "verify", "closure", "binary", "lossy-first", "lossy-last"),
    *("gbr", "hdd-ddmin", "hdd-wddmin", "perses-ddmin", "auto"),
)
SETS = ("corpus", "programs", "fresh")
FOR_PROGRAMS = ("binary", "gbr", "items/probdd", "perses-probdd", "auto")

_EPILOG = """\
The jars come from Debian's packages (apt-get download, nothing is installed). A finished run is not run again,
an interrupted one is resumed; remove its files in the folder to start over. In the folder: tables.md,
reduction.svg and probes.svg (mean share of bytes left by seconds and probes), frequency.svg (share of cases that are
at most so large), rewriting.svg (bytes that each kind of rewriting took away), steps.csv (every accepted step),
runs/ (a report and a list of probes for each run).

exit codes:
  0 all runs finished, 2 bad use, or some could not be run, 130 interrupted.
"""

_ABLATION_EPILOG = """\
Sets: corpus (thirty cases of Debian's jars), programs (ten that must still run), fresh (ten jars of Maven Central).
The programs need JaCoCo: without JaCoCo nothing tells which methods ran. A heuristic that brings less than 3 % in
bytes, or in probes at equal bytes, on every set, goes.
A finished run is not run again; remove its files in the folder to start over. In the folder: ablation.md, and in the
folder of each set runs/ (reports, probes, and the answers of all candidates).

exit codes:
  0 all runs finished, 2 bad use, or some could not be run, 130 interrupted.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a bench and return its exit code."""
    parser = Parser(prog="python -m tests.bench.suite", description="Measures the algorithms on lists of inputs.")
    _add_benches(parser)
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except JarletError as error:
        print(f"bench: {error}", file=sys.stderr)
        return error.exit_code


def _add_benches(bench: argparse.ArgumentParser) -> None:
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
    _add_runs(corpus, ALGORITHMS, 300.0, "out/corpus", classic=True)
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
    _add_runs(programs, FOR_PROGRAMS, 600.0, "out/programs", classic=False)
    _add_ablation(
        kinds.add_parser(
            "ablation",
            help="each heuristic of auto switched off by itself",
            description="Runs auto with all heuristics and without each one, and writes a table of what each brings.",
            epilog=_ABLATION_EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
    )


def _add_ablation(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=_ablation)
    add = command.add_argument
    add("--only", default="", metavar="NAMES", help="heuristics, by commas (default: all)")
    add("--sets", default=",".join(SETS), metavar="LIST", help=f"sets of cases, by commas (default: {','.join(SETS)})")
    add("--cases", default="", metavar="NAMES", help="cases of these sets, by commas (default: all)")
    add("--limit", type=float, default=3600.0, metavar="S", help="time limit per run, in seconds (default: 3600)")
    add("--max-probes", type=int, default=150, metavar="N", help="limit of probes per run (default: 150)")
    add("--parallel", type=int, default=1, metavar="N", help="parallel runs (default: 1)")
    place = "folder for jars and results: new, empty, or of earlier runs (default: out/ablation)"
    add("--folder", type=Path, default=Path("out/ablation"), metavar="DIR", help=place)
    add("--report-only", action="store_true", help="write the table of the runs that are there; run nothing")


def _add_runs(
    command: argparse.ArgumentParser,
    algorithms: Sequence[str],
    seconds: float,
    folder: str,
    classic: bool,
) -> None:
    add = command.add_argument
    add("--algorithms", default=",".join(algorithms), metavar="LIST", help="by commas")
    limit = f"time limit per run, in seconds (default: {seconds:g})"
    add("--limit", type=float, default=seconds, metavar="S", help=limit)
    add("--max-probes", type=int, metavar="N", help="limit of probes per run (default: none)")
    way = "--classic" if classic else "--no-classic"
    published = f"delta debugging as published, or with tests of complements only (default: {way})"
    add("--classic", action=argparse.BooleanOptionalAction, default=classic, help=published)
    add("--parallel", type=int, default=2, metavar="N", help="parallel runs (default: 2)")
    place = f"folder for jars and results: new, empty, or of earlier runs (default: {folder})"
    add("--folder", type=Path, default=Path(folder), metavar="DIR", help=place)
    add("--report-only", action="store_true", help="write tables and plots of the runs that are there; run nothing")


def _corpus(options: argparse.Namespace) -> int:

    return _bench(options, corpus.cases(options.cases, _words(options.presets)))


def _programs(options: argparse.Namespace) -> int:

    return _bench(options, programs.programs(options.cases))


def _ablation(options: argparse.Namespace) -> int:

    off = heuristics.chosen(_words(options.only))
    folder, limits = options.folder, (options.limit, options.max_probes)
    cases = _cases_of_sets(_words(options.sets), _words(options.cases))
    found = {name: Bench(folder / name, some, (), *limits) for name, some in cases.items()}
    benches = {name: ablation.bench_of(bench, off) for name, bench in found.items()}
    result = Output(folder / "ablation.md", "a result", parents=True)
    guard([Output(folder, "--folder", folder=True, alone=False), result], [])
    if not any((folder / name).is_dir() for name in ("root", *SETS)):
        refuse_filled(folder, "bench")  # it is nothing of ours
    whole, stopped = True, False
    if not options.report_only:
        with executor_of(None, options.parallel) as executor, ending_gently(executor.stop) as ended:
            for bench in benches.values():
                whole &= bench.run(executor, lambda text: print(text, file=sys.stderr, flush=True))
            stopped = ended()
    text = ablation.table(benches, off)
    write_whole(folder / "ablation.md", text.encode(), parents=True)
    print(text, end="")
    return INTERRUPTED if stopped else DONE if whole else BAD_USE


def _cases_of_sets(sets: Sequence[str], wanted: Sequence[str]) -> dict[str, Sequence[BenchCase]]:
    """Return the cases of each set, of these names where any is given."""

    found: dict[str, Sequence[BenchCase]] = {}
    for name in sets:
        if name not in SETS:
            raise UsageError(f"There is no set {name!r}: choose among {', '.join(SETS)}.")
        if name == "corpus":
            found[name] = corpus.cases() if wanted else corpus.cases([corpus.STANDARD])
        else:
            found[name] = programs.programs() if name == "programs" else fresh.fresh()
    known = {case.name for cases in found.values() for case in cases}
    for name in wanted:
        if name not in known:
            raise UsageError(f"There is no case {name!r} in {', '.join(sets)}.")
    return {name: [case for case in cases if not wanted or case.name in wanted] for name, cases in found.items()}


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _bench(options: argparse.Namespace, cases: Sequence[BenchCase]) -> int:

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
        with executor_of(None, options.parallel) as executor, ending_gently(executor.stop) as ended:
            whole = bench.run(executor, lambda text: print(text, file=sys.stderr, flush=True))
            stopped = ended()
    print(write_all(bench), end="")
    return INTERRUPTED if stopped else DONE if whole else BAD_USE


if __name__ == "__main__":
    sys.exit(main())
