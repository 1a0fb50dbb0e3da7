"""Signs in an output of a tool that is unfit for any input like this one: it did not start, or it cannot read such new
class files."""

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
    """Return a warning if a run of ``entries`` complains that class files of their newest version cannot be read: the
    tool, or the Java under it, is older than the input. Empty for other outputs."""
    output = "\n".join([*outcome.failures, outcome.stdout, outcome.stderr])
    told = {java_of(int(next(filter(None, match.groups())))) for match in _UNREAD.finditer(output)}
    needed = needed_java(entries)
    if needed not in told:
        return ""
    return (
        f"class files of Java {needed}, which the input has, cannot be read, and that is what fails: take a "
        "newer version of the tool."
    )


_ERROR = re.compile(
    r"^Error: (?:Could not (?:find or load main class|create the Java Virtual Machine)|Unable to (?:access jarfile"
    r"|initialize main class)|LinkageError occurred while loading main class).*(?:\n(?:Caused by: |\t)(?P<cause>.*))?$",
    re.MULTILINE,
)


def not_started(text: str) -> str:
    """Return the launcher's error in a text, with the cause where it names one; empty if there is none."""
    match = _ERROR.search(text)
    return "" if match is None else ": ".join(filter(None, [match[0].splitlines()[0], match["cause"]]))
