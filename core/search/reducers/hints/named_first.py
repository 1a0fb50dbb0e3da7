"""Generalized binary reduction where it is known what the failure names.

GBR21 begins with the whole input and halves whatever is left. But most of what a failure needs lies in what its words
name, and in an order that puts heavy items late it lies late, for what needs much is heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.search.logic import Logic
from core.search.progression import enough
from core.search.questions import Algorithm, Candidate, Enough, First, Least, Test
from core.sets import ItemSet, mask_of, members


def named_first(
    logic: Logic, order: Sequence[int], near: Sequence[ItemSet], bytes_of: Callable[[ItemSet], int]
) -> Algorithm:
    """GBR in the first of the valid sets ``near`` that is interesting, or in all items where none is."""
    whole = tuple(range(logic.count))
    candidates = [members(part) for part in near if part.bit_count() < logic.count]
    index: int | None = (yield First(candidates)) if candidates else None
    return (yield from gbr_within(logic, order, whole if index is None else candidates[index], bytes_of))


def gbr_within(logic: Logic, order: Sequence[int], found: Candidate, bytes_of: Callable[[ItemSet], int]) -> Algorithm:
    """GBR in the valid set ``found``, which is interesting.

    In the end parts are left out without which it goes: of tools not all answers are monotone. That takes as many
    questions at most as another part would.
    """
    asked: Enough | None = enough(logic, order, left=mask_of(found, logic.count), late=True)
    assert asked is not None
    if not asked.prefixes:
        return found
    # that so little is enough is so unlikely that it is asked last
    r: int | None = yield Least(asked.prefixes, late=True)
    if r == 0 and (yield Test(asked.candidate)):
        return asked.candidate
    learned: list[Candidate] = []
    # every round's learned set has another first item, unless answers contradict each other
    while r is not None and len(learned) <= logic.count:
        found = asked.prefixes[r]
        learned.append(found[len(asked.prefixes[r - 1] if r else asked.candidate) :])
        asked = asked.then(r)
        assert asked is not None
        r = yield asked
        found = asked.candidate if r is None else asked.prefixes[r]
    return (yield from _dispensable(logic, order, learned, found, bytes_of))


def _dispensable(
    logic: Logic,
    order: Sequence[int],
    learned: Sequence[Candidate],
    found: Candidate,
    bytes_of: Callable[[ItemSet], int],
) -> Algorithm:
    """``found`` without learned sets of which it needs no item, the most bytes first. The last set is not tried: what
    the others are enough for was asked when it was sought."""

    def without(index: int) -> Candidate:
        rest = [part for number, part in enumerate(learned) if number != index and number not in gone]
        return tuple(logic.progression(order, rest, mask_of(found, logic.count))[0])

    gone: set[int] = set()
    tried = [(bytes_of(mask_of(without(index), logic.count)), index) for index in range(len(learned) - 1)]
    for _, index in sorted(tried)[: logic.count.bit_length()]:
        candidate = without(index)
        if len(candidate) < len(found) and (yield Test(candidate)):
            found = candidate
            gone.add(index)
    return found
