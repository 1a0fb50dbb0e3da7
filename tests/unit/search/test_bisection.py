"""Strategies of the question Least: whatever they choose, the search ends at the least interesting prefix."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.search.bisection import Bisection, Likely
from core.search.reducers.generalized import chance_of_enough


def halved(n, answer):
    """The points that bisection asks about, of ``n`` prefixes, the last interesting."""
    chosen, low, high = [], 0, n - 1
    while low <= high:
        point = Bisection().pick(low, high, lambda point: 1)
        chosen.append(point)
        low, high = (low, point - 1) if point >= answer else (point + 1, high)
    assert low == answer
    return chosen


def test_bisection_walks_the_interval_of_the_paper():
    assert halved(9, 1) == [4, 1, 0]
    assert halved(9, 8) == [4, 6, 7, 8]
    assert halved(1, 0) == [0]


@given(n=st.integers(1, 400), answer=st.integers(0, 399))
def test_bisection_takes_no_more_probes_than_its_bound(n, answer):
    answer = min(answer, n - 1)
    one = Bisection()
    low, high = 0, n - 1
    while low <= high:
        bound = one.bound(low, high)
        point = one.pick(low, high, lambda point: 1)
        low, high = (low, point - 1) if point >= answer else (point + 1, high)
        if low <= high:
            assert one.bound(low, high) <= bound - 1
    assert low == answer
    assert len(halved(n, answer)) <= one.bound(0, n - 1)


def asked_of(n, answer, cost, distances=(), first=None):
    """Points that the strategy for late and heavy answers asks about, the last of ``n`` prefixes not counted."""
    chosen, low, high, points = Likely(n - 1, distances, first), 0, n - 1, []
    while low <= high:
        point = chosen.pick(low, high, cost)
        points.append(point)
        low, high = (low, point - 1) if point >= answer else (point + 1, high)
    assert low == answer
    assert len(set(points)) == len(points)
    return len(set(points) - {n - 1})


@given(st.lists(st.integers(0, 99), min_size=1, max_size=300), st.data())
def test_where_late_answers_are_likely_any_is_found(sizes, data):
    totals = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    answer = data.draw(st.integers(0, len(sizes) - 1))
    assert asked_of(len(sizes), answer, totals.__getitem__) <= 2 * math.log2(len(sizes)) + 4
    first = data.draw(st.floats(0, 1))
    assert asked_of(len(sizes), answer, totals.__getitem__, first=first) <= len(sizes)


def test_where_the_first_answer_has_a_chance_of_its_own_it_takes_as_many_points_as_that_tells():
    n = 1024
    for found in (1, 2, 7, 8, 9, 20, 63):
        chance = chance_of_enough(found)
        rounds = asked_of(n, 0, lambda point: point, first=chance)
        assert rounds <= 2 - math.log2(chance) if found >= 8 else rounds == 1
        others = [asked_of(n, answer, lambda point: point, first=chance) for answer in range(1, n, 31)]
        alone = [1 + asked_of(n - 1, answer - 1, lambda point: point) for answer in range(1, n, 31)]
        assert sum(others) < sum(alone) if found >= 8 else others == alone
    assert asked_of(n, 0, lambda point: point, first=0.0) > 4, "asked last"


def test_late_and_heavy_answers_take_few_points_and_others_hardly_more():
    n, heavy = 1024, 300
    totals = [point + 2000 * (point >= heavy) for point in range(n)]
    assert asked_of(n, n - 1, totals.__getitem__) <= 5
    assert asked_of(n, heavy, totals.__getitem__) <= 5
    others = [asked_of(n, answer, totals.__getitem__) for answer in range(0, n, 7)]
    assert sum(others) / len(others) <= 10 + math.log2(3)


def test_late_is_meant_in_bytes():
    sizes = [1000] * 512 + [1] * 512
    totals = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    near_the_end = [asked_of(len(sizes), answer, totals.__getitem__) for answer in range(496, 512)]
    assert sum(near_the_end) / len(near_the_end) <= 7


def test_an_answer_as_far_from_the_end_as_earlier_ones_takes_few_points():
    n = 1024
    totals = [min(point, 900) for point in range(n)]  # the last answers add nothing
    for distance, before in ((0, (0, 0, 0)), (40, (50, 35, 60))):
        answer = n - 1 - distance
        assert asked_of(n, answer, totals.__getitem__, before) < asked_of(n, answer, totals.__getitem__)
    others = [asked_of(n, answer, totals.__getitem__, (0,) * 20) for answer in range(0, n, 31)]
    assert max(others) <= 2 * math.log2(n) + 4
    assert asked_of(3, 0, totals.__getitem__, (500,)) <= 2, "an earlier distance may be longer than what is left"
