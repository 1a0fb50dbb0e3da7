"""What the run panel says in words: what is missing, and what the failures must be. No Qt."""

from __future__ import annotations

from core.protocol.settings import Settings

_CHOSEN, _NO_NEW = "chosen ", ", no new kinds"


def problem_of(settings: Settings) -> str:
    """A sentence on what is missing before this can run; empty = nothing."""
    if not settings.preset and not settings.predicate:
        return "Write the command that shows the failure, for instance: ./check.sh {jar}"
    if (settings.failures or "").startswith(_CHOSEN) and not chosen_of(settings.failures or ""):
        return "Choose the failure that is to stay: run the check, which lists them, or type its name."
    return ""


def wanted_text(statement: str, chosen: str, no_new: bool) -> str:
    """What the failures must be, as the engine reads it; ``statement``: empty, ``same``, ``at least``, ``chosen``."""
    if not statement:
        return ""
    words = f"{_CHOSEN}{chosen}" if statement == "chosen" else statement
    return words + (_NO_NEW if no_new and statement != "same" else "")


def wanted_parts(text: str) -> tuple[str, str, bool]:
    """The inverse of :func:`wanted_text`."""
    no_new = text.endswith(_NO_NEW)
    body = text.removesuffix(_NO_NEW)
    if body.startswith(_CHOSEN):
        return "chosen", body.removeprefix(_CHOSEN), no_new
    return body, "", no_new


def chosen_of(text: str) -> str:
    """The failure that is chosen, empty if none is."""
    return wanted_parts(text)[1].strip()
