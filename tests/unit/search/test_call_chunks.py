"""The tree of calls as chunks: which methods are tried, and in whose place."""

from __future__ import annotations

from core.search.chunks import Chunk
from core.search.spaces import SearchProblem
from core.search.tree_chunks import CallNode, call_chunks


def node(code: int, size: int = 1, *calls: CallNode, reads: int = 0, has_result: bool = False) -> CallNode:
    """Return a method whose body is item ``code`` and whose callees have all items from there on up to ``size``."""
    return CallNode(1 << code, sum(1 << item for item in range(code + 1, code + size)), reads, has_result, calls)


def problem(*sizes: int, required: int = 0) -> SearchProblem:
    return SearchProblem(len(sizes), sizes, required=required)


def shown(chunks: list[Chunk]) -> list[tuple[int, int]]:
    """Return the number of the body of each chunk, and the number of its items."""
    return [(chunk.own.bit_length() - 1, chunk.gone.bit_count()) for chunk in chunks]


def test_what_holds_nearly_all_gives_way_to_what_it_calls() -> None:
    main = node(0, 14, node(1, 12, node(2, 11, node(3))), node(13))
    chunks = list(call_chunks(problem(*[1] * 14), [main]))
    assert shown(chunks) == [(1, 12), (13, 1)]
    assert shown(list(chunks[0].if_needed())) == [(3, 1)]  # 11 items are nearly all of the 12 that could not go


def test_a_resource_goes_with_each_call_that_alone_reads_it_however_large_it_is() -> None:
    reader = node(2, reads=1 << 4)
    main = node(0, 4, node(1, 2, reader, reads=1 << 4), node(3), reads=1 << 4)
    chunks = list(call_chunks(problem(1, 5, 1, 1, 1_000, 10), [main]))
    assert shown(chunks) == [(0, 5)]
    (first, second) = chunks[0].if_needed()
    assert shown([first, second]) == [(1, 3), (3, 1)]
    assert shown(list(first.if_needed())) == [(2, 2)]


def test_a_body_that_stays_is_passed_over() -> None:
    chunks = list(call_chunks(problem(1, 1, 9, required=0b001), [node(0, 2, node(1))]))
    assert shown(chunks) == [(1, 1)]


def test_methods_with_a_result_are_a_level_of_their_own() -> None:
    first, second = call_chunks(problem(1, 1, 9), [node(0), node(1, has_result=True)])
    assert second.level == first.level + 1


def test_a_chain_of_calls_may_be_long() -> None:
    count = 1_500
    called = node(count)
    for number in range(count - 1, -1, -1):
        called = CallNode(1 << number, called.code | called.below, 0, False, [called])
    assert not call_chunks(problem(*[1] * count, 100_000), [called])  # the last alone holds nearly all
