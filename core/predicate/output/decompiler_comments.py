"""Comments in which CFR, Procyon, Vineflower and Fernflower report their failure on a method or a class.

They stand in decompiled source, mostly in the body of the method, or behind the name of a file in the output of
``grep``. Most have the stack trace of the failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from core.predicate.output.declarations import SourceFile

_COMMENT = re.compile(
    r"^(?:(?P<place>[^\s:]+)(?::\d+)?:)?\s*(?://|/?\*+)\s*(?P<words>This method has failed to decompile"
    r"|This method could not be decompiled|\$[VF]F: Couldn't be decompiled|\$VF: Unable to decompile class)"
    r"(?=(?P<rest>.*(?:\n[ \t]*(?://|\*).*)*))",
    re.MULTILINE,
)
_LEAD = re.compile(r"(?m)^[ \t]*(?://|\*) ?")
_TRACE = re.compile(r"(?m)^\S.*\n(?:\s+at .*\n?|Caused by: .*\n?|\s+\.\.\. \d+ more\n?)+")
_PACKAGE = re.compile(r"package\s+(?P<name>[\w$.]+)\s*;")
_SOURCE = re.compile(rf"^(?={_PACKAGE.pattern})", re.MULTILINE)
"""The start of a source file in a text of several."""


def names(text: str) -> tuple[str, ...]:
    """Return the places of the comments in a text: ``a.b.C.m`` where the source is in the text, else a file, else
    nothing but an empty name.
    """
    return tuple(name for name, *_ in _comments(text))


def summary(text: str, path: str) -> str:
    """Return a line for each comment in the source file ``path``; :func:`names` of it are methods, or the file."""
    return "".join(f"{name or path}: // {words}\n" for name, _, words, _ in _comments(text))


def crashes(folder: Path) -> str:
    """Return the comments in the sources of a folder that have a stack trace: file, line and words, then the trace."""
    found = []
    for path in sorted(folder.rglob("*.java")):
        text = path.read_text("utf-8", "replace")
        for _, line, words, rest in _comments(text):
            if trace := _TRACE.search(_LEAD.sub("", rest)):
                place = path.relative_to(folder.parent).as_posix()
                found.append(f"{place}:{line}: // {words}\n{trace[0].rstrip()}\n")
    return "\n".join(found)


def _comments(text: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield the place of each comment, its line, its words, and its text behind these."""
    starts = [0, *(source.start() for source in _SOURCE.finditer(text)), len(text)] if "decompile" in text else []
    for start, end in pairwise(starts):
        part = text[start:end]
        package, source = _PACKAGE.match(part), SourceFile(part)
        for match in _COMMENT.finditer(part):
            place = match["place"] or ""
            if not place:
                found = source.declaration_at(part.count("\n", 0, match.start("words")) + 1)
                place = ".".join(filter(None, (*found.types, found.member)))
                place = f"{package['name']}.{place}" if place and package else place
            yield place, text.count("\n", 0, start + match.start("words")) + 1, match["words"], match["rest"]
