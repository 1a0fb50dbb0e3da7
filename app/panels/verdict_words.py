"""Verdicts as a person reads them."""

from __future__ import annotations

NOT_INTERESTING = "not interesting"


def verdict_words(verdict: str) -> str:
    """The verdict of an event; version 1 of the protocol says ``boring``."""
    return NOT_INTERESTING if verdict == "boring" else verdict
