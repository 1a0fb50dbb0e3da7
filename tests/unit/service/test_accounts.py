"""The time that a search has."""

import pytest

from core.reduction.records import Spent
from core.service.searching.accounts import Accounts
from core.system.stopwatch import Stopwatch


@pytest.mark.parametrize(("limit", "after", "left"), [(1000, 53, 947), (1000, 9000, 500), (None, 53, None), (0, 53, 0)])
def test_a_time_limit_leaves_room_for_the_run_that_confirms_the_result(limit, after, left):
    found = Accounts(Stopwatch("start"), Spent(), rest=None, used=0.0, free=0.0).left(limit, after)
    assert found == (left if left is None else pytest.approx(left, abs=10))
