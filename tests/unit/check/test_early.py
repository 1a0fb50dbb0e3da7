"""A run that begins beside the first one where that takes long."""

from __future__ import annotations

import threading
import time

import pytest

from core.check.early import EarlyRun

LONG = 60.0


def test_it_begins_only_where_the_first_run_takes_long():
    ran = threading.Event()
    early = EarlyRun(lambda cancel: ran.set(), threading.Event(), after=LONG)
    early.first_is_over()
    assert early.result() == []
    assert not ran.is_set()


def test_it_gives_what_the_run_gave_once():
    begun = threading.Event()

    def run(cancel):
        begun.set()
        time.sleep(0.05)
        return 7

    early = EarlyRun(run, threading.Event(), after=0.0)
    assert begun.wait(LONG)
    early.first_is_over()
    assert early.result() == [7]
    assert early.result() == [7]


def test_it_raises_what_the_run_raised():
    begun = threading.Event()

    def run(cancel):
        begun.set()
        raise OSError("no space")

    early = EarlyRun(run, threading.Event(), after=0.0)
    assert begun.wait(LONG)
    with pytest.raises(OSError, match="no space"):
        early.result()
    early.end()


@pytest.mark.parametrize("by", ["end", "parent"])
def test_it_can_be_ended(by):
    cancel, begun, seen = threading.Event(), threading.Event(), []

    def run(flag):
        begun.set()
        while not flag.is_set():
            time.sleep(0.001)
        seen.append(flag)

    early = EarlyRun(run, cancel, after=0.0)
    assert begun.wait(LONG)
    if by == "parent":
        cancel.set()
        assert early.result() == [None]
    early.end()
    assert seen
