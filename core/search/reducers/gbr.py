"""Generalized binary reduction (GBR21, Algorithm 1).

Candidates are valid sets of items (space :class:`core.search.spaces.item_spaces.Items`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.search.logic import Logic
from core.search.progression import Over, enough
from core.search.questions import Algorithm, Candidate, Enough, Least, Test
from core.search.reducers.named_first import named_first, neighbourhoods
from core.search.spaces.class_spaces import SearchProblem, Space
from core.search.spaces.item_spaces import Items
from core.search.specs import Level, Options, algorithm, logic_of, phase


def gbr(
    logic: Logic,
    order: Sequence[int],
    hopeless: Over = lambda *found: False,
    otherwise: Callable[[Candidate], Algorithm] | None = None,
    needed: Callable[[int], None] = lambda item: None,
    *,
    late: bool = False,
) -> Algorithm:
    """Finds one needed part of the input after another, and in the end the least valid set with all of them.

    ``order`` holds every item, what is depended on first. About ``s * log2(n)`` tests for ``s`` needed parts. The
    result was tested interesting. ``hopeless`` tells, after each part found, of their number, what is left, and among
    how many unions it was sought: where it says so, the search goes on ``otherwise`` with what is left. ``needed``
    hears of each item that was found, of which the other items of its part are what it needs. ``late``: what is needed
    is expected late in the order, as :class:`Enough` has it, and that something is; as published, nothing is.

    Where answers contradict each other or the predicate is not monotone, the result is the smallest set that was found
    interesting last.
    """
    asked = enough(logic, order, late=late, over=hopeless)
    question: Enough | Least = asked
    if late and asked.prefixes:
        # that so little is enough is so unlikely that it is asked last
        question = Least(asked.prefixes, asked.then, late=True)
    # every round's learned set has another first item, unless answers contradict each other
    for _ in range(logic.count + 1):
        r: int | None = yield question
        if r is None or (r == 0 and question is not asked and (yield Test(asked.candidate))):
            return asked.candidate
        found = asked.prefixes[r]
        needed(found[len(asked.prefixes[r - 1] if r else asked.candidate)])
        following: Enough | None = asked.then(r)
        if following is None:
            return found if otherwise is None else (yield from otherwise(found))
        asked = question = following
    return found


@algorithm(
    "gbr",
    "Generalized binary reduction",
    "Finds one needed part of the input after another by binary search over valid sub-inputs of members and "
    "attributes.",
    place=20,
)
@phase("items", Level.ITEMS)
def ITEMS(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Items by generalized binary reduction, heavy ones late; where the failure names any, first around these."""
    logic = logic_of(problem)
    order = logic.order(problem.sizes)
    near = [] if options.classic else neighbourhoods(problem, options.named())
    search = named_first(logic, order, near, problem.bytes_of) if near else gbr(logic, order)
    return Items(problem.sizes), search
