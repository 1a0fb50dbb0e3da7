"""Failures in groups, by where each of them shows."""

from __future__ import annotations

from core.archive.jar import read_jar
from core.evidence.failure_sites import FailureSites
from core.model import class_model
from core.search.sites import Blame

WHEEL, AXLE = "p/Wheel.java: cannot find symbol; symbol: class T", "p/Wheel.java: ';' expected"
OTHER = "java.lang.IllegalStateException: # at p.Motor.start < p.Motor.run"
NAMELESS = "something else"
FAILURES = (WHEEL, WHEEL, AXLE, OTHER, NAMELESS)


def groups(compile_java) -> FailureSites:
    sources = {f"p/{name}.java": f"package p; class {name} {{ }}" for name in ("Wheel", "Motor", "Gear")}
    return FailureSites(class_model.build(read_jar([compile_java(sources)])), FAILURES, "")


def test_failures_of_one_source_file_or_class_are_a_group(compile_java):
    found = groups(compile_java)
    assert found.count == len(found.suggests()) == 3
    assert [found.of(name) for name in ("p/Wheel", "p/Wheel$Rim", "p/Motor", "p/Gear")] == [1, 1, 0, 3]


def test_a_group_shows_if_all_of_it_does_as_often_as_it_should(compile_java):
    found = groups(compile_java)
    assert found.shows(FAILURES) == [True] * 4
    assert found.shows((WHEEL, AXLE, OTHER)).count(False) == 2, "one too few, and what has no name of a class"
    assert found.shows(()) == [False, False, False, True]
    assert found.shows((*FAILURES, WHEEL)) == [True, True, True, False]
    assert found.shows((*FAILURES, "p/Gear.java: another")) == [True, True, True, False]


def test_what_is_lost_or_new_is_to_be_blamed_on_where_it_shows(compile_java):
    found = groups(compile_java)
    assert found.blamed(FAILURES) == Blame(set())
    assert found.blamed((WHEEL, WHEEL, AXLE, NAMELESS)) == Blame({0})
    assert found.blamed((*FAILURES, WHEEL)) == Blame({1})
    assert found.blamed((*FAILURES, "p/Gear.java: another")) == Blame({3})
    assert found.blamed((*FAILURES, "another")) == Blame({3})
    assert found.blamed(("p/Motor.java: ';' expected",)) == Blame({0}, hidden=True)
    assert found.blamed(()) == Blame(set(), hidden=True)
