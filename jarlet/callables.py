"""A predicate in the form of a Python function: its argument, and the meaning of its return value."""

from __future__ import annotations

import hashlib
import inspect
import os
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from threading import Event as Flag

from core.archive.entry_names import class_path
from core.archive.jar import write_folder
from core.archive.nested import flattened
from core.archive.packer import Packer
from core.entries import Entries, class_files
from core.errors import UsageError
from core.predicate import process
from core.predicate.condition import Reference
from core.predicate.limits import ProbeLimits
from core.predicate.places import CLASSES, ONE_JAR, CandidatePlaces, environment_of
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome, Verdict

MARK = "{python}"
"""First word of the command in settings and reports: in braces, so that nobody looks for a program."""

ASKED: ContextVar[bool] = ContextVar("asked", default=False)
"""True on a thread in which a predicate is called."""

_SHOWN = 4000
"""Characters of the outputs that are kept for reports."""


@dataclass(frozen=True)
class Completed:
    """A finished program that a function ran: ``exit`` is negative for a signal."""

    exit: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool
    """True if the program was killed for the time limit of its own call."""


class StopProbe(Exception):  # noqa: N818 - no error: it ends a call
    """The end of a function with an unneeded answer: the probe's time is over, or the run was stopped."""


class Candidate:
    """The input of a predicate. Files in :attr:`folder` are removed after the call."""

    def __init__(self, entries: Entries, folder: Path, predicate: CallablePredicate, cancel: Flag, limit: float | None):
        self.entries = tuple(entries)
        """Name and bytes of each entry, in the jar's order."""
        self.folder = folder
        """A fresh folder of this call's own, in which its programs run."""
        self._predicate = predicate
        self._cancel = cancel
        self._end = None if limit is None else time.monotonic() + limit
        self.verdict: Verdict | None = None
        """Verdict that ended the call before its answer, None if there was none."""
        self.output: list[Completed] = []
        """The programs that were run, in order."""

    @property
    def jar(self) -> Path:
        """The candidate as a jar. Raises UsageError if there are several inputs."""
        places = self._predicate.places
        if misfit := places.misfit("jar"):
            raise UsageError(f"candidate.jar: {misfit.partition(':')[0]}: use candidate.jars or candidate.class_path.")
        return Path(places.values(self.folder)["jar"])

    @property
    def jars(self) -> list[Path]:
        """The jars of the candidate that did not go whole, in the order of the class path."""
        return [Path(jar) for jar in self._predicate.places.jars(self.folder)]

    @property
    def class_path(self) -> str:
        """The candidate's jars and the libraries of ``classpath``, as ``java -cp`` takes them."""
        return self._predicate.places.values(self.folder)["classpath"]

    @cached_property
    def classes(self) -> Path:
        """The candidate as a folder of classes, written when it is asked for."""
        flat = self._predicate.places.is_class_path
        write_folder(self.folder / CLASSES, flattened(self.entries) if flat else self.entries)
        return self.folder / CLASSES

    @property
    def names(self) -> list[str]:
        """Names of the classes, as Java's ``Class.forName`` takes them."""
        names = map(class_path, class_files(self.entries))
        return [name.removesuffix(".class").replace("/", ".") for name in names]

    def run(
        self,
        *command: str | PathLike[str],
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | PathLike[str] | None = None,
    ) -> Completed:
        """Run a program and wait for its end. Then all processes that it started are killed.

        It starts in :attr:`folder` or in ``cwd``; a relative path of the program that is not found there is taken from
        this process's folder, as for a command. ``env`` adds to the environment, which has ``JARLET_JAR`` and
        ``JARLET_WORK``. A program that takes longer than ``timeout`` seconds is killed, and ``timed_out`` is set. At
        the end of the probe's own time limit, and when nobody needs the answer any more, the program is killed too:
        then the call ends by an exception that the function is not to catch. Raises PredicateError if it cannot be
        started.
        """
        left = None if self._end is None else max(0.001, self._end - time.monotonic())
        mine = timeout is not None and (left is None or timeout < left)
        launch = process.Launch(
            _found([fspath(word) for word in command], Path(cwd or self.folder)),
            self.folder,
            {**environment_of(self.folder, self._predicate.places), **self._predicate.extra, **(env or {})},
            f"JARLET_WORK={self.folder}",
            None if cwd is None else Path(cwd),
        )
        found = process.run(launch, timeout if mine else left, self._cancel, self._predicate.limits)
        ended = Completed(found.exit, found.stdout.text, found.stderr.text, found.seconds, found.timed_out)
        self.output.append(ended)
        if found.timed_out and not mine:
            self.verdict = Verdict.TIMED_OUT
        elif found.cancelled or found.exceeded:
            self.verdict = Verdict.UNRESOLVED
        if self.verdict is not None:
            raise StopProbe(found.exceeded or self.verdict.value)
        return ended


def _found(words: list[str], place: Path) -> list[str]:
    """Return the words of a command that starts in ``place``. A relative path of the program that exists only in this
    process's folder becomes absolute.
    """
    program = Path(words[0]) if words and os.sep in words[0] else None
    if program is None or (place / program).exists() or not program.exists():
        return words
    return [str(program.absolute()), *words[1:]]


def refuse_later_answers(function: object) -> None:
    """Raise UsageError for a function whose call makes an object in place of an answer."""
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    call = getattr(type(function), "__call__", None)  # noqa: B004 - it is the code that is wanted
    if isinstance(function, type) or any(is_kind(each) for is_kind in kinds for each in (function, call)):
        raise UsageError(
            f"predicate: {function!r} gives no answer when it is called. Write a plain function that returns True,"
            " False or None."
        )


Function = Callable[[Candidate], bool | None]
"""A predicate as a function: True if the candidate still shows the failure; None = cannot tell."""


@dataclass(frozen=True)
class CallablePredicate(Predicate):
    """A predicate that asks a function. The function runs in this process, in a thread for each of ``jobs``: a function
    that is busy by itself, without :meth:`Candidate.run`, is not ended by a time limit. An error of the function ends
    the reduction."""

    function: Function
    timeout: float | None = None
    limits: ProbeLimits = field(default_factory=ProbeLimits)
    packer: Packer = field(default_factory=Packer)
    extra: Mapping[str, str] = field(default_factory=dict)
    reference: Reference | None = None
    places: CandidatePlaces = ONE_JAR

    @property
    def name(self) -> str:
        """The function's full name."""
        function = self.function
        name = getattr(function, "__qualname__", None) or type(function).__qualname__
        return f"{getattr(function, '__module__', None) or '__main__'}.{name}"

    @property
    def wanted_words(self) -> str:
        """Return the meaning of interesting, in words."""
        return f"{self.name} returns True"

    def calibrated(self, entries: Entries, work: Path, cancel: Flag | None = None) -> tuple[CallablePredicate, Outcome]:
        return self, self.probe(entries, work, cancel)

    def limited(self, timeout: float | None) -> CallablePredicate:
        return replace(self, timeout=timeout)

    def relative_to(self, reference: Reference) -> CallablePredicate:
        return replace(self, reference=reference)

    def repacked(self, packer: Packer) -> CallablePredicate:
        return replace(self, packer=packer)

    def observed(self, environment: Mapping[str, str]) -> CallablePredicate:
        return replace(self, extra={**self.extra, **environment})

    def portable(self) -> CallablePredicate:
        raise UsageError("A Python function cannot be sent to a cluster: use a command, or leave out the cluster.")

    def probe(self, entries: Entries, work: Path, cancel: Flag | None = None, seconds: float | None = None) -> Outcome:
        limit = min((limit for limit in (self.timeout, seconds) if limit is not None), default=None)
        self.places.write(entries, work, self.packer)
        candidate = Candidate(entries, work, self, cancel or Flag(), limit)
        begun = time.monotonic()
        answer: bool | None = None
        asked = ASKED.set(True)
        try:
            answer = self.function(candidate)
        except StopProbe:
            pass
        except Exception:
            if candidate.verdict is None:  # else the function was in the way of the end
                raise
        finally:
            ASKED.reset(asked)
        verdict = candidate.verdict or _VERDICTS[None if answer is None else bool(answer)]
        out, err = (_printed(candidate.output, name).replace(str(work), "{work}") for name in ("stdout", "stderr"))
        detail = verdict.value if candidate.verdict is not None else f"{self.name} returned {answer!r}"
        return Outcome(verdict, time.monotonic() - begun, None, detail, out[-_SHOWN:], err[-_SHOWN:])

    def confirm(self, entries: Entries, work: Path, cancel: Flag | None = None) -> Outcome:
        return self.probe(entries, work, cancel)

    def describe(self) -> str:
        return self.wanted_words

    def shell_line(self, work: Path) -> str:
        return f"{self.name}({self.places.values(work)['inputs']})"

    def versions(self) -> dict[str, str]:
        """Return the digest of the function's source as its version: a session's verdicts hold for one version only."""
        try:
            text = inspect.getsource(self.function)
        except (OSError, TypeError):
            text = repr(getattr(getattr(self.function, "__code__", None), "co_code", self.name))
        return {self.name: hashlib.sha256(text.encode()).hexdigest()[:12]}

    def close(self) -> None:
        """Do nothing: no process outlives a probe."""


_VERDICTS = {True: Verdict.INTERESTING, False: Verdict.NOT_INTERESTING, None: Verdict.UNRESOLVED}


def _printed(output: list[Completed], stream: str) -> str:
    """Return the output of all programs of a call."""
    return "\n".join(getattr(ended, stream) for ended in output)
