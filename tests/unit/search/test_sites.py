"""Searches of several sites in shared probes: who is answered by which probe."""

from core.search.sites import SharedProbes, Shown, Sites, SiteSearch, if_many
from core.sets import mask_of, members
from tests.support.asking import judged


class Guessing(SharedProbes):
    """Each search asks about its own number. A probe that asks for more than ``most`` searches answers none."""

    def __init__(self, searches, most):
        super().__init__(searches)
        self.most, self.rounds = most, []

    def ask(self, some):
        yield [search.site for search in some]
        return dict.fromkeys(some, True) if len(some) <= self.most else {}

    def round_over(self):
        yield from ()
        self.rounds.append(len(self.active))


def search(number, questions):
    for _ in range(questions):
        yield 1 << number
    return 1 << number | 1 << 9


def probes(most, questions):
    shared = Guessing([SiteSearch(number) for number in range(len(questions))], most)
    for number, count in enumerate(questions):
        shared.searches[number].begin(search(number, count))
    asked = []
    judged(shared.run(), asked.append)
    return asked, shared


def test_a_probe_that_answers_nobody_is_asked_in_halves():
    asked, _ = probes(1, [1, 1, 1])
    assert asked == [[0, 1, 2], [0], [1, 2], [1], [2]]


def test_those_that_are_over_ask_no_more_and_have_their_results():
    asked, shared = probes(9, [1, 2, 0])
    assert asked == [[0, 1], [1]]
    assert shared.rounds == [1, 0]
    assert [members(each.kept) for each in shared.searches] == [(number, 9) for number in range(3)]


def test_a_search_that_is_stopped_has_the_result_that_it_was_given():
    _, shared = probes(9, [5, 5])
    shared.searches[0].begin(search(0, 1))
    shared.searches[0].stop(mask_of((3,), 9))
    assert (shared.active, shared.searches[0].kept) == ([], 8)


def test_failures_that_hide_the_wanted_ones_are_to_be_blamed_alone():
    assert Shown(frozenset({0}), frozenset({1})).blamed == {0, 1}
    assert Shown(frozenset({0, 2}), frozenset({1}), hidden=True).blamed == {1}


def test_few_sites_are_searched_as_a_whole():
    class Some(Sites):
        count = 0

    few, many = Some(), Some()
    few.count, many.count = 3, 4
    assert [if_many(None), if_many(few), if_many(many)] == [None, None, many]
