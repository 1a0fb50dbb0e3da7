"""The failure that the check suggests to begin with."""

from __future__ import annotations

from core.check.kinds import FoundKinds
from core.evidence.kinds_of_failures import KindCost
from core.predicate.failures import Wanted

LIBRARY = "Metrics.java: package io.metrics does not exist"
BUG = "Pool.java: incompatible types: Object cannot be converted to String"
KINDS = (KindCost((LIBRARY,), LIBRARY, 300), KindCost((BUG,), BUG, 900))


def test_a_failure_of_a_missing_library_is_not_suggested() -> None:
    assert FoundKinds(KINDS, 2, Wanted()).suggested == LIBRARY
    assert FoundKinds(KINDS, 2, Wanted(), frozenset({LIBRARY})).suggested == BUG
    assert FoundKinds(KINDS, 2, Wanted(), frozenset({LIBRARY, BUG})).suggested == ""
