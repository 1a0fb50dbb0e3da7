"""What settings mean: the condition, limits, wanted failures, patterns of names, and whether it all fits together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.errors import InputError, UsageError
from core.predicate import presets
from core.predicate.condition import Condition
from core.predicate.failures import KINDS, FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.protocol.java_names import matcher
from core.protocol.settings import Settings
from core.reduction.bisection import strategy
from core.search.catalogue import DEFAULT, Level, find
from core.store.session import Session
from core.store.session_folder import SETTINGS

_MEGA = 1 << 20


def understood(settings: Settings) -> Settings:
    """The same settings. Raises UsageError for what names nothing that exists or does not fit together."""
    try:
        entry = find(settings.algorithm)
    except LookupError as error:
        raise UsageError(str(error)) from error
    strategy(settings.least)
    if settings.granularity == "class" and all(phase.level is not Level.CLASSES for phase in entry.phases):
        raise UsageError(
            f"The algorithm {settings.algorithm} works on the members of classes: choose granularity member or full."
        )
    if bool(settings.predicate) == bool(settings.preset):
        raise UsageError(
            "Say what the failure is, by a command or by a preset"
            + (", not both." if settings.predicate else ": --predicate 'COMMAND {jar}', or --preset NAME.")
        )
    condition_of(settings)
    return settings


def settings_in(folder: Session) -> Settings:
    """The settings of a session. Raises InputError, with the file's name, where they cannot be understood."""
    try:
        return understood(folder.settings)
    except UsageError as error:
        raise InputError(
            f"{folder.path / SETTINGS}: its settings cannot be used: {error} Mend the file, or begin a new session."
        ) from error


def condition_of(settings: Settings) -> Condition:
    """What makes a run of the command interesting."""
    reading = None
    if settings.failures_as is not None:
        known = settings.failures_as in KINDS
        reading = FailureNaming((settings.failures_as,)) if known else FailureNaming(pattern=settings.failures_as)
    wanted = wanted_by(settings) if reading is not None else None
    if settings.also_interesting is not None and settings.failures is not None and not (reading or settings.preset):
        raise UsageError(
            f"The failures cannot be {settings.failures!r}, since nothing names them: say how with --failures-as. To "
            "reduce for a failure of --also-interesting, take the jar that was kept for it, with --expect-exit."
        )
    return Condition(
        settings.preserve,
        settings.expect_exit,
        settings.match or None,
        settings.no_match or None,
        reading,
        wanted,
        settings.also_interesting,
    )


def wanted_by(settings: Settings) -> Wanted | None:
    """What the names of the failures must be; None = what the preset says, or the same."""
    if settings.failures is not None:
        return Wanted.parse(settings.failures)
    return Wanted() if settings.failures_as is not None else None


def limits_of(settings: Settings) -> ProbeLimits:
    """What a probe may use besides time."""
    return ProbeLimits(memory=settings.memory * _MEGA if settings.memory is not None else None)


def class_path_of(settings: Settings) -> list[Path]:
    """The libraries of the input."""
    return [Path(path) for path in settings.classpath]


def runs_input(settings: Settings) -> bool:
    """Whether the predicate may run code of the input, or is a command of which nothing is known: two such runs may get
    in each other's way."""
    return settings.preset is None or presets.find(settings.preset).runs


def search_of(settings: Settings) -> dict[str, Any]:
    """What decides which questions are asked: two runs that agree here are the same run."""
    names = ("algorithm", "granularity", "validity", "classpath", "keep", "classic", "thorough", "least")
    found = {name: getattr(settings, name) for name in names}
    found |= {"drop_first": settings.drop_first} if settings.drop_first else {}
    return found | ({} if settings.evidence else {"evidence": False})


def begins_with_evidence(settings: Settings) -> bool:
    """Whether what is known before the search is tried first: the published algorithms stay as published."""
    return settings.evidence and settings.algorithm == DEFAULT


def pinned_by(settings: Settings) -> Callable[[str], bool]:
    """Whether ``keep`` names an item. Raises UsageError for patterns without a sense."""
    return matcher(settings.keep)


def unwanted_by(settings: Settings) -> Callable[[str], bool]:
    """Whether ``drop_first`` names an item, and ``keep`` does not. Raises UsageError as :func:`pinned_by`."""
    first, kept = matcher(settings.drop_first), pinned_by(settings)
    return lambda name: first(name) and not kept(name)
