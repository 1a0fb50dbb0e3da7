"""Generalized binary reduction (GBR21, Algorithm 1): finds one needed part of the input after another.

Each round asks for the least interesting union of a progression. The last part of this union, a *learned set*, holds a
needed item, so the next progression begins with the learned set. GBR21 begins with the whole input and halves the rest.
Here, a search can begin around the items that the failure names. Without names, it looks around the items found in its
own rounds. And with heavy items late in the order, the answer is expected late, because an item that needs much is
heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from core.search.logic import BytesOf, Logic, Progressive
from core.search.questions import Algorithm, Candidate, Distances, Enough, First, Lazy, Least, Question, Test
from core.sets import ItemSet, mask_of, members

_MANY = 8
"""Number of found parts from which on a round need not ask first whether these are enough.
See decisions/036-without-evidence.md.
"""

Over = Callable[[int, Candidate, int], bool]
"""Function of the number of learned sets, the items left, and the number of unions in the last question. Returns True
if the search is over."""


class Progression(Lazy):
    """A progression D as a sequence of unions: member *r* is the union of D0 .. D(r + start).

    All unions are prefixes of one list: ``items[:ends[r]]`` is the union up to Dr. So sums over all unions take one
    pass over ``items``.
    """

    def __init__(self, parts: Sequence[Sequence[int]], start: int = 1) -> None:
        self.items = tuple(item for part in parts for item in part)
        self.ends = list(accumulate(len(part) for part in parts))
        self._start = start

    def __len__(self) -> int:
        return len(self.ends) - self._start

    def _at(self, index: int) -> Candidate:
        return self.items[: self.ends[index + self._start]]

    @property
    def least(self) -> Candidate:
        """D0, the least valid set."""
        return self.items[: self.ends[0]]

    def added(self, index: int) -> Candidate:
        """Return the items by which the union at ``index`` exceeds the union before."""
        number = index + self._start
        return self.items[self.ends[number - 1] : self.ends[number]]


def enough(
    logic: Progressive,
    order: Sequence[int],
    learned: tuple[Candidate, ...] = (),
    left: ItemSet | None = None,
    *,
    late: Distances | None,
    over: Over = lambda *found: False,
) -> Enough:
    """Return the question of one round: is D0 interesting, and if not, which is the first interesting union? Later
    questions follow from the answers.

    At least one item of each ``learned`` set is needed. ``left``: the items of the rest of the search, by default all.
    """
    unions = Progression(logic.progression(order, learned, left))

    @cache
    def then(r: int | None) -> Enough | None:
        if r is None or over(len(learned) + 1, unions[r], len(unions)):
            return None
        rest = mask_of(unions[r], logic.count)
        distances = None if late is None else (*late, len(unions) - 1 - r)
        return enough(logic, order, (*learned, unions.added(r)), rest, late=distances, over=over)

    return Enough(unions.least, unions, then, late)


def least_needed(
    logic: Progressive,
    order: Sequence[int],
    learned: tuple[Candidate, ...],
    left: ItemSet | None,
    distances: Distances,
) -> Least:
    """Return the question of one round as one question: the first interesting union, perhaps D0. Later questions follow
    from the answers; none after D0, which is enough then. Parameters as for :func:`enough`.
    """
    unions = Progression(logic.progression(order, learned, left), 0)

    @cache
    def then(r: int) -> Least | None:
        if not r:
            return None
        rest = mask_of(unions[r], logic.count)
        return least_needed(logic, order, (*learned, unions.added(r)), rest, (*distances, len(unions) - 1 - r))

    return Least(unions, then, distances, chance_of_enough(len(distances)))


def chance_of_enough(found: int) -> float:
    """Return the chance that the failure needs no more than the ``found`` parts, as a round assumes it.

    The chance is 1/2 while few parts are found: then a round asks about them first. Later it is 1 / (found + 1), which
    follows from the prior 1 / (s (s + 1)) of the number *s* of needed parts.
    """
    if not found:
        return 0.0
    return 0.5 if found < _MANY else 1 / (found + 1)


_MOST_NEAR = 0.5
"""Largest share of the remaining bytes that a round asks about at once, in the classes of found items.
See decisions/036-without-evidence.md.
"""


def gbr(
    logic: Progressive,
    order: Sequence[int],
    hopeless: Over = lambda *found: False,
    otherwise: Callable[[Candidate], Algorithm] | None = None,
    needed: Callable[[int], None] = lambda item: None,
    *,
    late: bool = False,
) -> Algorithm:
    """Return the least valid set with all needed parts: about ``s * log2(n)`` probes for ``s`` needed of ``n``
    items.

    ``order`` holds every item; an item comes after its dependencies. ``hopeless`` decides after each round to give up:
    then the search goes on as ``otherwise`` in the items that are left. ``needed`` is called for each needed part, with
    the item from which the need for the part's other items follows. With ``late``, the answer is expected late in the
    order, as in :class:`Enough`; without ``late`` the search is as published.

    The result was found interesting. If the predicate is not monotone, the result is the set of the last yes.
    """
    asked = enough(logic, order, late=() if late else None, over=hopeless)
    found, _, given_up = yield from _rounds(asked, logic.count, needed)
    return (yield from otherwise(found)) if given_up and otherwise is not None else found


def gbr_by_chance(
    logic: Progressive,
    order: Sequence[int],
    learned: tuple[Candidate, ...] = (),
    left: ItemSet | None = None,
    distances: Distances = (),
) -> Algorithm:
    """Run GBR with priors of the answers: late answers are likely, and perhaps the parts found so far are enough.

    A round does not ask first whether the parts found so far are enough: that is one of the answers. ``learned`` and
    ``distances`` are from earlier rounds, which left the ``left`` items.
    """
    question: Least | None = least_needed(logic, order, learned, left, distances)
    found: Candidate = members((1 << logic.count) - 1 if left is None else left)
    # every round's learned set has another first item, unless answers contradict each other
    for _ in range(logic.count + 1):
        if question is None:
            break
        r: int = yield question
        found, question = question.prefixes[r], question.then(r)
    return found


def named_first(logic: Logic, order: Sequence[int], around: Sequence[ItemSet], bytes_of: BytesOf) -> Algorithm:
    """Run GBR in the first interesting set of the valid sets ``around``, or else in all items."""
    whole = tuple(range(logic.count))
    candidates = [members(part) for part in around if part.bit_count() < logic.count]
    index: int | None = (yield First(candidates)) if candidates else None
    return (yield from gbr_within(logic, order, whole if index is None else candidates[index], bytes_of))


def families_first(
    logic: Logic, order: Sequence[int], family: Callable[[int], ItemSet], bytes_of: BytesOf
) -> Algorithm:
    """Run GBR without evidence: most of the needed items lie in the classes of the items that were found before.

    Each round first asks about the least valid set with the ``family`` of each found item. If this set is interesting,
    the search ends within the set. If not, the next needed item lies outside. Answers are expected late.
    """
    unions = Progression(logic.progression(order), 0)
    learned: tuple[Candidate, ...] = ()
    distances: Distances = ()
    near: ItemSet = 0
    while len(learned) <= logic.count:
        r: int = yield Least(unions, late=distances, first=chance_of_enough(len(learned)))
        if not r:
            break
        learned = (*learned, unions.added(r))
        distances = (*distances, len(unions) - 1 - r)
        near |= family(learned[-1][0])
        unions = _near_first(logic, order, learned, mask_of(unions[r], logic.count), near, bytes_of)
    return (yield from gbr_by_chance(logic, order, learned, mask_of(unions[0], logic.count), distances))


def _near_first(
    logic: Logic,
    order: Sequence[int],
    learned: Sequence[Candidate],
    left: ItemSet,
    near: ItemSet,
    bytes_of: BytesOf,
) -> Progression:
    """Return a progression whose first set holds all remaining items of ``near``.

    If these are most of the bytes, the progression begins with the least valid set, as published.
    """
    nearest_first = sorted(order, key=lambda item: not near >> item & 1)
    parts = logic.progression(nearest_first, learned, left)
    end = next((number for number, part in enumerate(parts) if number and not near >> part[0] & 1), len(parts))
    first = [item for part in parts[:end] for item in part]
    if bytes_of(mask_of(first, logic.count)) > _MOST_NEAR * bytes_of(left):
        return Progression(logic.progression(order, learned, left), 0)
    return Progression([first, *parts[end:]], 0)


def gbr_within(logic: Logic, order: Sequence[int], within: Candidate, bytes_of: BytesOf) -> Algorithm:
    """Run GBR in a valid set that is interesting, with answers expected late.

    In the end, try to leave out learned sets that the failure does not need after all, because not all tools are
    monotone. This takes at most as many probes as one more needed part.
    """
    asked = enough(logic, order, left=mask_of(within, logic.count), late=())
    if not asked.prefixes:
        return within
    found, learned, _ = yield from _rounds(asked, logic.count)
    return (yield from _dispensable(logic, order, learned, found, bytes_of))


def _rounds(
    asked: Enough, count: int, needed: Callable[[int], None] = lambda item: None
) -> Generator[Question, Any, tuple[Candidate, list[Candidate], bool]]:
    """Ask round after round. Return the items left, the learned sets, and True if the search was given up."""
    question: Enough | Least = asked
    if asked.late is not None and asked.prefixes:
        # the least set is hardly enough, so it is asked about last
        question = Least(asked.prefixes, asked.then, late=asked.late)
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
    bytes_of: BytesOf,
) -> Algorithm:
    """Return ``found`` without the learned sets of which no item is needed. Sets that free the most bytes are tried
    first. The last learned set is not tried: its round has shown that the other sets are not enough.
    """

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
