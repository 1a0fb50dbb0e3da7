"""Classes and members named in a failure's text: names of failures, errors of javac, stack traces, crash logs, any
output.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

from core.classfile.descriptors import outermost
from core.errors import OutputError, UsageError
from core.evidence.clues import Mention
from core.evidence.mentions import ClassNames, simple_name
from core.predicate.aim import Aim
from core.predicate.condition import Reference
from core.predicate.failure_kinds import KindOf
from core.predicate.jvm.stuck import HANG, hang_text
from core.predicate.output import declarations, decompiler_comments, javac, traces
from core.predicate.output.declarations import FailurePlace
from core.predicate.output.left_files import SILENT, SWITCHED_OFF, LeftFile, left_files, to_compare, told
from core.predicate.output.listening import starts_javac
from core.predicate.output.messages import crash_logs, ends, messages, uncoloured
from core.predicate.verdict import Outcome
from core.protocol.java_names import java_name
from core.sets import listed_by
from core.values import conform

CRASH = "crash.txt"
"""Name of a file in the folder of runs: the logs of crashed virtual machines in a run of the full input, and the files
with failures that the command left.
"""

_PLACES = "places.json"
"""Name of a file beside it: the places in source files of the failures in those files."""

OF_FILE = re.compile(r"^(?P<path>(?:[A-Za-z]:)?[^\s:]*\.java):(?P<line>\d+:)? ")
_SIMPLE = re.compile(r"\b(?:class|interface|enum|record|type|object|trait|loading) ([\w$.]+)|\bsymbol: *\S+ ([\w$]+)")
_OWNER = re.compile(r"\bin ([A-Z]\w*)")
_MEMBER = re.compile(
    r"(?<![\w$])(?=[\w$])(?:(?:found for|reference to|variable|method(?! found for)) (?P<called>[\w$]+)"
    r"|(?P<made>constructor) |(?P<owned>[\w$]++)(?:\([^()]*\) in [\w$]|(?:\([^()]*\))? has \w+ access in ))"
)
"""Patterns of members in javac's messages. Each word is looked at once: there may be thousands of errors."""

_GREP = re.compile(r"""\bgrep(?:\s+-\S+)*\s+(?:(["'])(?P<quoted>.*?)\1|(?P<word>[^\s|;&]+))""")
"""Pattern of what a script looks for."""


class FailureReport(NamedTuple):
    """The wanted failures, as the run of the full input reports them."""

    failures: Sequence[str]
    """Names of the wanted failures."""
    output: str = ""
    """Standard output and error of the run."""
    failed: bool = False
    """True if the run's exit code is not 0."""
    command: str = ""
    """The user's command, with the text of its scripts; empty for a preset."""
    places: Sequence[FailurePlace] = ()
    """Places in source files where the wanted failures show."""
    kind_of: KindOf | None = None
    """Function that gives the kind of a failure; None where each failure is wanted as often as it comes."""
    known: frozenset[str] = frozenset()
    """The kinds of all failures of the full input."""
    sources: str = ""
    """The texts of the source files that the command names."""
    begin_with: Sequence[str] = ()
    """The classes with which the user wants the search to begin, and texts of settings that may name classes."""
    matched: str = ""
    """Lines of the output that the wanted pattern matches."""

    def lost(self, shown: Iterable[str]) -> list[str]:
        """Return the wanted failures that a candidate with the ``shown`` failures lacks. If kinds are wanted, a failure
        is lost when all of its kind are.
        """
        if self.kind_of is None:
            return list(Counter(self.failures) - Counter(shown))
        kinds = set(map(self.kind_of, shown))
        return [failure for failure in self.failures if self.kind_of(failure) not in kinds]

    def shown(self, shown: Iterable[str]) -> bool:
        """Return True if any wanted failure is among the ``shown`` failures of a candidate."""
        if self.kind_of is None:
            return not set(self.failures).isdisjoint(shown)
        return len(self.lost(shown)) < len(self.failures)

    def new(self, shown: Iterable[str]) -> list[str]:
        """Return those of the ``shown`` failures of a candidate that it should not have."""
        if self.kind_of is None:
            return list(Counter(shown) - Counter(self.failures))
        return [failure for failure in dict.fromkeys(shown) if self.kind_of(failure) not in self.known]


def keep_failures(aim: Aim, outcome: Outcome, work: Path, folder: Path, names: ClassNames | None) -> list[str]:
    """Write the failures that the first run left in its folder ``work`` into the folder of all runs, for the search:
    logs of crashes and, of a user's command, its files with errors. ``names`` are those of the input; None for a
    preset. Return notes on the evidence for the user. Raise OutputError.
    """
    text, notes = crash_logs(work), []
    shown: tuple[FailurePlace, ...] = ()
    if names is not None and aim.search.evidence:
        if aim.silent:
            notes.append(SWITCHED_OFF)
        else:
            files = left_files(work, lambda text: bool(_told_names(names, text)))
            if outcome.interesting:
                notes += _notes(aim, outcome, names, files)
            left = "".join(f"\n{file.text}" for file in files)
            text, shown = text + left, declarations.places(left, partial(declarations.source_in, work))
    try:
        (folder / CRASH).write_text(text, encoding="utf-8")
        (folder / _PLACES).write_text(json.dumps([asdict(place) for place in shown]), encoding="utf-8")
    except FileNotFoundError as error:
        raise OutputError(
            f"The command has deleted {folder}, the folder of all runs: a command may change its own folder alone, "
            "$JARLET_WORK."
        ) from error
    return notes


def _notes(aim: Aim, outcome: Outcome, names: ClassNames, files: list[LeftFile]) -> Iterator[str]:
    """Yield notes on the failures that a command tells. The note on a command without named failures is left out if it
    runs well, or if the user's regular expression finds failures.
    """
    if aim.condition.hangs:
        yield hang_text(outcome.stderr)
        return
    output = f"{outcome.stdout}\n{outcome.stderr}"
    text = "\n".join([output, *(file.text for file in files)])
    report = _report(aim, (), text, outcome)
    first = begun_with(names, report)[:1]
    named = first and (first[0] in _told_by(names, report) or not (report.begin_with or report.sources))
    said = told(output, files, java_name(first[0].name) if first else "", named=bool(named))
    runs_well = aim.condition.keeps_working(outcome.exit) and not starts_javac(aim.wording)
    if said != SILENT or not (runs_well or outcome.failures):
        yield said
    if aim.failures_as is None and aim.search.rewrite and (by_option := to_compare(output, files)):
        yield by_option


def failure_report(
    aim: Aim, outcome: Outcome, reference: Reference | None, failure: str | None, work: Path
) -> FailureReport:
    """Return the report of ``failure``, or of all wanted failures, from the ``outcome`` of the full input.

    ``reference`` has the run's full output; the folder ``work`` has the logs of crashed virtual machines.
    """
    wanted = aim.asked
    chosen = wanted.chosen if wanted is not None and not wanted.by_kind else ()
    failures = (failure,) if failure is not None else chosen or outcome.failures
    if aim.silent:
        return _report(aim, failures, "", outcome)
    texts = [outcome.stdout, outcome.stderr] if reference is None else [reference.out, reference.err]
    places = reference.places if reference is not None else ()
    with suppress(OSError, ValueError):
        texts.append((work / CRASH).read_text(encoding="utf-8"))
    places += _kept_places(work)
    return _report(aim, failures, "\n".join(texts), outcome, places)


def _report(
    aim: Aim, failures: Sequence[str], text: str, outcome: Outcome, places: Sequence[FailurePlace] = ()
) -> FailureReport:
    return FailureReport(
        failures,
        text,
        bool(outcome.exit),
        aim.wording,
        places,
        sources="" if aim.silent else aim.sources,
        begin_with=(*aim.search.begin_with, *aim.named),
        matched=aim.condition.matched(text),
    )


def begun_with(names: ClassNames, report: FailureReport) -> tuple[Mention, ...]:
    """Return the classes and members with which a search begins: those from the user, then those of the failure, then
    those in source files of the command, and last the classes to which calls in the sources lead. Of the source files,
    classes with their simple name in the output come first. If the failure names a missing class, the classes that
    mention it follow; beside other names only those that are also supertypes of these. Where it is all that the
    wanted lines name, and there are no sources, these classes come before other names.
    """
    wanted = [Mention(name) for text in report.begin_with for name in names.called(text)]
    told = _told_by(names, report)
    words, named = set(re.findall(r"\w+", report.output)), {mention.name for mention in told}
    sourced = [name for name in names.in_sources(report.sources) if name not in named]
    sourced.sort(key=lambda name: simple_name(name) not in words)
    sourced += names.led_to(sourced, report.sources)
    asked = "\n".join(_wanted(report))
    lacked = names.lacking(asked)
    first = [] if report.sources or names.mentions(asked) else lacked
    found = dict.fromkeys([*wanted, *first, *told, *map(Mention, sourced)])
    above = names.above(mention.name for mention in found)
    said = messages(uncoloured(report.output), lambda name: bool(names.mentions(name)))
    users = lacked or names.lacking("\n".join(report.failures)) or names.lacking("\n".join(said))
    return (*found, *(mention for mention in users if not found or mention.name in above))


def heard(names: ClassNames, report: FailureReport, printed: str, *thrown: str) -> Iterator[Mention]:
    """Yield the classes and members that a watched run names which only reads the input: in what it prints, and in its
    exceptions, or those that mention a class that these miss.
    """
    yield from begun_with(names, report._replace(output=printed, failed=True, places=(), matched=""))
    for text in thrown:
        yield from names.mentions(text) or names.lacking(text)


def _told_by(names: ClassNames, report: FailureReport) -> list[Mention]:
    """Return the names in the wanted lines, then the names in the failure. Any of the lines is likely to be enough, so
    those about small classes come first."""
    lines = filter(None, map(names.mentions, _wanted(report)))
    ordered = sorted(lines, key=lambda each: names.size(each[0].name))
    matched = list(dict.fromkeys(chain.from_iterable(ordered)))
    first = [] if names.are_most(mention.name for mention in matched) else matched
    return [*first, *mentions(names, report)]


def _wanted(report: FailureReport) -> list[str]:
    """Return the lines of the output that the wanted pattern matches, or else those that the command looks for by
    grep."""
    asked = [(match["quoted"] or match["word"]).split(".*") for match in _GREP.finditer(report.command)]
    lines = report.output.splitlines()
    found = [line for line in lines if any(all(part in line for part in each) for each in asked)]
    return report.matched.splitlines() or found


def mentions(names: ClassNames, report: FailureReport) -> tuple[Mention, ...]:
    """Return the classes and members that the failures of a report name, innermost first, including messages about them
    in the output and the declarations at their places in source files.

    If the failures have no names, or name nothing of the input, the names in the output count. They come from the first
    of these places with any: the last line with names if the failure is a hang; errors of javac (after all messages of
    errors if the output has stack traces); the whole output if the command failed, unless it lists the input's
    classes; comments of decompilers. Other output of a successful program is no evidence.
    """
    output = uncoloured(report.output)
    found = _named(names, report.failures, output, report.places)
    if not found and any(failure.startswith(HANG) for failure in report.failures):  # the tool may tell what it works on
        lines = (names.mentions(line) for line in reversed(output.splitlines()))
        found = dict.fromkeys(next(filter(None, lines), ()))
    if not found:
        either = _named(names, javac.names(output), output, report.places), _told_names(names, output)
        found = either[bool(traces.names(output))] or either[0] or either[1]
    if not found and report.failed:
        listed = names.mentions(ends(output))
        found = dict.fromkeys(listed if not names.are_most(mention.name for mention in listed) else ())
    if not found:
        comments = decompiler_comments.names(output)
        found = dict.fromkeys(each for place in comments for each in names.mentions(place))
    return tuple(sorted(found, key=lambda mention: not mention.member))


def heads(names: ClassNames, report: FailureReport) -> tuple[Mention, ...]:
    """Return for each failure of a report its declarations, or else the first class in its name. If all failures are
    wanted, all of these are needed. If failures have no names, the errors of javac in the output count, unless it has
    stack traces.
    """
    output = report.output
    texts = {one.error.name: one.text for one in javac.placed(output)}
    places = listed_by(lambda place: place.failure, report.places)
    found: dict[Mention, None] = {}
    for failure in sorted(set(report.failures) or (() if traces.names(output) else javac.names(output))):
        text = texts.get(failure, failure)
        named = list(_in_failure(names, text, output))
        shown = _shown(names, places.get(failure, ()))
        if shown:
            found |= dict.fromkeys([*shown, *(mention for mention in named if mention.member)])
        else:
            found |= dict.fromkeys(Mention(mention.name) for mention in named[:1])
    return tuple(found)


def names_in(outcome: Outcome) -> tuple[str, ...]:
    """Return the names of the failures; without names, the errors of javac and the stack traces in the output."""
    if outcome.failures:
        return outcome.failures
    text = f"{outcome.stdout}\n{outcome.stderr}"
    return tuple(sorted([*javac.names(text), *traces.names(text)]))


def home(names: ClassNames, failure: str, paths: Mapping[str, str] = MappingProxyType({})) -> tuple[str, ...]:
    """Return the outermost classes of a failure's source file, or of the class that the failure names first. ``paths``:
    the source files of failures that do not name theirs."""
    file = OF_FILE.match(failure)
    path = file["path"] if file else paths.get(failure)
    found = names.of_file(path) if path else [mention.name for mention in names.mentions(failure)[:1]]
    return tuple(dict.fromkeys(outermost(name) for name in found))


def _told_names(names: ClassNames, text: str) -> dict[Mention, None]:
    """Return the classes and members named in messages of errors; if there are none, the classes called by an
    unambiguous simple name there.
    """
    said = "\n".join(messages(text, lambda name: bool(names.mentions(name))))
    simple = (names.simple((found[1] or found[2]).rpartition(".")[2]) for found in _SIMPLE.finditer(said))
    return dict.fromkeys(names.mentions(said) or [Mention(alike[0]) for alike in simple if len(alike) == 1])


def _named(
    names: ClassNames, failures: Iterable[str], output: str, places: Sequence[FailurePlace]
) -> dict[Mention, None]:
    """Return the declarations at the places of some failures, then what their messages name."""
    wanted = set(failures)
    found = dict.fromkeys(_shown(names, [place for place in places if place.failure in wanted]))
    reports = [(name, one.text) for one in javac.placed(output) if (name := one.error.name) in wanted]
    for text in [text for _, text in reports] + sorted(wanted - {name for name, _ in reports}):
        found |= dict.fromkeys(_in_failure(names, text, output))
    return found


def _in_failure(names: ClassNames, text: str, output: str) -> Iterable[Mention]:
    """Return the mentions in a failure. Of the frames of a stack trace only those of the input count; their lines are
    in the ``output`` alone.
    """
    if OF_FILE.match(text):
        if text not in names.in_errors:
            names.in_errors[text] = tuple(_of_javac(names, text))
        return names.in_errors[text]
    found, own = names.mentions(text), names.in_traces(output)
    if own is None:
        return found
    return [mention for mention in found if not mention.member or (mention.name, mention.member) in own]


def _kept_places(folder: Path) -> tuple[FailurePlace, ...]:
    """Return the places that the check has kept in the folder of all runs; none if a command has damaged the file."""
    with suppress(OSError, ValueError, UsageError):
        rows = json.loads((folder / _PLACES).read_text(encoding="utf-8"))
        return cast(tuple[FailurePlace, ...], conform("places", rows, tuple[FailurePlace, ...]))
    return ()


def _shown(names: ClassNames, places: Sequence[FailurePlace]) -> list[Mention]:
    """Return the declarations of the input at places in source files."""
    found = (names.declared(place.path, place.declaration) for place in places)
    return list(dict.fromkeys(mention for mention in found if mention is not None))


def _of_javac(names: ClassNames, text: str) -> Iterator[Mention]:
    """Yield the class made from the source file in an error of javac, then classes by simple names, then members of
    all of these. Line numbers are useless, because they are not those of the class.
    """
    match = OF_FILE.match(text)
    if match is None:
        return
    own = names.of_file(match["path"])
    outermost = [name for name in own if "$" not in name.rpartition("/")[2]]
    simple = [part for found in _SIMPLE.finditer(text) for part in (found[1] or found[2]).split(".")]
    simple += _OWNER.findall(text)
    classes = dict.fromkeys([*(outermost or own[:1]), *(name for part in simple for name in names.simple(part))])
    yield from map(Mention, classes)
    members = {
        "<init>" if named["made"] else named["called"] or named["owned"]: None for named in _MEMBER.finditer(text)
    }
    for member in members:
        yield from (Mention(name, member) for name in dict.fromkeys([*classes, *own]) if names.declares(name, member))
