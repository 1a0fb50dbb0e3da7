"""Where a window keeps its reductions. Needs nothing of the engine, so that the window can ask."""

from __future__ import annotations

from pathlib import Path

from core.user_folders import state_folder


def sessions_folder() -> Path:
    """Return the folder of sessions; it may not exist yet."""
    return state_folder() / "sessions"


def inputs_folder() -> Path:
    """Where the jars of accepted steps lie that a reduction began anew with."""
    return state_folder() / "inputs"
