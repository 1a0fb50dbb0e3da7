"""The reason for a kept item: a shortest chain of clauses from other kept items to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.model.formula import Formula

_PLACES = 200
"""Largest number of derived facts on the way to the rules that need an item."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A clause at work: its premises hold, so its conclusion must. ``rule`` is the rule's id."""

    premises: tuple[int, ...]
    conclusion: int
    rule: str


@dataclass(frozen=True, slots=True)
class Reason:
    """A need of an item by one rule. ``premises`` are items, or derived facts that hold by definition when their items
    do. ``instead`` are the alternatives to the item; empty if there is no choice."""

    premises: tuple[int, ...]
    rule: str
    instead: tuple[int, ...]


class Explainer:
    """The formula's clauses with one conclusion, by premise: those that leave no choice."""

    def __init__(self, formula: Formula) -> None:
        self._formula = formula
        self._clauses = [clause for clause in formula.clauses() if len(clause[1]) == 1]
        self._by_premise: list[list[int]] = [[] for _ in range(formula.variables)]
        for number, (premises, _, _) in enumerate(self._clauses):
            for premise in premises:
                self._by_premise[premise].append(number)

    def why(self, goal: int, kept: Iterable[int] = ()) -> list[ChainLink] | None:
        """Return, in order, the steps by which ``kept`` and the required items need ``goal``.

        Breadth first, so no chain has fewer levels. An empty list: it is one of the initially kept items. None: it is
        not needed, or only by way of a choice among several.
        """
        reason: dict[int, ChainLink | None] = dict.fromkeys(kept)
        level = list(reason)
        for premises, conclusions, rule in self._clauses:
            if not premises and conclusions[0] not in reason:
                reason[conclusions[0]] = ChainLink((), conclusions[0], rule)
                level.append(conclusions[0])
        left = [len(premises) for premises, _, _ in self._clauses]
        while level and goal not in reason:
            following = []
            for variable in level:
                for number in self._by_premise[variable]:
                    left[number] -= 1
                    premises, (conclusion,), rule = self._clauses[number]
                    if not left[number] and conclusion not in reason:
                        reason[conclusion] = ChainLink(premises, conclusion, rule)
                        following.append(conclusion)
            level = following
        return self._trace(goal, reason) if goal in reason else None

    def reasons(self, goal: int) -> list[Reason]:
        """Return every clause at work for an item, choices too. Derived facts between it and the rule are passed
        through: a reason is of the rule that asked for the fact."""
        items = self._formula.items
        found: dict[Reason, None] = {}
        seen = {(goal, frozenset[int]())}
        queue = [(goal, frozenset[int]())]
        for target, instead in queue:
            for premises, conclusions, rule in self._formula.clauses():
                if target not in conclusions or goal in premises:
                    continue
                choices = instead.union(conclusions) - {target}
                if len(premises) == 1 and premises[0] >= items:
                    if (premises[0], choices) not in seen and len(seen) < _PLACES:
                        seen.add((premises[0], choices))
                        queue.append((premises[0], choices))
                elif choices.isdisjoint(premises):  # a choice that was made needs no other
                    found[Reason(premises, rule, tuple(sorted(choices)))] = None
        return list(found)

    def _trace(self, goal: int, reason: dict[int, ChainLink | None]) -> list[ChainLink]:
        """Return the steps that ``goal`` stands on, each after its own premises."""
        steps = []
        seen = {goal}
        queue = [goal]
        for variable in queue:
            step = reason[variable]
            if step is not None:
                steps.append(step)
                queue += [premise for premise in step.premises if premise not in seen]
                seen.update(step.premises)
        place = {variable: number for number, variable in enumerate(reason)}
        return sorted(steps, key=lambda step: place[step.conclusion])
