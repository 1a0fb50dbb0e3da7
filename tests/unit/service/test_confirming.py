"""Confirmations beside the search: made once, used once, ended when the best is beaten, and few in vain."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event as Flag

import pytest

from core.entries import Entries
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.service.searching.confirming import Confirmations
from tests.support.patience import patience

BEST: Entries = [("best", b"1")]
NEIGHBOUR: Entries = [("neighbour", b"2")]

Make = Callable[[str], Confirmations]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[Confirmations] = []

    def new(command: str) -> Confirmations:
        predicate = CommandPredicate(PredicateCommand.parse(f"sh -c '{command}' {{jar}}"), condition=Condition())
        made.append(Confirmations(lambda: [BEST, NEIGHBOUR], lambda: predicate, tmp_path / "work", Flag()))
        return made[-1]

    (tmp_path / "work").mkdir()
    yield new
    for each in made:
        each.close()
    assert not list((tmp_path / "work").iterdir())


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + patience()
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


def lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.is_file() else 0


def probe(confirmations: Confirmations, times: int) -> None:
    for _ in range(times):
        confirmations.probed()


def test_the_best_runs_once_it_stays_the_best_then_its_neighbour_and_neither_again(make: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made = make(f"echo run >> {log}")
    made.gained(10)
    probe(made, 3)
    assert lines(log) == 0
    probe(made, 1)
    until(lambda: lines(log) == 1)

    def probed() -> bool:
        made.probed()
        return lines(log) == 2

    until(probed)
    made.at_the_end(late=False)
    for entries in (BEST, NEIGHBOUR):
        outcome = made.take(entries, Flag())
        assert outcome is not None
        assert outcome.interesting
        assert made.take(entries, Flag()) is None
    assert lines(log) == 2


def test_what_is_beaten_is_ended_and_the_next_waits_longer(make: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made = make(f"echo run >> {log}; sleep 60 && echo over >> {log}")
    made.gained(10)
    probe(made, 9)
    until(lambda: lines(log) == 1)
    made.gained(9)
    assert lines(log) == 1, "nobody waited for its end"
    assert made.take(BEST, Flag()) is None
    probe(made, 9)
    assert made.take(BEST, Flag()) is None
    probe(made, 1)
    until(lambda: lines(log) == 2)


def test_a_gain_without_a_byte_ends_nothing(make: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made = make(f"echo run >> {log}")
    made.gained(10)
    probe(made, 4)
    made.gained(10)
    assert made.take(BEST, Flag()) is not None
    assert lines(log) == 1


def test_at_the_end_both_run_beside_each_other_and_past_the_limit_the_best_alone(make: Make, tmp_path: Path) -> None:
    log, there = tmp_path / "log", tmp_path / "there"
    made = make(f"echo run >> {log}; while [ $(wc -l < {log}) -lt 2 ]; do sleep 0.01; done")  # each waits for the other
    made.at_the_end(late=False)
    assert made.take(NEIGHBOUR, Flag()) is not None
    assert made.take(BEST, Flag()) is not None
    alone = make(f"echo run >> {there}")
    alone.at_the_end(late=True)
    assert alone.take(NEIGHBOUR, Flag()) is None
    assert alone.take(BEST, Flag()) is not None
    assert lines(there) == 1


def test_a_stop_ends_what_is_waited_for(make: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made, stop = make(f"sleep 60; echo over >> {log}"), Flag()
    made.at_the_end(late=True)
    stop.set()
    made.take(BEST, stop)
    assert lines(log) == 0


def test_a_cancelled_confirmation_is_no_answer(make: Make) -> None:
    made, cancelled = make("sleep 600"), Flag()
    made.at_the_end(late=True)
    cancelled.set()
    assert made.take(BEST, cancelled) is None
