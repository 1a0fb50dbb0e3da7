"""JSON files that somebody may have edited or a disk may have damaged; :mod:`core.values` checks the fields."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

from core.errors import UsageError

LARGEST = 16 << 20
"""Bytes of a file that is read; ours have a few thousand."""


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file. Raise OSError, UsageError when it is none."""
    facts = path.stat()
    if not stat.S_ISREG(facts.st_mode):
        raise UsageError("It is not an ordinary file.")
    if facts.st_size > LARGEST:
        raise UsageError(f"It has {facts.st_size} bytes, too many for such a file.")
    try:
        values = json.loads(path.read_bytes(), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise UsageError(f"Byte {error.start} is not UTF-8 text.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"It is not JSON: {str(error)[:200]}.") from error
    if not isinstance(values, dict):
        raise UsageError("It does not hold a JSON object.")
    return values


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number")
