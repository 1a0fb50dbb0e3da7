"""What may come next: algorithms tell it rightly, and workers that try it spare time and change nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.search.chunks import Chunk
from core.search.priors import Priors
from core.search.questions import Enough, First, HungUp
from core.search.reducers.binary import binary_reduction
from core.search.reducers.complements import ItemAlgebra, complements
from core.search.spaces import Classes, Closures
from core.sets import members
from tests.support.asking import reply
from tests.support.driving import SetTester, chain, driver_of
from tests.support.simulated_workers import SimulatedWorkers

_COUNT = 40


def binary():
    return binary_reduction(tuple(range(_COUNT)), len)


def complementing():
    ones = [1 << number for number in range(_COUNT)]
    chunks = [Chunk(one, one, one) for one in ones]
    return complements((1 << _COUNT) - 1, chunks, Priors((0.3,)), ItemAlgebra(int.bit_count), 0.0)


def about(question):
    """What a question asks first, without making the rest."""
    return question.candidates[0] if isinstance(question, First) else question.candidate


def answers(question):
    """All that could be said to a question, or some."""
    if isinstance(question, First):
        return [*range(len(question.candidates)), None]
    return [None, *range(1, len(question.prefixes), 7)]


@pytest.mark.parametrize("make", [binary, complementing])
@settings(max_examples=settings().max_examples // 3)
@given(needed=st.sets(st.integers(0, _COUNT - 1), max_size=6))
def test_what_an_algorithm_tells_of_its_next_question_is_what_it_asks(make, needed):
    def run(look):
        asked, algorithm, answer, expected = [], make(), None, None
        try:
            while True:
                question = algorithm.send(answer)
                answer = reply(question, lambda kept: needed <= set(kept))
                if isinstance(question, HungUp):
                    continue
                asked.append(about(question))
                if look:
                    assert expected is None or about(expected) == asked[-1]
                    for other in answers(question):
                        question.then(other)
                    expected = question.then(answer)
                    assert expected is None or isinstance(expected, type(question))
        except StopIteration as end:
            assert expected is None
            return asked, end.value

    assert run(look=True) == run(look=False)


@pytest.mark.parametrize("algorithm", [binary, complementing])
def test_more_workers_take_less_time_for_the_same_result(algorithm):
    problem, needed = chain(_COUNT), 1 << 7 | 1 << 20 | 1 << 33
    took, results = {}, set()
    for workers in (1, 2, 4, 16):
        pool = SimulatedWorkers(workers, 1.0)
        space = Closures(problem) if algorithm is binary else Classes(problem)
        driver = driver_of(SetTester(problem, lambda kept: not needed & ~kept), pool=pool)
        driver.begin((1 << _COUNT) - 1)
        driver.run(space, algorithm())
        results.add((driver.best.items, driver.reduction().counts.probes))
        took[workers] = pool.now
    assert len(results) == 1
    assert took[1] == next(iter(results))[1], "one after the other"
    assert took[2] <= took[1] / 1.3
    assert took[4] <= took[1] / 1.9
    assert took[16] <= took[1] / 3
    assert members(needed) == (7, 20, 33)


def test_a_question_that_ends_the_search_has_none_behind_it():
    question = next(binary())
    assert isinstance(question, Enough)
    assert question.then(None) is None
