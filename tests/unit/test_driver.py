"""The driver: cache by content, limits, pause and stop, events, and what it vouches for."""

import threading
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from core.predicate.verdict import Outcome, Verdict
from core.run import events
from core.run.control import Control, Limits
from core.run.driver import Driver
from core.search.catalogue import CATALOGUE
from core.search.spaces import Problem


class SetJudge:
    """A predicate on item sets, without any jar; ``key`` may merge sets as equal content does."""

    def __init__(self, problem, predicate, key=lambda items: items):
        self.count = problem.count
        self.problem = problem
        self.predicate = predicate
        self.asked = []
        self._key = key

    def key(self, items):
        return str(self._key(items)).encode()

    def probe(self, items, number, seconds):
        self.asked.append(items)
        verdict = self.predicate(items)
        if not isinstance(verdict, Verdict):
            verdict = Verdict.INTERESTING if verdict else Verdict.BORING
        return Outcome(verdict, 0.001, 0, "")

    def classes_of(self, items):
        return items.bit_count()

    def bytes_of(self, items):
        return self.problem.bytes_of(items)


def chain(n):
    """Item i needs item i + 1, and so on in fours: 0..3, 4..7, ..."""
    closures = [sum(1 << j for j in range(i, (i // 4) * 4 + 4)) for i in range(n)]
    return Problem(n, [100 + i for i in range(n)], closures)


def drive(problem, predicate, algorithm="binary", *, key=lambda items: items, **more):
    told = []
    judge = SetJudge(problem, predicate, key)
    space = CATALOGUE[algorithm].space(problem)
    driver = Driver(space, judge, told.append, **more)
    full = (1 << problem.count) - 1
    return driver.run(CATALOGUE[algorithm].start(space, False), full), judge, told


def test_binary_finds_the_closures_that_are_needed():
    needed = 1 << 2 | 1 << 9
    reduction, judge, told = drive(chain(40), lambda items: items & needed == needed)
    assert reduction.items == 0b1100 | 0b1110 << 8
    assert reduction.reason == "done"
    assert reduction.counts.probes == len(judge.asked) < 20
    assert told[0].name == "asked"
    accepted = [event for event in told if isinstance(event, events.Accepted)]
    assert [step.bytes for step in reduction.timeline] == [event.bytes for event in accepted]
    assert events.unpack(accepted[-1].kept) == reduction.items
    assert [event.bytes for event in accepted] == sorted((event.bytes for event in accepted), reverse=True)


def test_what_was_proved_to_be_needed_is_told():
    needed = 1 << 3 | 1 << 11
    for algorithm in CATALOGUE:
        problem = Problem(16, [1] * 16, [1 << i for i in range(16)])
        reduction, _, told = drive(problem, lambda items: items & needed == needed, algorithm)
        proved = [event for event in told if isinstance(event, events.Needed)]
        assert reduction.items == needed
        assert events.unpack(proved[-1].kept) == needed, algorithm


def test_equal_contents_are_one_probe():
    problem = Problem(8, [1] * 8, [1 << i for i in range(8)])
    _, judge, _ = drive(problem, lambda items: items & 1, "ddmin", key=lambda items: items & 0b1111)
    keys = [items & 0b1111 for items in judge.asked]
    assert len(keys) == len(set(keys))
    assert 0b1111 not in keys  # the full input is known


def test_an_unresolved_or_slow_candidate_is_not_accepted():
    def predicate(items):
        if items & 0b11 != 0b11:
            return Verdict.BORING
        return Verdict.TIMED_OUT if items.bit_count() < 4 else Verdict.INTERESTING

    problem = Problem(8, [1] * 8, [1 << i for i in range(8)])
    reduction, _, _ = drive(problem, predicate, "ddmin")
    assert reduction.items & 0b11 == 0b11
    assert reduction.items.bit_count() == 4
    assert reduction.counts.verdicts["timed out"] > 0


def test_verify_answers_invalid_choices_without_a_probe():
    reduction, judge, _ = drive(chain(16), lambda items: bool(items & 0b1), "verify")
    assert reduction.counts.invalid > 0
    closures = chain(16).closures
    for items in judge.asked:
        assert all(not closures[i] & ~items for i in range(16) if items >> i & 1)


def test_the_limit_of_probes_leaves_the_best_so_far():
    needed = 1 << 39
    reduction, judge, _ = drive(chain(40), lambda items: items & needed == needed, limits=Limits(probes=3))
    assert reduction.reason == "probes"
    assert len(judge.asked) == 3
    assert reduction.items & needed
    assert reduction.items in judge.asked or reduction.items == (1 << 40) - 1


def test_the_time_limit_ends_the_run():
    def slow(items):
        time.sleep(0.05)
        return items & 1 == 1

    reduction, judge, _ = drive(chain(400), slow, "ddmin", limits=Limits(seconds=0.2))
    assert reduction.reason == "time"
    assert 2 <= len(judge.asked) <= 8


def test_pause_holds_the_next_probe_and_resume_lets_it_go():
    control = Control()
    paused = threading.Event()
    asked = []

    def predicate(items):
        asked.append(items)
        if len(asked) == 2:
            control.pause()
        return items & 1 == 1

    problem = chain(64)
    judge = SetJudge(problem, predicate)
    space = CATALOGUE["ddmin"].space(problem)
    told = []

    def listen(event):
        told.append(event.name)
        if event.name == "paused":
            paused.set()

    driver = Driver(space, judge, listen, control=control)
    result = []
    thread = threading.Thread(
        target=lambda: result.append(driver.run(CATALOGUE["ddmin"].start(space, False), (1 << 64) - 1))
    )
    thread.start()
    assert paused.wait(5)
    time.sleep(0.1)
    assert len(asked) == 2
    control.resume()
    thread.join(10)
    assert result[0].reason == "done"
    assert result[0].counts.paused_seconds >= 0.1
    assert told.index("paused") < told.index("resumed")


def test_stop_ends_a_run_that_is_paused():
    control = Control()
    control.pause()
    threading.Timer(0.05, control.stop).start()
    reduction, judge, _ = drive(chain(40), lambda items: True, control=control)
    assert reduction.reason == "stopped"
    assert not judge.asked
    assert reduction.items == (1 << 40) - 1


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 24), st.integers(0, 10**6), st.sampled_from(sorted(CATALOGUE)), st.data())
def test_whatever_the_predicate_the_result_was_tested_interesting(n, salt, algorithm, data):
    closures = []
    for i in range(n):
        needs = data.draw(st.integers(0, (1 << n) - 1)) & data.draw(st.integers(0, (1 << n) - 1))
        closures.append(1 << i | needs)
    changed = True
    while changed:
        changed = False
        for i in range(n):
            whole = closures[i]
            for j in range(n):
                if whole >> j & 1:
                    whole |= closures[j]
            changed |= whole != closures[i]
            closures[i] = whole
    problem = Problem(n, [1 + i % 3 for i in range(n)], closures)
    full = (1 << n) - 1
    reduction, judge, _ = drive(problem, lambda items: hash((salt, items)) % 4 == 0, algorithm)
    yes = {items for items in judge.asked if hash((salt, items)) % 4 == 0} | {full}
    assert reduction.items in yes
    assert problem.bytes_of(reduction.items) == min(problem.bytes_of(items) for items in yes)
    if algorithm != "ddmin":
        assert all(not closures[i] & ~reduction.items for i in range(n) if reduction.items >> i & 1)
