"""Why something must stay: chains of clauses are sound, and none is shorter."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_fji import fji, short  # noqa: F401 - a fixture

from app.commands.show import find_item, needed_text, why_text
from core.errors import UsageError
from core.model.explain import ChainLink, Explainer, Reason
from core.model.formula import Builder, Formula

Clause = tuple[tuple[int, ...], tuple[int, ...]]


def levels(formula: Formula, kept: set[int]) -> dict[int, int]:
    """After how many rounds of "all that follows at once" each variable is needed; a slow second opinion."""
    found = dict.fromkeys(kept, 0)
    rules = [(before, after[0]) for before, after, _ in formula.clauses() if len(after) == 1]
    # what is required needs no step before its own, and is there from the start
    for before, after in rules:
        if not before:
            found.setdefault(after, 0)
    for level in range(1, formula.variables + 1):
        new = {after for before, after in rules if after not in found and all(v in found for v in before)}
        found |= dict.fromkeys(new, level)
    return found


def check(formula: Formula, chain: list[ChainLink], kept: set[int], goal: int) -> None:
    """Every step is a clause and stands on what was kept or concluded before; the last one concludes the goal, and
    each of the others is used by a later one."""
    clauses = {(before, after, rule) for before, after, rule in formula.clauses()}
    known = set(kept)
    for step in chain:
        assert (step.premises, (step.conclusion,), step.rule) in clauses
        assert known >= set(step.premises)
        assert step.conclusion not in known
        known.add(step.conclusion)
    assert goal in known
    if chain:
        assert chain[-1].conclusion == goal
    used = {premise for step in chain for premise in step.premises}
    assert {step.conclusion for step in chain[:-1]} <= used


def depth(chain: list[ChainLink], kept: set[int]) -> int:
    """Most steps that stand on one another, those of what is required not counted."""
    deep: dict[int, int] = dict.fromkeys(kept, 0)
    for step in chain:
        deep[step.conclusion] = 1 + max((deep[v] for v in step.premises), default=-1)
    return deep[chain[-1].conclusion] if chain else 0


@st.composite
def formulas(draw) -> Formula:
    size = draw(st.integers(2, 12))
    variable = st.integers(0, size - 1)
    builder = Builder(size)
    for before, after in draw(
        st.lists(st.tuples(st.sets(variable, max_size=3), st.sets(variable, min_size=1, max_size=2)), max_size=25)
    ):
        builder.add(sorted(before), sorted(after), f"R{len(before)}")
    return builder.formula()


def a_premise_used_twice() -> Formula:
    """The goal 0 stands on 2 directly, and on 3, which stands on 2."""
    builder = Builder(4)
    builder.add((), (2,), "R0")
    builder.add((1, 2), (3,), "R2")
    builder.add((1, 2, 3), (0,), "R3")
    return builder.formula()


@example(a_premise_used_twice(), {1})
@given(formulas(), st.sets(st.integers(0, 11), max_size=3))
def test_chains_are_sound_and_of_least_depth(formula, kept):
    kept = {v for v in kept if v < formula.variables}
    expected = levels(formula, kept)
    explainer = Explainer(formula)
    for goal in range(formula.variables):
        chain = explainer.why(goal, sorted(kept))
        assert (chain is None) == (goal not in expected)
        if chain is not None:
            check(formula, chain, kept, goal)
            assert depth(chain, kept) == expected[goal]


def test_where_each_step_has_one_premise_no_chain_is_shorter():
    """In a graph the depth is the number of steps."""
    dice = random.Random(3)
    builder = Builder(60)
    for _ in range(150):
        builder.edge(dice.randrange(60), dice.randrange(60), "E")
    formula = builder.formula()
    expected = levels(formula, {0})
    explainer = Explainer(formula)
    lengths = set()
    for goal, level in expected.items():
        chain = explainer.why(goal, [0])
        assert chain is not None
        assert len(chain) == level
        assert all(one.conclusion == other.premises[0] for one, other in pairwise(chain))
        lengths.add(level)
    assert max(lengths) > 3


@pytest.fixture(scope="module")
def names(fji) -> list[str]:  # noqa: F811
    return [short(item.name) for item in fji.items]


def words(chain: list[ChainLink] | None, names: list[str]) -> list[str]:
    assert chain is not None
    return [f"{' & '.join(names[v] for v in step.premises)} => {names[step.conclusion]}" for step in chain]


def test_a_chain_of_the_example_of_the_paper(fji, names):  # noqa: F811
    kept = [names.index("M.main()!code"), names.index("M.x()!code")]
    chain = fji.explainer.why(names.index("A.m()"), kept)
    check(fji.formula, chain, set(kept), names.index("A.m()"))
    assert sorted(words(chain, names)) == [
        "A<I & I.m() => A.m()",
        "M.main()!code => A<I",
        "M.x()!code => I.m()",
    ]
    assert [step.rule for step in chain][-1] == "M3"


def test_what_is_kept_needs_no_steps_and_what_is_not_needed_has_no_chain(fji, names):  # noqa: F811
    kept = [names.index("M.main()!code")]
    assert fji.explainer.why(kept[0], kept) == []
    assert fji.explainer.why(names.index("B.m()!code"), kept) is None
    assert fji.explainer.why(names.index("M")) is None


def test_what_needs_an_item_is_told_with_its_rule_through_derived_facts(fji, names):  # noqa: F811
    goal = names.index("A.m()")
    found = {(tuple(sorted(names[v] for v in one.premises)), one.rule) for one in fji.explainer.reasons(goal)}
    assert (("A<I", "I.m()"), "M3") in found
    assert (("A.m()!code",), "S1") in found
    known = [found.rule for item in range(len(names)) for found in fji.explainer.reasons(item)]
    assert not {"and", "subtype"} & set(known)


def test_a_choice_tells_what_would_do_instead():
    builder = Builder(4)
    fact = builder.either([1, 2], "subtype")
    builder.edge(0, fact, "K6")
    explainer = Explainer(builder.formula())
    assert explainer.reasons(1) == [Reason((0,), "K6", (2,))]
    assert explainer.reasons(0) == []


def test_words_of_a_chain_and_of_an_incomplete_name(fji):  # noqa: F811
    goal, kept = find_item(fji, "fji.A.m:()Ljava/lang/String;"), find_item(fji, "fji/M.main:()Ljava/lang/String;!code")
    assert "[and]" not in needed_text(fji, goal) + why_text(fji, goal, kept)
    assert "[M3]" in needed_text(fji, goal)
    with pytest.raises(UsageError, match=r"incomplete. It may stand for fji\.A\.m\(\)"):
        find_item(fji, "A.m")
