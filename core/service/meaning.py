"""The meaning of settings: items that patterns name, settings that define a search, and contradictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.errors import InputError, UsageError
from core.evidence.validity import ValidityChoice, choose
from core.plan.catalogue import DEFAULT, find
from core.plan.rewritings import chosen
from core.predicate.from_settings import condition_of
from core.predicate.verdict import Outcome
from core.protocol.java_names import matcher
from core.protocol.setting_marks import Decides
from core.protocol.settings import AUTOMATIC, VALIDITIES, Settings, deciding
from core.search.bisection import strategy
from core.search.phases import Level
from core.store.session import Session
from core.store.session_folder import SETTINGS


def understood(settings: Settings) -> Settings:
    """Return the settings. Raises UsageError for unknown names and for settings that contradict each other."""
    try:
        entry = find(settings.algorithm)
        strategy(settings.least)
        chosen(settings)
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
    """Return the settings of a session. Raises InputError with the name of the file for unusable settings."""
    try:
        return understood(folder.settings)
    except UsageError as error:
        raise InputError(
            f"{folder.path / SETTINGS}: its settings cannot be used: {error} Mend the file, or begin a new session."
        ) from error


def search_of(settings: Settings) -> dict[str, Any]:
    """Return the settings that decide which questions are asked. Two runs with equal values are one search."""
    later = deciding(Decides.IF_SET)
    found = {name: getattr(settings, name) for name in deciding(Decides.SEARCH)}
    return {name: value for name, value in found.items() if name not in later or value != getattr(Settings, name)}


def validity_for(settings: Settings, outcome: Outcome, session: Session | None) -> ValidityChoice:
    """Return the session's earlier choice of a validity; without one, choose and store the choice in the session."""
    if session is None or settings.validity != AUTOMATIC:
        return choose(settings, outcome)
    before = session.manifest.taken
    if before.get("validity") in VALIDITIES:
        return ValidityChoice(before["validity"], before.get("why") or "as this session took before")
    found = choose(settings, outcome)
    session.take({"validity": found.taken, "why": found.why})
    return found


def begins_with_evidence(settings: Settings) -> bool:
    """Return True if the search starts with phases that try names in the failure and code of a watched run."""
    return settings.evidence and settings.algorithm == DEFAULT


def pinned_by(settings: Settings) -> Callable[[str], bool]:
    """Return a predicate of item names: True if ``keep`` names the item. Raises UsageError for an unreadable
    pattern.
    """
    return matcher(settings.keep)


def unwanted_by(settings: Settings) -> Callable[[str], bool]:
    """Return a predicate of item names: True if ``drop_first`` names the item and ``keep`` does not. Raises
    UsageError for an unreadable pattern.
    """
    first, kept = matcher(settings.drop_first), pinned_by(settings)
    return lambda name: first(name) and not kept(name)
