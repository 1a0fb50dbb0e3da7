"""The choices of a window: algorithms, presets with their tools, interrupted sessions, and jars on this computer with
missing packages of the input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.check.wanted_libraries import find_missing
from core.errors import UsageError
from core.evidence import agents
from core.library.jdks import installed_jdks
from core.plan.catalogue import CATALOGUE
from core.predicate import presets
from core.predicate.preset_words import Setting
from core.protocol import events
from core.protocol.events import LibrariesFound
from core.protocol.questions.background import FindLibraries
from core.protocol.questions.choosing import (
    Configure,
    DiscardSession,
    Fetch,
    FetchAgent,
    ListAlgorithms,
    ListPresets,
    ListSessions,
)
from core.protocol.settings import Settings
from core.search.phases import Level
from core.service.queries.desk import Desk
from core.store import retention

_VARIABLE = "JARLET_"
"""First letters of the variables that a window may set, beside ``JAVA_HOME``."""


def list_algorithms(desk: Desk, wish: ListAlgorithms) -> events.Algorithms:
    """Return the algorithms in the order of the catalogue."""
    entries = list(CATALOGUE.values())
    return events.Algorithms(
        [entry.name for entry in entries],
        [entry.title for entry in entries],
        [entry.explanation for entry in entries],
        Settings.algorithm,
        [any(phase.level is Level.CLASSES for phase in entry.phases) for entry in entries],
        [entry.group for entry in entries],
    )


def list_presets(desk: Desk, wish: ListPresets) -> events.Presets:
    """Return all presets, with the tools that they lack."""
    return presets_known()


def fetch(desk: Desk, wish: Fetch) -> Iterator[events.Presets]:
    """Get the tools of a preset, and yield all presets. Raises UsageError with the tools that are still missing."""
    problem = presets.find(wish.preset, wish.options).fetch()
    yield presets_known()
    if problem:
        raise UsageError(problem)


def fetch_agent(desk: Desk, wish: FetchAgent) -> events.Presets:
    """Get the agent, and return all presets. Raises UsageError where the agent is still missing."""
    problem = agents.fetch()
    if problem:
        raise UsageError(problem)
    return presets_known()


def configure(desk: Desk, wish: Configure) -> events.Presets:
    """Set the variables by which presets find their tools, give back the user's own values to those without one, and
    return the presets."""
    for name, chosen in wish.variables.items():
        if name.startswith(_VARIABLE) or name == "JAVA_HOME":
            if value := chosen or desk.environment.get(name):
                os.environ[name] = value
            else:
                os.environ.pop(name, None)
    return presets_known()


def list_sessions(desk: Desk, wish: ListSessions) -> events.Sessions:
    return retention.sessions()


def discard_session(desk: Desk, wish: DiscardSession) -> tuple[()]:
    """Remove a session."""
    retention.discard(Path(wish.path))
    return ()


def presets_known() -> events.Presets:
    """Return all presets, with the tools that they lack."""
    known = list(presets.load_all().values())
    return events.Presets(
        names=[preset.name for preset in known],
        titles=[preset.title for preset in known],
        abouts=[f"{preset.about} {preset.takes}" for preset in known],
        settings=[[_described(setting) for setting in preset.settings] for preset in known],
        missing=[preset.missing() or "" for preset in known],
        fetchable=[any(tool.maven for tool in preset.tools) for preset in known],
        names_failures=[preset.reading is not None for preset in known],
        runs=[preset.runs for preset in known],
        agent=agents.lacking() or "",
        newer=[preset.newer() or "" for preset in known],
        jdks=[[jdk.release, str(jdk.home)] for jdk in installed_jdks()],
    )


def _described(setting: Setting) -> dict[str, Any]:
    default = " ".join(setting.default)
    return {
        "name": setting.name, "title": setting.title, "kind": setting.kind, "required": setting.required,
        "default": default,
    }  # fmt: skip


_SECONDS = 60.0


def find_libraries(desk: Desk, wish: FindLibraries) -> LibrariesFound:
    """Return the jars with the missing packages, found by the names of the input's missing classes there."""
    model, libraries = desk.workspace.opened, [Path(path) for path in wish.classpath]
    with desk.background.run("libraries", "Jars with the missing packages", _SECONDS) as cancel:
        found, jars, _ = find_missing(model, wish.packages, libraries, cancel.is_set)
    return LibrariesFound([asdict(one) for one in found], jars)
