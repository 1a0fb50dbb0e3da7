"""Inputs without anything to fail: an empty jar, and one with an empty interface."""

from __future__ import annotations

import pytest

from core.check.check import check
from core.check.objections import NotInteresting
from core.check.runs import BEFORE_SEARCH, BESIDE_SEARCH, CHECK_ALONE, perform


def test_an_empty_jar_that_is_interesting_is_noted(state):
    checked = check(state("true", empty=True), CHECK_ALONE)
    assert checked.empty
    first = checked.message.partition("): ")[2].split(". ")[1]
    assert first.startswith("Warning: an empty jar is interesting too"), "before any advice"


@pytest.mark.parametrize(("but", "noted"), [("never", True), ("JarletControl", False)])
def test_a_failure_that_any_class_shows_is_noted(state, but, noted):
    body = f'unzip -l "$1" | grep -v {but} | grep -q "[.]class" && echo no JDK here'
    told = check(state(body, empty=True), CHECK_ALONE)
    assert not told.empty
    assert ("a jar with one empty interface is interesting too" in told.message) is noted
    assert ("The command says: 'no JDK here'" in told.message) is noted


def test_a_search_that_an_empty_jar_would_end_is_objected_to_with_the_words_of_the_command(state):
    one = state("echo; echo \"error: unknown option '-x'\" >&2; echo usage", empty=True)
    check(one, BEFORE_SEARCH)
    objection = perform(BESIDE_SEARCH, one)
    assert isinstance(objection, NotInteresting)
    assert objection.message.startswith("There is nothing to reduce: an empty jar is interesting too")
    assert objection.message.endswith("""The command says: "error: unknown option '-x'".""")
