"""Maximal valid subsets after the removal of items (propagation against the direction of the clauses).

Drop a premise of each clause without remaining conclusions. A clause with several premises leaves a choice, since one
of them must fall; the choices are walked depth first.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from core.cancellation import cancellation_point
from core.model.propagation import Propagator, grouped, spans
from core.sets import ItemSet, flags_of, mask_of_flags

Leaves = Generator[tuple[ItemSet, list[int]], None, None]

_CHOICES = 20_000
"""Choices that one search may try before it gives up: only contrived formulas come near it."""


class Removal:
    """A formula, ready for removals. Of several premises the one of the highest rank falls first."""

    def __init__(self, propagator: Propagator) -> None:
        formula = propagator.formula
        self.items = formula.items
        self.variables = formula.variables
        self.rank = propagator.rank
        self.needing = grouped(formula.edges[:, 1], formula.edges[:, 0], formula.variables)
        self.ends_in = grouped(formula.conclusions, spans(formula.conclusion_start), formula.variables)
        self.premises = grouped(spans(formula.premise_start), formula.premises, len(formula.clause_rules))
        self.heads: list[int] = np.diff(formula.conclusion_start).tolist()
        self.required = propagator.required()
        self._base: tuple[ItemSet, _Fall] | None = None

    def largest(self, within: ItemSet) -> ItemSet | None:
        """Return a maximal valid subset of ``within``; None if there is none (or, after 20,000 choices, none was
        found)."""
        return self._greatest(self._outside(within), ())

    def largest_without(self, kept: ItemSet, gone: ItemSet) -> ItemSet | None:
        """Return a maximal valid subset of the valid set ``kept`` without ``gone`` and its dependents.

        From the second call with the same ``kept`` on, the time depends on the dropped items only.
        """
        return self._greatest(self._of(kept), self._numbers(kept & gone))

    def _greatest(self, fall: _Fall, dropped: Sequence[int]) -> ItemSet | None:
        found = fall.first((), dropped)
        if found is None:
            return None
        best, chosen = found
        spared: set[int] = set()
        # what one choice let fall may stand after all, given the later ones; any larger set holds such a variable
        while open_ := [variable for variable in chosen if variable not in spared]:
            spared.add(open_[0])
            found = fall.first([*self._numbers(best), open_[0]], dropped)
            if found is not None:
                best, chosen = found
        return best

    def without(self, kept: ItemSet, item: int, limit: int) -> tuple[list[ItemSet], bool]:
        """Return the maximal valid subsets of the valid set ``kept`` without ``item``, at most ``limit``, and True if
        these are all.

        From the second call with the same ``kept`` on, the time depends on the dropped items only.
        """
        fall = self._of(kept)
        found: list[ItemSet] = []
        complete = True
        with closing(fall.leaves(dropped=(item,))) as leaves:
            for mask, _ in leaves:
                if mask not in found:
                    if len(found) == limit:
                        complete = False
                        break
                    found.append(mask)
        maximal = [one for one in found if not any(one != other and one & other == one for other in found)]
        return maximal, complete and not fall.gave_up

    def _numbers(self, items: ItemSet) -> list[int]:
        found: list[int] = flags_of(items, self.items).nonzero()[0].tolist()
        return found

    def _of(self, kept: ItemSet) -> _Fall:
        """Return the state in which everything outside ``kept`` has fallen, and nothing else. The last such state is
        remembered."""
        if self._base is None or self._base[0] != kept:
            self._base = kept, self._outside(kept)
        return self._base[1]

    def _outside(self, within: ItemSet) -> _Fall:
        fall = _Fall(self)
        fall.drop(np.flatnonzero(~flags_of(within, self.items)).tolist())
        return fall


@dataclass(slots=True)
class _Choice:
    """A choice: the state before it, the premises still to try, and the last dropped one.

    Those tried are held from then on: sets without them have been found already.
    """

    trail: int
    opened: int
    position: int
    options: list[int]
    tried: list[int] = field(default_factory=list)


class _Fall:
    """The dropped items and facts as an undo list, and the clauses that await a choice."""

    def __init__(self, made: Removal) -> None:
        self._made = made
        self._heads = made.heads[:]
        self._held = made.required[:]
        self._fallen = bytearray(made.variables)
        self._trail: list[int] = []
        self._done = 0
        self._open: list[int] = []
        self._conflict = False
        self.gave_up = False

    def drop(self, variables: Sequence[int]) -> None:
        """Let variables fall, with their consequences; stop at the first variable that is held."""
        made, fallen, trail, heads = self._made, self._fallen, self._trail, self._heads
        for variable in variables:
            if not fallen[variable]:
                fallen[variable] = 1
                trail.append(variable)
        while self._done < len(trail) and not self._conflict:
            variable = trail[self._done]
            self._done += 1
            self._conflict = bool(self._held[variable])
            for source in made.needing[variable]:
                if not fallen[source]:
                    fallen[source] = 1
                    trail.append(source)
            for clause in made.ends_in[variable]:
                heads[clause] -= 1
                if not heads[clause]:
                    self._weigh(clause)

    def first(self, keep: Sequence[int] = (), dropped: Sequence[int] = ()) -> tuple[ItemSet, list[int]] | None:
        """Return the first of :meth:`leaves`."""
        with closing(self.leaves(keep, dropped)) as leaves:
            return next(leaves, None)

    def leaves(self, keep: Sequence[int] = (), dropped: Sequence[int] = ()) -> Leaves:
        """Yield valid sets that hold ``keep`` and lack ``dropped``, each with the variables dropped by choices.

        Every such set is part of one of them. Afterwards the state is as before.
        """
        cancellation_point()
        self.gave_up = False
        if self._conflict:
            return
        before = len(self._trail), len(self._open)
        held = [variable for variable in keep if not self._held[variable]]
        for variable in held:
            self._held[variable] = 1
        self._conflict = any(self._fallen[variable] for variable in held)
        choices: list[_Choice] = []
        try:
            self.drop(dropped)
            yield from self._walk(choices)
        finally:
            for choice in choices:
                held += choice.tried
            for variable in held:
                self._held[variable] = 0
            self._undo(*before)

    def _walk(self, choices: list[_Choice]) -> Leaves:
        position = steps = 0
        while True:
            if not self._conflict:
                position = self._next_open(position)
                if position == len(self._open):
                    yield self._standing(), [choice.tried[-1] for choice in choices]
                else:
                    options = [v for v in self._made.premises[self._open[position]] if not self._held[v]]
                    options.sort(key=lambda v: (self._made.rank[v], v))
                    choices.append(_Choice(len(self._trail), len(self._open), position, options))
            while choices:
                choice = choices[-1]
                self._undo(choice.trail, choice.opened)
                position = choice.position
                if choice.options:
                    break
                for variable in choice.tried:
                    self._held[variable] = 0
                choices.pop()
            steps += 1
            cancellation_point()
            self.gave_up = bool(choices) and steps > _CHOICES
            if not choices or self.gave_up:
                return
            for variable in choice.tried[-1:]:
                self._held[variable] = 1
            choice.tried.append(choice.options.pop())
            self.drop(choice.tried[-1:])

    def _next_open(self, position: int) -> int:
        """Return the place of the next clause of which all premises stand."""
        while position < len(self._open) and self._satisfied(self._open[position]):
            position += 1
        return position

    def _satisfied(self, clause: int) -> bool:
        fallen = self._fallen
        return any(fallen[variable] for variable in self._made.premises[clause])

    def _weigh(self, clause: int) -> None:
        """Let a premise of the clause fall, as all its conclusions are gone."""
        if self._satisfied(clause):
            return
        options = [variable for variable in self._made.premises[clause] if not self._held[variable]]
        if len(options) > 1:
            self._open.append(clause)
        elif options:
            self._fallen[options[0]] = 1
            self._trail.append(options[0])
        else:
            self._conflict = True

    def _undo(self, trail: int, opened: int) -> None:
        heads, ends_in = self._heads, self._made.ends_in
        while len(self._trail) > trail:
            variable = self._trail.pop()
            self._fallen[variable] = 0
            if len(self._trail) < self._done:
                for clause in ends_in[variable]:
                    heads[clause] += 1
        self._done = trail
        del self._open[opened:]
        self._conflict = False

    def _standing(self) -> ItemSet:
        fallen = np.frombuffer(bytes(self._fallen[: self._made.items]), dtype=np.uint8)
        return mask_of_flags(fallen == 0)
