"""The failures and the class path that settings ask for."""

from __future__ import annotations

from typing import Any

import pytest

from core.predicate.aim import demanded
from core.predicate.tool_chain import StepsPredicate
from core.protocol.settings import Settings
from core.service.aims import aim_of, condition_of


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({"preset": "procyon"}, 2),
        ({"preset": "procyon", "failures": "at least"}, 2),
        ({"preset": "procyon", "failures": "chosen one, no new kinds"}, 1),
        ({"preset": "procyon", "failures": "any"}, 1),
        ({"preset": "differ"}, 1),
        ({"predicate": "true", "failures_as": "javac"}, 2),
    ],
)
def test_as_many_failures_must_stay_as_have_names_of_their_own(given: dict[str, Any], number: int) -> None:
    assert demanded(aim_of(Settings(**given)).demand, ["one", "one", "other"], str) == number


def test_without_names_there_are_none() -> None:
    assert demanded(aim_of(Settings(predicate="true")).demand, (), str) == 0
    assert demanded(aim_of(Settings(preset="procyon", failures="any")).demand, (), str) == 0


def test_failures_may_be_left_without_names() -> None:
    condition = condition_of(Settings(predicate="true", failures_as="none"))
    assert (condition.reading, condition.wanted_exit) == (None, 0)


def test_a_library_that_an_argument_names_stays_on_the_class_path_of_a_program() -> None:
    options = {"main": "a.B", "arguments": "-aspectpath /l/one.jar"}
    libraries = ("/l/one.jar", "/l/two.jar")
    predicate = aim_of(Settings(preset="run", options=options, classpath=libraries)).predicate(None)
    assert isinstance(predicate, StepsPredicate)
    assert predicate.steps[0].words[-4:] == (
        "candidate.jar:/l/one.jar:/l/two.jar",
        "a.B",
        *options["arguments"].split(),
    )
