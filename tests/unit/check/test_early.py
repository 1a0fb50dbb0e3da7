"""A run that begins beside the first one where that takes long."""

from __future__ import annotations

import threading
import time

import pytest

from core.check import as_given
from core.check.as_given import EarlyRun

LONG = 60.0


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(as_given, "AFTER", 0.0)


def test_it_begins_only_where_the_first_run_takes_long(monkeypatch):
    monkeypatch.setattr(as_given, "AFTER", LONG)
    ran = threading.Event()
    early = EarlyRun(lambda cancel: ran.set(), threading.Event())
    early.first_is_over()
    assert early.result() is None
    assert not ran.is_set()


def test_it_gives_what_the_run_gave(at_once):
    begun = threading.Event()

    def run(cancel):
        begun.set()
        time.sleep(0.05)
        return 7

    early = EarlyRun(run, threading.Event())
    assert begun.wait(LONG)
    early.first_is_over()
    assert early.result() == 7
    assert early.result() == 7


def test_it_raises_what_the_run_raised(at_once):
    begun = threading.Event()

    def run(cancel):
        begun.set()
        raise OSError("no space")

    early = EarlyRun(run, threading.Event())
    assert begun.wait(LONG)
    with pytest.raises(OSError, match="no space"):
        early.result()
    early.end()


@pytest.mark.parametrize("by", ["end", "parent"])
def test_it_can_be_ended(at_once, by):
    cancel, begun, seen = threading.Event(), threading.Event(), []

    def run(flag):
        begun.set()
        while not flag.is_set():
            time.sleep(0.001)
        seen.append(flag)

    early = EarlyRun(run, cancel)
    assert begun.wait(LONG)
    if by == "parent":
        cancel.set()
        assert early.result() is None
    early.end()
    assert seen
