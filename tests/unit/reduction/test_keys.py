"""Keys of candidates: each is made once as long as there is room, and what is used stays."""

from __future__ import annotations

from core.reduction.probing.memory import Keys
from core.search.minimisers.ddmin import ddmin
from core.search.questions import First
from core.sets import mask_of


def test_classic_delta_debugging_has_each_key_made_once():
    n, keys = 270, Keys(most=2_000_000)
    needed = {element for element in range(n) if element % 6}
    made: list[int] = []
    asked = 0

    def make(items: int) -> bytes:
        made.append(items)
        return b""

    algorithm = ddmin(tuple(range(n)))
    answer, left = None, ()
    while not left:
        try:
            question = algorithm.send(answer)
        except StopIteration as end:
            left = end.value
            break
        assert isinstance(question, First)
        answer = None
        for index, candidate in enumerate(question.candidates):
            asked += 1
            keys.get(mask_of(candidate, n), make)
            if needed <= set(candidate):
                answer = index
                break
    assert set(left) == needed
    assert asked > len(set(made)) > 4096, "after each success all single elements are asked about again"
    assert len(made) == len(set(made)), f"{len(made)} keys were made of {len(set(made))} candidates"


def test_what_was_used_last_stays():
    keys, made = Keys(most=10 * 300), []

    def make(items: int) -> bytes:
        made.append(items)
        return str(items).encode()

    for number in range(100):
        assert keys.get(1, make) == b"1"
        assert keys.get(number + 2, make) == str(number + 2).encode()
    assert made.count(1) == 1
    keys.get(2, make)
    assert made.count(2) == 2, "the memory has an end"
