"""What an interesting sub-input has beyond a smaller one that is not goes in groups."""

from __future__ import annotations

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.phases import Knowledge, PhaseEffort
from core.search.reducers.needed_items import without_surplus
from core.search.spaces import SearchProblem
from core.search.tree_chunks import surplus_chunks
from core.sets import mask_of
from tests.support.asking import ItemAsker

CLASSES, MEMBERS = 40, 20
WIDTH = MEMBERS + 1


def jar() -> SearchProblem:
    """Forty classes in four packages, each of twenty members: class ``c`` is item ``c * WIDTH``."""
    builder = Builder(CLASSES * WIDTH)
    parents = []
    for one in range(CLASSES):
        parents += [-1, *([one * WIDTH] * MEMBERS)]
        for member in range(1, WIDTH):
            builder.edge(one * WIDTH + member, one * WIDTH, "part")
    names = [
        f"p{one // 10}/C{one}" + (f".m{member}:()V" if member else "")
        for one in range(CLASSES)
        for member in range(WIDTH)
    ]
    return SearchProblem(
        len(parents),
        [10] * len(parents),
        logic=ModelLogic(builder.formula()),
        parents=parents,
        groups=[(name.split("/")[0],) for name in names],
        names=names.__getitem__,
    )


def test_what_the_narrow_one_lacks_is_found_and_the_rest_goes():
    problem = jar()
    narrow = {one * WIDTH + member for one in range(30) for member in range(4)}
    lacks = {3 * WIDTH + 9, 17 * WIDTH + 12, 17 * WIDTH + 13, 35 * WIDTH + 5}
    wanted = narrow | lacks
    asker = ItemAsker(lambda kept: wanted <= kept)
    search = without_surplus(problem, Knowledge(), PhaseEffort(), mask_of(tuple(narrow), problem.count))
    found = set(asker.run(search.algorithm))
    assert found == wanted | {35 * WIDTH}
    assert len(asker.trace) < 80
    assert {problem.names(item) for item in lacks} <= search.learnt.needed


def test_parts_of_classes_that_stay_go_by_package_first():
    problem = jar()
    surplus = {one * WIDTH + member for one in range(CLASSES) for member in (5, 6)} | set(range(39 * WIDTH, 40 * WIDTH))
    packages = surplus_chunks(problem, mask_of(tuple(surplus), problem.count))
    assert [chunk.gone.bit_count() for chunk in packages] == [20, 20, 20, 39]
    classes = packages[3].if_needed()
    assert [chunk.gone.bit_count() for chunk in classes] == [2] * 9 + [WIDTH]
    assert [chunk.own for chunk in classes] == [0] * 9 + [1 << 39 * WIDTH]
    members = classes[0].if_needed()
    assert [chunk.key for chunk in members] == ["p3/C30.m5:()V", "p3/C30.m6:()V"]
    assert len(classes[-1].if_needed()) == MEMBERS
    assert not members[0].if_needed()
