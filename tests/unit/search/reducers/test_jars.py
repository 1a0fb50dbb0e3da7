"""Whole jars first: few questions to the jars that are needed, whatever their classes need of each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.formula import Builder
from core.model.model_logic import ModelLogic
from core.search.phases import Knowledge, Pointers, Search, Skip
from core.search.reducers.binary import CLASS_BY_CLASS, CLASSES_ALONE, CLASSES_OF_LARGE_INPUT, JARS
from core.search.spaces import SearchProblem
from core.sets import ItemSet, members
from tests.support.asking import ItemAsker
from tests.support.phases import search_of, start

CLASSES = 30


def knotted(jars: int) -> SearchProblem:
    """Jars of equally many classes: each class mentions the next one, so that everything needs everything."""
    count = jars * CLASSES
    near: list[ItemSet] = [1 << item | 1 << (item + 1) % count for item in range(count)]
    groups = [(f"{item // CLASSES}.jar",) for item in range(count)]
    whole, names = [(1 << count) - 1] * count, lambda item: f"p/C{item}"
    return SearchProblem(count, [100] * count, whole, lambda: near, groups=groups, names=names)


@pytest.mark.parametrize(("needed", "most"), [((17,), 10), ((17, 31), 18), ((0, 9, 17, 31, 39), 45)])
def test_a_needed_jar_takes_the_logarithm_of_their_number(needed: tuple[int, ...], most: int) -> None:
    search = search_of(JARS, knotted(40))
    classes = {jar * CLASSES + 7 for jar in needed}
    asker = ItemAsker(lambda kept: classes <= set(members(search.space.items(tuple(kept)))))
    found = members(search.space.items(tuple(asker.run(search.algorithm))))
    assert {item // CLASSES for item in found if item % CLASSES} == set(needed)
    assert len(asker.trace) <= most


def test_one_jar_alone_is_not_searched_by_jars() -> None:
    assert isinstance(start(JARS, knotted(1)), Skip)


@pytest.mark.parametrize(("jars", "by_classes"), [(33, False), (34, True)])
@pytest.mark.parametrize("groups", [None, ""])
def test_many_classes_are_searched_whole_and_by_what_they_mention(
    jars: int, by_classes: bool, groups: str | None
) -> None:
    problem = knotted(jars)
    if groups is not None:
        problem = replace(problem, groups=[(groups,)] * problem.count)  # one jar
    for phase in (CLASSES_ALONE, CLASSES_OF_LARGE_INPUT):
        assert isinstance(start(phase, problem), Skip) != by_classes
        assert isinstance(start(phase, problem, Knowledge(mostly_used=True)), Skip), "a program needs most of them"
    if by_classes:
        search = search_of(CLASSES_ALONE, problem)
        asker = ItemAsker(lambda kept: 700 in members(search.space.items(tuple(kept))))
        assert len(members(search.space.items(tuple(asker.run(search.algorithm))))) == 2
        assert len(asker.trace) <= 12


def test_a_class_comes_with_all_that_is_nested_in_its_top_level_class() -> None:
    problem = replace(knotted(34), names=lambda item: f"p/C{item // 10}${item % 10}")
    search, family = search_of(CLASSES_ALONE, problem), set(range(700, 710))
    asker = ItemAsker(lambda kept: family <= set(members(search.space.items(tuple(kept)))))
    found = set(members(search.space.items(tuple(asker.run(search.algorithm)))))
    assert family <= found < set(range(700, 720))
    assert len(asker.trace) <= 12


@pytest.mark.parametrize("needed", [3, 120, 199])
def test_one_needed_class_of_two_hundred_takes_their_logarithm_whatever_its_weight(needed: int) -> None:
    count = 200  # classes of one method each; each class needs the one before, and its method the class
    builder = Builder(2 * count)
    for item in range(1, count):
        builder.edge(item, item - 1, "use")
    for item in range(count):
        builder.edge(count + item, item, "part")
    problem = SearchProblem(
        2 * count,
        [10] * count + [number * number for number in range(count)],
        logic=ModelLogic(builder.formula()),
        parents=[-1] * count + list(range(count)),
        names=lambda item: f"p/C{item % count}" + (".m:()V" if item >= count else ""),
    )
    search = search_of(CLASS_BY_CLASS, problem)
    asker = ItemAsker(lambda kept: count + needed in members(search.space.items(tuple(kept))))
    found = members(search.space.items(tuple(asker.run(search.algorithm))))
    assert [item for item in found if item >= count] == [count + needed]
    assert len(asker.trace) <= 9


@pytest.mark.parametrize(("phase", "count"), [(CLASS_BY_CLASS, 200), (CLASSES_ALONE, 2_000)])
def test_classes_with_rare_forms_are_asked_about_first(phase, count: int) -> None:
    alone = [1 << item for item in range(count)]
    logic = ModelLogic(Builder(count).formula())
    names = [f"p/C{item}" for item in range(count)]
    problem = SearchProblem(
        count, [10] * count, alone, lambda: alone, logic=logic, parents=[-1] * count, names=names.__getitem__
    )
    rare = 1 << 7 | 1 << 150
    search = start(phase, problem, pointers=Pointers(rare_classes=lambda: rare))
    assert isinstance(search, Search)
    asker = ItemAsker(lambda kept: 150 in members(search.space.items(tuple(kept))))
    assert members(search.space.items(tuple(asker.run(search.algorithm)))) == (150,)
    assert len(asker.trace) <= 3
