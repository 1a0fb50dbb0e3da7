"""Complaints of tools about class files that are newer than they can read."""

from __future__ import annotations

import re

from core.entries import Entries
from core.library.jdks import java_of, needed_java
from core.predicate.verdict import Outcome

_UNREAD = re.compile(
    r"(?i)unsupported class file (?:major )?version:? (\d+)|unsupported version number \[(\d+)\.\d+\]"
    r"|class file has wrong version (\d+)\.\d+|\(class file version (\d+)\.\d+\)"
)
"""The version of a class file that a tool does not read: in the words of ASM, of ProGuard, of javac, of the JVM."""


def unread_text(outcome: Outcome, entries: Entries) -> str:
    """Return a warning where a run of ``entries`` complains that class files of their newest version cannot be read:
    the tool, or what it runs on, is older than the input. Empty for other outputs."""
    output = "\n".join([*outcome.failures, outcome.stdout, outcome.stderr])
    told = {java_of(int(next(filter(None, match.groups())))) for match in _UNREAD.finditer(output)}
    needed = needed_java(entries)
    if needed not in told:
        return ""
    return (
        f"class files of Java {needed}, which the input has, cannot be read, and that is what fails: take a "
        "newer version of the tool."
    )
