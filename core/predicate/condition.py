"""The condition that makes a run of the command interesting."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from core.entries import Entries
from core.errors import UsageError
from core.predicate.failure_kinds import FailureKinds, LibraryFailures
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.output import traces
from core.predicate.output.declarations import FailurePlace, places, source_in
from core.predicate.output.kinds import HANGS, KINDS
from core.predicate.output.messages import uncoloured
from core.predicate.output.written_files import WrittenFiles, written_files
from core.predicate.process import ProcessResult, Stream
from core.predicate.verdict import Outcome, Verdict
from core.protocol.wording import other_failure
from core.renaming import NOTHING_RENAMED, Renaming
from core.words import counted

CANNOT_TELL = 125
"""Exit code of a predicate that cannot judge a candidate (as for ``git bisect run``)."""

PRESERVABLE = {
    "exit": "exit code",
    "out": "standard output",
    "err": "standard error",
    "files": "files in its folder",
}
"""The parts of a run that may be compared, in words."""

_SHOWN_CHARS = 4000
"""Characters of each output that an outcome carries."""
_SHOWN_LINES = 10
"""Number of matched lines that an outcome carries beside these characters."""


@dataclass(frozen=True)
class Reference:
    """The basis of later comparisons, from one run: exit code, both outputs with the run's folder written ``{work}``,
    and failures. ``places`` are the places of the failures in source files, as far as the run left such files;
    ``kinds`` tells the kinds of failures of the full input, ``libraries`` those that have to do with missing
    libraries."""

    exit: int
    out: str
    err: str
    failures: tuple[str, ...] = ()
    places: tuple[FailurePlace, ...] = ()
    kinds: FailureKinds = field(default_factory=FailureKinds)
    libraries: LibraryFailures = field(default_factory=LibraryFailures)
    files: WrittenFiles = field(default_factory=WrittenFiles)
    """The files that were written, if they are compared."""

    @cached_property
    def of_libraries(self) -> tuple[str, ...]:
        """The failures whose kinds come from missing libraries, and so need not stay."""
        return self.libraries.whole_kinds(self.failures, self.kinds.of_name)


@dataclass(frozen=True)
class Condition:
    """All that is set must hold. With no positive wish, exit code 0 is wanted.

    ``preserve`` names what must equal the first run on the full input; ``match`` and
    ``no_match`` are regular expressions searched in both outputs, line by line anchors.
    ``reading`` names the failures in both outputs, and ``wanted`` says what they must be. ``also`` is the exit code by
    which the predicate says: not interesting, but it shows another failure (see :func:`other_failure`).
    """

    preserve: frozenset[str] = frozenset()
    expect_exit: int | None = None
    match: str | None = None
    no_match: str | None = None
    reading: FailureNaming | None = None
    wanted: Wanted | None = None
    also: int | None = None

    def __post_init__(self) -> None:
        unknown = sorted(self.preserve - set(PRESERVABLE))
        if unknown:
            raise UsageError(f"Cannot preserve {', '.join(unknown)}: choose among {', '.join(PRESERVABLE)}.")
        if self.wanted is not None and self.reading is None:
            raise UsageError("Failures are demanded, but nothing says how they are read: give a pattern.")
        if self.also is not None:
            self._check_also(self.also)
        for option, pattern in (("match", self.match), ("no-match", self.no_match)):
            if pattern is not None:
                try:
                    re.compile(pattern, re.MULTILINE)
                except re.error as error:
                    raise UsageError(
                        f"The --{option} text is not a regular expression: {error} in {pattern!r}."
                    ) from error

    @property
    def wanted_exit(self) -> int | None:
        """The exit code that must come, or None if any will do."""
        if self.expect_exit is not None:
            return self.expect_exit
        return None if self.preserve or self.match is not None or self.wanted is not None else 0

    @property
    def hangs(self) -> bool:
        """True if a run that does not end may be interesting."""
        return self.reading is not None and HANGS in self.reading.kinds

    def keeps_working(self, exit_code: int | None) -> bool:
        """Return True if the condition keeps the behaviour of a command with this exit code and wants no failure."""
        wants_failure = self.match is not None or self.reading is not None or self.expect_exit
        return bool(self.preserve) and exit_code == 0 and not wants_failure

    def describe(self) -> str:
        """Return the condition in words."""
        parts = []
        if self.wanted_exit is not None:
            parts.append(_exit_words(self.wanted_exit))
        parts += [f"the same {words} as the full input" for what, words in PRESERVABLE.items() if what in self.preserve]
        if self.match is not None:
            parts.append(f"output matching /{self.match}/")
        if self.no_match is not None:
            parts.append(f"no output matching /{self.no_match}/")
        if self.wanted is not None:
            parts.append(self.wanted.describe())
        return ", ".join(parts)

    def judge(
        self,
        result: ProcessResult,
        reference: Reference | None,
        folder: str,
        renaming: Renaming = NOTHING_RENAMED,
        place: Path | None = None,
    ) -> Outcome:
        """Return the verdict on a finished run; without ``reference`` nothing is compared with an earlier run.
        ``place``: folder in which the command ran, if it is not ``folder``.

        ``renaming`` has the changes of names since the run of ``reference``. The outcome has the names of failures as
        in that run.
        """
        out, err = uncoloured(result.stdout.text), uncoloured(result.stderr.text)
        text = f"{out}\n{err}"
        failures = shown = self.failures(text, folder, None if result.stopped else result.exit)
        if reference is not None:
            failures = renaming.read_back(failures, reference.failures)
        if self.also is not None and result.exit == self.also and not result.stopped:
            failures = tuple(sorted({*failures, *self._others(text, folder)}))
        verdict, detail = self._verdict(result, reference, folder, text, failures, renaming)
        if verdict is Verdict.INTERESTING and reference is not None and "files" in self.preserve:
            objection = reference.files.difference(written_files(place or Path(folder), folder))
            verdict, detail = (Verdict.NOT_INTERESTING, objection) if objection else (verdict, detail)
        warning = self.reading.warning(text, every=self._every) if self.reading is not None else ""
        return Outcome(
            verdict,
            result.seconds,
            None if result.stopped else result.exit,
            f"{detail} ({warning})" if warning else detail,
            self._ends(out, folder),
            self._ends(err, folder),
            failures,
            result.processor,
            result.busiest,
            shown,
            result.idle,
        )

    def reference(
        self, result: ProcessResult, folder: str, entries: Entries = (), place: Path | None = None
    ) -> Reference:
        """Return the reference of a run on ``entries``; ``place`` as in :meth:`judge`."""
        text = uncoloured(f"{result.stdout.text}\n{result.stderr.text}")
        out, err = comparable(result.stdout, folder), comparable(result.stderr, folder)
        shown = places(text, partial(source_in, Path(folder)))
        files = written_files(place or Path(folder), folder) if "files" in self.preserve else WrittenFiles()
        kinds = FailureKinds.of(entries)
        failures = self.failures(text, folder, result.exit)
        return Reference(result.exit, out, err, failures, shown, kinds, files=files)

    def failures(self, text: str, folder: str, exit_code: int | None = 0) -> tuple[str, ...]:
        """Return the names of the failures in ``text``, the output of a run in ``folder`` with this exit code."""
        if self.reading is None:
            return ()
        text += "".join(KINDS[kind].reports(Path(folder)) for kind in self.reading.kinds)
        return self.reading.names(text.replace(folder, "{work}"), exit_code, every=self._every)

    def matched(self, text: str) -> str:
        """Return the first lines of an output that the wanted pattern matches, each with its end."""
        lines = text.splitlines(keepends=True) if self.match else ()
        found = dict.fromkeys(line for line in lines if re.search(self.match or "", line, re.MULTILINE))
        return "".join(islice(found, _SHOWN_LINES))[:_SHOWN_CHARS]

    def _ends(self, text: str, folder: str) -> str:
        """Return the ends of an output, and between them what the wanted pattern matches."""
        text = text.replace(folder, "{work}")
        if len(text) <= _SHOWN_CHARS:
            return text
        half = _SHOWN_CHARS // 2
        end = self.matched(text[half:-half]) + text[-half:]
        return f"{text[:half]}\n[... {len(text) - _SHOWN_CHARS} characters left out ...]\n{end}"

    @property
    def _every(self) -> bool:
        """True if also those errors count that may follow from a syntax error."""
        return self.wanted is None or not self.wanted.by_kind

    def _others(self, text: str, folder: str) -> tuple[str, ...]:
        """Return the names of the other failures: by the stack traces in the output where failures are not read
        otherwise."""
        found = () if self.reading is not None else traces.names(text.replace(folder, "{work}"))
        begin = other_failure(self.also)
        return tuple(f"{begin}: {name}" for name in dict.fromkeys(found)) or (begin,)

    def _check_also(self, code: int) -> None:
        if not 0 <= code <= 255:
            raise UsageError(f"--also-interesting {code} is not an exit code: choose one from 1 to 255.")
        if code == CANNOT_TELL:
            raise UsageError(f"--also-interesting {code}: that exit code means 'cannot tell'. Choose another one.")
        if code == self.wanted_exit:
            raise UsageError(f"--also-interesting {code}: that exit code counts as interesting. Choose another one.")

    def _verdict(
        self,
        result: ProcessResult,
        reference: Reference | None,
        folder: str,
        text: str,
        failures: tuple[str, ...],
        renaming: Renaming,
    ) -> tuple[Verdict, str]:
        if result.cancelled:
            return Verdict.UNRESOLVED, "cancelled"
        if result.timed_out and self.hangs:
            objection = objection_to(self.wanted, failures, reference, renaming) if self.wanted else ""
            return (Verdict.TIMED_OUT, objection) if objection else (Verdict.INTERESTING, ", ".join(failures))
        if result.timed_out:
            limit = f" ({result.exceeded})" if result.exceeded else ""
            return Verdict.TIMED_OUT, f"killed after {result.seconds:.1f} s{limit}"
        if result.exceeded:
            return Verdict.UNRESOLVED, f"killed: {result.exceeded}"
        if result.exit == CANNOT_TELL and self.expect_exit != CANNOT_TELL:
            return Verdict.UNRESOLVED, "exit code 125: cannot tell"
        if self.also is not None and result.exit == self.also:
            return Verdict.NOT_INTERESTING, f"exit code {self.also}: another failure"
        wanted = self.wanted_exit
        if wanted is not None and by_shell(result.exit) != by_shell(wanted):
            words = str(wanted) if wanted >= 0 else _exit_words(wanted)
            return Verdict.NOT_INTERESTING, f"{_exit_words(result.exit)}, wanted {words}"
        if self.match is not None and not _found(self.match, text, renaming):
            return Verdict.NOT_INTERESTING, f"no output matches /{self.match}/"
        if self.no_match is not None and _found(self.no_match, text, renaming):
            return Verdict.NOT_INTERESTING, f"output matches /{self.no_match}/"
        if reference is not None:
            if "exit" in self.preserve and result.exit != reference.exit:
                return Verdict.NOT_INTERESTING, f"{_exit_words(result.exit)}, was {reference.exit}"
            same = renaming.is_same
            if "out" in self.preserve and not same(comparable(result.stdout, folder), reference.out):
                return Verdict.NOT_INTERESTING, "other standard output"
            if "err" in self.preserve and not same(comparable(result.stderr, folder), reference.err):
                return Verdict.NOT_INTERESTING, "other standard error"
        if self.wanted is not None:
            objection = objection_to(self.wanted, failures, reference, renaming)
            verdict = Verdict.NOT_INTERESTING if objection else Verdict.INTERESTING
            return verdict, objection or counted(len(failures), "failure")
        return Verdict.INTERESTING, _exit_words(result.exit)


def objection_to(
    wanted: Wanted, failures: tuple[str, ...], reference: Reference | None, renaming: Renaming = NOTHING_RENAMED
) -> str:
    """Return the objection to ``failures``; empty if they meet the demand."""
    known = reference if reference is not None else Reference(0, "", "")
    kinds = known.kinds.including(renaming.classes.values())
    wanted = wanted.without(known.of_libraries)
    return wanted.objection(failures, None if reference is None else reference.failures, kinds.of_name)


def _found(pattern: str, text: str, renaming: Renaming) -> bool:
    """Return True if the user's pattern is in a text as it is, or with the names that classes had in the full input."""
    return any(re.search(pattern, each, re.MULTILINE) for each in renaming.originals(text))


def comparable(stream: Stream, folder: str) -> str:
    """Return the output without the run's own folder in it; of a flood only length and digest."""
    if not stream.whole:
        return f"{stream.length} bytes, SHA-256 {stream.digest.hex()}"
    return stream.text.replace(folder, "{work}")


def by_shell(code: int) -> int:
    """Return an exit code as a shell tells it, which has 128 + N for a death by signal N."""
    return 128 - code if code < 0 else code


def _exit_words(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
