"""Several workers: the same result as a serial run, and an end of all that runs."""

import contextlib
import os
import random
import shlex
import threading
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
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
from core.reduction.control import Control, RunLimits
from core.reduction.elements import WholeElements
from core.reduction.probing.memory import InMemory
from core.reduction.wiring import Judge
from core.search.questions import Enough, First, Least, Prefixes
from core.search.spaces import Classes, Closures
from tests.support.driving import SPACES, SetTester, chain, drive, driver_of, jittery, made_tester, start, told_of
from tests.support.patience import patience
from tests.support.rows import rows


@given(st.integers(2, 60), st.data(), st.sampled_from(sorted(SPACES)))
def test_monotone_predicates_give_the_same_with_any_number_of_workers(n, data, algorithm):
    needed = data.draw(st.integers(1, (1 << n) - 1)) & data.draw(st.integers(0, (1 << n) - 1)) or 1
    serial, _, _ = drive(chain(n), lambda items: items & needed == needed, algorithm)
    for workers in (2, 3, 4):
        wide, _, told = drive(chain(n), jittery(lambda items: items & needed == needed), algorithm, workers=workers)
        assert wide.best.items == serial.best.items
        assert wide.counts.probes <= serial.counts.probes + wide.counts.cached  # nothing is asked for twice
        assert len(told_of(told, events.Trying)) == wide.counts.probes + wide.counts.speculated
        assert wide.counts.contradictions == 0


@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from(sorted(SPACES)))
def test_even_predicates_that_are_not_monotone_give_the_same_with_any_number_of_workers(n, salt, algorithm):
    def predicate(items):
        return hash((salt, items)) % 3 == 0

    def loaded(items):
        verdict = Verdict.INTERESTING if predicate(items) else Verdict.NOT_INTERESTING
        return Outcome(verdict, random.uniform(0.001, 10), 0, "")

    serial, tester, _ = drive(chain(n), predicate, algorithm)
    for workers in (1, 2, 3, 5):
        wide, wide_tester, _ = drive(chain(n), jittery(loaded), algorithm, workers=workers)
        assert wide.best.items == serial.best.items
        assert (wide.counts.probes, wide.counts.cached, wide.counts.invalid, wide.counts.contradictions) == (
            serial.counts.probes,
            serial.counts.cached,
            serial.counts.invalid,
            serial.counts.contradictions,
        )
        assert [(step.probe, step.bytes) for step in wide.timeline] == [
            (step.probe, step.bytes) for step in serial.timeline
        ]
        assert set(tester.asked) <= set(wide_tester.asked)
        assert len(wide_tester.asked) <= wide.counts.probes + wide.counts.speculated


@rows("workers", [1, 2, 4])
@rows("limit", [1, 5, 9])
def test_a_limit_of_probes_is_exact_with_any_number_of_workers(workers, limit):
    needed = 1 << 3 | 1 << 38

    def predicate(items):
        return items & needed == needed

    for algorithm in ("ddmin", "binary"):
        serial, _, _ = drive(chain(40), predicate, algorithm, limits=RunLimits(probes=limit))
        wide, _, _ = drive(chain(40), jittery(predicate), algorithm, workers=workers, limits=RunLimits(probes=limit))
        assert (wide.reason, wide.counts.probes, wide.best.items) == ("probes", limit, serial.best.items)


class ProcessTester(SetTester):
    """Each probe is a process that sleeps, with a child of its own."""

    def __init__(self, problem, predicate, folder, sleep):
        super().__init__(problem, predicate)
        self.folder = folder
        self.script = f"sleep {sleep} & sleep {sleep}"

    def prepare(self, items, number, afresh=False):
        mark = f"JARLET_WORK={self.folder}/{number}"

        def job(cancel, seconds):
            environment = {"PATH": os.environ["PATH"], "JARLET_WORK": f"{self.folder}/{number}"}
            launch = process.Launch(["sh", "-c", self.script], self.folder, environment, mark)
            result = process.run(launch, seconds, cancel)
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
    tester = ProcessTester(problem, lambda items: items & needed == needed, folder, sleep)
    space = SPACES[algorithm](problem) if isinstance(algorithm, str) else Classes(problem)
    told = []

    def listen(event):
        told.append(event)
        if listener:
            listener(event)

    driver = driver_of(tester, listen, workers=workers, **more)
    driver.begin((1 << 64) - 1)
    driver.run(space, start(algorithm, space) if isinstance(algorithm, str) else ask(algorithm))
    return driver.reduction(), tester, told


@pytest.mark.parametrize("algorithm", ["binary", pytest.param("ddmin", marks=pytest.mark.slow)])
def test_more_workers_find_the_same_in_fewer_rounds(tmp_path, algorithm):
    rounds, results, serial = [], set(), 0
    for workers in (1, 2, 4, 8):
        reduction, tester, told = drive_processes(tmp_path, 0.01, workers, algorithm)
        # a round begins where the probe that is asked for was not started ahead
        tries = told_of(told, events.Trying)
        rounds.append(sum(not event.ahead for event in tries))
        results.add(reduction.best.items)
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
        tester = ProcessTester(problem, lambda items: items & needed == needed, tmp_path, 0.05)
        told = []
        driver = driver_of(tester, told.append, workers=workers)
        driver.begin((1 << 64) - 1)
        driver.run(space, search())
        reduction = driver.reduction()
        results.append((reduction.best.items, reduction.counts.probes))
        first = told[: next(i for i, event in enumerate(told) if isinstance(event, events.Ended))]
        assert [event.ahead for event in told_of(first, events.Trying)] == [False] + [True] * (workers - 1)
        assert not tester.survivors()
    assert results[0] == results[1]
    assert results[0][0] == (2 << 40) - 1 if needed else results[0] == (0, 1)


def test_a_late_answer_takes_few_probes_where_it_is_likely_for_any_number_of_workers(tmp_path):
    problem = chain(64)
    space = Classes(problem)
    prefixes = Prefixes((), space.elements)

    def search(late):
        least = yield Least(prefixes, late=late)
        return prefixes[least]

    results = {}
    for late, workers in ((None, 1), ((), 1), ((), 3)):
        tester = ProcessTester(problem, lambda items: items >> 62 & 1, tmp_path, 0.02)
        driver = driver_of(tester, workers=workers)
        driver.begin((1 << 64) - 1)
        driver.run(space, search(late))
        reduction = driver.reduction()
        assert reduction.best.items == (1 << 63) - 1
        results[late, workers] = reduction.counts.probes
    assert results[(), 1] == results[(), 3]
    assert results[(), 1] < results[None, 1]


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
                threading.Timer(0.05, control.stop).start()

    reduction, tester, told = drive_processes(tmp_path, 600, 4, algorithm, listener, control=control)
    assert lanes == {0, 1, 2, 3}
    assert reduction.reason == "stopped"
    assert reduction.counts.probes == reduction.counts.speculated == 0
    assert [event.cancelled for event in told_of(told, events.Ended)] == [True] * 4
    assert not tester.survivors()


@pytest.mark.parametrize("algorithm", QUESTIONS, ids=["least", "first"])
def test_the_time_limit_kills_the_children_of_all_workers(tmp_path, algorithm):
    reduction, tester, told = drive_processes(tmp_path, 600, 4, algorithm, limits=RunLimits(seconds=0.4))
    assert reduction.reason == "time"
    assert reduction.counts.probes == 0
    # all four where the machine is quick enough
    assert len(told_of(told, events.Trying)) <= 4
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
    assert paused.wait(patience())
    assert len(told_of(told, events.Ended)) == len(told_of(told, events.Trying)) == 6
    time.sleep(0.2)
    assert len(told_of(told, events.Trying)) == 6
    control.resume()
    thread.join(patience())
    assert results[0][0].reason == "done"
    assert results[0][0].best.items == NEEDED


def test_a_workers_error_reaches_the_caller_and_ends_the_others(tmp_path):
    problem = chain(40)
    tester = ProcessTester(problem, lambda items: False, tmp_path, 600)
    waiting = tester.prepare

    def prepare(items, number, afresh=False):
        def fail(cancel, seconds):
            time.sleep(0.2)
            raise OutputError("The disk is full.")

        return fail if number == 1 else waiting(items, number)

    tester.prepare = prepare
    driver = driver_of(tester, workers=3)
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


def test_an_answer_that_comes_although_nobody_waits_for_it_is_remembered():
    """A run that is to be killed may end first; what it said is as good as any other answer."""
    memory = InMemory()
    needed = 1 << 2 | 1 << 9

    def predicate(items):
        time.sleep(0.005)
        return items & needed == needed

    first, tester, told = drive(chain(40), predicate, memory=memory, workers=4)
    assert first.counts.speculated > 0
    assert not any(event.cancelled for event in told_of(told, events.Ended)), "these end before they can be killed"
    assert all(memory.get(tester.key(items)) is not None for items in tester.asked)
    assert len(set(tester.asked)) == len(tester.asked), "and none is run twice"


def test_a_model_is_reduced_by_several_workers_with_real_files(tmp_path):
    jar = tmp_path / "in.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("No.class", "no class file: always kept")
        for number in range(24):
            archive.writestr(f"dir/{number}.txt", f"{number}\n" * 10)
    elements = WholeElements(build(read_jar([jar])))
    script = "test -f $JARLET_CLASSES/dir/5.txt && test -f $JARLET_CLASSES/dir/17.txt"
    results = set()
    for workers in (1, 4):
        predicate = CommandPredicate(
            PredicateCommand.parse(f"sh -c {shlex.quote(script)}"), condition=Condition(), timeout=10.0
        )
        folder = tmp_path / f"work-{workers}"
        folder.mkdir()
        tester = made_tester(elements, predicate, folder)
        driver = driver_of(tester, workers=workers, judge=Judge(confirm=True))
        driver.begin(elements.full)
        space = Closures(elements.problem)
        driver.run(space, start("binary", space))
        reduction = driver.reduction()
        assert [name for name, _ in elements.entries(reduction.best.items)] == ["No.class", "dir/5.txt", "dir/17.txt"]
        assert reduction.confirmed == (1, 1)
        assert not list(folder.iterdir())
        results.add((reduction.best.items, reduction.counts.probes))
    assert len(results) == 1
