"""The texts of the run panel on missing settings and on wanted failures. No Qt."""

from __future__ import annotations

from core.protocol.settings import Settings

_CHOSEN, _NO_NEW = "chosen ", ", no new kinds"


def problem_of(settings: Settings) -> str:
    """Return a sentence on what is missing before a run; an empty text if nothing is."""
    if not settings.preset and not settings.predicate:
        return "Write the command that shows the failure, for instance: ./check.sh {jar}"
    if (settings.failures or "").startswith(_CHOSEN) and not chosen_of(settings.failures or ""):
        return "Choose the failure that is to stay: run the check, which lists them, or type its name."
    return ""


def wanted_text(statement: str, chosen: str, no_new: bool) -> str:
    """Return the wanted failures as the engine reads them. ``statement`` is empty, ``same``, ``at least``, ``any``
    or ``chosen``."""
    if not statement:
        return ""
    words = f"{_CHOSEN}{chosen}" if statement == "chosen" else statement
    return words + (_NO_NEW if no_new and statement != "same" else "")


def wanted_parts(text: str) -> tuple[str, str, bool]:
    """Return the three arguments for which :func:`wanted_text` returns this text."""
    no_new = text.endswith(_NO_NEW)
    body = text.removesuffix(_NO_NEW)
    if body.startswith(_CHOSEN):
        return "chosen", body.removeprefix(_CHOSEN), no_new
    return body, "", no_new


def chosen_of(text: str) -> str:
    """Return the name of the chosen failure; empty if none is chosen."""
    return wanted_parts(text)[1].strip()
