"""Storage of clues in a session: a resumed search must ask the same questions again."""

from __future__ import annotations

import json
from pathlib import Path

from core.evidence.clues import Clues
from core.system.files import write_whole

_STEM = "evidence"
"""Stem of the names of a session's files."""


def kept_clues(store: Path | None, turn: int = 0) -> Clues | None:
    """Return the session's clues about the input, or about the best at watched run number ``turn``; None if missing
    or damaged.
    """
    if store is None:
        return None
    try:
        return Clues.from_json(json.loads((store / _file(turn)).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not there, or damaged: it is gathered again


def forget_clues(store: Path | None) -> None:
    """Remove the session's clues, because they are in doubt."""
    if store is not None:
        for path in store.glob(f"{_STEM}*.json"):
            path.unlink(missing_ok=True)


def write_clues(store: Path | None, evidence: Clues, turn: int = 0) -> None:
    """Write clues to the session, if there is one."""
    if store is not None:
        write_whole(store / _file(turn), (json.dumps(evidence.to_json()) + "\n").encode())


def _file(turn: int) -> str:
    return f"{_STEM}-{turn}.json" if turn else f"{_STEM}.json"
