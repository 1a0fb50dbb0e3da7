"""What the words of a failure name: the names of failures, javac's errors, stack traces, crash logs, any output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from core.evidence.clues import Mention
from core.evidence.mentions import ClassNames, outermost
from core.predicate.command import wording
from core.predicate.condition import Reference
from core.predicate.from_settings import wanted_by
from core.predicate.output import javac, traces
from core.predicate.output.declarations import FailurePlace
from core.predicate.verdict import Outcome
from core.protocol.settings import Settings

CRASH = "crash.txt"
"""Name of a file in the folder of runs: the logs of virtual machines that crashed in a run of the full input."""

_OF_FILE = re.compile(r"^(?P<path>(?:[A-Za-z]:)?[^\s:]*\.java):(?P<line>\d+:)? ")
_SIMPLE = re.compile(r"\b(?:class|interface|enum|record|type) ([\w$.]+)|\bsymbol: *\S+ ([\w$]+)")
_MEMBER = re.compile(
    r"\b(?:found for|reference to|variable|method(?! found for)) (?P<called>[\w$]+)|\b(?P<made>constructor) "
    r"|(?P<of>[\w$]+)\([^()]*\) in [\w$]|(?P<hidden>[\w$]+)(?:\([^()]*\))? has \w+ access in "
)
"""How javac's messages name members."""
_READ_CHARS = 1 << 16
"""Characters at each end of an output that are read. See decisions/001-evidence-order.md."""


class FailureReport(NamedTuple):
    """The failures that are wanted, as the run of the full input reports them."""

    failures: Sequence[str]
    """Their names."""
    output: str
    """Standard output and error of the run."""
    failed: bool
    """Whether the run's exit code is not 0."""
    command: str
    """The user's command, with the text of its scripts; empty for a preset."""
    places: Sequence[FailurePlace] = ()
    """Places in source files where the failures show."""


def failure_report(
    settings: Settings, outcome: Outcome, reference: Reference | None, failure: str | None, work: Path
) -> FailureReport:
    """Return what ``outcome`` of the full input tells of ``failure``, or of all failures that are wanted.

    ``reference`` has the run's output in full; the folder ``work`` has the logs of crashed virtual machines.
    """
    chosen = wanted.chosen if (wanted := wanted_by(settings)) is not None else ()
    failures = (failure,) if failure is not None else chosen or outcome.failures
    texts = [outcome.stdout, outcome.stderr] if reference is None else [reference.out, reference.err]
    with suppress(OSError):
        texts.append((work / CRASH).read_text(encoding="utf-8"))
    command = wording(settings.predicate) if settings.preset is None else ""
    places = reference.places if reference is not None else ()
    return FailureReport(failures, "\n".join(texts), bool(outcome.exit), command, places)


def mentions(
    names: ClassNames,
    failures: Sequence[str],
    output: str,
    failed: bool = True,
    places: Sequence[FailurePlace] = (),
) -> tuple[Mention, ...]:
    """What the ``failures`` name, innermost first, with what the ``output`` says of them and the ``places`` of source
    files where they show.

    Where the failures have no names, or name nothing of the input, what the output names: all of it where the command
    ``failed``, else its stack traces and errors of javac. The output of a program that does its work is no evidence.
    """
    wanted = set(failures)
    found = dict.fromkeys(_shown(names, [place for place in places if place.failure in wanted]))
    reports = [(problem.name, text) for problem, text in javac.reports(output) if problem.name in wanted]
    for text in [text for _, text in reports] + sorted(wanted - {name for name, _ in reports}):
        found |= dict.fromkeys(_of_javac(names, text) if _OF_FILE.match(text) else names.mentions(text))
    if not found and (failed or traces.names(output)):
        found = dict.fromkeys(names.mentions(_ends(output)))
    if not found:
        found = dict.fromkeys(each for _, text in javac.reports(output) for each in _of_javac(names, text))
    return tuple(sorted(found, key=lambda mention: not mention.member))


def heads(
    names: ClassNames, failures: Sequence[str], output: str, places: Sequence[FailurePlace] = ()
) -> tuple[Mention, ...]:
    """Where each of the ``failures`` shows, or else the class that it names first, as far as it names any: all of these
    are needed where all failures are."""
    texts = {problem.name: text for problem, text in javac.reports(output)}
    found: dict[Mention, None] = {}
    for failure in sorted(set(failures)):
        text = texts.get(failure, failure)
        named = list(_of_javac(names, text) if _OF_FILE.match(text) else names.mentions(text))
        shown = _shown(names, [place for place in places if place.failure == failure])
        if shown:
            found |= dict.fromkeys([*shown, *(mention for mention in named if mention.member)])
        else:
            found |= dict.fromkeys(Mention(mention.name) for mention in named[:1])
    return tuple(found)


def of_sources(failures: Sequence[str]) -> bool:
    """Whether all of these are of source files: then each is due to the class that its file was made of."""
    return all(_OF_FILE.match(failure) for failure in failures)


def home(names: ClassNames, failure: str) -> tuple[str, ...]:
    """The outermost classes of the source file that a failure is of, or the one that it names first."""
    file = _OF_FILE.match(failure)
    found = names.of_file(file["path"]) if file else [mention.name for mention in names.mentions(failure)[:1]]
    return tuple(dict.fromkeys(outermost(name) for name in found))


def crash_logs(folder: Path) -> str:
    """The logs that crashed virtual machines left in the folder of a run, or nothing."""
    texts = []
    for path in sorted(folder.glob("hs_err_pid*.log")):
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                texts.append(_crash_summary(file.read(_READ_CHARS)))
        except OSError:
            continue
    return "\n".join(texts)


def _shown(names: ClassNames, places: Sequence[FailurePlace]) -> list[Mention]:
    """The declarations of the input that source files show failures in."""
    found = (names.declared(place.path, place.declaration) for place in places)
    return list(dict.fromkeys(mention for mention in found if mention is not None))


def _of_javac(names: ClassNames, text: str) -> Iterator[Mention]:
    """The class that a source file was made of (its lines are not those of the class), then classes by simple names,
    then members of all of these."""
    match = _OF_FILE.match(text)
    if match is None:
        return
    own = names.of_file(match["path"])
    outermost = [name for name in own if "$" not in name.rpartition("/")[2]]
    simple = [part for found in _SIMPLE.finditer(text) for part in (found[1] or found[2]).split(".")]
    classes = dict.fromkeys([*(outermost or own[:1]), *(name for part in simple for name in names.simple(part))])
    yield from map(Mention, classes)
    members = {
        "<init>" if named["made"] else named["called"] or named["of"] or named["hidden"]: None
        for named in _MEMBER.finditer(text)
    }
    for member in members:
        yield from (Mention(name, member) for name in dict.fromkeys([*classes, *own]) if names.declares(name, member))


def _crash_summary(text: str) -> str:
    """Of a log of HotSpot's what it was compiling or running: the rest names hundreds of classes."""
    heads = ("# Problematic frame:", "Current CompileTask:", "# J ", "# j ", "J ", "j ")
    lines = text.splitlines()
    kept = [number for number, line in enumerate(lines) if line.startswith(heads)]
    shown = {place for number in kept for place in (number, number + 1)}
    return "\n".join(line for number, line in enumerate(lines) if number in shown)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _READ_CHARS else f"{text[:_READ_CHARS]}\n{text[-_READ_CHARS:]}"
