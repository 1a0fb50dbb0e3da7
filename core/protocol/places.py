"""Where a window keeps its reductions. Needs nothing of the engine, so that the window can ask."""

from __future__ import annotations

from pathlib import Path

from core.user_folders import state_folder


def sessions_folder() -> Path:
    """Return the folder of sessions; it may not exist yet."""
    return state_folder() / "sessions"


def inputs_folder() -> Path:
    """Return the folder of the jars of accepted steps with which a reduction began anew."""
    return state_folder() / "inputs"
