"""The failure that the check suggests to begin with."""

from __future__ import annotations

from core.evidence.kinds_of_failures import FoundKinds, KindCost
from core.predicate.failures import Wanted

LIBRARY = "Metrics.java: package io.metrics does not exist"
BUG = "Pool.java: incompatible types: Object cannot be converted to String"
KINDS = (KindCost((LIBRARY,), LIBRARY, 300), KindCost((BUG,), BUG, 900))


def test_a_failure_of_a_missing_library_is_not_suggested() -> None:
    assert FoundKinds(KINDS, 2, Wanted()).suggested == LIBRARY
    assert FoundKinds(KINDS, 2, Wanted(), frozenset({LIBRARY})).suggested == BUG
    assert FoundKinds(KINDS, 2, Wanted(), frozenset({LIBRARY, BUG})).suggested == ""


def test_it_says_which_kinds_need_not_stay() -> None:
    said = FoundKinds(KINDS, 3, Wanted(), frozenset({LIBRARY}), frozenset({LIBRARY})).text(options=True)
    how = "one of each kind must stay, but for 1 kind that comes from missing libraries."
    assert said.startswith(f"2 failures of 2 kinds at 3 places: {how}")
