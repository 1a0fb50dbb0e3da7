"""The texts of the run panel on missing settings and on wanted failures. No Qt."""

from __future__ import annotations

from core.protocol.settings import Settings

_CHOSEN, _NO_NEW = "chosen ", ", no new kinds"
_BUT = ("kinds but ", "kinds at least but ")
"""Demands that a failure's kind may go."""


def problem_of(settings: Settings) -> str:
    """Return a sentence on what is missing before a run; an empty text if nothing is."""
    if not settings.preset and not settings.predicate:
        return "Write the command that shows the failure, for instance ./check.sh {jar}, or choose a preset above it."
    failures = settings.failures or ""
    if failures.startswith((_CHOSEN, *_BUT)) and not chosen_of(failures):
        role = "stay" if failures.startswith(_CHOSEN) else "go"
        return f"Choose the failure that is to {role}: run the check, which lists them, or type its name."
    return ""


def wanted_text(statement: str, chosen: str, no_new: bool) -> str:
    """Return the wanted failures as the engine reads them. ``statement`` is empty, ``kinds`` or ``kinds at least``,
    either perhaps with `` but``, ``same``, ``at least``, ``any`` or ``chosen``. ``chosen`` has a name, or several with
    a line end between two."""
    if not statement:
        return ""
    words = f"{statement} {chosen}" if names_one(statement) else statement
    return words + (_NO_NEW if no_new and may_add(statement) else "")


def names_one(statement: str) -> bool:
    """Return True if a failure is named behind that statement."""
    return f"{statement} " in (_CHOSEN, *_BUT)


def may_add(statement: str) -> bool:
    """Return True if that statement allows failures that the whole jar does not show."""
    return statement in ("at least", "any", "chosen")


def wanted_parts(text: str) -> tuple[str, str, bool]:
    """Return the three arguments for which :func:`wanted_text` returns this text."""
    no_new = text.endswith(_NO_NEW)
    body = text.removesuffix(_NO_NEW)
    for begin in (_CHOSEN, *_BUT):
        if body.startswith(begin):
            return begin.strip(), body.removeprefix(begin), no_new
    return body, "", no_new


def chosen_of(text: str) -> str:
    """Return the name of the chosen failure; empty if none is."""
    return wanted_parts(text)[1].strip()
