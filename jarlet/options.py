"""What :meth:`jarlet.Input.reduce` and :meth:`jarlet.Input.check` take by name, as the command line does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from core.protocol.settings import Settings


class ReductionOptions(TypedDict, total=False):
    """The fields of :class:`core.protocol.settings.Settings` beside the predicate, each with its meaning and range
    there; times are seconds, memory is MiB. A test holds the two lists against each other."""

    options: Mapping[str, str]
    warm: bool
    preserve: Iterable[str]
    expect_exit: int | None
    match: str | None
    no_match: str | None
    failures_as: str | None
    failures: str | None
    also_interesting: int | None
    timeout: float | None
    memory: int | None
    algorithm: str
    granularity: str
    validity: str
    classpath: Iterable[str]
    keep: Iterable[str]
    drop_first: Iterable[str]
    classic: bool
    thorough: bool
    evidence: bool
    least: str
    jobs: int | None
    cluster: str
    time_limit: float | None
    max_probes: int | None
    check_runs: int


def settings_with(predicate: str, preset: str | None, options: ReductionOptions) -> Settings:
    """The settings of a call. Raises UsageError for values of another type or out of their range."""
    values: dict[str, Any] = dict(options)
    for name in ("classpath", "keep", "drop_first"):
        if name in values:
            values[name] = tuple(str(text) for text in values[name])
    if "preserve" in values:
        values["preserve"] = frozenset(values["preserve"])
    return Settings.from_json({"predicate": predicate, "preset": preset, **values})
