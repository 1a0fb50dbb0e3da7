"""A tree of items with its logic, written by hand, and a logic by brute force."""

from core.search.trees import Tree

#  item      0   1   2     3     4     5  6   7   8   9
JAR = Tree.grow(
    parents=[-1, 0, 0, 2, -1, 4, -1, 6, 6, -1],
    sizes=[5, 20, 30, 40, 10, 15, 1, 2, 3, 50],
    groups=[("a",), (), (), (), ("a",), (), ("b",), (), (), ("c",)],
)
"""Packages a (classes 0 and 4), b (class 6) and c (class 9); 1, 2, 5, 7, 8 are members, 3 is the code of 2."""


def items_of(tree, nodes):
    return {tree.items[node] for node in nodes} - {None}


class Clauses:
    """A logic by brute force: all valid sets are listed."""

    def __init__(self, count, clauses):
        self.count = count
        self.clauses = clauses
        self.valid = [mask for mask in range(1 << count) if self.holds(mask)]

    def holds(self, mask):
        return all(
            any(mask >> c & 1 for c in conclusions) or not all(mask >> p & 1 for p in premises)
            for premises, conclusions in self.clauses
        )

    def order(self, weights=None):
        return list(range(self.count))

    def least(self, wanted=(), learned=()):
        needs = sum(1 << item for item in wanted)
        return min((mask for mask in self.valid if mask & needs == needs), key=lambda mask: (mask.bit_count(), mask))

    def progression(self, order, learned=(), within=None):
        raise NotImplementedError

    def largest(self, within):
        fitting = [mask for mask in self.valid if not mask & ~within]
        return max(fitting, key=lambda mask: (mask.bit_count(), mask)) if fitting else None


JAR_SIZES = [5, 20, 30, 40, 10, 15, 1, 2, 3, 50]


CHAIN = [([part], [whole]) for part, whole in [(1, 0), (2, 0), (3, 2), (5, 4), (7, 6), (8, 6)]]


def mask_items(mask):
    return {item for item in range(mask.bit_length()) if mask >> item & 1}
