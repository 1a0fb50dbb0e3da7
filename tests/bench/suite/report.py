"""Tables and plots of a bench."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from core.protocol.run_words import EndReason
from core.system.files import write_whole
from core.words import counted
from tests.bench.suite.corpus_bench import Bench, BenchCase, BenchRun
from tests.bench.suite.kind_shares import KindShare, kind_shares, kinds_table, mean_shares
from tests.bench.suite.milestones import MARK, courses, mean, milestones, step_rows
from tests.bench.suite.plots import bars, frequency, over


@dataclass(frozen=True)
class CaseResult:
    """A run that has ended, with all its parts. Shares are of the input's; ``steps`` are seconds, probes and share of
    bytes, falling, of the last part."""

    case: BenchCase
    algorithm: str
    bytes: float
    classes: float
    kept_bytes: int
    kept_classes: int
    all_classes: int
    probes: int
    seconds: float
    ended: bool
    resumed: bool
    steps: tuple[tuple[float, int, float], ...]
    tools: tuple[tuple[str, str], ...]
    """Names and versions."""
    kinds: Mapping[str, KindShare]
    """The shares of the kinds of rewriting that were searched."""
    wanted: str
    """Demand on the failures of a preset, in words; empty for a command."""

    @classmethod
    def of(cls, run: BenchRun, report: dict[str, Any]) -> CaseResult:
        """Return the result of a case from its report."""
        whole, left = report["input"], report["output"]
        return cls(
            case=run.case,
            algorithm=run.algorithm,
            bytes=left["bytes"] / whole["bytes"],
            classes=left["classes"] / whole["classes"],
            kept_bytes=left["bytes"],
            kept_classes=left["classes"],
            all_classes=whole["classes"],
            probes=report["probes"]["run"] + report["probes"]["recalled"],
            seconds=sum(phase["seconds"] for phase in report["phases"]) + report["seconds"]["before"],
            ended=report["reason"] == EndReason.DONE,
            resumed=report["probes"]["recalled"] > 0,
            steps=tuple((step["at"], step["probe"], step["bytes"] / whole["bytes"]) for step in report["timeline"]),
            tools=tuple(report["tools"].items()),
            kinds=kind_shares(report),
            wanted=report["final"]["wanted"] if report["settings"]["preset"] else "",
        )

    def probes_to(self, share: float) -> int | None:
        """Return the probes until at most so much was left; None if that never was."""
        return next((probe for _, probe, left in self.steps if left <= share), None)


RESULTS = ("tables.md", "steps.csv", "reduction.svg", "probes.svg", "frequency.svg", "rewriting.svg")
"""Files written besides the runs."""


def write_all(bench: Bench) -> str:
    """Write :data:`RESULTS`, and return the tables. Raise OutputError."""
    results = {case: _results(bench, case) for case in bench.cases}
    # only cases that all algorithms have been through: otherwise the means would not be of the same
    whole = [found for found in results.values() if len(found) == len(bench.algorithms)]
    compared = [result for found in whole for result in found]
    ways = courses(bench)
    kinds = mean_shares([result.kinds for result in compared if result.kinds])
    tables = [*_tables(bench, results, compared, len(whole)), *kinds_table(kinds)]
    text = "\n".join([*tables, *milestones(bench, ways)]) + "\n"
    write_whole(bench.folder / "steps.csv", step_rows(ways).encode(), parents=True)
    write_whole(bench.folder / "tables.md", text.encode(), parents=True)
    if compared:
        runs = {name: [result for result in compared if result.algorithm == name] for name in bench.algorithms}
        # what an earlier part found is there at once in the next one
        known = {name: [result for result in rows if not result.resumed] for name, rows in runs.items()}
        timed = {name: [[(at, left) for at, _, left in r.steps] for r in rows] for name, rows in known.items()}
        counted = {name: [[(probe, left) for _, probe, left in r.steps] for r in rows] for name, rows in known.items()}
        most = max(1, max(result.probes for result in compared))
        shares = {name: [r.bytes for r in rows] for name, rows in runs.items()}
        write_whole(bench.folder / "reduction.svg", over(timed, bench.seconds, "seconds").encode())
        write_whole(bench.folder / "probes.svg", over(counted, most, "probes").encode())
        write_whole(bench.folder / "frequency.svg", frequency(shares).encode())
        write_whole(bench.folder / "rewriting.svg", bars({name: share.bytes for name, share in kinds.items()}).encode())
    return text


def _results(bench: Bench, case: BenchCase) -> list[CaseResult]:
    runs = [BenchRun(case, algorithm) for algorithm in bench.algorithms]
    reports = [(run, bench.report(run)) for run in runs]
    return [CaseResult.of(run, report) for run, report in reports if report is not None]


def _tables(
    bench: Bench, results: dict[BenchCase, list[CaseResult]], compared: Sequence[CaseResult], complete: int
) -> list[str]:
    tools = sorted({f"{name} {version}" for found in results.values() for r in found for name, version in r.tools})
    limit = f"{bench.seconds:g} s" + (f" and {bench.probes} probes" if bench.probes else "")
    ddmin = "as published" if bench.classic else "complements only"
    machine = f"{date.today()}, {os.cpu_count()} x {platform.machine()}, Python {platform.python_version()}"
    wanted = sorted({f"wanted: {r.wanted}" for found in results.values() for r in found if r.wanted})
    said = [machine, ", ".join(tools), f"at most {limit} a run", f"delta debugging {ddmin}", *wanted]
    lines = [
        f"{'; '.join(filter(None, said))}.",
        "",
        f"Geometric means over {counted(complete, 'case')} that every algorithm was run on; share of the input left:",
        "",
        f"| algorithm | bytes | classes | probes | seconds | came to its end | probes to {MARK}'s size |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    mark = {result.case: result.bytes for result in compared if result.algorithm == MARK}
    for name in bench.algorithms:
        rows = [result for result in compared if result.algorithm == name]
        if rows:
            lines.append(
                f"| `{name}` | {mean([r.bytes for r in rows]):.1%} | {mean([r.classes for r in rows]):.1%} | "
                f"{mean([r.probes for r in rows]):.0f} | {mean([r.seconds for r in rows]):.1f} | "
                f"{sum(r.ended for r in rows)} of {len(rows)} | {_reached(rows, mark)} |"
            )
    told = "\\* cut short by the limit, + went on after an interruption, with probes and seconds of all parts"
    lines += ["", f"Each run ({told}):", ""]
    lines += [
        "| jar | what | algorithm | bytes left | classes left | probes | seconds |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for case, found in results.items():
        for r in found:
            marks = "" if r.ended else "\\*"
            marks += "+" if r.resumed else ""
            lines.append(
                f"| {' | '.join(case.label)} | `{r.algorithm}`{marks} | {r.kept_bytes:,} ({r.bytes:.1%}) | "
                f"{r.kept_classes} of {r.all_classes} | {r.probes} | {r.seconds:.1f} |"
            )
    skipped = [f"* {case.name}: {reason}" for case in bench.cases if (reason := bench.skipped(case))]
    return [*lines, *(["", "Left out:", "", *skipped] if skipped else [])]


def _reached(rows: Sequence[CaseResult], mark: dict[BenchCase, float]) -> str:
    rows = [row for row in rows if not row.resumed]
    probes = [found for r in rows if r.case in mark and (found := r.probes_to(mark[r.case])) is not None]
    missed = f" ({len(rows) - len(probes)} never)" if len(probes) < len(rows) else ""
    return (f"{mean(probes):.0f}" if probes else "-") + missed if mark else "-"
