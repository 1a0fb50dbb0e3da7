"""The same failure before and after names changed, in the words of compilers, decompilers and stack traces."""

from __future__ import annotations

import pytest

from core.renaming import NOTHING_RENAMED, Neutral

PLAIN = NOTHING_RENAMED.then({"p/A$B": "p/A$B"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A.java: cannot find symbol; location: class B", "A$B.java: cannot find symbol; location: class A$B"),
        ("A.java: Object cannot be converted to B", "A$B.java: Object cannot be converted to A$B"),
        ("java.lang.VerifyError: Bad type in p.A.B", "java.lang.VerifyError: Bad type in p.A$B"),
        ("no source for p.A$B", "no source for p/A$B"),
    ],
)
def test_a_class_that_was_nested_is_found_again(before, after):
    assert PLAIN.read_back([after], [before, "another"]) == (before,)


def test_another_failure_stays_another():
    before = "A.java: cannot find symbol; symbol: method f()"
    assert PLAIN.read_back(["C.java: cannot find symbol; symbol: method f()"], [before]) == (
        "C.java: cannot find symbol; symbol: method f()",
    )


def test_occurrences_are_kept():
    before = "A.java: x; location: class B"
    assert PLAIN.read_back(["A$B.java: x; location: class A$B"] * 2, [before, before]) == (before, before)


def test_changes_follow_each_other():
    moved = PLAIN.then({"p/A$B": "p/C"})
    assert moved.classes == {"p/A$B": "p/C"}
    assert moved.is_same("C.java: C", "A.java: B")


def test_a_merged_class_in_a_new_text_is_no_class_of_the_program():
    merged = NOTHING_RENAMED.then({"p/A": "p/C", "p/B": "p/C"})
    assert merged.read_back(["bug in p.C"], ["bug in p.A"]) == ("bug in p.A",)
    assert merged.read_back(["bug in p.B"], ["bug in p.A"]) == ("bug in p.B",)


def test_a_method_that_merging_named_anew_is_read_back():
    """Also after a second new name; another thing of that name, such as a variable, is read as it is."""
    merged = NOTHING_RENAMED.then({"p/A": "p/C"}, {"f2": "f"}).then({"p/B": "p/C"}, {"f22": "f2"})
    before = ["A.java: method f() in A", "B.java: method f() in B", "A.java: variable f2"]
    after = ["C.java: method f2() in C", "C.java: method f22() in C", "C.java: variable f2"]
    assert sorted(merged.read_back(after, before)) == sorted(before)
    assert any("method f()" in text for text in merged.originals("method f22()"))
    assert merged.is_same("in p.C.f22", "in p.B.f")
    assert not merged.is_same("in p.C.g", "in p.B.f")


def test_a_pattern_finds_the_old_names():
    assert "A.java: no B in A.B" not in list(PLAIN.originals("x"))
    assert any("A.java: class A.B" in text for text in PLAIN.originals("A$B.java: class A$B"))


def test_neutral_names_of_local_classes_are_read_back_behind_their_numbers():
    neutral = Neutral({"p/A$1C2": "p/A$1Local"}, {}, {"C2": "Local"})
    assert neutral.undone("p/A$1C2, A$12C2 and C2, not A1C2") == "p/A$1Local, A$12Local and Local, not A1C2"
