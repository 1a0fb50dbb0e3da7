"""Small formulas: as written, at random, and all their valid sets by brute force."""

from itertools import chain, combinations

from hypothesis import strategies as st

from core.model.formula import Builder
from tests.support import solving


@st.composite
def formulas(draw, max_items=8):
    """Random clauses over items and derived facts; every clause has a conclusion."""
    items = draw(st.integers(1, max_items))
    builder = Builder(items)
    for _ in range(draw(st.integers(0, 4))):
        pair = draw(st.tuples(st.integers(0, builder.variables - 1), st.integers(0, builder.variables - 1)))
        (builder.both if draw(st.booleans()) else lambda a, b: builder.either((a, b), "or"))(*pair)
    variables = st.integers(0, builder.variables - 1)
    for _ in range(draw(st.integers(0, 2 * items))):
        before = draw(st.lists(variables, max_size=3))
        builder.add(before, draw(st.lists(variables, min_size=1, max_size=2)), "r")
    return builder.formula()


def valid_sets(formula):
    items = range(formula.items)
    every = chain.from_iterable(combinations(items, size) for size in range(formula.items + 1))
    return [frozenset(one) for one in every if solving.is_valid(formula, one)]


def build(items, *clauses):
    builder = Builder(items)
    for before, after in clauses:
        builder.add(before, after, "r")
    return builder.formula()
