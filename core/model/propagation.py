"""Least models and progressions of a formula, in time linear in its size (seed 003, section 4.1).

Every clause has a conclusion, so nothing ever has to be taken back: propagate until nothing follows, then
give each clause that is still open its first conclusion in the variable order, and go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

from core.model.formula import Formula

ItemSet = int


class Propagator:
    """The formula as adjacency lists, made once, for many closures and progressions.

    ``rank`` orders the items (default: by number): of several possible conclusions the one of the lowest
    rank is chosen. A derived fact ranks as high as the highest item that it needs.
    """

    def __init__(self, formula: Formula, rank: Sequence[int] | None = None) -> None:
        self.formula = formula
        self._next: list[list[int]] = [[] for _ in range(formula.variables)]
        for source, target in formula.edges.tolist():
            self._next[source].append(target)
        self._occurrences: list[list[int]] = [[] for _ in range(formula.variables)]
        self._heads: list[list[int]] = []
        self._left: list[int] = []
        self._always: list[int] = []
        premises, heads = formula.premises.tolist(), formula.conclusions.tolist()
        starts, ends = formula.premise_start.tolist(), formula.conclusion_start.tolist()
        for clause in range(len(starts) - 1):
            before = premises[starts[clause] : starts[clause + 1]]
            self._heads.append(heads[ends[clause] : ends[clause + 1]])
            self._left.append(len(before))
            if not before:
                self._always.append(clause)
            for variable in before:
                self._occurrences[variable].append(clause)
        self.rank = self.ranks(list(rank) if rank is not None else list(range(formula.items)))

    def ranked(self, rank: Sequence[int]) -> Propagator:
        """The same formula with another order of items; shares everything else."""
        other = copy(self)
        other.rank = self.ranks(list(rank))
        return other

    def least(self, wanted: Iterable[int] = (), learned: Sequence[Iterable[int]] = ()) -> list[int]:
        """The least model that holds ``wanted`` and one of each learned set: its variables, as they came."""
        run = _Run(self, None)
        run.begin(learned)
        for variable in wanted:
            run.add(variable)
        return run.trail

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """D0, D1, ...: the least model of the formula and the learned sets, then what each further item of
        ``order`` adds to what came before. Every prefix's union is a model.

        ``within`` restricts the whole to a model's items. Derived facts are among the variables.
        """
        run = _Run(self, within)
        run.begin(learned)
        parts = [run.trail[:]]
        value = run.value
        done = len(run.trail)
        for item in order:
            if not value[item] and (within is None or within >> item & 1):
                run.add(item)
                parts.append(run.trail[done:])
                done = len(run.trail)
        return parts

    def ranks(self, items: list[int]) -> list[int]:
        """Ranks of all variables, given the items': a derived fact ranks as what it needs at most.

        Derived facts are made after those that they stand on, so one pass is enough.
        """
        ranks = items + [0] * (self.formula.variables - len(items))
        for fact in range(len(items), len(ranks)):
            needs = [ranks[target] for target in self._next[fact]]
            choices = [self._heads[clause] for clause in self._occurrences[fact] if self._left[clause] == 1]
            needs += [min(ranks[head] for head in heads) for heads in choices]
            ranks[fact] = max(needs, default=0)
        return ranks


class _Run:
    """One pass: the state of propagation from nothing upward."""

    __slots__ = ("_heads", "_left", "_next", "_occurrences", "_pending", "_rank", "_starting", "trail", "value")

    def __init__(self, made: Propagator, within: ItemSet | None) -> None:
        self._next = made._next
        self._occurrences = made._occurrences
        self._heads = made._heads
        self._left = made._left[:]
        self._starting = made._always
        self._pending: list[list[int]] = []
        self.trail: list[int] = []
        self.value = bytearray(made.formula.variables)
        self._rank = made.rank
        if within is not None:
            items = made.rank[: made.formula.items]
            worst = max(items, default=0) + 1
            self._rank = made.ranks([rank if within >> item & 1 else worst for item, rank in enumerate(items)])

    def begin(self, learned: Sequence[Iterable[int]]) -> None:
        """What holds without any wish: clauses without premises, and one of each learned set."""
        self._pending += [self._heads[clause] for clause in self._starting]
        self._pending += [list(choices) for choices in learned]
        self._choose()

    def add(self, variable: int) -> None:
        """Makes a variable true, and all that follows."""
        if not self.value[variable]:
            self._push(variable)
            self._choose()

    def _choose(self) -> None:
        pending, value, rank = self._pending, self.value, self._rank
        while pending:
            # single conclusions first: they are no choice, and may settle the others
            settled = [heads[0] for heads in pending if len(heads) == 1]
            if settled:
                pending[:] = [heads for heads in pending if len(heads) > 1]
                for variable in settled:
                    if not value[variable]:
                        self._push(variable)
                continue
            heads = pending.pop(0)
            if not any(value[variable] for variable in heads):
                self._push(min(heads, key=rank.__getitem__))

    def _push(self, variable: int) -> None:
        value, trail, left = self.value, self.trail, self._left
        following, occurrences, heads = self._next, self._occurrences, self._heads
        value[variable] = 1
        position = len(trail)
        trail.append(variable)
        while position < len(trail):
            current = trail[position]
            position += 1
            for target in following[current]:
                if not value[target]:
                    value[target] = 1
                    trail.append(target)
            for clause in occurrences[current]:
                left[clause] -= 1
                if not left[clause]:
                    choices = heads[clause]
                    if len(choices) == 1:
                        target = choices[0]
                        if not value[target]:
                            value[target] = 1
                            trail.append(target)
                    else:
                        self._pending.append(choices)
