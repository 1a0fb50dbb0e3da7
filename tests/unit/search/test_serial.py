"""Questions as one candidate after another."""

from hypothesis import given
from hypothesis import strategies as st

from core.search.questions import Enough, First, HungUp, Least, Prefixes, Test
from core.search.serial import answered, as_sets, least_of, serial
from tests.support.asking import judged

GROWING = Prefixes((), (0, 1, 2, 3))


def asked_of(question, interesting):
    """Return the answer to a question, and the candidates that it takes."""
    asked = []

    def judge(candidate):
        asked.append(candidate)
        return interesting(candidate)

    return judged(answered(question), judge), asked


def test_lists_are_asked_about_in_order_up_to_the_first_yes():
    assert asked_of(First([(1,), (2,), (3,)]), lambda candidate: 2 in candidate) == (1, [(1,), (2,)])
    assert asked_of(First([(1,), (2,)]), lambda candidate: False) == (None, [(1,), (2,)])


def test_growing_sequences_are_halved_and_the_last_may_be_asked_about():
    assert asked_of(Least(GROWING), lambda candidate: len(candidate) >= 3) == (3, [(0, 1), (0, 1, 2)])
    answer, asked = asked_of(Least(GROWING), lambda candidate: False)
    assert (answer, asked[-1]) == (4, (0, 1, 2, 3))


def test_what_is_enough_ends_a_round():
    assert asked_of(Enough((9,), GROWING), lambda candidate: True) == (None, [(9,)])
    assert asked_of(Enough((9,), ()), lambda candidate: False) == (None, [(9,)])
    assert asked_of(Enough((9,), GROWING), lambda candidate: len(candidate) == 4)[0] == 4


def test_of_time_nothing_is_known():
    assert asked_of(HungUp((1,)), lambda candidate: True) == (False, [])


@given(st.integers(1, 40), st.data())
def test_prefixes_that_are_known_to_be_interesting_are_not_asked_about(count, data):
    prefixes = Prefixes((), tuple(range(count)))
    known, needed = (data.draw(st.integers(0, count)) for _ in range(2))
    asked = []
    search = least_of(prefixes, known - 1)
    assert judged(search, lambda candidate: not asked.append(len(candidate)) and len(candidate) >= needed) == min(
        known, needed
    )
    assert all(length < known for length in asked)


def test_an_algorithm_is_one_candidate_after_another_as_sets_too():
    def algorithm():
        assert (yield Test((0, 1))) is True
        assert (yield First([(0,), (1,)])) == 1
        return (1,)

    asked = []
    found = judged(as_sets(serial(algorithm()), 2), lambda items: not asked.append(items) and items != 0b01)
    assert (found, asked) == (0b10, [0b11, 0b01, 0b10])
