"""What a search finds while its check goes on: kept back until it is sure."""

from __future__ import annotations

from core.predicate.verdict import Outcome, Verdict
from core.reduction.probing.memory import InMemory
from core.service.searching.saver import Provisional

YES = Outcome(Verdict.INTERESTING, 1.0, 0, "")
NO = Outcome(Verdict.NOT_INTERESTING, 1.0, 1, "")


def test_verdicts_reach_the_memory_once_they_are_sure():
    memory = InMemory()
    memory.put(b"before", NO)
    provisional = Provisional(memory, verdicts=True, acts=True)
    provisional.put(b"now", YES)
    assert (provisional.get(b"before"), provisional.get(b"now")) == (NO, YES)
    assert memory.get(b"now") is None
    provisional.release()
    assert memory.get(b"now") == provisional.get(b"now") == YES
    provisional.put(b"later", NO)
    assert memory.get(b"later") == NO


def test_acts_wait_in_their_order_and_of_the_latest_only_one_is_done():
    done: list[str] = []
    provisional = Provisional(InMemory(), acts=True)
    provisional.latest_once_sure(lambda: done.append("first output"))
    provisional.once_sure(lambda: done.append("step 1"))
    provisional.latest_once_sure(lambda: done.append("second output"))
    provisional.once_sure(lambda: done.append("step 2"))
    assert not done
    provisional.release()
    assert done == ["step 1", "step 2", "second output"]
    provisional.release()
    provisional.once_sure(lambda: done.append("step 3"))
    assert done[3:] == ["step 3"]


def test_without_a_check_nothing_waits():
    memory, done = InMemory(), list[str]()
    provisional = Provisional(memory)
    provisional.put(b"key", YES)
    provisional.once_sure(lambda: done.append("step"))
    provisional.latest_once_sure(lambda: done.append("output"))
    assert memory.get(b"key") == YES
    assert done == ["step", "output"]
