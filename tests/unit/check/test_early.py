"""The run of the input as given, beside a first run that takes long."""

from __future__ import annotations

import time

import pytest

from core.check import as_given
from core.check.as_given import AsGiven, begin_early
from core.errors import OutputError

LONG = 60.0


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(as_given, "AFTER", 0.0)


def test_it_does_not_begin_after_a_short_first_run(monkeypatch, state, tmp_path):
    monkeypatch.setattr(as_given, "AFTER", LONG)
    one = state("echo run >>{log}")
    one.first_over.set()
    begin_early(one)
    assert one.early.result() is None
    assert not (tmp_path / "log").exists()


def test_its_result_is_the_run_of_the_file_itself(at_once, state, jar):
    one = state(f"cmp -s $1 {jar}")
    begin_early(one)
    assert one.early.result()[1].interesting
    assert not one.predicate.probe(one.entries, one.next_folder()).interesting


def test_an_error_of_it_is_raised_where_its_result_is_wanted(at_once, state):
    one = state("true")
    one.context.work.rmdir()
    one.context.work.touch()
    begin_early(one)
    with pytest.raises(OutputError, match="cannot be written"):
        one.early.result()
    one.close()


def test_it_ends_with_the_check(at_once, state, tmp_path):
    one, log = state("echo run >>{log}; exec sleep 600"), tmp_path / "log"
    begin_early(one)
    until = time.monotonic() + LONG
    while not log.exists() and time.monotonic() < until:
        time.sleep(0.01)
    one.context.cancel.set()
    one.close()
    assert one.early.over
    assert log.exists()


def test_the_jars_of_the_user_are_written_as_they_are_and_nothing_is_compressed_for_them() -> None:
    packer = AsGiven({"a.jar": b"as given"})
    entries = [("a.jar!/p/C.class", b"class"), ("b.txt", b"text")]
    assert packer.folded(entries) == [("a.jar", b"as given"), ("b.txt", b"text")]
    assert packer.held == 0
