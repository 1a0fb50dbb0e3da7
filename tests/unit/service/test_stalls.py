"""The words where a search does not gain any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from app.commands.summary import stalled_text
from core.evidence.failure import FailureReport
from core.predicate.failures import Statement, Wanted
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.reduction.candidate_tester import CandidateTester
from core.reduction.records import SubInput
from core.service.searching.stalls import Held, Stalls

A, B = "A.java: 'x' expected", "B.java: y"


class Watched:
    """A watch over a search of a start of 1,000 bytes, with the events that it told."""

    def __init__(self, wanted: Wanted | None = None, failures: Sequence[str] = (A, B)) -> None:
        wanted = wanted or Wanted()
        kinds = {"kind_of": str, "known": frozenset(failures)} if wanted.by_kind else {}
        self.told: list[events.Stalled] = []
        report = FailureReport(failures, "", True, "", **kinds)  # type: ignore[arg-type]
        self.stalls = Stalls(report, wanted, 1000, self._tell)
        self._probe, self._at = 0, 0.0

    def _tell(self, event: events.Event) -> None:
        assert isinstance(event, events.Stalled)
        self.told.append(event)

    def phase(self, name: str) -> None:
        self.stalls.note(events.Searching(1, name, "items", 5, 5))

    def gain(self, left: int) -> None:
        self._probe += 1
        self.stalls.note(events.Accepted(self._probe, "", self._at, 1, 1, left))

    def probes(self, number: int, seconds: float = 0.1, verdict: Verdict = Verdict.NOT_INTERESTING) -> None:
        for _ in range(number):
            self._probe, self._at = self._probe + 1, self._at + seconds
            told = events.Probed(self._probe, verdict.value, "run", seconds, self._at, 1, 9, 1, "", "", "")
            self.stalls.note(told)

    def lost(self, left: int, *shown: str) -> None:
        tester = cast(CandidateTester, None)
        self.stalls.answered(SubInput(tester, 1, 1, left), Outcome(Verdict.NOT_INTERESTING, 0.1, 1, "", failures=shown))


def test_a_stall_is_as_many_probes_as_the_best_fell_before() -> None:
    watched = Watched()
    watched.phase("items")
    watched.probes(39)
    assert [event.probes for event in watched.told] == [20]
    watched.gain(500)
    watched.phase("bodies")
    watched.probes(39)
    assert len(watched.told) == 1
    watched.probes(1)
    assert (watched.told[1].probes, watched.told[1].bytes, watched.told[1].phase) == (40, 500, "bodies")


def test_it_is_told_once_a_phase_and_after_twice_the_wait() -> None:
    watched = Watched()
    watched.phase("items")
    watched.probes(100)
    assert len(watched.told) == 1
    watched.phase("bodies")
    watched.probes(1)
    assert [event.probes for event in watched.told] == [20, 101]
    watched.phase("one by one")
    watched.probes(1)
    assert len(watched.told) == 3, "102 probes are more than four times twenty"
    watched.phase("versions")
    watched.probes(50)
    assert len(watched.told) == 3


def test_slow_probes_stall_after_half_a_minute() -> None:
    watched = Watched()
    watched.phase("items")
    watched.probes(2, seconds=14.0)
    assert not watched.told
    watched.probes(1, seconds=14.0)
    assert [event.probes for event in watched.told] == [3]


def test_the_failure_that_holds_the_best_is_named_with_what_was_enough_without_it() -> None:
    watched = Watched()
    watched.lost(400, B)
    watched.lost(300, B)
    watched.lost(350, B)
    watched.lost(200, B, "C.java: new")
    watched.lost(100)
    watched.lost(900, A)
    watched.probes(20)
    told = watched.told[0]
    assert (told.holds, told.enough, told.demand, told.failures) == (A, 300, f"kinds but {A}", 2)
    assert stalled_text(told) == (
        "No smaller candidate for 2.0 s (20 probes): 1.0 kB are left. A.java: 'x' expected holds it: 300 B had all "
        "other kinds. To go on without that one: --failures 'kinds but A.java: '\"'\"'x'\"'\"' expected'"
    )
    held = {"failure": A, "bytes": 300, "together": True, "demand": f"kinds but {A}"}
    assert watched.stalls.report() == [held]
    watched.gain(590)
    assert watched.stalls.held() == [Held(A, 200, together=False)], "one candidate with hardly less proves nothing"


def test_a_failure_that_was_never_seen_in_so_little_as_the_others_holds_the_best() -> None:
    watched = Watched(failures=(A, B, "C.java: z"))
    watched.lost(300, B, "D.java: new")
    watched.probes(20)
    assert not watched.told[0].holds, "two were never seen alone"
    watched.lost(200, "C.java: z")
    watched.lost(600, A, "C.java: z")
    assert watched.stalls.held() == [Held(A, 300, together=False)]
    watched.phase("bodies")
    watched.probes(40)
    assert "holds it: 300 B at most had each other kind alone." in stalled_text(watched.told[-1])
    watched.lost(400, A)
    assert watched.stalls.held() == []


def test_a_further_kind_may_go() -> None:
    watched = Watched(Wanted(chosen=("C.java: z",)))
    watched.lost(300, B)
    assert watched.stalls.report()[0]["demand"] == f"kinds but C.java: z\n{A}"
    assert Wanted.parse(f"kinds but C.java: z\n{A}").chosen == ("C.java: z", A)


@pytest.mark.parametrize(
    ("wanted", "failures", "advice"),
    [
        (Wanted(), (A, B), "2 kinds must stay: --each makes a jar of each"),
        (Wanted(Statement.SAME), (A, B), "--failures kinds keeps one of each kind"),
        (Wanted(), (A,), "Ctrl+C ends the search and keeps the best"),
        (Wanted(Statement.ANY), (A, B), "Ctrl+C ends the search and keeps the best"),
    ],
)
def test_there_is_always_something_to_do(wanted: Wanted, failures: Sequence[str], advice: str) -> None:
    watched = Watched(wanted, failures)
    watched.phase("items")
    watched.lost(900, B)
    watched.probes(20)
    said = stalled_text(watched.told[0])
    assert said.startswith("No smaller candidate for 2.0 s (20 probes): 1.0 kB are left. Being tried: items.")
    assert advice in said


def test_probes_that_are_killed_for_their_time_are_told_of() -> None:
    watched = Watched()
    watched.probes(12, verdict=Verdict.TIMED_OUT)
    watched.probes(8)
    assert "12 of them were killed for their time: a longer --timeout may help" in stalled_text(watched.told[0])
