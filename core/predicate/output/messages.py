"""Messages of errors in a text, and logs of crashed virtual machines.

A message is a line that reports an error, with its continuation lines. It does so by a word for an error, by the type
of an exception, or by a frame of a stack behind it. Indented lines below, causes, and source code behind a bar belong
to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

_TYPE = re.compile(r"(?<![\w$./])(?:[\w$]+[./])*[A-Z][\w$]*(?:Exception|Error|Throwable)\b")
_WORD = re.compile(
    r"(?<![\w$./-])(?:errors?|exception|fail(?:ed|s|ure)?|fatal|cannot|can't|could not|couldn't|unable|invalid|illegal"
    r"|bad|broken|corrupt(?:ed)?|unexpected|unsupported|unresolved|undefined|unknown|missing|mismatch|malformed|conflicts?"
    r"|duplicate|crash(?:ed)?|incompatible|not (?:found|supported|resolved|a member|valid)|does not|e: \w+:)"
    r"(?![\w$/-]|\.\w)",
    re.IGNORECASE,
)
"""Words for errors that are no part of a name."""
_FRAME = re.compile(r"(?:\S*[\]:|])?\s+[Aa]t [\w.$<>/@-]+\(")
_BELONGS = re.compile(r"\s+\S|Caused by: |Suppressed: |Exception Details:|\d+\s*\|")
_COLOUR = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07)|\r(?=\n)")
"""Sequences by which a terminal changes colours, clears lines or goes to the beginning of one."""
_DECORATION = re.compile(r"^(?:[ \t]*(?:\[[^\[\]]*\]:?|\d+[-:./][\w:.,/+-]*|[\w.-]+[ \t]*\|)(?=[ \t]))+ ?")
"""Words of a build tool or a log before a line: levels and threads in brackets, dates and times, names of services."""
_READ_CHARS = 1 << 16
"""Number of characters read at each end of an output. See decisions/001-evidence-order.md."""


FOLDERS = (r"(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][^\s/\\:;,()]+)+[/\\](?=[^\s/\\])", "")
"""Pattern of the folders before a file name, which goes without them."""


def replacing(*pairs: tuple[str, str]) -> Callable[[str], str]:
    """Return the function that replaces the matches of each pattern in a text, pattern by pattern."""
    known = [(re.compile(pattern), by) for pattern, by in pairs]

    def replaced(text: str) -> str:
        for pattern, by in known:
            text = pattern.sub(by, text)
        return text

    return replaced


def uncoloured(text: str) -> str:
    """Return an output as a terminal shows it, but without colours."""
    return _COLOUR.sub("", text)


def undecorated(line: str) -> str:
    """Return a line as the tool wrote it whose output a build tool or a log passes on."""
    return _DECORATION.sub("", line)


def messages(text: str, ours: Callable[[str], bool]) -> Iterator[str]:
    """Yield the messages of errors in a text. A type of an exception that is one of ``ours``, the input's, tells of no
    error: a list of classes may name it.
    """
    block: list[str] = []
    lines = ends(text).splitlines()
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        if block and _BELONGS.match(line):
            block.append(line)
            continue
        if block:
            yield "\n".join(block)
        block = [line] if _tells(line, ours) or _FRAME.match(following) else []
    if block:
        yield "\n".join(block)


def _tells(line: str, ours: Callable[[str], bool]) -> bool:
    return _WORD.search(line) is not None or any(not ours(found[0]) for found in _TYPE.finditer(line))


def crash_logs(folder: Path) -> str:
    """Return the logs of crashed virtual machines in the folder of a run; empty if there are none."""
    texts = []
    for path in sorted(folder.glob("hs_err_pid*.log")):
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                texts.append(_crash_summary(file.read(_READ_CHARS)))
        except OSError:
            continue
    return "\n".join(texts)


def ends(text: str) -> str:
    """Return the beginning and the end of a long text."""
    return text if len(text) <= 2 * _READ_CHARS else f"{text[:_READ_CHARS]}\n{text[-_READ_CHARS:]}"


def _crash_summary(text: str) -> str:
    """Return the lines of HotSpot's log about the method that it compiled or ran. The rest names hundreds of
    classes.
    """
    heads = ("# Problematic frame:", "Current CompileTask:", "# J ", "# j ", "J ", "j ")
    lines = text.splitlines()
    kept = [number for number, line in enumerate(lines) if line.startswith(heads)]
    shown = {place for number in kept for place in (number, number + 1)}
    return "\n ".join(["Crashed virtual machine:", *(line for number, line in enumerate(lines) if number in shown)])
