"""The time that a run may still take, told from its events alone."""

from __future__ import annotations

import pytest

from app.text import time_left
from core.protocol import events
from core.reduction.time_left import TABLE, TimeLeft


def _probed(at: float) -> events.Probed:
    return events.Probed(1, "interesting", "run", 1.0, at, 1, 1, 0, "", "", "")


def _counted(left: int, pace: float, probes: int = 5, algorithm: str = "auto", searched: int = 1) -> events.Counted:
    """What is told after so many probes, each after so many seconds, in a question of so many probes more."""
    told: list[events.Event] = []
    watch = TimeLeft(told.append)
    watch(events.Started(algorithm, 100, 100, 100, 1000))
    watch(events.Searching(searched, "items", "items", 100, 100))
    for number in range(probes):
        watch(events.Asked("least", 0, 9, 5, 10, number, left))
        watch(_probed(10 + number * pace))
        watch(events.Counted(number, 0, 0, 10 + number * pace))
    last = told[-1]
    assert isinstance(last, events.Counted)
    return last


def test_nothing_is_said_before_the_pace_is_known() -> None:
    assert _counted(5, 1.0, probes=1).most_left == -1


def test_the_range_grows_with_the_pace_and_with_the_question() -> None:
    slow, quick, asking = (_counted(left, pace, 40, "gbr") for left, pace in ((4, 2.0), (4, 1.0), (12, 1.0)))
    assert slow.least_left == pytest.approx(2 * quick.least_left)
    assert asking.most_left == pytest.approx(2 * quick.most_left)
    assert 0 < quick.least_left < quick.most_left


def test_the_range_of_auto_grows_with_the_probes_and_falls_with_the_rounds() -> None:
    """A long question says little: most of what is left are questions that were not asked yet."""
    early, late, asking = _counted(4, 1.0, 40), _counted(4, 1.0, 160), _counted(12, 1.0, 40)
    assert late.most_left > 2 * early.most_left
    assert asking == early
    second, fourth = (_counted(4, 1.0, 40, searched=number) for number in (2, 4))
    assert fourth.most_left < second.most_left / 3
    assert all(told.most_left < 8 * told.least_left for told in (early, late, second, fourth))


def test_the_same_events_say_the_same() -> None:
    assert _counted(4, 1.5) == _counted(4, 1.5)


def test_an_algorithm_without_a_line_of_its_own_has_that_of_all() -> None:
    low, high = TABLE[()]
    found = _counted(4, 1.0, 40, "ddmin")
    assert found.most_left / found.least_left == pytest.approx(high / low)


def test_a_new_reduction_begins_anew() -> None:
    watch = TimeLeft(lambda event: None)
    for at in (1.0, 2.0, 3.0):
        watch(_probed(at))
    assert watch.moment is not None
    watch(events.Started("gbr", 1, 1, 1, 1))
    assert watch.moment is None


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
