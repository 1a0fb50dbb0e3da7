"""Trees of items, and the valid part of a candidate of one."""

import pytest

from core.search.spaces import Space
from core.search.trees import Tree, TreeSpace
from tests.support.trees import CHAIN, JAR, JAR_SIZES, Clauses, items_of, mask_items


def test_trees_grow_from_the_items_and_their_packages():
    assert JAR.items == (None, None, 0, 1, 2, 3, 4, 5, None, 6, 7, 8, None, 9)
    assert JAR.parents == (-1, 0, 1, 2, 2, 4, 1, 6, 0, 8, 9, 9, 0, 12)
    assert JAR.ends == (14, 8, 6, 4, 6, 6, 8, 8, 12, 12, 11, 12, 14, 14)
    assert JAR.levels == ((0,), (1, 8, 12), (2, 6, 9, 13), (3, 4, 7, 10, 11), (5,))
    assert JAR.children[0] == (1, 8, 12)
    assert JAR.children[9] == (10, 11)
    everything = tuple(range(len(JAR)))
    assert JAR.weight(1, everything) == 120
    assert JAR.weight(0, everything) == 176
    assert JAR.weight(2, (2, 4, 9)) == 35
    assert JAR.left_of((1, 8, 12), (0, 5, 13)) == (1, 12)


def test_packages_may_be_nested_and_items_may_be_in_none():
    nested = Tree.grow([-1, -1, -1], [1, 1, 1], [("com", "a"), (), ("com",)])
    assert nested.parents == (-1, 0, 1, 2, 1, 0)
    assert nested.items == (None, None, None, 0, 2, 1)
    assert Tree.grow([], []).parents == (-1,)
    assert Tree.grow([1, -1], [1, 1]).items == (None, 1, 0)


def test_what_is_no_tree_is_refused():
    with pytest.raises(ValueError, match="parts of themselves"):
        Tree.grow([1, 0], [1, 1])


def test_a_tree_space_keeps_the_largest_valid_part_of_a_candidate():
    space: Space = TreeSpace(JAR, Clauses(10, [*CHAIN, ([4], [8])]), 0, JAR_SIZES)
    assert space.elements == tuple(range(14))
    assert mask_items(space.items(space.elements)) == set(range(10))
    # without member 2 its code falls; without member 8 class 4 falls, and its member with it
    kept = tuple(node for node in range(14) if JAR.items[node] not in (2, 8))
    assert mask_items(space.items(kept)) == {0, 1, 6, 7, 9}
    assert space.cost(kept) == 5 + 20 + 1 + 2 + 50
    assert space.admissible(kept)
    assert items_of(JAR, space.present(kept)) == {0, 1, 6, 7, 9}
    assert space.present(kept) == (0, 1, 2, 3, 8, 9, 10, 12, 13)
    # a package stays as long as something of it does
    assert space.present((0, 1, 2, 12)) == (0, 1, 2)
    assert space.present((0, 1, 3)) == ()


def test_what_every_valid_set_holds_is_in_every_candidate_of_a_tree_space():
    logic = Clauses(3, [([], [1]), ([0], [2])])
    space = TreeSpace(Tree.grow([-1, -1, -1], [1, 1, 1]), logic, 0, [1, 1, 1])
    assert mask_items(space.items((0,))) == {1}
    assert space.admissible((0,))


class Stubborn(Clauses):
    """A logic that finds no valid subset without item 9."""

    def largest(self, within):
        return super().largest(within) if within >> 9 & 1 else None


def test_a_candidate_without_a_valid_part_is_not_admissible():
    space = TreeSpace(JAR, Stubborn(10, CHAIN), 0, JAR_SIZES)
    assert not space.admissible((0, 1, 2))
    assert space.admissible((0, 12, 13))
    assert space.items((0, 1, 2)) == 0
