"""Items of several sites: which search asks about what, and what a set lacks."""

from __future__ import annotations

from collections.abc import Collection

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.phases import Knowledge, PhaseEffort, SearchEnding
from core.search.reducers.by_site import DividedItems
from core.search.reducers.needed_items import ItemSearch
from core.search.sites import Shown, Sites
from core.search.spaces import SearchProblem
from core.search.tree_chunks import tree_chunks
from core.sets import ItemSet, members
from tests.support.asking import ItemAsker
from tests.support.rows import rows

EACH, SITES = 10, 4
COUNT = EACH * SITES
FULL = (1 << COUNT) - 1


class Failing(Sites):
    """Sites of several classes each. The failures of a site show with all classes that are ``needed`` there."""

    count = SITES

    def __init__(self, needed: Collection[int]) -> None:
        self._needed = needed

    def site_of(self, name: str) -> int:
        return int(name.rpartition("C")[2]) // EACH

    def shown(self, items: ItemSet) -> Shown:
        return Shown(frozenset(item // EACH for item in self._needed if not items >> item & 1))


def problem(edges: Collection[tuple[int, int]]) -> SearchProblem:
    """Classes of which the first of each edge needs the second."""
    builder = Builder(COUNT)
    for source, target in edges:
        builder.edge(source, target, "use")
    return SearchProblem(
        COUNT,
        [100] * COUNT,
        logic=ModelLogic(builder.formula()),
        parents=[-1] * COUNT,
        groups=[("p",)] * COUNT,
        names=lambda item: f"p/C{item}",
    )


EDGES = [(3, 12), (25, 5), (31, 38), (15, 33), (33, 15)]


def test_packages_of_several_sites_are_cut_up():
    given = problem(EDGES)
    found = DividedItems(given, FULL, Failing(())).chunks(tree_chunks(given, FULL, 0))
    assert {number: {item for chunk in chunks for item in members(chunk.gone)} for number, chunks in found.items()} == {
        number: set(range(number * EACH, (number + 1) * EACH)) for number in range(SITES)
    }


@rows("edges", [[], EDGES])
@rows("needed", [{4, 14, 24, 34}, {4, 24}, {1, 2, 12, 33}, {3, 15, 25, 38}])
def test_what_is_needed_stays_and_is_valid(edges, needed):
    given, sites = problem(edges), Failing(needed)

    def judge(kept: Collection[int]) -> bool:
        assert all(target in kept for source, target in edges if source in kept)
        return needed <= set(kept)

    asker = ItemAsker(judge)
    search = ItemSearch(given, Knowledge(), PhaseEffort(), SearchEnding(), sites)
    found = set(asker.run(search.complements(FULL)))
    closure = needed | {target for source, target in edges if source in needed}
    assert closure <= found
    # what fell with an item of another site is blamed on both, and items that were asked about with it stay
    assert len(found - closure) <= (3 if edges else 0)
    assert len(asker.trace) < COUNT


def test_a_site_lacks_what_goes_with_the_items_of_another():
    divided = DividedItems(problem(EDGES), FULL, Failing(()))
    assert divided.whole.touched(3, 0) == []
    assert divided.whole.touched(1, 1 << 12 | 1 << 3) == [0, 1]
    assert divided.whole.valid(FULL & ~(1 << 12)) == FULL & ~(1 << 12 | 1 << 3)
