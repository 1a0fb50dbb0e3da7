"""Items that an earlier round has left: what the needed ones need is asked about first, if that is less."""

from __future__ import annotations

import pytest

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.phases import Knowledge, PhaseEffort
from core.search.reducers.needed_items import ITEMS_AGAIN
from core.search.spaces import SearchProblem
from tests.support.asking import ItemAsker
from tests.support.phases import search_of

COUNT = 30


def chain() -> SearchProblem:
    """Classes in pairs: the second of each needs the first."""
    builder = Builder(COUNT)
    for item in range(1, COUNT, 2):
        builder.edge(item, item - 1, "use")
    return SearchProblem(
        COUNT,
        [100] * COUNT,
        logic=ModelLogic(builder.formula()),
        parents=[-1] * COUNT,
        groups=[("p",)] * COUNT,
        names=lambda item: f"p/C{item}",
    )


@pytest.mark.parametrize(("really", "asked"), [({5, 20}, True), ({5, 20, 28}, False)])
def test_the_least_with_what_was_needed_is_asked_about_first(really, asked):
    known = Knowledge(needed={"p/C5", "p/C20"})
    told: list[set[int]] = []
    asker = ItemAsker(lambda kept: told.append(set(kept)) or really <= kept)
    found = asker.run(search_of(ITEMS_AGAIN, chain(), knowledge=known, effort=PhaseEffort(worth=1.0)).algorithm)
    assert told[0] == {4, 5, 20}
    assert set(found) == ({4, 5, 20} if asked else {4, 5, 20, 28})
    assert len(told) == 1 or not asked


def test_it_is_not_asked_about_where_nearly_all_is_needed():
    names = {f"p/C{item}" for item in range(COUNT)}
    asker = ItemAsker(lambda kept: True)
    search = search_of(ITEMS_AGAIN, chain(), knowledge=Knowledge(needed=names), effort=PhaseEffort(worth=1.0))
    assert len(asker.run(search.algorithm)) == COUNT
    assert not asker.trace
