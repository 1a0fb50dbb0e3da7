"""The driver: cache by content, limits, pause and stop, events, and what it vouches for."""

import contextlib
import os
import random
import shlex
import threading
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.archive.jar import read_jar
from core.errors import OutputError
from core.model.class_model import build
from core.predicate import process
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.reduction.bisection import STRATEGIES
from core.reduction.candidate_tester import SourceTester
from core.reduction.control import Control, Patience, RunLimits
from core.reduction.driver import Driver
from core.reduction.probing.memory import Forgetful
from core.reduction.sources.whole_source import WholeSource
from core.search.questions import Enough, First, Least, Prefixes
from core.search.spaces.class_spaces import Classes, Closures, SearchProblem
from tests.support.driving import SPACES, SetJudge, chain, start


def drive(problem, predicate, algorithm="binary", *, key=lambda items: items, **more):
    told = []
    tester = SetJudge(problem, predicate, key)
    space = SPACES[algorithm](problem)
    driver = Driver(tester, told.append, **more)
    driver.begin((1 << problem.count) - 1)
    driver.run(space, start(algorithm, space))
    return driver.reduction(), tester, told


def test_binary_finds_the_closures_that_are_needed():
    needed = 1 << 2 | 1 << 9
    reduction, tester, told = drive(chain(40), lambda items: items & needed == needed)
    assert reduction.items == 0b1100 | 0b1110 << 8
    assert reduction.reason == "done"
    assert reduction.counts.probes == len(tester.asked) < 20
    assert told[0].name == "asked"
    accepted = [event for event in told if isinstance(event, events.Accepted)]
    assert [step.bytes for step in reduction.timeline] == [event.bytes for event in accepted]
    assert events.unpack(accepted[-1].kept) == reduction.items
    assert [event.bytes for event in accepted] == sorted((event.bytes for event in accepted), reverse=True)


def test_what_was_proved_to_be_needed_is_told():
    needed = 1 << 3 | 1 << 11
    for algorithm in SPACES:
        problem = SearchProblem(16, [1] * 16, [1 << i for i in range(16)])
        reduction, _, told = drive(problem, lambda items: items & needed == needed, algorithm)
        proved = [event for event in told if isinstance(event, events.Needed)]
        assert reduction.items == needed
        assert events.unpack(proved[-1].kept) == needed, algorithm


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
    assert reduction.items & 0b11 == 0b11
    assert reduction.items.bit_count() == 4
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
    assert reduction.items & needed
    assert reduction.items in tester.asked or reduction.items == (1 << 40) - 1


def test_the_time_limit_ends_the_run():
    def slow(items):
        time.sleep(0.05)
        return items & 1 == 1

    reduction, tester, _ = drive(chain(400), slow, "ddmin", limits=RunLimits(seconds=0.2))
    assert reduction.reason == "time"
    assert 1 <= len(tester.asked) <= 8


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
    tester = SetJudge(problem, predicate)
    space = Classes(problem)
    told = []

    def listen(event):
        told.append(event.name)
        if event.name == "paused":
            paused.set()

    driver = Driver(tester, listen, control=control)
    driver.begin((1 << 64) - 1)
    thread = threading.Thread(target=lambda: driver.run(space, start("ddmin", space)))
    thread.start()
    assert paused.wait(60)
    time.sleep(0.1)
    assert len(asked) == 2
    control.resume()
    thread.join(60)
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
    assert reduction.items == (1 << 40) - 1


@settings(max_examples=60, deadline=None)
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
    assert reduction.items in yes
    assert problem.bytes_of(reduction.items) == min(problem.bytes_of(items) for items in yes)
    if algorithm != "ddmin":
        assert all(not closures[i] & ~reduction.items for i in range(n) if reduction.items >> i & 1)


def jittery(predicate):
    """The predicate in runs of differing lengths, so that workers overtake each other."""

    def slow(items):
        time.sleep(hash(items) % 5 / 5000)
        return predicate(items)

    return slow


def told_of(told, kind):
    return [event for event in told if isinstance(event, kind)]


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 60), st.data(), st.sampled_from(sorted(SPACES)), st.sampled_from(sorted(STRATEGIES)))
def test_monotone_predicates_give_the_same_with_any_number_of_workers(n, data, algorithm, least):
    needed = data.draw(st.integers(1, (1 << n) - 1)) & data.draw(st.integers(0, (1 << n) - 1)) or 1
    serial, _, _ = drive(chain(n), lambda items: items & needed == needed, algorithm, least=least)
    for workers in (2, 3, 4):
        wide, _, told = drive(
            chain(n), jittery(lambda items: items & needed == needed), algorithm, least=least, workers=workers
        )
        assert wide.items == serial.items
        assert wide.counts.probes <= serial.counts.probes + wide.counts.cached  # nothing is asked for twice
        assert len(told_of(told, events.Trying)) == wide.counts.probes + wide.counts.speculated
        assert wide.counts.contradictions == 0


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from(sorted(SPACES)), st.sampled_from(sorted(STRATEGIES)))
def test_even_predicates_that_are_not_monotone_give_the_same_with_any_number_of_workers(n, salt, algorithm, least):
    def predicate(items):
        return hash((salt, items)) % 3 == 0

    def loaded(items):
        verdict = Verdict.INTERESTING if predicate(items) else Verdict.NOT_INTERESTING
        return Outcome(verdict, random.uniform(0.001, 10), 0, "")

    serial, tester, _ = drive(chain(n), predicate, algorithm, least=least)
    for workers in (1, 2, 3, 5):
        wide, wide_judge, _ = drive(chain(n), jittery(loaded), algorithm, workers=workers, least=least)
        assert wide.items == serial.items
        assert (wide.counts.probes, wide.counts.cached, wide.counts.invalid, wide.counts.contradictions) == (
            serial.counts.probes,
            serial.counts.cached,
            serial.counts.invalid,
            serial.counts.contradictions,
        )
        assert [(step.probe, step.bytes) for step in wide.timeline] == [
            (step.probe, step.bytes) for step in serial.timeline
        ]
        assert set(tester.asked) <= set(wide_judge.asked)
        assert len(wide_judge.asked) <= wide.counts.probes + wide.counts.speculated


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("limit", [1, 5, 9])
def test_a_limit_of_probes_is_exact_with_any_number_of_workers(workers, limit):
    needed = 1 << 3 | 1 << 38

    def predicate(items):
        return items & needed == needed

    for algorithm in ("ddmin", "binary"):
        serial, _, _ = drive(chain(40), predicate, algorithm, limits=RunLimits(probes=limit))
        wide, _, _ = drive(chain(40), jittery(predicate), algorithm, workers=workers, limits=RunLimits(probes=limit))
        assert (wide.reason, wide.counts.probes, wide.items) == ("probes", limit, serial.items)


class ProcessJudge(SetJudge):
    """Each probe is a process that sleeps, with a child of its own."""

    def __init__(self, problem, predicate, folder, sleep):
        super().__init__(problem, predicate)
        self.folder = folder
        self.script = f"sleep {sleep} & sleep {sleep}"

    def prepare(self, items, number, afresh=False):
        mark = f"JARLET_WORK={self.folder}/{number}"

        def job(cancel, seconds):
            environment = {"PATH": os.environ["PATH"], "JARLET_WORK": f"{self.folder}/{number}"}
            result = process.run(["sh", "-c", self.script], self.folder, environment, seconds, cancel, mark)
            if result.cancelled:
                return Outcome(Verdict.UNRESOLVED, result.seconds, None, "cancelled")
            if result.timed_out:
                return Outcome(Verdict.TIMED_OUT, result.seconds, None, "killed")
            yes = self.predicate(items)
            return Outcome(Verdict.INTERESTING if yes else Verdict.NOT_INTERESTING, result.seconds, 0, "")

        return job

    def survivors(self):
        """Processes of probes that are still there."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if f"JARLET_WORK={self.folder}/".encode() in (entry / "environ").read_bytes():
                        found.append(entry.name)
        return found


NEEDED = 1 << 2 | 1 << 20 | 1 << 41 | 1 << 50


def drive_processes(folder, sleep, workers, algorithm, listener=None, **more):
    """Runs 64 items down to the needed ones with real processes."""
    needed = NEEDED
    problem = chain(64)
    tester = ProcessJudge(problem, lambda items: items & needed == needed, folder, sleep)
    space = SPACES[algorithm](problem) if isinstance(algorithm, str) else Classes(problem)
    told = []

    def listen(event):
        told.append(event)
        if listener:
            listener(event)

    driver = Driver(tester, listen, workers=workers, **more)
    driver.begin((1 << 64) - 1)
    driver.run(space, start(algorithm, space) if isinstance(algorithm, str) else ask(algorithm))
    return driver.reduction(), tester, told


@pytest.mark.parametrize("algorithm", ["binary", "ddmin"])
def test_more_workers_find_the_same_in_fewer_rounds(tmp_path, algorithm):
    rounds, results, serial = [], set(), 0
    for workers in (1, 2, 4, 8):
        reduction, tester, told = drive_processes(tmp_path, 0.01, workers, algorithm)
        # a round begins where the probe that is asked for was not started ahead
        tries = told_of(told, events.Trying)
        rounds.append(sum(not event.ahead for event in tries))
        results.add(reduction.items)
        serial = serial or reduction.counts.probes
        ends = told_of(told, events.Ended)
        assert sorted(event.probe for event in tries) == sorted(event.probe for event in ends)
        assert {event.lane for event in tries} <= set(range(workers))
        assert len(told_of(told, events.Probed)) >= reduction.counts.probes
        assert workers > 1 or reduction.counts.speculated == 0
        assert sum(event.cancelled for event in ends) <= reduction.counts.speculated
        assert not tester.survivors()
    assert len(results) == 1
    # how many fewer depends on how busy the machine is
    assert max(rounds[1:]) < rounds[0] == serial


@pytest.mark.parametrize("needed", [0, 1 << 40], ids=["yes", "no"])
def test_workers_go_on_to_what_follows_a_no(tmp_path, needed):
    """While a candidate is tested, the others try what the question goes on to if it is not enough."""
    problem = chain(64)
    space = Classes(problem)
    prefixes = Prefixes((), space.elements)

    def search():
        least = yield Enough((), prefixes)
        return () if least is None else prefixes[least]

    results = []
    for workers in (1, 3):
        tester = ProcessJudge(problem, lambda items: items & needed == needed, tmp_path, 0.05)
        told = []
        driver = Driver(tester, told.append, workers=workers)
        driver.begin((1 << 64) - 1)
        driver.run(space, search())
        reduction = driver.reduction()
        results.append((reduction.items, reduction.counts.probes))
        first = told[: next(i for i, event in enumerate(told) if isinstance(event, events.Ended))]
        assert [event.ahead for event in told_of(first, events.Trying)] == [False] + [True] * (workers - 1)
        assert not tester.survivors()
    assert results[0] == results[1]
    assert results[0][0] == (2 << 40) - 1 if needed else results[0] == (0, 1)


QUESTIONS = [Least(Prefixes((), tuple(range(64)))), First([(i,) for i in range(64)])]


def ask(question):
    """An algorithm of one question."""
    yield question
    return ()


@pytest.mark.parametrize("algorithm", QUESTIONS, ids=["least", "first"])
def test_a_stop_kills_the_children_of_all_workers(tmp_path, algorithm):
    control = Control()
    lanes = set()

    def listener(event):
        if isinstance(event, events.Trying):
            lanes.add(event.lane)
            if len(lanes) == 4:
                threading.Timer(0.2, control.stop).start()

    reduction, tester, told = drive_processes(tmp_path, 15, 4, algorithm, listener, control=control)
    assert lanes == {0, 1, 2, 3}
    assert reduction.reason == "stopped"
    assert reduction.counts.probes == reduction.counts.speculated == 0
    assert [event.cancelled for event in told_of(told, events.Ended)] == [True] * 4
    assert not tester.survivors()


@pytest.mark.parametrize("algorithm", QUESTIONS, ids=["least", "first"])
def test_the_time_limit_kills_the_children_of_all_workers(tmp_path, algorithm):
    reduction, tester, told = drive_processes(tmp_path, 15, 4, algorithm, limits=RunLimits(seconds=0.4))
    assert reduction.reason == "time"
    assert reduction.counts.probes == 0
    assert len(told_of(told, events.Trying)) == 4
    assert not tester.survivors()


def test_a_pause_lets_all_workers_finish_and_starts_none(tmp_path):
    control, paused, told = Control(), threading.Event(), []

    def listener(event):
        told.append(event)
        if isinstance(event, events.Trying) and event.probe == 6:
            control.pause()
        if isinstance(event, events.Paused):
            paused.set()

    results = []
    thread = threading.Thread(
        target=lambda: results.append(drive_processes(tmp_path, 0.05, 3, "ddmin", listener, control=control))
    )
    thread.start()
    assert paused.wait(60)
    assert len(told_of(told, events.Ended)) == len(told_of(told, events.Trying)) == 6
    time.sleep(0.2)
    assert len(told_of(told, events.Trying)) == 6
    control.resume()
    thread.join(60)
    assert results[0][0].reason == "done"
    assert results[0][0].items == NEEDED


def test_a_workers_error_reaches_the_caller_and_ends_the_others(tmp_path):
    problem = chain(40)
    tester = ProcessJudge(problem, lambda items: False, tmp_path, 15)
    waiting = tester.prepare

    def prepare(items, number, afresh=False):
        def fail(cancel, seconds):
            time.sleep(0.2)
            raise OutputError("The disk is full.")

        return fail if number == 1 else waiting(items, number)

    tester.prepare = prepare
    driver = Driver(tester, lambda event: None, workers=3)
    driver.begin((1 << 40) - 1)
    space = Classes(problem)
    with pytest.raises(OutputError):
        driver.run(space, start("ddmin", space))
    assert not tester.survivors()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("probe ")]


def test_questions_tell_how_much_is_left():
    reduction, _, told = drive(chain(100), lambda items: bool(items & 1), workers=3)
    least = [event for event in told_of(told, events.Asked) if event.kind == "least"]
    assert (least[0].low, least[0].high, least[0].n, least[0].done, least[0].left) == (0, 100, 101, 0, 7)
    assert [event.done for event in least[:3]] == [0, 1, 2]
    for event in least:
        assert event.left == (event.high - event.low + 1).bit_length()
    assert reduction.counts.probes <= 9


class Renumbered(SetJudge):
    """The items of a subset, numbered afresh: content and sizes are the first judge's."""

    def __init__(self, first, members):
        self.members = members
        self.first = first
        problem = SearchProblem(
            len(members), [first.problem.sizes[m] for m in members], [1 << i for i in range(len(members))]
        )
        super().__init__(problem, lambda items: first.predicate(self.shown(items)))
        self.shown_count = first.count

    def shown(self, items):
        return sum(1 << member for place, member in enumerate(self.members) if items >> place & 1)

    def key(self, items):
        return self.first.key(self.shown(items))


def two_phases(needed=1 << 2 | 1 << 9, **more):
    """Closures, then the classes of the best alone, each for itself."""
    problem = chain(40)
    first = SetJudge(problem, lambda items: items & needed == needed)
    told = []
    driver = Driver(first, told.append, **more)
    driver.begin((1 << 40) - 1)
    space = Closures(problem)
    phases = [driver.run(space, start("binary", space))]
    second = Renumbered(first, [i for i in range(40) if driver.best.items >> i & 1])
    space = Classes(second.problem)
    phases.append(driver.run(space, start("ddmin", space), second))
    return driver, phases, first, second, told


@pytest.mark.parametrize("workers", [1, 3])
def test_phases_share_cache_and_best_whatever_their_numbering(workers):
    best = []
    driver, phases, first, second, told = two_phases(workers=workers, on_best=best.append)
    assert [phase.reason for phase in phases] == ["done", "done"]
    assert phases[0].items == 0b1100 | 0b1110 << 8
    assert phases[0].best.tester is first
    assert driver.best.tester is second
    assert second.shown(driver.best.items) == 1 << 2 | 1 << 9
    keys = [first.key(items) for items in first.asked] + [second.key(items) for items in second.asked]
    assert len(keys) == len(set(keys)) or workers > 1
    full = first.bytes_of((1 << 40) - 1)
    assert phases[0].gained + phases[1].gained == full - driver.best.bytes
    reduction = driver.reduction()
    assert reduction.phases == tuple(phases)
    assert reduction.counts.probes == phases[0].probes + phases[1].probes
    assert [finding.bytes for finding in reduction.history] == [step.bytes for step in reduction.timeline]
    assert [finding.items for finding in best] == [finding.items for finding in reduction.history]
    # what is told is told in the first numbering
    assert events.unpack(told_of(told, events.Accepted)[-1].kept) == 1 << 2 | 1 << 9
    assert events.unpack(told_of(told, events.Needed)[-1].kept) == 1 << 2 | 1 << 9


def test_after_a_limit_no_further_phase_asks_anything():
    _, phases, _, second, _ = two_phases(limits=RunLimits(probes=4))
    assert [phase.reason for phase in phases] == ["probes", "probes"]
    assert not second.asked
    assert phases[1].probes == phases[1].gained == 0


def test_a_phase_that_starts_from_something_not_interesting_is_lost():
    problem = chain(16)
    driver = Driver(SetJudge(problem, lambda items: True), lambda event: None)
    driver.begin((1 << 16) - 1)
    other = SetJudge(problem, lambda items: False, key=lambda items: ("other", items))
    space = Classes(problem)
    phase = driver.run(space, start("ddmin", space), other)
    assert (phase.reason, phase.probes, phase.items) == ("lost", 1, (1 << 16) - 1)
    assert driver.run(space, start("ddmin", space)).reason == "lost"  # the judge stays


@pytest.mark.parametrize("workers", [1, 4])
def test_a_phase_ends_when_it_does_not_pay_any_more(workers):
    problem = SearchProblem(64, [1000] * 64, [1 << i for i in range(64)])
    driver = Driver(SetJudge(problem, jittery(lambda items: items & 1 == 1)), lambda event: None, workers=workers)
    driver.begin((1 << 64) - 1)
    space = Classes(problem)
    # the halves of the beginning gain 32,000 bytes a probe, the last ones little
    phase = driver.run(space, start("ddmin", space), patience=Patience(probes=2, per_probe=4_000))
    assert phase.reason == "patience"
    assert 1 < phase.items.bit_count() < 64
    assert phase.probes < 12
    again = driver.run(space, start("ddmin", space), patience=Patience(probes=3, per_probe=1))
    assert driver.reduction().reason == "done"
    assert again.reason in ("done", "patience")


def named(failures):
    """An outcome that names failures; interesting where there is any."""
    return Outcome(
        Verdict.INTERESTING if failures else Verdict.NOT_INTERESTING, 0.001, 0, "", failures=tuple(sorted(failures))
    )


def test_another_failure_starts_from_what_is_known_of_it():
    problem = SearchProblem(32, [1] * 32, [1 << i for i in range(32)])
    parts = {"a": 1 << 3, "b": 1 << 20, "c": 1 << 20 | 1 << 21}

    def predicate(items):
        return named({name for name, part in parts.items() if items & part == part})

    memory, told = Forgetful(), []
    space = Classes(problem)
    full = (1 << 32) - 1
    tester = SetJudge(problem, predicate)
    first = Driver(tester, told.append, memory=memory, interesting=lambda outcome: "a" in outcome.failures)
    first.begin(full, predicate(full))
    first.run(space, start("ddmin", space))
    assert first.best.items == 1 << 3
    assert sorted(first.failures) == ["a", "b", "c"]
    assert not told_of(told, events.Met)
    smallest = first.smallest_with("b")
    assert smallest.items.bit_count() < 32
    assert smallest.items & parts["b"]
    asked = len(tester.asked)
    second = Driver(tester, told.append, memory=memory, interesting=lambda outcome: "b" in outcome.failures)
    second.begin(smallest.items)
    space = Classes(problem)
    space.elements = tuple(i for i in range(32) if smallest.items >> i & 1)
    second.run(space, start("ddmin", space))
    assert second.best.items == 1 << 20
    assert second.reduction().counts.probes == len(tester.asked) - asked


@pytest.mark.parametrize("workers", [1, 3])
def test_what_an_earlier_run_found_out_is_not_run_again(workers):
    needed = 1 << 2 | 1 << 9
    memory = Forgetful()

    def predicate(items):
        return items & needed == needed

    stopped, _, _ = drive(chain(40), predicate, memory=memory, limits=RunLimits(probes=4))
    assert stopped.reason == "probes"
    resumed, tester, _ = drive(chain(40), predicate, memory=memory, workers=workers)
    whole, _, _ = drive(chain(40), predicate)
    assert resumed.items == whole.items
    assert resumed.counts.recalled == 4
    assert resumed.counts.probes == whole.counts.probes - 4
    assert [step.bytes for step in resumed.timeline] == [step.bytes for step in whole.timeline]
    again, tester, told = drive(chain(40), predicate, memory=memory, workers=workers)
    assert again.items == whole.items
    assert not tester.asked
    assert again.counts.recalled == whole.counts.probes
    assert events.unpack(told_of(told, events.Accepted)[-1].kept) == whole.items


def test_an_answer_that_comes_although_nobody_waits_for_it_is_remembered():
    """A run that is to be killed may end first; what it said is as good as any other answer."""
    memory = Forgetful()
    needed = 1 << 2 | 1 << 9

    def predicate(items):
        time.sleep(0.005)
        return items & needed == needed

    first, tester, told = drive(chain(40), predicate, memory=memory, workers=4)
    assert first.counts.speculated > 0
    assert not any(event.cancelled for event in told_of(told, events.Ended)), "these end before they can be killed"
    assert all(memory.get(tester.key(items)) is not None for items in tester.asked)
    assert len(set(tester.asked)) == len(tester.asked), "and none is run twice"


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

    reduction, tester, told = drive(problem, predicate, "ddmin", confirm=2, workers=workers)
    assert reduction.items & 1
    assert reduction.items.bit_count() == 4
    assert reduction.confirmed == (2, 2)
    assert reduction.counts.flaky == len(told_of(told, events.Flaky)) == 2
    assert reduction.counts.confirmations >= 6
    assert tester.asked.count(reduction.items) == 3
    assert reduction.best is reduction.history[-1]
    assert reduction.timeline[-1].bytes == 4
    assert events.unpack(told_of(told, events.Accepted)[-1].kept) == reduction.items


def test_if_nothing_is_confirmed_the_input_is_left():
    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])
    seen = set()

    def predicate(items):
        first = items not in seen
        seen.add(items)
        return first and items & 1

    reduction, _, told = drive(problem, predicate, "ddmin", confirm=1)
    assert reduction.items == (1 << 8) - 1
    assert reduction.counts.flaky == len(told_of(told, events.Flaky)) > 0
    assert reduction.confirmed == (1, 1)


def test_a_stable_predicate_is_confirmed_with_its_last_neighbour_that_was_not():
    needed = 1 << 2 | 1 << 9
    reduction, tester, told = drive(chain(40), lambda items: items & needed == needed, confirm=3)
    assert reduction.confirmed == (3, 3)
    assert reduction.counts.confirmations == 4
    assert reduction.counts.probes == len(tester.asked) - 4
    assert not told_of(told, events.Flaky)


def test_answers_that_contradict_each_other_are_counted():
    problem = SearchProblem(8, [1] * 8, [1 << i for i in range(8)])

    def predicate(items):  # the second half alone hides the failure of the first item
        return items & 1 == 1 and items != 0b00001111

    reduction, _, told = drive(problem, predicate, "ddmin")
    assert reduction.items == 1
    assert reduction.counts.contradictions == len(told_of(told, events.Contradiction)) > 0


def test_a_model_is_reduced_by_several_workers_with_real_files(tmp_path):
    jar = tmp_path / "in.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("No.class", "no class file: always kept")
        for number in range(24):
            archive.writestr(f"dir/{number}.txt", f"{number}\n" * 10)
    source = WholeSource(build(read_jar([jar])))
    script = "test -f $JARLET_CLASSES/dir/5.txt && test -f $JARLET_CLASSES/dir/17.txt"
    results = set()
    for workers in (1, 4):
        predicate = CommandPredicate(PredicateCommand.parse(f"sh -c {shlex.quote(script)}"), Condition(), 10.0)
        folder = tmp_path / f"work-{workers}"
        folder.mkdir()
        tester = SourceTester(source, predicate, folder)
        driver = Driver(tester, lambda event: None, workers=workers, confirm=1)
        driver.begin(source.full)
        space = Closures(source.problem)
        driver.run(space, start("binary", space))
        reduction = driver.reduction()
        assert [name for name, _ in source.entries(reduction.items)] == ["No.class", "dir/5.txt", "dir/17.txt"]
        assert reduction.confirmed == (1, 1)
        assert not list(folder.iterdir())
        results.add((reduction.items, reduction.counts.probes))
    assert len(results) == 1
