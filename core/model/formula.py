"""The model as a formula: clauses ``premises => conclusions`` over items and derived facts.

A clause says: when all its premises hold, one of its conclusions does. Premises and conclusions are
variables (never negated), so every clause has a positive literal and the full input is a model. Clauses
with one premise and one conclusion are *edges* (``a => b``, the graph constraints of GBR21); the rest
is kept in flat arrays.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

TRUE = -1
"""Stands for a fact that always holds: something outside the input, or not in doubt."""

Clause = tuple[tuple[int, ...], tuple[int, ...], str]
"""Premises, conclusions, id of the rule."""


@dataclass(frozen=True, eq=False)
class Formula:
    """All clauses. Variables 0 .. ``items`` - 1 are items, those up to ``variables`` - 1 derived facts.

    ``edges`` has shape (m, 2). The other clauses run parallel: clause *c* has the premises
    ``premises[premise_start[c]:premise_start[c + 1]]`` and likewise its conclusions.
    ``edge_rules`` and ``clause_rules`` are places in ``rules``.
    """

    items: int
    variables: int
    edges: Ints
    premises: Ints
    premise_start: Ints
    conclusions: Ints
    conclusion_start: Ints
    rules: tuple[str, ...]
    edge_rules: Ints
    clause_rules: Ints

    @property
    def clause_count(self) -> int:
        """Number of clauses, edges included."""
        return len(self.edges) + len(self.clause_rules)

    def clauses(self) -> Iterator[Clause]:
        """Yield every clause, edges first."""
        for (source, target), rule in zip(self.edges.tolist(), self.edge_rules.tolist(), strict=True):
            yield (source,), (target,), self.rules[rule]
        premises, conclusions = self.premises.tolist(), self.conclusions.tolist()
        starts, ends = self.premise_start.tolist(), self.conclusion_start.tolist()
        for number, rule in enumerate(self.clause_rules.tolist()):
            yield (
                tuple(premises[starts[number] : starts[number + 1]]),
                tuple(conclusions[ends[number] : ends[number + 1]]),
                self.rules[rule],
            )


class Builder:
    """A collector of clauses. Clauses that always hold, and doubles of edges, are dropped."""

    def __init__(self, items: int) -> None:
        self.items = items
        self.variables = items
        self._edges = array("q")
        """``premise << 36 | conclusion << 8 | place of the rule``, doubles too: a tenth of the room of a dictionary."""
        self._clauses: dict[tuple[int, ...], int] = {}
        """Place of the rule by the number of premises, the premises and the conclusions: one tuple takes half the room
        of three."""
        self._both: dict[tuple[int, int], int] = {}
        self._rules: dict[str, int] = {}
        self.rule = ""

    @property
    def rule(self) -> str:
        """Id of the current rule, for clauses without an id of their own."""
        return self._rule

    @rule.setter
    def rule(self, rule: str) -> None:
        self._rule, self._place = rule, self._rules.setdefault(rule, len(self._rules))

    def fact(self) -> int:
        """Return a new derived fact."""
        self.variables += 1
        return self.variables - 1

    def edge(self, premise: int, conclusion: int, rule: str = "") -> None:
        """Add ``premise => conclusion``. A premise may be TRUE: then the conclusion is required."""
        if conclusion == TRUE or premise == conclusion:
            return
        if premise == TRUE:
            self.add((), (conclusion,), rule)
        else:
            place = self._rules.setdefault(rule, len(self._rules)) if rule else self._place
            self._edges.append(premise << 36 | conclusion << 8 | place)

    def edges(self, premise: int, conclusions: Iterable[int], rule: str = "") -> None:
        """Add that ``premise`` needs all of ``conclusions``."""
        for conclusion in conclusions:
            self.edge(premise, conclusion, rule)

    def need(self, premise: int, demands: Iterable[tuple[int, ...]]) -> None:
        """Add that ``premise`` needs one of each of ``demands``."""
        append, place = self._edges.append, self._place
        for demand in demands:
            if len(demand) == 1 and premise != TRUE:
                conclusion = demand[0]
                if conclusion not in (TRUE, premise):
                    append(premise << 36 | conclusion << 8 | place)
            else:
                self.add((premise,), demand)

    def add(self, premises: Iterable[int], conclusions: Iterable[int], rule: str = "") -> None:
        """Add that ``premises`` together need one of ``conclusions``.

        Raises ValueError for a clause without conclusion: no rule may forbid the full input.
        """
        after = dict.fromkeys(conclusions)
        if not after:
            raise ValueError(f"rule {rule or self.rule} gave a clause without conclusion")
        if TRUE in after:
            return
        before = {*premises}
        before.discard(TRUE)
        if len(before) == len(after) == 1:
            self.edge(before.pop(), next(iter(after)), rule)
        elif before.isdisjoint(after):
            place = self._rules.setdefault(rule, len(self._rules)) if rule else self._place
            self._clauses.setdefault((len(before), *sorted(before), *after), place)

    def both(self, one: int, other: int) -> int:
        """Return a fact that holds exactly when both do."""
        if one in (TRUE, other):
            return other
        if other == TRUE:
            return one
        key = (one, other) if one < other else (other, one)
        fact = self._both.get(key)
        if fact is None:
            fact = self._both[key] = self.fact()
            self.edges(fact, key, "and")
            self.add(key, (fact,), "and")
        return fact

    def either(self, facts: Iterable[int], rule: str = "") -> int:
        """Return a fact that holds exactly when one of ``facts`` does; TRUE when one of them is."""
        choices = tuple(dict.fromkeys(facts))
        if TRUE in choices:
            return TRUE
        if len(choices) == 1:
            return choices[0]
        fact = self.fact()
        self.add((fact,), choices, rule)
        for choice in choices:
            self.edge(choice, fact, rule)
        return fact

    def formula(self) -> Formula:
        """Return the formula so far."""
        packed = np.frombuffer(self._edges, dtype=np.int64)
        packed = packed[np.sort(np.unique(packed >> 8, return_index=True)[1])]
        edges = np.stack((packed >> 36, packed >> 8 & (1 << 28) - 1), axis=1).astype(np.int32)
        lengths = np.fromiter(map(len, self._clauses), dtype=np.int32, count=len(self._clauses))
        flat = np.fromiter(chain.from_iterable(self._clauses), dtype=np.int32, count=int(lengths.sum()))
        starts = np.cumsum(lengths) - lengths
        counts = flat[starts]
        place, count = np.arange(len(flat)) - np.repeat(starts, lengths), np.repeat(counts, lengths)
        return Formula(
            self.items,
            self.variables,
            edges,
            flat[(place > 0) & (place <= count)],
            _starts(counts),
            flat[place > count],
            _starts(lengths - counts - 1),
            tuple(self._rules),
            (packed & 0xFF).astype(np.int32),
            np.fromiter(self._clauses.values(), dtype=np.int32, count=len(self._clauses)),
        )


def _starts(lengths: Ints) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
