"""The catalogue: its names, and spaces joined with minimisers."""

import pytest

from core.plan.catalogue import CATALOGUE, DEFAULT, find


def test_the_default_comes_first():
    assert next(iter(CATALOGUE)) == DEFAULT
    assert all(spec.title and spec.explanation.endswith(".") and spec.phases for spec in CATALOGUE.values())


def test_spaces_and_minimisers_are_joined_by_name():
    assert [phase.name for phase in find("closures/wprobdd").phases] == ["closures"]
    with pytest.raises(LookupError, match="choose among auto, simplify, gbr"):
        find("closures/luck")
