"""Sentences about a tool that is older than the input."""

from __future__ import annotations

import pytest

from core.predicate.output.unfit_tools import unread_text
from core.predicate.verdict import Outcome, Verdict

JAVA_17 = [("a/A.class", b"\xca\xfe\xba\xbe\0\0\0\x3d")]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("java.lang.IllegalArgumentException: Unsupported class file major version 61", True),
        ("Error: Can't process class [a/A.class] (Unsupported version number [61.0] (maximum 57.0, Java 13))", True),
        ("bad class file: A.class\nclass file has wrong version 61.0, should be 52.0", True),
        ("UnsupportedClassVersionError: a/A has been compiled by a more recent version of the Java Runtime "
         "(class file version 61.0), this version recognizes up to 52.0", True),
        ("java.lang.IllegalArgumentException: Unsupported class file major version 69", False),  # of the JDK, perhaps
        ("61 classes read", False),
    ],
)  # fmt: skip
def test_a_tool_that_cannot_read_the_input_is_told_of(line: str, told: bool) -> None:
    outcomes = (
        Outcome(Verdict.INTERESTING, 1.0, 1, "", stderr=line),
        Outcome(Verdict.INTERESTING, 1.0, 1, "", failures=(line,)),
    )
    for outcome in outcomes:
        assert ("class files of Java 17, which the input has," in unread_text(outcome, JAVA_17)) is told
