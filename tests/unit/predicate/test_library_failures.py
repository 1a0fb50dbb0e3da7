"""Failures that come from missing libraries: of a jar of which one class uses a library that javac does not find."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest

from core.predicate.condition import Reference, objection_to
from core.predicate.failure_kinds import FailureKinds
from core.predicate.failures import Wanted
from core.predicate.output import javac
from core.predicate.output.library_failures import of_libraries
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.service.searching.input_failures import InputFailures
from tests.unit.predicate.test_failures import compile_with_javac

SOURCES = {
    "own/Meter.java": """package own;
import org.lib.Gauge;
class Meter extends Gauge { Gauge made; @Override public String label() { return Gauge.build(); } String s = 3; }
""",
    "own/Plain.java": "package own; class Plain { String s = unknown; }",
}
KINDS = FailureKinds(frozenset({"own/Meter", "own/Plain", "own/Plain$In", "own/deep/Other"}))


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The names of javac's errors."""
    return javac.names(compile_with_javac(tmp_path_factory.mktemp("libraries"), SOURCES))


def test_what_follows_from_a_missing_package_in_the_same_file_need_not_stay(errors: tuple[str, ...]) -> None:
    found = of_libraries(errors, KINDS)
    assert {KINDS.of_name(name) for name in found} == {
        "package # does not exist",
        "cannot find symbol; symbol: class",
        "method does not override or implement a method from a supertype",
    }
    # "String s = 3" is of no library, and a variable that is not found is also one of Plain
    left = Counter(map(KINDS.of_name, set(errors) - set(found)))
    types, variable = "incompatible types: int cannot be converted to String", "cannot find symbol; symbol: variable"
    assert left == {types: 1, variable: 2}


def test_a_candidate_needs_none_of_their_kinds_and_may_show_them(errors: tuple[str, ...]) -> None:
    full = Reference(1, "", "", errors, kinds=KINDS)
    left = tuple(name for name in errors if name not in full.of_libraries)
    assert not objection_to(Wanted(), errors, full)
    assert not objection_to(Wanted(), left, full)
    assert "variable" in objection_to(Wanted(), tuple(name for name in left if "variable" not in name), full)
    assert objection_to(Wanted.parse("at least"), left, full)


def test_neither_a_stall_nor_a_report_names_them_as_asked_for(errors: tuple[str, ...]) -> None:
    predicate = SimpleNamespace(reference=Reference(1, "", "", errors, kinds=KINDS))
    outcome = Outcome(Verdict.INTERESTING, 1.0, 1, "", failures=errors)
    ready = SimpleNamespace(settings=Settings(preset="procyon"), outcome=outcome, predicate=predicate)
    failures = InputFailures(ready)  # type: ignore[arg-type]
    assert failures.wanted == Wanted()
    assert failures.kept(None) == 2
    assert set(failures.of_libraries(errors)) == set(predicate.reference.of_libraries)


def test_where_nothing_else_fails_they_stay() -> None:
    missing = ("Meter.java: package org.lib does not exist", "Meter.java: package com.sun.inner is not visible")
    assert of_libraries(missing, KINDS) == ()
    assert objection_to(Wanted(), (), Reference(1, "", "", missing, kinds=KINDS)) == "no failure"


@pytest.mark.parametrize(
    "message",
    [
        "package own.Plain does not exist",  # a class of the input as a package: a tool has lost its name
        "package Plain does not exist",
        "package own.Plain.Gone does not exist",
        "package java.nothing does not exist",
        "package Map does not exist",
        "cannot find symbol; symbol: class Plain1; location: package own.deep",
        "class file for own.Plain$In not found",
    ],
)
def test_what_lacks_a_name_of_the_input_or_the_jdk_is_no_failure_of_a_library(message: str) -> None:
    assert of_libraries([f"Meter.java: {message}", "Plain.java: ';' expected"], KINDS) == ()
