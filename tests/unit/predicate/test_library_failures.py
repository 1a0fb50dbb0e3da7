"""A demand by kinds on an input of which one class uses a library that javac does not find."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.predicate.condition import Reference, objection_to
from core.predicate.failure_kinds import FailureKinds, LibraryFailures
from core.predicate.failures import Wanted
from core.predicate.output import javac
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.searching.input_failures import InputFailures
from tests.unit.predicate.test_compiler_failures import compile_with_javac

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


def reference(errors: tuple[str, ...]) -> Reference:
    """The run with all errors: those of Meter are of the library, one not for certain, but for the string."""
    theirs = {name: "org.lib" for name in errors if name.startswith("Meter") and "incompatible" not in name}
    possible = {name: theirs.pop(name) for name in errors if "class Gauge; location" in name}
    assert possible
    return Reference(1, "", "", errors, kinds=KINDS, libraries=LibraryFailures(theirs, possible))


def test_a_candidate_needs_none_of_their_kinds_and_may_show_them(errors: tuple[str, ...]) -> None:
    full = reference(errors)
    left = tuple(name for name in errors if name not in full.of_libraries)
    assert not objection_to(Wanted(), errors, full)
    assert not objection_to(Wanted(), left, full)
    assert "variable" in objection_to(Wanted(), tuple(name for name in left if "variable" not in name), full)
    assert objection_to(Wanted.parse("at least"), left, full)


def test_neither_a_stall_nor_a_report_names_them_as_asked_for(errors: tuple[str, ...]) -> None:
    predicate = SimpleNamespace(reference=reference(errors))
    outcome = Outcome(Verdict.INTERESTING, 1.0, 1, "", failures=errors)
    ready = SimpleNamespace(aim=aim_of(Settings(preset="procyon")), outcome=outcome, predicate=predicate)
    failures = InputFailures(ready)  # type: ignore[arg-type]
    assert failures.wanted == Wanted(exceptions=True)
    assert failures.kept(None) == 2
    assert set(failures.of_libraries(errors)) == set(predicate.reference.of_libraries)


def test_kinds_of_which_another_failure_is_stay(errors: tuple[str, ...]) -> None:
    full = reference(errors)
    assert {KINDS.of_name(name) for name in full.of_libraries} == {
        "package # does not exist",
        "cannot find symbol; symbol: class",
        "method does not override or implement a method from a supertype",
    }
    # a variable that is not found is also one of Plain
    assert {name for name in full.libraries.certain if name not in full.of_libraries} == {
        name for name in errors if name.startswith("Meter") and "variable" in name
    }


def test_where_nothing_else_fails_they_stay() -> None:
    missing = "Meter.java: package org.lib does not exist"
    full = Reference(1, "", "", (missing,), kinds=KINDS, libraries=LibraryFailures({missing: "org.lib"}))
    assert full.of_libraries == ()
    assert objection_to(Wanted(), (), full) == "no failure"


def test_a_kind_of_which_nothing_is_certain_stays(errors: tuple[str, ...]) -> None:
    only = LibraryFailures({}, {name: "org.lib" for name in errors if "does not override" in name})
    assert Reference(1, "", "", errors, kinds=KINDS, libraries=only).of_libraries == ()
