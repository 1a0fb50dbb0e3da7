"""How far into the bodies that are needed `gbr` looks, and what goes after that."""

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.plan.catalogue import find
from core.protocol.search_settings import SearchSettings
from core.search.phases import Knowledge, PhaseEffort, Search
from core.search.reducers.gbr import BODY_ENDS, NO_LONGER_NEEDED, without_descriptor
from core.search.spaces import SearchProblem
from tests.support.asking import ItemAsker
from tests.support.phases import start


def run(problem, needed, effort=None):
    """What the search for ends leaves when ``needed`` is needed, and the number of its questions."""
    search = start(BODY_ENDS, problem, effort=effort)
    asker = ItemAsker(needed.issubset)
    return set(asker.run(search.algorithm)) if isinstance(search, Search) else None, len(asker.trace)


def two_bodies(length=32):
    """Edit 0 is no end of a body; two bodies of as many ends follow, each end of a byte less than the one before it,
    the second body five times as heavy."""
    light = list(range(length, 0, -1))
    sizes = [5, *light, *(5 * one for one in light)]
    chains = [tuple(range(1, length + 1)), tuple(range(length + 1, 2 * length + 1))]
    return SearchProblem(len(sizes), sizes, groups=[("A", "0")] * len(sizes), chains=chains)


def test_bodies_end_behind_what_is_needed_of_each():
    problem = two_bodies()
    left, asked = run(problem, {40})
    assert 0 in left, "only ends are made"
    assert set(range(33, 41)) <= left, "what stands before the place that is needed"
    assert left & set(range(44, 65)) == set()
    assert left & set(range(1, 33)) == set(), "the other body is empty"
    assert asked <= 8


def test_ends_in_a_branch_are_made_with_those_around_it():
    """The end of a branch saves nothing; made alone it would leave what later ones cut."""
    sizes = [900, 1, 1, 1, 700, 1, 1, 1]
    problem = SearchProblem(8, sizes, groups=[("A", "0")] * 8, chains=[tuple(range(8))])
    assert run(problem, {0})[0] == {0}
    assert run(problem, {2})[0] == {0, 1, 2, 3, 4}
    assert run(problem, {5})[0] == set(range(8))


def test_the_published_form_knows_no_bodies():
    assert run(two_bodies(), {40}, PhaseEffort(search=SearchSettings(classic=True)))[0] is None
    assert [phase.name for phase in find("gbr").phases] == ["jars", "needed items", "body ends", "no longer needed"]


def test_what_ended_code_needed_goes_in_one_probe():
    """``A.m``'s code needed ``B`` until it ended earlier; ``A.m`` has lost a class of its descriptor."""
    names = ["A", "A.m:(Ljava/lang/Object;)V", "A.m:(Ljava/lang/Object;)V!code", "B"]
    builder = Builder(4)
    builder.edges(2, (0, 1), "S1")
    problem = SearchProblem(4, [100, 10, 10, 100], logic=ModelLogic(builder.formula()), names=names.__getitem__)

    def result(known, needed):
        search = start(NO_LONGER_NEEDED, problem, Knowledge(needed=known))
        asker = ItemAsker(needed.issubset)
        return (sorted(asker.run(search.algorithm)), len(asker.trace)) if isinstance(search, Search) else None

    found = {"A.m:(Lp/Gone;)V!code"}
    assert result(set(found), {2}) == ([0, 1, 2], 1)
    assert result(set(found), {2, 3}) == ([0, 1, 2, 3], 1)
    assert result({"A.m:(Lp/Gone;)V!code", "B"}, {2}) is None, "nothing would go"


def test_names_without_descriptors():
    assert without_descriptor("p/A") == "p/A"
    assert without_descriptor("p/A.m:([Lp/X;I)V") == "p/A.m:"
    assert without_descriptor("p/A.m:([Lp/X;I)V!code") == "p/A.m:!code"
    assert without_descriptor("p/A.f:[Lp/X;[sig]") == "p/A.f:[sig]"
    assert without_descriptor("p/A[inner p/A$B]") == "p/A[inner p/A$B]"
