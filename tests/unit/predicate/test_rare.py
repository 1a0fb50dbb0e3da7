"""Failures that do not show each time: how often they show is kept."""

from pathlib import Path

import pytest

from core.predicate.several.rare import RarePredicate, Rate
from core.predicate.verdict import Outcome, Verdict
from tests.support.races import CORE, HELPERS, ITEMS, Race, entries_of, reduced

EVERYTHING = entries_of((1 << ITEMS) - 1)


def calibrated(rate: float, seed: int, loss: float = 0.5) -> tuple[RarePredicate, Race]:
    race = Race(rate, seed, loss)
    found, outcome = RarePredicate(race).calibrated(EVERYTHING, Path("nowhere"))
    assert outcome.interesting
    assert isinstance(found, RarePredicate)
    return found, race


@pytest.mark.parametrize("rate", [0.9, 0.3, 0.1])
def test_a_result_fails_as_often_as_the_full_input(rate):
    found, race = calibrated(rate, 5)
    left = reduced(found)
    assert race.rate(left) == rate
    assert {*left} >= CORE | HELPERS
    assert len(left) < 10


def test_a_best_that_was_kept_by_luck_is_left_during_the_search():
    """Candidates without one of the helpers have 0.7 of the rate, which few runs do not tell from the whole rate."""
    left = {}
    for measured in (False, True):
        found, race = calibrated(0.9, 1, 0.7)
        left[measured] = reduced(found, measured)
        assert race.rate(left[measured]) == 0.9
    assert len(left[False]) == 30, "at the end all steps after the first lucky one are lost"
    assert {*left[True]} == CORE | HELPERS


def test_lucky_runs_of_the_full_input_refute_no_result():
    found, race = calibrated(0.3, 12)
    assert "54 of 145 runs, a rate of 30% to 45%" in found.wanted_words
    needed = entries_of(sum(1 << item for item in CORE | HELPERS))
    outcome = found.confirm(needed, Path("nowhere"))
    assert outcome.interesting, "it fails as often as the full input"
    assert outcome.detail.startswith("shown by 146 of 513 runs")
    assert "of 806 runs, a rate of 26% to 33%" in found.wanted_words, "the full input was run again"
    before = race.draws.total()
    assert not found.confirm(entries_of(sum(1 << item for item in CORE)), Path("nowhere")).interesting
    assert race.draws.total() - before < 100, "what fails a quarter as often is refuted at once"


def test_a_candidate_that_never_fails_takes_few_runs_and_keeps_what_is_known_of_it():
    found, race = calibrated(0.3, 1)
    before = race.draws.total()
    outcome = found.probe(entries_of(0b111), Path("nowhere"))
    assert outcome.verdict is Verdict.NOT_INTERESTING
    assert race.draws.total() - before < 20
    assert outcome.detail.startswith("shown by 0 of ")
    again = found.probe(entries_of(0b111), Path("nowhere"))
    assert again.detail == outcome.detail, "no run more"


def test_a_failure_that_shows_each_time_is_lost_by_one_run_without_it():
    found, race = calibrated(1.0, 1)
    before = race.draws.total()
    assert not found.probe(entries_of(0b111), Path("nowhere")).interesting
    assert race.draws.total() - before == 1


def test_a_failure_that_never_shows_takes_a_known_number_of_runs():
    race = Race(0.0, 1)
    for runs in (60, 120):
        _, outcome = RarePredicate(race).calibrated(EVERYTHING, Path("nowhere"))
        assert not outcome.interesting
        assert outcome.detail.endswith("shown by 0 of 60 runs, a rate of 0% to 6%")
        assert race.draws.total() == runs


def test_a_time_limit_that_is_over_ends_a_candidate_and_keeps_what_is_known_of_the_result():
    found, race = calibrated(0.3, 5)
    needed = entries_of(sum(1 << item for item in CORE | HELPERS))
    kept = found.probe(needed, Path("nowhere"))
    before = race.draws.total()
    late = found.confirm(needed, Path("nowhere"), seconds=0.0)
    assert late.interesting
    assert late.detail == kept.detail
    assert found.probe(entries_of(0b111), Path("nowhere"), seconds=0.0).verdict is Verdict.TIMED_OUT
    assert race.draws.total() == before


def test_the_rate_of_the_full_input_is_told_on_the_way():
    said: list[str] = []
    predicate = RarePredicate(Race(0.3, 1))
    predicate.tell = said.append
    predicate.calibrated(EVERYTHING, Path("nowhere"))
    assert [text.split()[4] for text in said] == ["10", "20", "40", "80", "160"]


def test_a_short_time_limit_leaves_few_runs_and_a_rate_that_is_certain_by_them():
    race = Race(1.0, 1)
    _, outcome = RarePredicate(race, limit=0.0).calibrated(EVERYTHING, Path("nowhere"))
    assert outcome.detail == "shown by 1 of 1 runs, a rate of 21% to 100%"
    assert Rate(9, 30).certain == pytest.approx(0.21, abs=0.01)
    assert Rate(30, 300).certain == 0.1, "more runs are made of no input"


def test_a_rate_is_told_with_its_interval():
    assert Rate(3, 10).text == "shown by 3 of 10 runs, a rate of 11% to 60%"
    assert Rate(1, 0).kept(Rate(90, 300, turns=130)) is None


def test_a_result_is_held_as_certainly_as_a_candidate_is_kept():
    full = Rate(712, 800, turns=160)
    assert Rate(31, 35).held(full) is None, "a twentieth of the results with 0.76 of the rate begin so"
    assert Rate(100, 112).held(full) is True
    assert Rate(18, 35).held(full) is False
    assert Rate(43, 400).held(Rate(90, 900, turns=170)) is None, "a rate of 0.1 takes more runs"


def test_runs_count_less_where_failures_come_in_bursts():
    apart, bursts = Rate(), Rate()
    for number in range(300):
        apart.add(said(number % 3 == 0))
        bursts.add(said(number // 10 % 3 == 0))
    assert (apart.shown, bursts.shown, apart.fresh) == (100, 100, 1.0)
    assert 0.15 < bursts.fresh < 0.35
    assert Rate(30, 60).against(bursts, 0.5) == pytest.approx(bursts.fresh * Rate(30, 60).against(apart, 0.5))


def said(shows: bool) -> Outcome:
    """The outcome of a run."""
    return Outcome(Verdict.INTERESTING if shows else Verdict.NOT_INTERESTING, 0.0, None, "")
