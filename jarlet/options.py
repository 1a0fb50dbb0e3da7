"""The named arguments of :func:`jarlet.open`, :meth:`jarlet.Input.reduce` and :meth:`jarlet.Input.check`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypedDict, get_origin

from core.errors import UsageError
from core.protocol.settings import Settings, declarations
from core.values import conform, hints_of


class InputOptions(TypedDict, total=False):
    """Ways to open an input: with the jars inside it opened too (``nested``), several as one jar (``merge``), what is
    missing downloaded (``fetch``), and what a coordinate or a project needs reduced too (``with_dependencies``)."""

    nested: bool
    merge: bool
    fetch: bool
    with_dependencies: bool


class ReductionOptions(TypedDict, total=False):
    """The settings of :class:`core.protocol.settings.Settings`, which has their meanings and ranges, but for command
    and preset. Times are seconds, memory is MiB. A test compares names and types of both."""

    options: Mapping[str, str]
    warm: bool
    preserve: Iterable[str]
    trials: str
    tests: Iterable[str]
    lines: Iterable[str]
    held_out: int
    seed: int
    expect_exit: int | None
    match: str | None
    no_match: str | None
    failures_as: str | None
    failures: str | None
    also_interesting: int | None
    timeout: float | None
    hangs: bool
    slower_than: int | None
    rare: bool
    memory: int | None
    jdk: str
    algorithm: str
    granularity: str
    validity: str
    trust: str
    classpath: Iterable[str]
    keep: Iterable[str]
    drop_first: Iterable[str]
    begin_with: Iterable[str]
    classic: bool
    thorough: bool
    evidence: bool
    rewrite: bool
    rewritings: Iterable[str]
    rename: bool
    jobs: int | None
    cluster: str
    allow_missing: bool
    time_limit: float | None
    max_probes: int | None
    source_time: int
    check_runs: int


def settings_with(predicate: str, preset: str | None, options: ReductionOptions) -> Settings:
    """Return the settings of a call. Raises UsageError for a value of another type or outside its range."""
    values: dict[str, Any] = dict(options)
    hints = hints_of(Settings)
    for name in sorted(values.keys() & hints.keys()):
        if get_origin(declarations()[name].kind) not in (tuple, frozenset):
            conform(name, values[name], hints[name])
        elif values[name] is not None:
            values[name] = texts(name, values[name])
    return Settings.from_json({"predicate": predicate, "preset": preset, **values})


def texts(name: str, given: object) -> list[str]:
    """Return a list of texts or paths as texts. Raises UsageError for anything else, a single text too."""
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, PathLike)):
        raise UsageError(f"{name}: this is a list of texts, not {given!r}. Write [...] around a single one.")
    return [text(name, each) for each in given]


def text(name: str, given: object) -> str:
    """Return a text or a path as text. Raises UsageError for anything else."""
    found = fspath(given) if isinstance(given, (str, PathLike)) else None
    if not isinstance(found, str):
        raise UsageError(f"{name}: a text or a path is needed, not {given!r}.")
    return found


def path(name: str, given: object) -> Path | None:
    """Return a path, None for None. Raises UsageError for anything else."""
    return None if given is None else Path(text(name, given))
