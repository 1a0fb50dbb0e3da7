"""Generalized binary reduction (GBR21, Algorithm 1): finds one needed part of the input after another.

Each round asks for the least union of a progression that is interesting. The last part of that union, a *learned set*,
holds a needed item, so the next progression begins with it. GBR21 begins with the whole input and halves whatever is
left. But most of what a failure needs lies in what its words name, and in an order that puts heavy items late it lies
late, for what needs much is heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from core.search.logic import Logic, Progressive
from core.search.progression import Over, enough
from core.search.questions import Algorithm, Candidate, Enough, First, Least, Question, Test
from core.sets import ItemSet, mask_of, members


def gbr(
    logic: Progressive,
    order: Sequence[int],
    hopeless: Over = lambda *found: False,
    otherwise: Callable[[Candidate], Algorithm] | None = None,
    needed: Callable[[int], None] = lambda item: None,
    *,
    late: bool = False,
) -> Algorithm:
    """Return the least valid set that holds all needed parts: about ``s * log2(n)`` probes for ``s`` of ``n`` items.

    ``order`` holds every item; an item comes after those that it depends on. ``hopeless`` is asked after each round:
    after a yes, the search goes on as ``otherwise`` in what is left. ``needed`` is told, of each needed part, the item
    that needs the others. With ``late``, something is expected to be needed, and that late in the order, as in
    :class:`Enough`; without ``late`` the search is as published.

    The result was found interesting. Where the predicate is not monotone, it is the smallest set that was found
    interesting last.
    """
    found, _, given_up = yield from _rounds(enough(logic, order, late=late, over=hopeless), logic.count, needed)
    return (yield from otherwise(found)) if given_up and otherwise is not None else found


def named_first(
    logic: Logic, order: Sequence[int], around: Sequence[ItemSet], bytes_of: Callable[[ItemSet], int]
) -> Algorithm:
    """Run GBR in the first of the valid sets ``near`` that is interesting, or in all items where none is."""
    whole = tuple(range(logic.count))
    candidates = [members(part) for part in around if part.bit_count() < logic.count]
    index: int | None = (yield First(candidates)) if candidates else None
    return (yield from gbr_within(logic, order, whole if index is None else candidates[index], bytes_of))


def gbr_within(logic: Logic, order: Sequence[int], within: Candidate, bytes_of: Callable[[ItemSet], int]) -> Algorithm:
    """Run GBR in a valid set that is interesting, with answers expected late.

    In the end, learned sets are left out that the failure does not need after all, because not all tools are monotone.
    That takes as many probes at most as one more needed part would.
    """
    asked = enough(logic, order, left=mask_of(within, logic.count), late=True)
    if not asked.prefixes:
        return within
    found, learned, _ = yield from _rounds(asked, logic.count)
    return (yield from _dispensable(logic, order, learned, found, bytes_of))


def _rounds(
    asked: Enough, count: int, needed: Callable[[int], None] = lambda item: None
) -> Generator[Question, Any, tuple[Candidate, list[Candidate], bool]]:
    """Ask round after round. Return what is left, the learned sets, and whether the search was given up."""
    question: Enough | Least = asked
    if asked.late and asked.prefixes:
        # that so little is enough is so unlikely that it is asked last
        question = Least(asked.prefixes, asked.then, late=True)
    learned: list[Candidate] = []
    # every round's learned set has another first item, unless answers contradict each other
    while len(learned) <= count:
        r: int | None = yield question
        if r is None or (r == 0 and question is not asked and (yield Test(asked.candidate))):
            return asked.candidate, learned, False
        found = asked.prefixes[r]
        learned.append(found[len(asked.prefixes[r - 1] if r else asked.candidate) :])
        needed(learned[-1][0])
        following: Enough | None = asked.then(r)
        if following is None:
            return found, learned, True
        asked = question = following
    return found, learned, False


def _dispensable(
    logic: Logic,
    order: Sequence[int],
    learned: Sequence[Candidate],
    found: Candidate,
    bytes_of: Callable[[ItemSet], int],
) -> Algorithm:
    """Return ``found`` without the learned sets of which no item is needed. Sets that free the most bytes are tried
    first. The last learned set is not tried: what the others are enough for was asked in its round."""

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
