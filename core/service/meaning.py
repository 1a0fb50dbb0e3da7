"""The meaning of settings for a search: what defines it, how it begins, and contradictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InputError, UsageError
from core.evidence.validity import ValidityChoice, choose
from core.plan.catalogue import DEFAULT, find
from core.plan.rewritings import chosen
from core.predicate.aim import Aim
from core.predicate.verdict import Outcome
from core.protocol.run_words import AUTOMATIC, VALIDITIES
from core.protocol.setting_marks import Decides
from core.protocol.settings import Settings, deciding
from core.search.phases import Level
from core.search.reducers.binary import JARS
from core.service.aims import condition_of
from core.store.session import Session
from core.store.session_folder import SETTINGS


def understood(settings: Settings) -> Settings:
    """Return the settings. Raises UsageError for unknown names and for settings that contradict each other."""
    try:
        entry = find(settings.algorithm)
        chosen(settings.rewritings)
    except LookupError as error:
        raise UsageError(str(error)) from error
    if settings.granularity == "class" and all(phase.level is not Level.CLASSES for phase in {*entry.phases} - {JARS}):
        raise UsageError(
            f"The algorithm {settings.algorithm} works on the members of classes: choose granularity member or full."
        )
    if bool(settings.predicate) == bool(settings.preset):
        raise UsageError(
            "Say what the failure is, by a command or by a preset"
            + (", not both." if settings.predicate else ": --predicate 'COMMAND {jar}', or --preset NAME.")
        )
    if settings.cluster and settings.held_out and (settings.trials or settings.tests):
        raise UsageError("On a cluster the search sees all inputs: add --held-out 0.")
    condition_of(settings)
    return settings


def settings_in(session: Session) -> Settings:
    """Return the settings of a session. Raises InputError with the name of the file for unusable settings."""
    try:
        return understood(session.settings)
    except UsageError as error:
        raise InputError(
            f"{session.path / SETTINGS}: its settings cannot be used: {error} Mend the file, or begin a new session."
        ) from error


def search_of(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored settings that decide the questions of a search. Two runs with equal values are one search."""
    later, plain = deciding(Decides.IF_SET), Settings().to_json()
    names = deciding(Decides.SEARCH)
    decided = {name: stored[name] for name in names if name not in later or stored[name] != plain[name]}
    return decided | {"least": "bisection"}  # as runs of earlier versions are stored


def validity_for(aim: Aim, outcome: Outcome, session: Session | None) -> ValidityChoice:
    """Return the session's earlier choice of a validity; without one, choose and store the choice in the session."""
    if session is None or aim.search.validity != AUTOMATIC:
        return choose(aim, outcome)
    before = session.manifest.taken
    if before.get("validity") in VALIDITIES:
        return ValidityChoice(before["validity"], before.get("why") or "as this session took before")
    found = choose(aim, outcome)
    session.take({"validity": found.taken, "why": found.why})
    return found


def begins_with_evidence(aim: Aim) -> bool:
    """Return True if the search starts with phases that try names in the failure and code of a watched run."""
    return aim.search.evidence and aim.search.algorithm == DEFAULT
