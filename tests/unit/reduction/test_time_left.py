"""The time that a run may still take, told from its events alone."""

from __future__ import annotations

import pytest

from app.text import time_left
from core.protocol import events
from core.reduction.time_left import OTHER, TABLE, TimeLeft

FULL = 5.0
"""Seconds of the run of the full input."""


def _checked(known: bool = True) -> events.Checked:
    return events.Checked(True, True, 1, FULL, "interesting", "", "", "", "", 25.0, known=known)


def _probed(at: float, seconds: float = 1.0) -> events.Probed:
    return events.Probed(1, "interesting", "run", seconds, at, 1, 1, 0, "", "", "")


class Run:
    """A run of probes one after another, each after so many seconds, and what was told of it."""

    def __init__(self, algorithm: str = "auto", pace: float = 1.0, known: bool = True, failures: int = 0) -> None:
        self.told: list[events.Event] = []
        self.watch = TimeLeft(self.told.append)
        self.pace = pace
        self.at = 10.0
        self.watch(_checked(known))
        self.watch(events.Started(algorithm, 100, 100, 100, 1000, failures))
        self.search(1)

    def search(self, number: int, phase: str = "items") -> Run:
        self.watch(events.Searching(number, phase, "items", 100, 100))
        return self

    def probe(self, times: int, left: int = 4) -> Run:
        for _ in range(times):
            self.watch(events.Asked("least", 0, 9, 5, 10, 0, left))
            self.at += self.pace
            self.watch(_probed(self.at, self.pace))
            self.count(searched=False)
        return self

    def count(self, *, searched: bool = True, after: float = 0.0) -> Run:
        self.at += after
        self.watch(events.Counted(1, 0, 0, self.at, searched=searched))
        return self

    @property
    def left(self) -> tuple[float, float]:
        last = self.told[-1]
        assert isinstance(last, events.Counted)
        return last.least_left, last.most_left


def test_nothing_is_said_before_the_first_probe() -> None:
    assert Run().count(searched=False).left == (-1, -1)
    low, high = Run().probe(1).left
    assert 0 < low < high


def test_the_range_grows_with_the_pace() -> None:
    slow, quick = (Run(pace=pace).probe(400).left[1] for pace in (2.0, 1.0))
    assert slow == pytest.approx(2 * quick, rel=0.05)


def test_the_range_of_auto_grows_with_the_probes_and_falls_with_the_rounds() -> None:
    """A long question says little: most of what is left are questions that were not asked yet."""
    early, late, asking = Run().probe(40).left, Run().probe(160).left, Run().probe(40, left=12).left
    assert late[1] > 2 * early[1]
    assert asking == early
    second, fourth = (Run().search(number).probe(40).left for number in (2, 4))
    assert fourth[1] < second[1] / 2
    assert all(high < 6 * low for low, high in (early, late, second, fourth))


def test_the_range_of_gbr_grows_with_the_interval_and_with_the_questions_of_the_phase() -> None:
    wide, narrow = (Run("gbr").probe(10, left).left[1] for left in (1000, 10))
    assert narrow < wide < 2 * narrow  # it is halved with each probe
    assert Run("gbr").probe(80).left[1] > 2 * Run("gbr").probe(10).left[1]


@pytest.mark.parametrize("algorithm", ["auto", "gbr"])
def test_the_range_grows_with_the_failures_that_must_stay(algorithm: str) -> None:
    many, one, nameless = (Run(algorithm, failures=number).probe(10).left[1] for number in (20, 1, 0))
    assert many > 2 * one
    assert one == nameless
    late, alone = (Run("gbr", failures=number).probe(200).left for number in (20, 1))
    assert late == alone


def test_what_follows_the_items_of_gbr_is_short_however_many_there_were() -> None:
    items = Run("gbr").probe(100)
    before = items.left[1]
    ends = items.search(1, "body ends").probe(2).left[1]
    again = items.search(1, "items again").probe(1).left[1]
    assert again < ends < before / 3


def test_the_check_beside_the_search_is_waited_for() -> None:
    short, alone = (Run("gbr", 0.01, known).probe(8).count().left for known in (False, True))
    assert short[0] > 2 * alone[0]
    long, checked = (Run("gbr", 0.01, known).probe(800).left for known in (False, True))
    assert long == checked


def test_what_is_left_of_the_check_becomes_less_while_it_is_waited_for() -> None:
    run = Run("gbr", 0.01, known=False).probe(8)
    ends = [run.count(after=1.0).left[1] for _ in range(4)]
    assert ends == sorted(ends, reverse=True)
    run.watch(events.Vouched("", 2, 1, FULL))
    assert run.count().left[1] < ends[-1]
    assert run.count(after=100).left[1] < FULL / 2


def test_the_same_events_say_the_same() -> None:
    assert Run().probe(40).left == Run().probe(40).left


def test_an_algorithm_without_a_line_of_its_own_has_that_of_others() -> None:
    least, most = TABLE[OTHER]
    low, high = Run("ddmin").probe(40).left
    assert high / low == pytest.approx(most / least)


def test_a_new_reduction_begins_anew() -> None:
    run = Run().probe(3)
    assert run.watch.moment is not None
    run.watch(events.Started("gbr", 1, 1, 1, 1))
    assert run.watch.moment is None


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (-1.0, -1.0, ""),
        (0.2, 0.6, "less than 1 s left"),
        (0.2, 7.0, "up to 7 s left"),
        (2.2, 31.0, "about 2 to 30 s left"),
        (118.0, 301.0, "about 2 to 5 min left"),
        (3600.0, 9000.0, "about 1 to 2 h left"),
    ],
)
def test_words(least: float, most: float, words: str) -> None:
    assert time_left(least, most) == words


@pytest.mark.parametrize(("ago", "words"), [(10.0, "about 10 to 35 s left"), (30.0, "up to 15 s left"), (45.0, "")])
def test_what_was_told_is_less_by_now(ago: float, words: str) -> None:
    assert time_left(20.0, 44.0, ago) == words
