"""What the referee tells of a sub-input: only what the full input does not show already."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import referee as bench
from tests.bench.referee_judges import Problem


def test_members_that_the_full_input_cannot_list_are_not_told() -> None:
    case = bench.Case(Path("a.jar"), (), "src")
    case.learn([Problem("p/Api", "reflection", "methods", bench.ALL, "NoClassDefFoundError: p/Gone")])
    hidden = Problem("p/Api", "reflection", "methods", "more:()V result", "TypeNotPresentException: T")
    shown = Problem("p/Api", "reflection", "fields", "more:I type", "TypeNotPresentException: T")
    assert case.new({hidden, shown}) == ([shown], 1)


@pytest.mark.parametrize("moves", [False, True])
def test_what_the_full_input_shows_is_known_where_rewriting_moves_it(moves: bool) -> None:
    case = bench.Case(Path("a.jar"), (), "src", moves=moves)
    case.learn([Problem("p/Old", "reflection", "fields", "one:I type", "TypeNotPresentException: a variable")])
    moved = Problem("p/New", "reflection", "fields", "one:I type", "TypeNotPresentException: a variable")
    assert case.new({moved}) == ([] if moves else [moved], 0)
