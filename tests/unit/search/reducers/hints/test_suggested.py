"""Questions about groups that go together, and what is remembered of those that could not."""

from __future__ import annotations

from core.search.questions import Test
from core.search.reducers.by_halves import without_groups


def asked(needed: set[int], failed: set[frozenset[str]], most: int = 15) -> tuple[list[set[int]], set[int]]:
    """Return what each question leaves out, and the result."""
    search, questions, answer = without_groups(range(4), [(each,) for each in range(4)], most, failed), [], None
    while True:
        try:
            question = search.send(answer)
        except StopIteration as end:
            return questions, set(end.value)
        assert isinstance(question, Test)
        questions.append(set(range(4)) - set(question.candidate))
        answer = needed <= set(question.candidate)


def test_groups_that_failed_together_are_not_asked_about_again():
    failed: set[frozenset[str]] = set()
    first, result = asked({2}, failed)
    assert first == [{0, 1, 2, 3}, {0, 1}, {0, 1, 2, 3}, {0, 1, 2}, {0, 1, 3}]
    assert result == {2}
    assert failed == {frozenset("0123"), frozenset("23"), frozenset("2")}
    again, result = asked({2}, failed)
    assert again == [{0, 1}, {0, 1, 3}]
    assert result == {2}


def test_a_question_that_is_not_asked_leaves_room_for_another():
    failed = {frozenset("0123")}
    assert asked({2}, failed, most=2)[0] == [{0, 1}, {0, 1, 2, 3}]
