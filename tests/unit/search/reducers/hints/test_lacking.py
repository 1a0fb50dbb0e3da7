"""What a candidate lacks, class by class."""

import random

from core.model.model_logic import ModelLogic
from core.search.reducers.joint_search import with_lacking
from core.search.serial import least_of, serial
from core.sets import mask_of
from tests.support.asking import judged
from tests.support.formulas import build
from tests.support.rows import rows


def known_at_the_end(prefixes):
    """Return the index of the least interesting prefix. The last one is known to be interesting."""
    return least_of(prefixes, len(prefixes) - 2)


def answered(search, interesting):
    """The result of a search and the candidates that were asked about."""
    asked = []

    def ask(candidate):
        asked.append(frozenset(candidate))
        return interesting(asked[-1])

    return frozenset(judged(serial(search, known_at_the_end), ask)), asked


def model(classes: int, parts: int) -> tuple[ModelLogic, list[tuple[int, ...]]]:
    """Classes of so many parts, each of which needs its class and the part before it."""
    clauses = [([item], [item - 1]) for item in range(classes * parts) if item % parts]
    groups = [tuple(range(place * parts, (place + 1) * parts)) for place in range(classes)]
    return ModelLogic(build(classes * parts, *clauses)), groups


@rows("seed", range(20))
def test_the_classes_that_are_needed_are_found_whole(seed):
    chance = random.Random(seed)
    logic, groups = model(40, 4)
    known, needed = groups[0], {chance.choice(chance.choice(groups[1:])) for _ in range(3)}
    search = with_lacking(logic, groups, mask_of(known, 160), int.bit_count, (1 << 160) - 1)
    found, asked = answered(search, needed.union(known).issubset)
    assert found == {item for group in groups if needed.union(known) & set(group) for item in group}
    assert len(asked) <= 1 + 3 * (1 + 2 * 6)


def test_what_is_near_is_found_by_small_candidates():
    logic, groups = model(1000, 1)
    search = with_lacking(logic, groups, mask_of(range(20), 1000), int.bit_count, (1 << 1000) - 1)
    found, asked = answered(search, {*range(20), 23}.issubset)
    assert found == {*range(20), 23}
    assert max(map(len, asked)) == 25


def test_where_nothing_is_lacking_one_question_is_enough():
    logic, groups = model(10, 2)
    found, asked = answered(with_lacking(logic, groups, 0b11, int.bit_count, (1 << 20) - 1), lambda kept: True)
    assert (found, len(asked)) == (frozenset({0, 1}), 1)


def test_where_nothing_but_all_of_it_serves_that_is_what_is_left():
    logic, groups = model(10, 2)
    found, _ = answered(with_lacking(logic, groups, 0b11, int.bit_count, (1 << 20) - 1), lambda kept: len(kept) == 20)
    assert len(found) == 20
