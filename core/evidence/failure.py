"""What the words of a failure name: the names of failures, javac's errors, stack traces, crash logs, any output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from core.evidence.clues import Mention
from core.evidence.mentions import ClassNames
from core.predicate import javac, traces

_OF_FILE = re.compile(r"^(?P<path>(?:[A-Za-z]:)?[^\s:]*\.java):(?P<line>\d+:)? ")
_SIMPLE = re.compile(r"\b(?:class|interface|enum|record|type) ([\w$.]+)|\bsymbol: *\S+ ([\w$]+)")
_SHOWN = 1 << 16
"""Characters at each end of an output that are read."""


def mentions(names: ClassNames, failures: Sequence[str], output: str, failed: bool = True) -> tuple[Mention, ...]:
    """What the ``failures`` name, innermost first, with what the ``output`` says of them.

    Where the failures have no names, or name nothing of the input, what the output names: all of it where the command
    ``failed``, else its stack traces and errors of javac. The output of a program that does its work is no evidence.
    """
    found: dict[Mention, None] = {}
    wanted = set(failures)
    told = [(problem.name, text) for problem, text in javac.reports(output) if problem.name in wanted]
    for text in [text for _, text in told] + sorted(wanted - {name for name, _ in told}):
        found |= dict.fromkeys(_of_javac(names, text) if _OF_FILE.match(text) else names.mentions(text))
    if not found and (failed or traces.names(output)):
        found = dict.fromkeys(names.mentions(_ends(output)))
    if not found:
        found = dict.fromkeys(each for _, text in javac.reports(output) for each in _of_javac(names, text))
    return tuple(sorted(found, key=lambda mention: not mention.member))


def heads(names: ClassNames, failures: Sequence[str], output: str) -> tuple[str, ...]:
    """The class that each of the ``failures`` names first, as far as it names any: all of these are needed where all
    failures are."""
    told = {problem.name: text for problem, text in javac.reports(output)}
    found: dict[str, None] = {}
    for failure in sorted(set(failures)):
        text = told.get(failure, failure)
        of_one = _of_javac(names, text) if _OF_FILE.match(text) else names.mentions(text)
        found |= dict.fromkeys(mention.name for mention in islice(of_one, 1))
    return tuple(found)


def named(
    names: ClassNames, failures: Sequence[str], output: str, failed: bool, command: str = ""
) -> tuple[tuple[str, str], ...]:
    """The classes that the ``command`` or the failure names, each with the beginning of the names of a member's items
    where it is named too; else as :func:`mentions`."""
    found = [*names.paths(command), *mentions(names, failures, output, failed)]
    return tuple(dict.fromkeys((one.name, f"{one.member}:{one.descriptor}" if one.member else "") for one in found))


def crash_logs(folder: Path) -> str:
    """The logs that crashed virtual machines left in the folder of a run, or nothing."""
    texts = []
    for path in sorted(folder.glob("hs_err_pid*.log")):
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                texts.append(_told_by_crash(file.read(_SHOWN)))
        except OSError:
            continue
    return "\n".join(texts)


def _of_javac(names: ClassNames, text: str) -> Iterator[Mention]:
    """The class that a source file was made of (its lines are not those of the class), then classes by simple names."""
    match = _OF_FILE.match(text)
    if match is None:
        return
    own = names.of_file(match["path"])
    outermost = [name for name in own if "$" not in name.rpartition("/")[2]]
    yield from (Mention(name) for name in outermost or own[:1])
    for simple in _SIMPLE.finditer(text):
        for part in (simple[1] or simple[2]).split("."):
            yield from map(Mention, names.simple(part))


def _told_by_crash(text: str) -> str:
    """Of a log of HotSpot's what it was compiling or running: the rest names hundreds of classes."""
    heads = ("# Problematic frame:", "Current CompileTask:", "# J ", "# j ", "J ", "j ")
    lines = text.splitlines()
    kept = [number for number, line in enumerate(lines) if line.startswith(heads)]
    shown = {place for number in kept for place in (number, number + 1)}
    return "\n".join(line for number, line in enumerate(lines) if number in shown)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _SHOWN else f"{text[:_SHOWN]}\n{text[-_SHOWN:]}"
