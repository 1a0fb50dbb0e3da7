"""Failing tests in a text, by name: of JUnit's runners and console launcher, of Surefire, and in XML reports.

A name reads ``a.b.CTest.sums: java.lang.AssertionError: expected:<#> but was:<#>``: the test without its parameters, or
the class where no test of it began, then the exception.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from core.predicate.output import traces

REPORTS = "TEST-*.xml"
"""Pattern of the names of XML reports."""

_TESTS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^\d+\) (?P<method>[\w$]+)(?:\[.*\])?\((?P<type>[\w.$]+)\)$",
        r"^\d+\) (?P<method>)(?P<type>(?:[\w$]+\.)+[\w$]+)$",
        r"^ *(?:Class|Method)Source \[className = '(?P<type>[^']+)'(?:, methodName = '(?P<method>[^']+)'|)",
        r"^(?:\[ERROR\] )?(?P<type>[\w.$]+)\.(?P<method>[\w$]+)(?:[({\[].*)?\s.*<<< (?:FAILURE|ERROR)!",
        r"^(?:\[ERROR\] )?(?P<method>[\w$]+)(?:[{\[].*)?\((?P<type>[\w.$]+)\)\s.*<<< (?:FAILURE|ERROR)!",
        r"<testcase (?=[^>]*\bclassname=\"(?P<type>[^\"]+)\")(?=[^>]*\bname=\"(?P<method>[^\"({\[]*))[^>]*>"
        r"\s*<(?=failure|error)",
    )
)
_EXCEPTION = re.compile(r"(?:^|=> |CDATA\[|>)(?P<text>(?:[a-z_$][\w$]*\.)+[A-Z_$][\w$.]*(?:: .*)?)$", re.MULTILINE)


def names(text: str) -> tuple[str, ...]:
    """Return a name for each failing test in ``text``, sorted; a test that is told twice counts once."""
    found: dict[str, str] = {}
    places = sorted((match for pattern in _TESTS for match in pattern.finditer(text)), key=re.Match.start)
    for match, end in zip(places, [*(place.start() for place in places), len(text)][1:], strict=True):
        test = ".".join(filter(None, (match["type"], html.unescape(match["method"] or "").strip())))
        exception = _EXCEPTION.search(text, match.end(), end)
        found.setdefault(test, traces.template(html.unescape(exception["text"])) if exception else "")
    return tuple(sorted(": ".join(filter(None, pair)) for pair in found.items()))


def reports(folder: Path) -> str:
    """Return the text of the XML reports in a folder and below it, in the order of their paths."""
    return "\n".join(path.read_text("utf-8", "replace") for path in sorted(folder.rglob(REPORTS)))
