"""The user's lasting choices, in the settings file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.user_settings import UserSettings

THEMES = ("system", "light", "dark", "contrast", "contrast-dark")
TOOLS = (
    ("JAVA_HOME", "JDK (folder)"),
    ("JARLET_CFR", "CFR"),
    ("JARLET_PROCYON", "Procyon"),
    ("JARLET_VINEFLOWER", "Vineflower"),
    ("JARLET_FERNFLOWER", "Fernflower"),
    ("JARLET_PROGUARD", "ProGuard"),
    ("JARLET_ECJ", "ECJ"),
)
"""Variables by which the engine finds tools, with their names on the screen."""
DECOMPILERS = ("", "cfr", "vineflower", "procyon", "fernflower")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Empty texts mean: as Jarlet thinks best."""

    theme: str
    tools: Mapping[str, str]
    decompiler: str
    algorithm: str
    granularity: str
    jobs: int


def load(settings: UserSettings) -> Preferences:
    """Return the preferences that a settings file holds."""
    theme = str(settings.value("theme", "") or "system")
    jobs = str(settings.value("defaults/jobs", "0"))
    return Preferences(
        theme=theme if theme in THEMES else "system",
        tools={name: str(settings.value(f"tools/{name}", "") or "") for name, _ in TOOLS},
        decompiler=str(settings.value("defaults/decompiler", "") or ""),
        algorithm=str(settings.value("defaults/algorithm", "") or ""),
        granularity=str(settings.value("defaults/granularity", "") or ""),
        jobs=int(jobs) if jobs.isdigit() else 0,
    )


def save(settings: UserSettings, wanted: Preferences) -> None:
    """Put preferences into a settings file."""
    settings.set_value("theme", wanted.theme)
    for name, value in wanted.tools.items():
        settings.set_value(f"tools/{name}", value)
    for key in ("decompiler", "algorithm", "granularity", "jobs"):
        settings.set_value(f"defaults/{key}", getattr(wanted, key))
