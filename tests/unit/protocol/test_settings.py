"""Settings: types and ranges are checked in one place, wherever they come from, and each mistake is a sentence."""

import json
import math

import pytest

from core.errors import UsageError
from core.protocol.settings import Settings
from tests.support.rows import rows

WRONG = [
    *(
        (name, value)
        for name in ("timeout", "time_limit")
        for value in (0, -1, math.nan, math.inf, "5", True, [5], 1e9)
    ),
    *(
        (name, value)
        for name in ("memory", "jobs", "max_probes", "check_runs")
        for value in (0, -1, 1.5, "5", True, {})
    ),
    ("jobs", 10**9),
    ("jobs", 10**5000),
    ("keep", [10**5000]),
    ("memory", 10**30),
    ("expect_exit", 1000),
    ("expect_exit", "1"),
    ("also_interesting", 1.0),
    *((name, 5) for name in ("predicate", "preset", "match", "no_match", "failures_as", "failures", "algorithm")),
    *((name, None) for name in ("predicate", "algorithm", "granularity", "validity", "check_runs")),
    ("predicate", "a\0b"),
    *(
        (name, value)
        for name in ("preserve", "classpath", "keep", "drop_first")
        for value in ("exit", 5, [5], {"a": 1})
    ),
    *((name, value) for name in ("warm", "classic", "thorough") for value in (1, 0, "yes", None)),
    *(("options", value) for value in (5, "a", ["a"], {"main": 5}, None)),
    ("granularity", ["full"]),
    ("algorithm", {"name": "auto"}),
]


@rows(("name", "value"), WRONG)
def test_a_wrong_value_is_a_sentence_that_names_the_field(name, value):
    with pytest.raises(UsageError) as caught:
        Settings.from_json({"predicate": "true", name: value})
    assert name.replace("_", " ") in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_setting_of_an_earlier_version_is_passed_over():
    assert Settings.from_json({"predicate": "true", "least": "greedy"}) == Settings(predicate="true")


@pytest.mark.parametrize("values", [None, 5, "text", [], [["predicate", "true"]]])
def test_settings_that_are_no_object(values):
    with pytest.raises(UsageError, match="settings must be an object"):
        Settings.from_json(values)


def test_an_unknown_name_of_any_length_is_told_in_a_short_sentence():
    with pytest.raises(UsageError, match="Unknown settings") as caught:
        Settings.from_json({"predicate": "true", "x" * 40_000: 1})
    assert len(str(caught.value)) < 1000


def test_what_is_right_comes_back_as_it_was():
    settings = Settings(
        predicate="true", preserve=frozenset({"exit"}), expect_exit=-11, timeout=0.5, memory=64, classpath=("a", "b"),
        jobs=8, time_limit=10, max_probes=3,
    )  # fmt: skip
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    assert Settings.from_json({"predicate": "true", "keep": None, "preserve": []}) == Settings(predicate="true")
