"""A look: one tool is run on one jar, and its failures are told by their kinds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Event as Flag
from typing import Any

from core.archive.jar import read_jar
from core.batch.tasks import DONE, INTERRUPTED, Done, Task
from core.evidence.kinds_of_failures import costs
from core.evidence.missing_libraries import library_failures
from core.library.jdks import choose_jdk, needed_java
from core.model import class_model
from core.predicate import presets
from core.predicate.failure_kinds import FailureKinds
from core.predicate.output import javac
from core.service.queries.tool_survey import run_tool


@dataclass(frozen=True)
class KindSeen:
    """A kind of failure in one jar: how many there are, and the one that is likely to need least of the jar."""

    kind: str
    failures: int
    failure: str
    bytes: int
    """Bytes of the classes around that failure; 0 where it names none."""


@dataclass(frozen=True)
class Look:
    """The failures of one tool on one jar. ``problem`` is a sentence on the lack of an answer."""

    tool: str
    version: str
    kinds: tuple[KindSeen, ...] = ()
    aside: int = 0
    """Number of failures that are set aside: they may show only because libraries are missing."""
    lacking: tuple[str, ...] = ()
    """Packages of the libraries that may be missing."""
    missing: Mapping[str, int] = field(default_factory=dict)
    """Number of failures that come from a missing library for certain, by its packages."""
    hidden: bool = False
    """True if javac could not parse a source, and so reported errors of its parser alone."""
    seconds: float = 0.0
    problem: str = ""

    @property
    def failures(self) -> int:
        """The number of failures of all kinds, without those that are set aside and those of missing libraries."""
        return sum(kind.failures for kind in self.kinds)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Look:
        """Return the look of a decoded object. Raise LookupError and TypeError for anything else."""
        kinds = tuple(KindSeen(**kind) for kind in values["kinds"])
        return cls(**{**values, "kinds": kinds, "lacking": tuple(values["lacking"])})


def look_task(name: str, jar: Path, preset: str, library: Sequence[Path], folder: Path) -> Task:
    """Return the task of a look; it reports a look as JSON."""
    values = {"name": name, "jar": str(jar), "preset": preset, "library": list(map(str, library))}
    return Task(name, json.dumps(values), folder)


def look_at(values: Mapping[str, Any], cancel: Flag) -> Done:
    """Run the tool of a task on its jar. Raise InputError for a jar that cannot be read, UsageError without the
    preset."""
    library = [Path(path) for path in values["library"]]
    model = class_model.build(read_jar([Path(values["jar"])]))
    entries = model.entries(model.full)
    found = presets.find(values["preset"])
    ran = run_tool(found, entries, library, cancel, choose_jdk("", needed_java(entries), found.newest_jdk).jdk)
    apart = library_failures(ran.failures, model, library)
    kind_of = FailureKinds.of(entries).of_name
    by_kind: dict[str, list[str]] = {}
    for failure in sorted(set(ran.failures) - apart.certain.keys() - apart.possible.keys()):
        by_kind.setdefault(kind_of(failure), []).append(failure)
    seen = [
        KindSeen(kind, len(cost.failures), cost.cheapest, cost.bytes)
        for kind, cost in zip(by_kind, costs(model, by_kind), strict=True)
    ]
    lacking = tuple(sorted(set(apart.possible.values())))
    packages = dict(sorted(apart.packages(ran.failures).items()))
    compiles = found.reading is not None and "javac" in found.reading.kinds
    hidden = compiles and any(map(javac.is_of_parser, ran.failures))
    if cancel.is_set():
        return Done(values["name"], INTERRUPTED)
    look = Look(
        ran.tool, ran.version, tuple(seen), len(apart.possible), lacking, packages, hidden, ran.seconds, ran.problem
    )
    return Done(values["name"], DONE, report=asdict(look))
