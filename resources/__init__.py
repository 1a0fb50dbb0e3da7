"""Files that come with Jarlet: the sample, icons. Nothing here is executed."""

from __future__ import annotations

from pathlib import Path


def path(name: str) -> Path:
    """Where the resource ``name`` lies, a relative path with slashes such as ``icons/open.svg``."""
    return Path(__file__).resolve().parent / name
