"""Where a window keeps its reductions. Needs nothing of the engine, so that the window can ask."""

from __future__ import annotations

import os
from pathlib import Path


def sessions_folder() -> Path:
    """``$XDG_STATE_HOME/jarlet/sessions`` (it may not exist yet)."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "jarlet" / "sessions"


def inputs_folder() -> Path:
    """Where the jars of accepted steps lie that a reduction began anew with."""
    return sessions_folder().parent / "inputs"
