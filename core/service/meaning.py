"""What settings mean: patterns of names, what decides the search, and whether it all fits together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.errors import InputError, UsageError
from core.plan.catalogue import DEFAULT, find
from core.predicate.from_settings import condition_of
from core.protocol.java_names import matcher
from core.protocol.settings import Settings
from core.search.bisection import strategy
from core.search.phases import Level
from core.store.session import Session
from core.store.session_folder import SETTINGS


def understood(settings: Settings) -> Settings:
    """The same settings. Raises UsageError for what names nothing that exists or does not fit together."""
    try:
        entry = find(settings.algorithm)
        strategy(settings.least)
    except LookupError as error:
        raise UsageError(str(error)) from error
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


def search_of(settings: Settings) -> dict[str, Any]:
    """What decides which questions are asked: two runs that agree here are the same run."""
    names = ("algorithm", "granularity", "validity", "classpath", "keep", "classic", "thorough", "least")
    found = {name: getattr(settings, name) for name in names}
    found |= {"drop_first": settings.drop_first} if settings.drop_first else {}
    return found | ({} if settings.evidence else {"evidence": False})


def begins_with_evidence(settings: Settings) -> bool:
    """Whether what is known before the search is tried first, by phases of its own."""
    return settings.evidence and settings.algorithm == DEFAULT


def pinned_by(settings: Settings) -> Callable[[str], bool]:
    """Whether ``keep`` names an item. Raises UsageError for patterns without a sense."""
    return matcher(settings.keep)


def unwanted_by(settings: Settings) -> Callable[[str], bool]:
    """Whether ``drop_first`` names an item, and ``keep`` does not. Raises UsageError as :func:`pinned_by`."""
    first, kept = matcher(settings.drop_first), pinned_by(settings)
    return lambda name: first(name) and not kept(name)
