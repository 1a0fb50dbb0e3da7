"""Results of a check and of a reduction, as objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from core.archive.entry_names import class_path
from core.archive.jar_folders import write_result
from core.archive.named_inputs import InputJar
from core.entries import class_files
from core.errors import UsageError
from core.protocol.events import Checked
from core.protocol.java_names import dotted
from core.protocol.run_words import EndReason
from core.report.bug_report import bug_report
from core.service.aims import aim_in
from core.service.reads import result_output
from core.system.files import write_whole
from core.system.outputs import Origin, guard, refuse_read

REPORTS = (".json", ".md", ".html")


@dataclass(frozen=True)
class CheckResult:
    """The result of runs of the predicate on the full input. False if the input is not interesting."""

    interesting: bool
    stable: bool
    message: str
    """The diagnosis in words; if the input is not interesting, also the remedy."""
    seconds: float
    """Median time of a run."""
    timeout: float
    """The time limit that a probe of a reduction will have."""
    failures: tuple[str, ...]
    """The failures that its output names, each once."""
    event: Checked = field(repr=False)
    """All that is told of it."""

    def __bool__(self) -> bool:
        return self.interesting


def check_of(event: Checked) -> CheckResult:
    """Return the check that an event tells of."""
    failures = tuple(event.failures)
    return CheckResult(event.interesting, event.stable, event.message, event.seconds, event.timeout, failures, event)


@dataclass(frozen=True)
class Result:
    """The smallest sub-input that showed the failure, and how it was found."""

    reason: str
    """``done``, or what ended it before: ``stopped``, ``time``, ``probes``."""
    entries: tuple[tuple[str, bytes], ...] = field(repr=False)
    """Name and bytes of each remaining entry, in the jar's order."""
    bytes: int
    """Sum of these bytes, unpacked."""
    probes: int
    seconds: float
    message: str
    """Cause of the end in words, with all doubts about the result."""
    confirmed: bool
    """True if the result was interesting each time that it was run once more."""
    report: dict[str, Any] = field(repr=False)
    """Everything, as the JSON report has it."""
    reads: Sequence[Origin] = field(repr=False, default=())
    """Files and folders that were read, and are never written to."""
    inputs: tuple[InputJar, ...] = field(repr=False, default=())
    """The inputs, in the order of the class path."""

    @property
    def done(self) -> bool:
        """Return True if the search reached its own end."""
        return self.reason == EndReason.DONE

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes that are left, as Java's ``Class.forName`` takes them."""
        names = map(class_path, class_files(self.entries))
        return tuple(dotted(name.removesuffix(".class")) for name in names)

    def write(self, path: str | PathLike[str]) -> Path:
        """Write the result as a jar, of several inputs as a folder of jars, whole or not at all, and return the path.
        Never over the input: raises UsageError or OutputError.
        """
        target = Path(path)
        guard([result_output(target, "the file to write", self.inputs, parents=True)], self.reads)
        write_result(target, self.entries, self.inputs)
        return target

    def write_report(self, path: str | PathLike[str]) -> Path:
        """Write a report, in the format of the name's ending: data (``.json``) or a bug report (``.md``, ``.html``)."""
        target = Path(path)
        if target.suffix not in REPORTS:
            raise UsageError(f"{target}: a report's name ends in one of {', '.join(REPORTS)}.")
        refuse_read(target, self.reads)
        if target.suffix == ".json":
            text = json.dumps(self.report, indent=2) + "\n"
        else:
            document = bug_report(self.report, self.entries, aim_in(self.report))
            text = document.markdown() if target.suffix == ".md" else document.html()
        write_whole(target, text.encode(), parents=True)
        return target
