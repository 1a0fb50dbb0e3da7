"""Sizes after so many probes and seconds, and probes that hung: tables, and the rows of the tables."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.predicate.verdict import Verdict
from tests.bench.suite.corpus_bench import Bench, BenchCase, BenchRun

PROBES, SECONDS = (1, 12, 100, 1000), (5.0, 15.0, 30.0, 60.0, 120.0, 300.0)
"""Where is looked."""

_EARLY, _TWICE = 5, 2.0
"""After so many probes a decompiler's bug should be at so many times the classes that :data:`MARK` ends with."""

MARK = "binary"
"""The algorithm whose size the others are to reach."""

_SETTLED = 0.001
"""A step that takes less than this share of the input is no gain, where a stretch without one is looked for."""


@dataclass(frozen=True)
class Moment:
    """An accepted step: when, after how many probes, and what share of the input's bytes and classes is left."""

    at: float
    probe: int
    bytes: float
    classes: float


@dataclass(frozen=True)
class Course:
    """The course of one run. ``hung``: share of the predicate's time in probes that ran out of time, -1 = not known;
    ``end``: seconds of the search."""

    case: BenchCase
    algorithm: str
    moments: tuple[Moment, ...]
    probes: int
    end: float
    hung: float

    def after_probes(self, count: int) -> Moment:
        """Return the state after so many probes."""
        return self._last(moment for moment in self.moments if moment.probe <= count)

    def after_seconds(self, seconds: float) -> Moment:
        """Return the state after so many seconds."""
        return self._last(moment for moment in self.moments if moment.at <= seconds)

    @property
    def longest(self) -> float:
        """The longest stretch without a gain, in seconds."""
        gains, left = [0.0], 1.0
        for moment in self.moments:
            if left - moment.bytes >= _SETTLED:
                gains.append(moment.at)
                left = moment.bytes
        return max(later - before for before, later in zip(gains, [*gains[1:], self.end], strict=True))

    def _last(self, moments: Iterable[Moment]) -> Moment:
        return [Moment(0.0, 0, 1.0, 1.0), *moments][-1]


def courses(bench: Bench) -> list[Course]:
    """Return all runs that have ended, and were not interrupted: of others is not known what was left when."""
    runs = [BenchRun(case, algorithm) for case in bench.cases for algorithm in bench.algorithms]
    found = [(run, bench.report(run)) for run in runs]
    return [
        Course(
            run.case,
            run.algorithm,
            tuple(
                Moment(
                    step["at"],
                    step["probe"],
                    step["bytes"] / report["input"]["bytes"],
                    step["classes"] / max(1, report["input"]["classes"]),
                )
                for step in report["timeline"]
            ),
            report["probes"]["run"],
            report["seconds"]["total"] - report["seconds"]["check"],
            _hung(bench.probes_of(run)),
        )
        for run, report in found
        if report is not None and not report["probes"]["recalled"]
    ]


def step_rows(found: Sequence[Course]) -> str:
    """Return every accepted step as a row of a CSV file."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["case", "algorithm", "probe", "seconds", "bytes", "classes"])
    for course in found:
        for moment in course.moments:
            shares = f"{moment.bytes:.6f}", f"{moment.classes:.6f}"
            table.writerow([course.case.name, course.algorithm, moment.probe, f"{moment.at:.3f}", *shares])
    return text.getvalue()


def milestones(bench: Bench, found: Sequence[Course]) -> list[str]:
    """Return a table of means over the cases that every algorithm went through, one of single runs, and the early
    classes."""
    through = [case for case in bench.cases if sum(course.case == case for course in found) == len(bench.algorithms)]
    compared = [course for course in found if course.case in through]
    if not compared:
        return []
    most = max(bench.probes or 0, max(course.probes for course in compared))
    counts = [count for count in PROBES if count <= max(most, PROBES[1])]
    times = [seconds for seconds in SECONDS if seconds <= bench.seconds]
    head = [*(f"{count:,} p" for count in counts), *(f"{seconds:g} s" for seconds in times)]
    tail = ["end", "largest after 100 p", "time in what hung", "longest without gain"]
    lines = ["", f"Bytes left after probes (p) and seconds of the search (s), geometric means over {len(through)}:", ""]
    lines += [_row(["algorithm", *head, *tail]), _row(["---", *["---:"] * (len(head) + len(tail))])]
    for name in bench.algorithms:
        own = [course for course in compared if course.algorithm == name]
        shares = [mean([course.after_probes(count).bytes for course in own]) for count in counts]
        shares += [mean([course.after_seconds(seconds).bytes for course in own]) for seconds in times]
        shares += [mean([course.after_probes(most).bytes for course in own])]
        worst = max(course.after_probes(100).bytes for course in own)
        hung = [course.hung for course in own if course.hung >= 0]
        share = f"{sum(hung) / len(hung):.1%}" if hung else "-"
        longest = f"{max(course.longest for course in own):.0f} s"
        lines.append(_row([f"`{name}`", *(f"{each:.1%}" for each in shares), f"{worst:.1%}", share, longest]))
    lines += ["", _row(["case", "algorithm", *head, "end", "hung", "longest without gain"])]
    lines.append(_row(["---", "---", *["---:"] * (len(head) + 3)]))
    for course in found:
        cells = [f"{course.after_probes(count).bytes:.1%}" for count in counts]
        cells += [f"{course.after_seconds(seconds).bytes:.1%}" for seconds in times]
        cells += [f"{course.after_probes(course.probes).bytes:.1%}", f"{course.hung:.1%}" if course.hung >= 0 else "-"]
        lines.append(_row([course.case.name, f"`{course.algorithm}`", *cells, f"{course.longest:.0f} s"]))
    return [*lines, *_early(bench, compared)]


def _early(bench: Bench, found: Sequence[Course]) -> Iterator[str]:
    """Yield rows with the number of classes left after the first few probes, relative to the final number of
    :data:`MARK`."""
    marks = {course.case: course.after_probes(course.probes).classes for course in found if course.algorithm == MARK}
    for name in bench.algorithms if marks else ():
        ratios = {
            course.case.name: course.after_probes(_EARLY).classes / max(marks[course.case], 1e-6)
            for course in found
            if course.algorithm == name and course.case in marks
        }
        near = sum(ratio <= _TWICE for ratio in ratios.values())
        if name != MARK and ratios:
            listed = ", ".join(f"{case} {ratio:.2f}" for case, ratio in ratios.items())
            yield ""
            yield (
                f"`{name}`: classes left after {_EARLY} probes are at most {_TWICE:g} times those that `{MARK}` ends "
                f"with in {near} of {len(ratios)} ({listed})."
            )


def mean(values: Sequence[float]) -> float:
    """Return the geometric mean. Values below a ten-thousandth count as a ten-thousandth, so that a zero does not
    decide.
    """
    return math.exp(sum(math.log(max(value, 1e-4)) for value in values) / len(values))


def _hung(probes: Sequence[tuple[str, float]]) -> float:
    whole = sum(seconds for _, seconds in probes)
    hung = sum(seconds for verdict, seconds in probes if verdict == Verdict.TIMED_OUT.value)
    return hung / whole if whole else -1.0


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
