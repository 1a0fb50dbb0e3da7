"""The order of versions is Maven's."""

import random

import pytest

from core.predicate.releases.coordinate import Coordinate, order_of

SORTED = (
    "0.9", "1-alpha1", "1.0-beta2", "1.0-beta10", "1.0-milestone1", "1.0-rc1", "1.0-SNAPSHOT", "1.0", "1.0-sp",
    "1.0-jre", "1.0.1-beta02", "1.0.1", "1.9.3", "1.10.0", "1.10.0.20171018", "7.1.0-beta3", "7.1.0", "31.1-android",
    "31.1-jre",
)  # fmt: skip


def test_versions_are_sorted_as_maven_sorts_them():
    mixed = list(SORTED)
    random.Random(1).shuffle(mixed)
    assert sorted(mixed, key=order_of) == list(SORTED)


@pytest.mark.parametrize(
    ("one", "other"), [("1.0", "1"), ("1.0.0-rc1", "1-cr1"), ("1.0-ga", "1"), ("1.0-b3", "1-beta-3")]
)
def test_versions_are_equal_where_maven_has_them_equal(one, other):
    assert order_of(one) == order_of(other)


def test_versions_of_thousands_of_digits_have_an_order() -> None:
    long = "9" * 5000
    assert order_of("2") < order_of(long) < order_of(f"1{long}") == order_of(f"01{long}")


def test_a_classifier_stands_behind_the_version_with_or_without_the_word_jar():
    for text in ("a.b:c:1.0:tests", "a.b:c:1.0:jar:tests"):
        assert Coordinate.parse(text).jar == "a/b/c/1.0/c-1.0-tests.jar"
    assert Coordinate.parse("a.b:c:1.0:jar").jar == Coordinate.parse("a.b:c:1.0").jar == "a/b/c/1.0/c-1.0.jar"
