"""Failures in groups, by where each of them shows."""

from __future__ import annotations

from core.archive.jar import read_jar
from core.model import class_model
from core.service.searching.failure_groups import FailureGroups

WHEEL, AXLE = "p/Wheel.java: cannot find symbol; symbol: class T", "p/Wheel.java: ';' expected"
OTHER = "java.lang.IllegalStateException: # at p.Motor.start < p.Motor.run"
NAMELESS = "something else"
FAILURES = (WHEEL, WHEEL, AXLE, OTHER, NAMELESS)


def groups(compile_java) -> FailureGroups:
    sources = {f"p/{name}.java": f"package p; class {name} {{ }}" for name in ("Wheel", "Motor", "Gear")}
    return FailureGroups(class_model.build(read_jar([compile_java(sources)])), FAILURES, "")


def test_failures_of_one_source_file_or_class_are_a_group(compile_java):
    found = groups(compile_java)
    assert len(found) == len(found.suggests()) == 3


def test_a_group_shows_if_all_of_it_does_as_often_as_it_should(compile_java):
    found = groups(compile_java)
    assert found.shows(FAILURES) == [True] * 4
    assert found.shows((WHEEL, AXLE, OTHER)).count(False) == 2, "one too few, and what has no name of a class"
    assert found.shows(()) == [False, False, False, True]
    assert found.shows((*FAILURES, WHEEL)) == [True, True, True, False]
    assert found.shows((*FAILURES, "p/Gear.java: another")) == [True, True, True, False]
