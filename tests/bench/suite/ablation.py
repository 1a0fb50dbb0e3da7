"""``python -m tests.bench.suite ablation``: each heuristic switched off by itself, on sets of cases.

``FOLDER/SET/runs/CASE/NAME.json`` is the report of the run without a heuristic, ``base.json`` of that with all.
``answers.sqlite`` beside these has what each candidate of the case answered: no candidate is run twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.batch.tasks import Task
from core.protocol.settings import Settings
from core.system.removal import remove
from tests.bench.suite.corpus import Store
from tests.bench.suite.corpus_bench import Bench, BenchRun
from tests.bench.suite.heuristics import Heuristic, Setting
from tests.bench.suite.milestones import mean

BASE = "base"
"""Name of the runs with all heuristics."""

_EARNS = 1.03
"""Ratio from which on a heuristic earns its place."""

_DIFFERS = 1.01
"""Ratio above which a case counts as larger, and below whose inverse a case counts as smaller."""


@dataclass(frozen=True)
class AblationBench(Bench):
    """The cases of one set, each run with all heuristics and without each one. ``algorithms`` are the names of these
    runs; ``off`` has the settings of each."""

    off: Mapping[str, Sequence[Setting]] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        """The jars of all sets."""
        return Store(self.folder.parent)

    def _settings(self, run: BenchRun) -> Settings:
        return replace(super()._settings(run), algorithm="auto", jobs=1)

    def _task(self, run: BenchRun) -> Task:
        # an interrupted run begins anew: probes that a session recalls would not count
        remove(self._job(run).session)
        task = super()._task(run)
        answers = self.place(run.case).resolve() / "answers.sqlite"
        asked = {"settings": self.off.get(run.algorithm, ()), "answers": str(answers)}
        return replace(task, module="tests.bench.suite.switched_off", line=f"{json.dumps(asked)}\n{task.line}")


def bench_of(whole: Bench, heuristics: Sequence[Heuristic]) -> AblationBench:
    """Return the bench of a set: ``whole`` has its folder, cases and limits."""
    off = {each.name: each.settings for each in heuristics}
    return AblationBench(whole.folder, whole.cases, (BASE, *off), whole.seconds, whole.probes, classic=False, off=off)


@dataclass(frozen=True)
class Difference:
    """A case without a heuristic, relative to the case with all: bytes left, and probes until as few bytes as both
    reach."""

    bytes: float
    probes: float
    same: bool
    """True if the two runs took the same steps in the same probes."""


def differences(bench: AblationBench, name: str) -> list[Difference]:
    """Return the differences that a heuristic makes in the cases in which both runs have ended."""
    pairs = [[bench.report(BenchRun(case, each)) for each in (BASE, name)] for case in bench.cases]
    return [_difference(base, off) for base, off in pairs if base is not None and off is not None]


def _difference(base: Mapping[str, Any], off: Mapping[str, Any]) -> Difference:
    ends = [report["output"]["bytes"] for report in (base, off)]
    least = max(ends)
    probes = [max(1, _probes_to(report, least)) for report in (base, off)]
    courses = [[(step["probe"], step["bytes"]) for step in report["timeline"]] for report in (base, off)]
    return Difference(
        ends[1] / ends[0],
        probes[1] / probes[0],
        courses[0] == courses[1] and base["probes"]["run"] == off["probes"]["run"],
    )


def _probes_to(report: Mapping[str, Any], size: int) -> int:
    steps = report["timeline"]
    reached = (step["probe"] for step in steps if step["bytes"] <= size)
    return int(next(reached, steps[-1]["probe"] if steps else 0))


def earns(found: Sequence[Difference]) -> bool:
    """Tell whether a heuristic brings three percent in bytes, or in probes where bytes are no worse than without."""
    size, probes = (mean([getattr(each, part) for each in found]) for part in ("bytes", "probes"))
    return size >= _EARNS or (probes >= _EARNS and size > 1 / _EARNS)


def verdict(sets: Sequence[Sequence[Difference]]) -> str:
    """Return what follows from the differences on each set."""
    measured = [found for found in sets if found]
    if not measured:
        return "not measured"
    if any(map(earns, measured)):
        return "stays"
    if all(each.same for found in measured for each in found):
        return "no run differs"
    return "goes"


def table(benches: Mapping[str, AblationBench], heuristics: Sequence[Heuristic]) -> str:
    """Return three tables: the heuristics on each set, the runs with all heuristics, and the cases that differ."""
    parts = (_lines(benches, heuristics), _base_runs(benches), _differing(benches, heuristics))
    return "\n".join(line for lines in parts for line in (*lines, ""))


def _lines(benches: Mapping[str, AblationBench], heuristics: Sequence[Heuristic]) -> Iterator[str]:
    limits = {f"{bench.probes or 'all'} probes, {bench.seconds:g} s" for bench in benches.values()}
    yield f"Without each heuristic, relative to runs with all (limit of a run: {', '.join(sorted(limits))})."
    yield "Bytes left and probes until as few bytes as both runs reach: geometric means; above 1 the heuristic helps."
    yield "Larger and smaller: cases that end by more than 1 % so; differs: cases in which any step is another one."
    yield ""
    parts = ("cases", "bytes", "probes", "larger", "smaller", "differs")
    yield _row(["heuristic", "note", *(f"{name}: {part}" for name in benches for part in parts), "verdict"])
    yield _row(["---", "---", *["---:"] * (len(parts) * len(benches)), "---"])
    for each in heuristics:
        sets = [differences(bench, each.name) for bench in benches.values()]
        yield _row([each.name, each.note, *(cell for found in sets for cell in _cells(found)), verdict(sets)])


def _base_runs(benches: Mapping[str, AblationBench]) -> Iterator[str]:
    yield _row(["set", "case", "bytes of the input", "bytes left", "probes", "ended by"])
    yield _row(["---", "---", "---:", "---:", "---:", "---"])
    for name, bench in benches.items():
        for case in bench.cases:
            if (report := bench.report(BenchRun(case, BASE))) is not None:
                sizes = [f"{report[side]['bytes']:,}" for side in ("input", "output")]
                yield _row([name, case.name, *sizes, str(report["probes"]["run"]), report["reason"]])


def _differing(benches: Mapping[str, AblationBench], heuristics: Sequence[Heuristic]) -> Iterator[str]:
    yield _row(["heuristic", "case", "bytes", "probes"])
    yield _row(["---", "---", "---:", "---:"])
    for each in heuristics:
        for bench in benches.values():
            for case in bench.cases:
                for found in differences(replace(bench, cases=[case]), each.name):
                    if not found.same:
                        yield _row([each.name, case.name, f"{found.bytes:.3f}", f"{found.probes:.3f}"])


def _cells(found: Sequence[Difference]) -> list[str]:
    if not found:
        return ["0", *["-"] * 5]
    counts = (
        sum(each.bytes > _DIFFERS for each in found),
        sum(each.bytes < 1 / _DIFFERS for each in found),
        sum(not each.same for each in found),
    )
    means = [f"{mean([getattr(each, part) for each in found]):.3f}" for part in ("bytes", "probes")]
    return [str(len(found)), *means, *map(str, counts)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
