"""The Java source of a result as a report has it, or the assembler text in its place."""

from __future__ import annotations

from threading import Event as Flag
from typing import Any

from core.entries import Entries
from core.errors import JarletError
from core.predicate.aim import Aim
from core.recompile.source_search import SourceResult
from core.service.reproducers.failing_result import AssemblerText, FailingResult

MOST = 60
"""Largest number of classes of a result whose source is looked for."""

_NO_TIME = {"sentence": "No Java source was looked for: no time was left for it."}


def source_report(entries: Entries, aim: Aim, seconds: float, cancel: Flag) -> dict[str, Any]:
    """Return the findings about the source of a result, as a JSON object; the reason alone if no search was possible.
    ``cancel`` ends the search."""
    classes = sum(name.endswith(".class") for name, _ in entries)
    if not 0 < classes <= MOST:
        return {"sentence": f"No Java source was looked for: the result has {classes} classes, of at most {MOST}."}
    if cancel.is_set():
        return _NO_TIME
    try:
        result = FailingResult(entries, aim, cancel)
    except JarletError as error:
        return _NO_TIME if cancel.is_set() else {"sentence": f"No Java source was looked for: {error}"}
    try:
        found = result.source(seconds)
        text = None if found.found is not None or cancel.is_set() else result.assembler(result.entries)
        return told(found, text)
    except JarletError as error:
        return {"sentence": f"No Java source was found: {error}"}
    finally:
        result.close()


def told(result: SourceResult, text: AssemblerText | None = None) -> dict[str, Any]:
    """Return a search's result as a JSON object."""
    found = result.found
    known: dict[str, Any] = {
        "sentence": result.sentence,
        "verified": found is not None,
        "notes": list(result.notes),
        "runs": result.probes,
        "seconds": round(result.seconds, 1),
    }
    if found is not None:
        known |= {
            "decompiler": found.origin,
            "repaired": found.repaired,
            "compiler": found.way.compiler,
            "options": list(found.way.options),
            "files": {**found.texts, **{f"stubs/{path}": text for path, text in found.stubs.items()}},
        }
    elif text is not None:
        known |= {"assembler": dict(text.texts), "sentence": f"{result.sentence} {assembler_sentence(text)}"}
    return known


def assembler_sentence(text: AssemblerText) -> str:
    """Return a sentence on assembler texts."""
    kind = "jasm" if any(name.endswith(".jasm") for name in text.texts) else "jcod"
    words = f"In its place stands assembler text ({kind}, for OpenJDK's asmtools)"
    if not text.shows:
        return f"{words}; a run of it does not show the failure."
    if text.needed:
        return f"{words}: jasm cannot say {', '.join(text.needed)}, and without that the failure is gone."
    if text.lost:
        return f"{words}, without {', '.join(text.lost)}: the failure needs none of these."
    return f"{words}."
