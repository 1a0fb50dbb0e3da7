"""The driver: cache by content, limits, pause and stop, events, and what it vouches for."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cancellation import cancellation_point
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.protocol.run_words import EndReason
from core.protocol.wording import unstable_text
from core.reduction.control import Control, RunLimits
from core.reduction.wiring import Judge, Observer
from core.search.spaces import Classes, SearchProblem
from tests.support.driving import SPACES, SetTester, chain, drive, driver_of, start, told_of, unpacked
from tests.support.patience import patience


def test_binary_finds_the_closures_that_are_needed():
    needed = 1 << 2 | 1 << 9
    reduction, tester, told = drive(chain(40), lambda items: items & needed == needed)
    assert reduction.best.items == 0b1100 | 0b1110 << 8
    assert reduction.reason == "done"
    assert reduction.counts.probes == len(tester.asked) < 20
    assert told[0].name == "asked"
    accepted = [event for event in told if isinstance(event, events.Accepted)]
    assert [step.bytes for step in reduction.timeline] == [event.bytes for event in accepted]
    assert unpacked(accepted[-1].kept) == reduction.best.items
    assert [event.bytes for event in accepted] == sorted((event.bytes for event in accepted), reverse=True)


def test_what_was_proved_to_be_needed_is_told():
    needed = 1 << 3 | 1 << 11
    for algorithm in SPACES:
        problem = SearchProblem(16, [1] * 16, [1 << i for i in range(16)])
        reduction, _, told = drive(problem, lambda items: items & needed == needed, algorithm)
        proved = [event for event in told if isinstance(event, events.Needed)]
        assert reduction.best.items == needed
        assert unpacked(proved[-1].kept) == needed, algorithm


def test_equal_contents_are_one_probe():
    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])
    _, tester, _ = drive(problem, lambda items: items & 1, "ddmin", key=lambda items: items & 0b1111)
    keys = [items & 0b1111 for items in tester.asked]
    assert len(keys) == len(set(keys))
    assert 0b1111 not in keys  # the full input is known


def test_an_unresolved_or_slow_candidate_is_not_accepted():
    def predicate(items):
        if items & 0b11 != 0b11:
            return Verdict.NOT_INTERESTING
        return Verdict.TIMED_OUT if items.bit_count() < 4 else Verdict.INTERESTING

    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])
    reduction, _, _ = drive(problem, predicate, "ddmin")
    assert reduction.best.items & 0b11 == 0b11
    assert reduction.best.items.bit_count() == 4
    assert reduction.counts.verdicts["timed out"] > 0


def test_verify_answers_invalid_choices_without_a_probe():
    reduction, tester, _ = drive(chain(16), lambda items: bool(items & 0b1), "verify")
    assert reduction.counts.invalid > 0
    closures = chain(16).closures
    for items in tester.asked:
        assert all(not closures[i] & ~items for i in range(16) if items >> i & 1)


def test_the_limit_of_probes_leaves_the_best_so_far():
    needed = 1 << 39
    reduction, tester, _ = drive(chain(40), lambda items: items & needed == needed, limits=RunLimits(probes=3))
    assert reduction.reason == "probes"
    assert len(tester.asked) == 3
    assert reduction.best.items & needed
    assert reduction.best.items in tester.asked or reduction.best.items == (1 << 40) - 1


def test_what_is_asked_between_two_answers_may_end_the_reduction():
    class Third(Observer):
        answers = iter([False, False, False, True])

        def before_answer(self) -> bool:
            return next(self.answers)

    reduction, tester, _ = drive(chain(40), lambda items: items >> 39 & 1, observer=Third())
    assert reduction.reason == "check"
    assert len(tester.asked) <= 3


@pytest.mark.parametrize("checked", [False, True])
def test_past_the_time_limit_what_was_not_run_by_the_check_is_confirmed(checked):
    def all_are_needed(items):
        time.sleep(0.02)
        return items == (1 << 40) - 1

    limits = RunLimits(seconds=0.2)
    reduction, *_ = drive(chain(40), all_are_needed, "ddmin", limits=limits, judge=Judge(confirm=True, checked=checked))
    assert (reduction.reason, reduction.confirmed) == ("time", (0, 0) if checked else (1, 1))


def test_the_time_limit_ends_the_run():
    def slow(items):
        time.sleep(0.05)
        return items & 1 == 1

    reduction, tester, _ = drive(chain(400), slow, "ddmin", limits=RunLimits(seconds=0.2))
    assert reduction.reason == "time"
    assert len(tester.asked) <= 8


def test_the_time_limit_ends_what_a_plan_computes_and_one_candidate_may_be_run_then():
    problem = chain(8)
    tester = SetTester(problem, lambda items: items & 1 == 1)
    driver = driver_of(tester, limits=RunLimits(seconds=0.0), judge=Judge(confirm=True, checked=True))
    driver.begin((1 << 8) - 1)

    def endless():
        while True:
            cancellation_point()

    driver.search(endless)
    assert driver.untried
    assert tester.asked == []
    assert not driver.try_at_last(tester, 0)
    assert driver.try_at_last(tester, 1)
    assert not driver.to_confirm, "one run past the limit is enough"
    reduction = driver.reduction()
    assert (reduction.reason, reduction.best.items, reduction.counts.probes) == ("time", 1, 2)
    assert reduction.counts.confirmations == 0


def test_a_resumed_search_repeats_what_it_knows_past_the_time_limit():
    problem = chain(8)
    tester = SetTester(problem, lambda items: True)
    driver = driver_of(tester, limits=RunLimits(seconds=0.0))
    driver.begin((1 << 8) - 1)

    driver.search(cancellation_point, resumed=True)
    assert not driver.stopped
    driver.search(cancellation_point)
    assert driver.untried


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
    tester = SetTester(problem, predicate)
    space = Classes(problem)
    told = []

    def listen(event):
        told.append(event.name)
        if event.name == "paused":
            paused.set()

    driver = driver_of(tester, listen, control=control)
    driver.begin((1 << 64) - 1)
    thread = threading.Thread(target=lambda: driver.run(space, start("ddmin", space)))
    thread.start()
    assert paused.wait(patience())
    time.sleep(0.1)
    assert len(asked) == 2
    control.resume()
    thread.join(patience())
    assert driver.reduction().reason == "done"
    assert driver.reduction().counts.paused_seconds >= 0.1
    assert told.index("paused") < told.index("resumed")


def test_stop_ends_a_run_that_is_paused():
    control = Control()
    control.pause()
    threading.Timer(0.05, control.stop).start()
    reduction, tester, _ = drive(chain(40), lambda items: True, control=control)
    assert reduction.reason == "stopped"
    assert not tester.asked
    assert reduction.best.items == (1 << 40) - 1


@given(st.integers(2, 24), st.integers(0, 10**6), st.sampled_from(sorted(SPACES)), st.data())
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
    problem = SearchProblem(n, [1 + i % 3 for i in range(n)], closures)
    full = (1 << n) - 1
    reduction, tester, _ = drive(problem, lambda items: hash((salt, items)) % 4 == 0, algorithm)
    yes = {items for items in tester.asked if hash((salt, items)) % 4 == 0} | {full}
    assert reduction.best.items in yes
    assert problem.bytes_of(reduction.best.items) == min(problem.bytes_of(items) for items in yes)
    if algorithm != "ddmin":
        assert all(not closures[i] & ~reduction.best.items for i in range(n) if reduction.best.items >> i & 1)


@pytest.mark.parametrize("workers", [1, 4])
def test_a_result_that_is_not_confirmed_gives_way_to_an_earlier_step(workers):
    problem = SearchProblem(16, [1] * 16, [1 << i for i in range(16)])
    lucky = []

    def predicate(items):
        if items & 1 == 0:
            return False
        if items.bit_count() < 4:  # interesting the first time only
            first = items not in lucky
            lucky.append(items)
            return first
        return True

    reduction, tester, told = drive(problem, predicate, "ddmin", judge=Judge(confirm=True), workers=workers)
    assert reduction.best.items & 1
    assert reduction.best.items.bit_count() == 4
    assert reduction.confirmed == (1, 1)
    assert reduction.counts.flaky == len(told_of(told, events.Flaky)) == 2
    assert reduction.counts.confirmations >= 3
    assert tester.asked.count(reduction.best.items) == 2
    assert reduction.best.bytes == reduction.timeline[-1].bytes
    assert reduction.timeline[-1].bytes == 4
    assert unpacked(told_of(told, events.Accepted)[-1].kept) == reduction.best.items


def test_of_many_steps_that_are_not_confirmed_few_are_run():
    problem = SearchProblem(64, [1] * 64, [1 << i for i in range(64)])
    taken = {(1 << 64) - 1}

    def predicate(items):  # one item may go at a time; asked again about a small candidate, another answer is given
        if items in taken:
            return items.bit_count() >= 50
        taken.update({items} if items.bit_count() == min(map(int.bit_count, taken)) - 1 else ())
        return items in taken

    reduction, *_ = drive(problem, predicate, "ddmin", judge=Judge(confirm=True))
    assert min(map(int.bit_count, taken)) == 1
    assert reduction.best.items.bit_count() == 50
    assert reduction.confirmed == (1, 1)
    assert reduction.counts.confirmations == 12


def test_if_nothing_is_confirmed_the_input_is_left():
    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])
    seen = set()

    def predicate(items):
        first = items not in seen
        seen.add(items)
        return first and items & 1

    reduction, _, told = drive(problem, predicate, "ddmin", judge=Judge(confirm=True))
    assert reduction.best.items == (1 << 8) - 1
    assert reduction.counts.flaky == len(told_of(told, events.Flaky)) > 0
    assert reduction.confirmed == (1, 1)


@pytest.mark.parametrize("rare", [False, True])
def test_past_the_time_limit_a_refuted_best_of_a_rare_failure_gives_way_to_the_input(rare):
    seen = set()

    def predicate(items):
        time.sleep(0.03)
        first = items not in seen
        seen.add(items)
        return first and items & 1

    reduction, *_ = drive(
        chain(40), predicate, "ddmin", limits=RunLimits(seconds=0.2), judge=Judge(confirm=True, rare=rare)
    )
    assert reduction.reason == "time"
    assert (reduction.best.items == (1 << 40) - 1) is rare
    assert reduction.confirmed == (1, int(rare))


def test_a_limit_that_ends_the_confirmations_is_named_and_the_predicate_is_not_blamed():
    problem, seen = SearchProblem(8, [1] * 8, [1 << i for i in range(8)]), set()

    ended = Outcome(Verdict.TIMED_OUT, 0.1, None, "too late")

    def predicate(items):
        first = items not in seen
        seen.add(items)
        return items & 1 if first or items.bit_count() > 3 else ended

    reduction, *_ = drive(problem, predicate, "ddmin", judge=Judge(confirm=True))
    assert reduction.best.items.bit_count() > 3
    assert (reduction.counts.flaky, reduction.counts.ended) == (0, "too late")
    certificate = {"final_checks": 1, "final_interesting": 1, "flaky": 0, "ended": "too late"}
    assert "the run was ended, too late" in unstable_text(certificate)
    assert "the run was ended, too late" in unstable_text(certificate | {"final_interesting": 0})
    assert "not stable" in unstable_text(certificate | {"flaky": 1}), "an answer that changed has another cause"
    assert not unstable_text(certificate | {"ended": ""})


def test_a_stable_predicate_is_confirmed_with_its_last_neighbour_that_was_not():
    needed = 1 << 2 | 1 << 9
    reduction, tester, told = drive(chain(40), lambda items: items & needed == needed, judge=Judge(confirm=True))
    assert reduction.confirmed == (1, 1)
    assert reduction.counts.confirmations == 2
    assert reduction.counts.probes == len(tester.asked) - 2
    assert not told_of(told, events.Flaky)


def test_answers_that_contradict_each_other_are_counted():
    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])

    def predicate(items):  # the second half alone hides the failure of the first item
        return items & 1 == 1 and items != 0b00001111

    reduction, _, told = drive(problem, predicate, "ddmin")
    assert reduction.best.items == 1
    assert reduction.counts.contradictions == len(told_of(told, events.Contradiction)) > 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_confirmation_that_was_stopped_says_nothing_of_the_answers(workers):
    control, seen, again = Control(), set(), []
    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])

    def predicate(items):
        if items in seen:  # a run to confirm: the first says no, the next one is stopped
            again.append(items)
            if len(again) > 2:
                control.stop()
            return False
        seen.add(items)
        return items & 1

    reduction, *_ = drive(problem, predicate, "ddmin", judge=Judge(confirm=True), workers=workers, control=control)
    assert reduction.counts.flaky == 0
    assert reduction.reason == EndReason.STOPPED
    assert reduction.best.items & 1
