"""The kinds of understood output, each declared once: how its failures are seen, named and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.predicate.jvm.stuck import HANG
from core.predicate.output import failing_tests, heaps, javac, no_source, traces

HANGS = "hangs"
"""Kind of failure: the place where a run was stuck at its time limit."""


@dataclass(frozen=True)
class OutputKind:
    """One kind of understood output.

    ``names(text, every)``: the names of the failures in an output, one for each occurrence; not ``every``: without
    those that may follow from another one. ``reports(folder)``: more output, from files in the folder of the run.
    ``kind(name, plain)``: what a failure of this name has in common with others of one cause; empty for a name of
    another kind. ``plain`` leaves names of the input's classes and numbers out of a text, and is enough for most kinds.
    """

    names: Callable[[str, bool], Iterable[str]]
    reports: Callable[[Path], str] = lambda folder: ""
    kind: Callable[[str, Callable[[str], str]], str] = lambda name, plain: ""


def _of_javac(text: str, every: bool) -> Iterator[str]:
    yield from javac.names(text, every=every)
    yield from no_source.names(text)


KINDS = {
    "javac": OutputKind(_of_javac, kind=javac.kind),
    "traces": OutputKind(lambda text, every: traces.names(text), heaps.reports, traces.kind),
    "tests": OutputKind(lambda text, every: failing_tests.names(text), failing_tests.reports),
    "exit": OutputKind(lambda text, every: ()),
    HANGS: OutputKind(lambda text, every: (name for name in traces.names(text) if name.startswith(HANG))),
}
"""The kinds by name: errors of javac with classes without a source file, stack traces of Java, failing tests, the exit
code where nothing else names a failure, and hangs."""
