"""The time limit of a probe, and candidates that were killed for their time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.predicate.effort import Haste
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.protocol.settings import Settings
from core.reduction.probing import time_limits
from core.reduction.probing.time_limits import LEAST, LEAST_PROCESSOR, TimeLimits, limit_for
from core.search.questions import Algorithm, HungUp, Test
from core.search.spaces import Classes, SearchProblem
from core.service.workspace import Workspace
from tests.support.driving import SetTester, driver_of


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of four cores on which nothing else runs."""
    monkeypatch.setattr(time_limits, "cores", lambda: 4)
    monkeypatch.setattr(time_limits.os, "getloadavg", lambda: (0.5, 0.5, 0.5))


def probed(seconds: float, verdict: str = "interesting", source: str = "run", **times: float) -> events.Probed:
    return events.Probed(1, verdict, source, seconds, 0.0, 1, 1, 0, "", "", "", **times)


def test_the_limit_is_five_times_the_slowest_good_run_and_more_where_the_machine_is_busy(monkeypatch) -> None:
    assert limit_for(0.01, LEAST) == 0.5
    assert limit_for(2.0, LEAST) == 10.0
    assert limit_for(2.0, LEAST, jobs=8) == 20.0
    monkeypatch.setattr(time_limits.os, "getloadavg", lambda: (6.0, 0.0, 0.0))
    assert limit_for(0.1, LEAST) == 0.75
    monkeypatch.setattr(time_limits.os, "getloadavg", lambda: (400.0, 0.0, 0.0))
    assert limit_for(0.1, LEAST) == 1.0


def test_the_limit_follows_the_good_runs_of_a_phase_at_the_beginning_of_the_next() -> None:
    found = TimeLimits(50.0)
    for event in (probed(0.4), probed(2.0), probed(9.0, "not interesting"), probed(9.0, source="cache"), probed(1.0)):
        found.note(event)
        assert found.limit == 50.0
    assert found.next_phase() == 10.0
    assert found.next_phase() == 10.0, "a phase without a good run changes nothing"
    found.note(probed(4.0))
    assert found.next_phase() == 20.0
    fixed = TimeLimits(7.0, fixed=True)
    fixed.note(probed(0.1))
    assert fixed.next_phase() == 7.0


def test_candidates_that_hang_are_killed_soon(sample_jar: Path, tmp_path: Path) -> None:
    told: list[events.Event] = []
    workspace = Workspace(told.append, tmp_path / "work")
    workspace.open([str(sample_jar)])
    command = "sh -c 'test -f {classes}/sample/Main.class || sleep 60'"
    workspace.reduce(Settings(predicate=command, algorithm="naive", granularity="class", check_runs=1, max_probes=4))
    workspace.close()
    hung = [event for event in told if isinstance(event, events.Probed) and event.verdict == "timed out"]
    checked = next(event for event in told if isinstance(event, events.Checked))
    assert all(event.seconds < 10 for event in hung)
    assert 0.5 <= checked.timeout < 10


def test_an_algorithm_learns_which_candidates_were_killed_for_their_time() -> None:
    told: list[bool] = []

    def ask() -> Algorithm:
        for candidate in ((0, 1), (0, 2)):
            assert not (yield Test(candidate))
            told.append((yield HungUp(candidate)))
        return (0, 1, 2)

    problem = SearchProblem(3, [5, 7, 9], [1, 2, 4])
    tester = SetTester(problem, lambda items: False)
    verdicts = {0b011: Verdict.TIMED_OUT, 0b101: Verdict.NOT_INTERESTING}
    tester.prepare = lambda items, number, afresh=False: lambda cancel, seconds: Outcome(verdicts[items], 1.0, None, "")
    driver = driver_of(tester)
    driver.begin(0b111)
    driver.run(Classes(problem), ask())
    assert told == [True, False]


def test_the_limits_of_processor_time_follow_the_good_run_that_took_most() -> None:
    found = TimeLimits(50.0)
    assert found.next_phase() == 50.0
    assert found.haste.processor is None
    for event in (
        probed(1.0, processor=0.9, busiest=0.3, idle=0.1),
        probed(1.0, processor=0.6, busiest=0.4, idle=0.7),
        probed(1.0, "not interesting", processor=9.0, busiest=9.0, idle=9.0),
    ):
        found.note(event)
    found.next_phase()
    assert found.haste.processor == pytest.approx(1.35)
    assert found.haste.thread == pytest.approx(0.6)
    assert found.haste.patience is None, "a good run waited: another process may have done its work"
    found.note(probed(1.0, processor=0.01))
    found.next_phase()
    assert found.haste.processor == LEAST_PROCESSOR
    assert found.haste.thread is None
    found.note(probed(1.0))
    found.next_phase()
    assert found.haste == Haste(watch=5.0), "where it is not known there is no limit"
    fixed = TimeLimits(7.0, fixed=True)
    fixed.begin(Outcome(Verdict.INTERESTING, 0.1, 0, "", processor=0.4))
    fixed.note(probed(0.1, processor=0.4))
    fixed.next_phase()
    assert fixed.haste == Haste()


def test_the_first_phase_is_limited_by_the_processor_time_of_the_check() -> None:
    found = TimeLimits(50.0)
    found.begin(Outcome(Verdict.INTERESTING, 1.0, 0, "", processor=0.9, busiest=0.3, idle=1.0))
    assert found.next_phase() == 50.0
    first = Haste(pytest.approx(2.7), pytest.approx(0.9), None, 50.0)  # type: ignore[arg-type]
    assert found.haste == first, "one run says less than the most of several"
    found.note(probed(0.4, processor=0.4, busiest=0.4))
    assert found.next_phase() == 2.0
    assert found.haste == Haste(pytest.approx(0.6), pytest.approx(0.6), LEAST, 2.0)  # type: ignore[arg-type]


def test_limits_are_learned_within_a_phase_and_rise_while_many_probes_are_cut_short() -> None:
    found = TimeLimits(50.0)
    found.begin(Outcome(Verdict.INTERESTING, 8.0, 0, "", processor=8.0, busiest=8.0))
    found.next_phase()
    for _ in range(3):
        assert found.haste.processor == 24.0, "few good runs say little"
        found.note(probed(1.0, processor=2.0, busiest=1.0))
    assert found.haste.processor == 3.0
    for _ in range(10):
        assert found.haste.processor == 3.0
        found.note(probed(1.0, "timed out", processor=3.0))
    assert found.haste.processor == 6.0
    found.note(probed(1.0, processor=5.0, busiest=5.0))
    assert found.haste.processor == 7.5, "a good run that took longer is the new measure"
