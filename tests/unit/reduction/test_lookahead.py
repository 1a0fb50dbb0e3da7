"""What is done while probes run: candidates that may come next, and the model of the input during its check."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model import building
from core.model.cache import class_files
from core.model.reading import readers
from core.model.solver import draw
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.reduction.probing import lookahead
from core.reduction.probing.lookahead import Background
from core.reduction.records import Covered
from core.reduction.wiring import Judge
from core.search.spaces import Classes, Closures
from core.service import model_builder
from core.service.aims import aim_of
from core.service.model_builder import ModelBuilder
from core.system import budget
from tests.support.driving import SetTester, chain, driver_of, start
from tests.support.patience import patience


class Slow(SetTester):
    """Probes last a while, so that there is time to look ahead; ``ready`` counts what else is done meanwhile."""

    def __init__(self, problem, predicate, seconds):
        super().__init__(problem, predicate)
        self.seconds = seconds
        self.ready = 0
        self.expected = []

    def prepare(self, items, number, afresh=False):
        def job(cancel, seconds):
            self.asked.append(items)
            time.sleep(self.seconds)
            yes = self.predicate(items)
            return Outcome(Verdict.INTERESTING if yes else Verdict.NOT_INTERESTING, self.seconds, 0, "")

        return job

    def step(self):
        self.ready += 1
        return self.ready % 10 != 0


def reduced(algorithm: str, processors: int, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.02) -> tuple:
    monkeypatch.setattr(lookahead, "cores", lambda: processors)
    problem = chain(40)
    tester = Slow(problem, lambda items: items >> 7 & 1 and items >> 20 & 1, seconds)
    driver = driver_of(tester)
    full = (1 << problem.count) - 1
    driver.begin(full, Outcome(Verdict.INTERESTING, seconds, 0, ""))
    space = Closures(problem) if algorithm == "binary" else Classes(problem)
    driver.run(space, start(algorithm, space), background=Background(tester.step, tester.expected.append))
    return driver.reduction(), tester


@pytest.mark.parametrize("algorithm", ["binary", "ddmin"])
def test_what_may_come_next_is_made_while_a_probe_runs(algorithm, monkeypatch):
    plain, alone = reduced(algorithm, 1, monkeypatch)
    ahead, tester = reduced(algorithm, 2, monkeypatch)
    assert (ahead.best.items, ahead.counts.probes, tester.asked) == (plain.best.items, plain.counts.probes, alone.asked)
    assert (alone.packed, alone.ready) == ([], 0), "the predicate has the only processor"
    assert 0 < len(tester.packed) <= 2 * len(tester.asked)
    assert len(set(tester.packed) & set(tester.asked[1:])) > len(tester.asked) / 3, "and it does come next"
    assert tester.ready


def test_the_end_is_prepared_where_probes_last_long(monkeypatch):
    monkeypatch.setattr(lookahead, "_WORTH_PREPARING", 0.01)
    reduction, tester = reduced("binary", 2, monkeypatch)
    assert tester.expected[-1] == reduction.best.items
    assert len(tester.expected) == 3, "before each of two needed ones is found, and at the end"
    monkeypatch.setattr(lookahead, "_WORTH_PREPARING", 10)
    assert reduced("binary", 2, monkeypatch)[1].expected == []


def test_probes_that_end_at_once_leave_no_time(monkeypatch):
    _, tester = reduced("binary", 2, monkeypatch, seconds=0.0)
    assert tester.packed == []


def test_our_own_time_is_that_without_any_probe(monkeypatch):
    reduction, tester = reduced("binary", 2, monkeypatch)
    assert 0.02 * len(tester.asked) == pytest.approx(reduction.counts.covered_seconds)
    assert reduction.counts.covered_seconds < reduction.seconds


def test_what_was_run_before_covers_no_time_again():
    problem = chain(4)
    tester = SetTester(problem, lambda items: Outcome(Verdict.INTERESTING, 60.0, 0, ""))
    driver = driver_of(tester, judge=Judge(confirm=True))
    driver.begin((1 << problem.count) - 1)
    space = Closures(problem)
    driver.run(space, start("binary", space))
    reduction = driver.reduction()
    assert reduction.counts.confirmation_seconds >= 60
    assert reduction.counts.covered_seconds <= reduction.seconds


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), max_size=12))
def test_covered_time_counts_once(spans):
    spans = sorted(((begin, begin + length) for begin, length in spans), key=lambda span: span[1])
    covered = Covered()
    for begin, end in spans:
        covered.add(begin, end)
    assert covered.seconds == len({tick for begin, end in spans for tick in range(begin, end)})


def settings(algorithm: str) -> Settings:
    return Settings(predicate="true", algorithm=algorithm)


@pytest.fixture
def jar(sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(model_builder, "default_folder", lambda: tmp_path / "cache")
    return read_jar([sample_jar])


def test_a_model_built_ahead_is_the_same(jar):
    builder = ModelBuilder(aim_of(settings("gbr")), jar)
    builder.prepare()
    model = builder(jar)
    plain = building.build(jar, open_library(), "full", "src")
    assert model.items == plain.items
    assert list(model.formula.clauses()) == list(plain.formula.clauses())
    assert builder(jar).items == model.items, "asked for again: another one"


def test_what_was_read_ahead_makes_the_same_models(jar):
    builder = ModelBuilder(aim_of(settings("auto")), jar)
    while builder.step(jar):
        pass
    half = replace(jar, entries=jar.entries[::2])
    library = open_library()
    for part in (jar, half, half):
        model, plain = builder(part), building.build(part, library, "full", "src")
        assert model.items == plain.items
        assert model.model.graph.nodes == plain.model.graph.nodes, "with their places in this jar"
        assert list(model.formula.clauses()) == list(plain.formula.clauses())
        for kept in draw(plain, 3, 5):
            assert model.entries(kept) == plain.entries(kept)


def test_classes_are_read_once(jar, monkeypatch):
    read = []
    real = class_files.read_class
    monkeypatch.setattr(class_files, "read_class", lambda entry, *more: read.append(entry) or real(entry, *more))
    monkeypatch.setattr(readers, "read_class", lambda *args: pytest.fail("it was read ahead"))
    builder = ModelBuilder(aim_of(replace(settings("auto"), evidence=False)), jar)
    builder.prepare()
    deadline = time.monotonic() + patience()
    while len(read) < len(jar.classes()) // 2:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    builder.finish()
    while builder.step(jar):
        pass
    assert sorted(read) == jar.classes()
    builder(jar)


def test_the_model_of_what_a_search_may_end_with_is_made_meanwhile(jar, monkeypatch):
    built = []
    real = model_builder.load_or_build
    monkeypatch.setattr(
        model_builder, "load_or_build", lambda part, *args, **more: built.append(part) or real(part, *args, **more)
    )
    builder = ModelBuilder(aim_of(settings("auto")), jar)
    half = replace(jar, entries=jar.entries[::2])
    entries = half.contents
    builder.expect(entries[:-1])
    builder.finish()
    builder.expect(entries)
    model = builder(half)
    assert [len(part.entries) for part in built] == [len(entries) - 1, len(entries)]
    assert model.items == building.build(half, open_library(), "full", "src").items
    assert builder(jar).model.jar is jar, "not what was expected"
    assert len(built) == 3


def test_of_a_large_input_only_what_a_search_has_left_is_read_ahead(jar, monkeypatch):
    monkeypatch.setattr(model_builder, "large", lambda part: True)
    builder = ModelBuilder(aim_of(settings("auto")), jar)
    assert not builder.step(jar)
    half = replace(jar, entries=jar.entries[::2])
    assert builder.step(half)
    monkeypatch.setattr(budget, "available", lambda: 0)
    assert not builder.step(replace(jar, entries=jar.entries[::3])), "its model would not fit into memory"


def test_nothing_is_prepared_for_a_search_of_whole_classes(jar):
    builder = ModelBuilder(aim_of(settings("binary")), jar)
    builder.prepare()
    assert builder._thread is None
    assert not builder.step(jar)


def test_a_model_that_nobody_wants_is_given_up(jar, tmp_path):
    builder = ModelBuilder(aim_of(settings("gbr")), jar)
    builder.give_up()
    builder.prepare()
    builder.finish()
    assert not (tmp_path / "cache").exists(), "it was not built to its end, else it would be stored"
