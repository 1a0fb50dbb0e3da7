"""Variations of a source: constant conditions are opened, choices become branches; nothing else changes."""

import pytest

from core.recompile.variations import variations

PLAIN = "int f(int i) {\n    i = 1;\n    return i;\n}\n"


def texts(source: str) -> list[str]:
    return [found["A.java"] for found in variations({"A.java": source})]


def test_a_source_without_constants_and_choices_has_no_variation() -> None:
    assert texts(PLAIN) == []


def test_constant_conditions_are_opened_of_if_first_and_then_of_loops() -> None:
    first, second, third, _ = texts("if (false) { f(); }\nwhile (true) { g(); }\n")
    assert first == "if (null != null) { f(); }\nwhile (true) { g(); }\n"
    assert second == "if (null != null) { f(); }\nwhile (null == null) { g(); }\n"
    assert third == "if (((Object) null) != null) { f(); }\nwhile (true) { g(); }\n"


@pytest.mark.parametrize(
    ("choice", "branches"),
    [
        ("int n = this == null ? 0 : 65535;", "int n; if (this == null) { n = 0; } else { n = 65535; }"),
        ("this.n = f(a) ? (b) : c[0];", "if (f(a)) { this.n = (b); } else { this.n = c[0]; }"),
    ],
)
def test_a_choice_becomes_branches(choice: str, branches: str) -> None:
    assert texts(f"    {choice}\n") == [f"    {branches}\n"]


@pytest.mark.parametrize(
    "kept", ["n = f(a ? b : c);", "n = a ? b : c ? d : e;", 'n = a ? "x;" : "y";', "f(a ? b : c);"]
)
def test_what_is_no_single_choice_stays(kept: str) -> None:
    assert texts(f"    {kept}\n") == []


def test_both_are_combined() -> None:
    both = "    if (true) {\n    n = a ? b : c;\n    }\n"
    assert "    if (null == null) {\n    if (a) { n = b; } else { n = c; }\n    }\n" in texts(both)
