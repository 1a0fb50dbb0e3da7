"""Errors of Java's launcher in an output: the tool did not start, whatever its input is."""

from __future__ import annotations

import re

_ERROR = re.compile(
    r"^Error: (?:Could not (?:find or load main class|create the Java Virtual Machine)|Unable to (?:access jarfile"
    r"|initialize main class)|LinkageError occurred while loading main class).*(?:\n(?:Caused by: |\t)(?P<cause>.*))?$",
    re.MULTILINE,
)


def not_started(text: str) -> str:
    """Return the launcher's error in a text, with the cause where it names one; empty if there is none."""
    match = _ERROR.search(text)
    return "" if match is None else ": ".join(filter(None, [match[0].splitlines()[0], match["cause"]]))
