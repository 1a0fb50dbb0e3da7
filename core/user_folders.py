"""Jarlet's folders of this user, with the system's usual names.

The package ``platformdirs`` knows the names: on Linux those of the XDG base directory specification, by default
``~/.local/state/jarlet``, ``~/.cache/jarlet`` and ``~/.config/jarlet``. None of the folders need exist yet. Each
function raises RuntimeError if neither the environment nor the list of users has a home; :func:`have_home` keeps that
from happening.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platformdirs import PlatformDirs


def have_home() -> None:
    """Take ``/`` for the home of a user whom the system does not know, as container engines do."""
    if os.path.expanduser("~") == "~":
        os.environ["HOME"] = "/"


def state_folder() -> Path:
    """Return the folder of sessions and log files: ``$XDG_STATE_HOME/jarlet``."""
    return _folders().user_state_path


def sessions_folder() -> Path:
    """Return the folder of a window's sessions."""
    return state_folder() / "sessions"


def inputs_folder() -> Path:
    """Return the folder of the jars of accepted steps with which a reduction began anew."""
    return state_folder() / "inputs"


def cache_folder() -> Path:
    """Return the folder of files that can be made anew: ``$XDG_CACHE_HOME/jarlet``."""
    return _folders().user_cache_path


def config_folder() -> Path:
    """Return the folder of the user's own files: ``$XDG_CONFIG_HOME/jarlet``."""
    return _folders().user_config_path


def _folders() -> PlatformDirs:
    from platformdirs import PlatformDirs  # here: `jarlet --version` and `--help` need no folder

    return PlatformDirs("jarlet", appauthor=False)
