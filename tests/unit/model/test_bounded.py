"""A dictionary that holds what fits."""

from __future__ import annotations

from core.model.cache.class_files import Bounded


def ask(known: Bounded[int, str], keys: list[int], cost: int = 1) -> list[int]:
    """A round that wants all keys and puts those that are not known; the keys that were."""
    known.next_round()
    found = []
    for key in keys:
        if known.get(key) is None:
            known.put(key, str(key), cost)
        else:
            found.append(key)
    return found


def test_what_fits_is_remembered() -> None:
    known: Bounded[int, str] = Bounded(3)
    assert ask(known, [1, 2, 3]) == []
    assert ask(known, [1, 2, 3]) == [1, 2, 3]
    assert (len(known), known.cost, known.get(2)) == (3, 3, "2")


def test_rounds_over_more_than_fits_still_find_what_does() -> None:
    known: Bounded[int, str] = Bounded(3)
    for _ in range(4):
        found = ask(known, [1, 2, 3, 4, 5])
    assert found == [1, 2, 3]
    assert known.cost <= known.limit


def test_what_two_rounds_did_not_use_makes_room() -> None:
    known: Bounded[int, str] = Bounded(3)
    ask(known, [1, 2, 3])
    assert ask(known, [4, 3]) == [3]
    assert ask(known, [4, 3]) == [3]
    assert ask(known, [4, 3]) == [4, 3]
    assert known.get(1) is None


def test_a_value_that_is_too_large_is_not_taken() -> None:
    known: Bounded[int, str] = Bounded(3)
    ask(known, [1], cost=4)
    assert (len(known), known.cost) == (0, 0)
    ask(known, [2], cost=0)
    assert known.get(2) == "2"


def test_what_is_not_to_be_kept_makes_room_at_once() -> None:
    known: Bounded[int, str] = Bounded(3)
    ask(known, [1, 2, 3])
    known.keep({2, 9})
    assert (len(known), known.cost, known.get(2), known.get(1)) == (1, 1, "2", None)
    assert ask(known, [4, 5]) == []
    assert ask(known, [2, 4, 5]) == [2, 4, 5]
