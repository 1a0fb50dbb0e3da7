"""Searches that drop elements at several sites in shared probes."""

from __future__ import annotations

import random

import pytest

from core.search.chunks import Chunk
from core.search.priors import Priors
from core.search.reducers.by_site import DividedInput, by_site
from core.search.reducers.complements import ItemAlgebra, complements
from core.search.serial import serial
from core.search.sites import Shown
from core.sets import mask_of
from tests.support.asking import judged
from tests.support.rows import rows

SITES, EACH = 12, 20
COUNT = SITES * EACH
FULL = (1 << COUNT) - 1


def search(part: int, whole: DividedInput, worth: float):
    """Each element of a part alone or in groups, as long as a probe promises ``worth`` bytes for all searches."""
    chunks = [
        Chunk(1 << item, 1 << item, 1 << item, 0, part, bytes=10, key=str(item))
        for item in range(part * EACH, (part + 1) * EACH)
    ]
    return complements(FULL, chunks, Priors((0.3,)), ItemAlgebra(int.bit_count, sharing=whole.sharing), worth)


def run(
    needed: set[int], hiding=frozenset(), crossing=(), foreign=(), parts=range(SITES), worth=0.0
) -> tuple[set[int], int]:
    """What is left, and the probes. ``needed`` elements each show a failure in their part; without one of ``hiding``
    only another failure shows, in its part; of each pair of ``crossing`` one must stay, or the first's part fails;
    ``foreign`` pairs are of an element and the part that fails without it."""

    def shown(kept: frozenset[int]) -> Shown:
        gone = frozenset(item // EACH for item in hiding - kept)
        if gone:
            return Shown(frozenset(range(SITES)), gone, hidden=True)
        lost = {item // EACH for item in needed - kept} | {part for item, part in foreign if item not in kept}
        return Shown(frozenset(lost | {one // EACH for one, other in crossing if not {one, other} & kept}))

    told: dict[int, Shown] = {}

    def interesting(candidate) -> bool:
        found = told[mask_of(candidate, COUNT)] = shown(frozenset(candidate))
        return found == Shown()

    whole = DividedInput(FULL, COUNT, told.__getitem__)
    asked = by_site(whole, [(part, search(part, whole, worth)) for part in parts])
    return set(judged(serial(asked), interesting)), len(told)


@pytest.mark.parametrize("seed", range(3))
def test_they_take_as_many_probes_as_the_longest(seed):
    chance = random.Random(seed)
    needed = {item for part in range(SITES) for item in chance.sample(range(part * EACH, (part + 1) * EACH), 3)}
    found, steps = run(needed)
    assert found == needed
    assert steps <= 2 * max(run(needed, parts=[part])[1] for part in range(SITES))


@pytest.mark.parametrize("seed", range(3))
def test_what_hides_all_failures_is_blamed_on_its_own_part(seed):
    chance = random.Random(seed)
    needed = {part * EACH + chance.randrange(EACH) for part in range(SITES)}
    hiding = frozenset(chance.sample(range(COUNT), 6))
    found, steps = run(needed, hiding)
    assert found == needed | hiding
    assert steps < COUNT


@pytest.mark.parametrize("seed", range(3))
def test_what_two_parts_need_of_each_other_is_kept(seed):
    chance = random.Random(seed)
    pairs = [(chance.randrange(EACH), chance.randrange(EACH, 2 * EACH)), (3 * EACH, 7 * EACH)]
    found, _ = run({5 * EACH}, crossing=pairs)
    for one, other in pairs:
        assert {one, other} & found
    assert len(found) < COUNT


@rows("seed", range(3))
@rows("searched", [SITES, SITES - 1])
def test_what_only_another_part_needs_ends_no_other_search(seed, searched):
    chance = random.Random(seed)
    needed = {part * EACH for part in range(SITES)}
    foreign = {(chance.randrange(part * EACH + 1, (part + 1) * EACH), SITES - 1) for part in (1, 4, 7)}
    found, steps = run(needed, foreign=foreign, parts=range(searched))
    least = needed | {item for item, _ in foreign} | set(range(searched * EACH, COUNT))
    assert least <= found
    assert len(found - least) <= 3 * EACH
    assert steps < COUNT


def test_one_part_alone_is_an_ordinary_search():
    found, _ = run({3, 7}, parts=[0])
    assert found == {3, 7} | set(range(EACH, COUNT))


def test_a_probe_that_serves_few_must_promise_more_to_each():
    needed = {part * EACH for part in range(SITES)}
    found, together = run(needed, worth=40.0)
    assert found < set(range(COUNT))
    assert together > 0
    assert run(needed, parts=[0], worth=40.0) == (set(range(COUNT)), 0)
