"""The choices of a window: algorithms, presets with their tools, interrupted sessions, and jars on this computer with
missing packages of the input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from core.check.wanted_libraries import find_missing
from core.errors import UsageError
from core.evidence import agents
from core.library.jdks import installed_jdks
from core.plan.catalogue import CATALOGUE
from core.predicate import presets
from core.predicate.preset import Preset
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
    OfferedAlgorithm,
    OfferedPreset,
    OfferedSetting,
)
from core.protocol.settings import Settings
from core.search.phases import Level
from core.service.queries.desk import Desk
from core.store import retention

_VARIABLE = "JARLET_"
"""First letters of the variables that a window may set, beside ``JAVA_HOME``."""


def list_algorithms(desk: Desk, wish: ListAlgorithms) -> events.Algorithms:
    """Return the algorithms in the order of the catalogue."""
    offered = [
        OfferedAlgorithm(
            each.name,
            each.title,
            each.explanation,
            any(phase.level is Level.CLASSES for phase in each.phases),
            each.group,
        )
        for each in CATALOGUE.values()
    ]
    return events.Algorithms(offered, Settings.algorithm)


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
    offered = [_offered(preset) for preset in presets.load_all().values()]
    return events.Presets(offered, agents.lacking() or "", [[jdk.release, str(jdk.home)] for jdk in installed_jdks()])


def _offered(preset: Preset) -> OfferedPreset:
    return OfferedPreset(
        preset.name,
        preset.title,
        f"{preset.about} {preset.takes}",
        [OfferedSetting(each.name, each.title, each.required, " ".join(each.default)) for each in preset.settings],
        preset.missing() or "",
        any(tool.maven for tool in preset.tools),
        preset.reading is not None,
        preset.runs,
        preset.newer() or "",
    )


_SECONDS = 60.0


def find_libraries(desk: Desk, wish: FindLibraries) -> LibrariesFound:
    """Return the jars with the missing packages, found by the names of the input's missing classes there."""
    model, libraries = desk.workspace.opened, [Path(path) for path in wish.classpath]
    with desk.background.run("libraries", "Jars with the missing packages", _SECONDS) as cancel:
        found, jars, _ = find_missing(model, wish.packages, libraries, cancel.is_set)
    return LibrariesFound(found, jars)
