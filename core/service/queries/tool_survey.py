"""Which tools fail: each installed one is run on the same input, and its failures are named."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event as Flag

from core.errors import JarletError
from core.predicate import presets
from core.predicate.predicate import Entries
from core.predicate.preset import Preset
from core.predicate.several.decompiling import BEST_FIRST
from core.predicate.verdict import ANSWERS, Outcome
from core.protocol.events import ToolRan
from core.protocol.java_names import java_name
from core.report.sources.failing_class import place_of

SECONDS = 300.0
"""Time limit of a tool."""

_ORDER = (*BEST_FIRST, "verify", "proguard", "jdeps")


def tools() -> list[Preset]:
    """The presets that can be run without being told anything more, decompilers first; what is missing, too."""
    known = presets.load_all()
    names = [name for name in _ORDER if name in known] + [name for name in known if name not in _ORDER]
    return [
        known[name]
        for name in names
        if not known[name].compares
        and known[name].reading is not None
        and not any(setting.required for setting in known[name].settings)
    ]


def lacking() -> list[tuple[str, str]]:
    """Titles of the tools that are not installed, each with how to get it."""
    return [(preset.title, missing) for preset in tools() if (missing := preset.missing()) is not None]


def fetch_all() -> None:
    """Gets what Maven has of the tools that are missing; :func:`lacking` tells what could not be got."""
    for preset in tools():
        preset.fetch()


def survey(entries: Entries, library: Sequence[Path], cancel: Flag) -> Iterator[ToolRan]:
    """Runs all that are installed, one after another, until ``cancel`` is set."""
    classes = {name.removesuffix(".class") for name, _ in entries if name.endswith(".class")}
    for preset in tools():
        if cancel.is_set():
            return
        if preset.missing() is None:
            ran = _run(preset, entries, classes, library, cancel)
            if not cancel.is_set():
                yield ran


def _run(preset: Preset, entries: Entries, classes: set[str], library: Sequence[Path], cancel: Flag) -> ToolRan:
    title = preset.title.removesuffix(", then javac")
    version = " and ".join(version for tool, version in preset.versions().items() if tool != "java")
    try:
        predicate = preset.predicate({}, library, warm=False, timeout=SECONDS)
        with tempfile.TemporaryDirectory(prefix="jarlet-tools-") as folder:
            outcome = predicate.confirm(entries, Path(folder) / "run", cancel)
    except JarletError as error:
        return ToolRan(preset.name, title, version, "", [], [], None, 0.0, str(error))
    failures = list(outcome.failures)
    problem = "" if outcome.verdict in ANSWERS else outcome.detail
    if outcome.exit and not failures and not problem:
        problem = f"exit code {outcome.exit}, and nothing that it prints is known to be a failure{_first_line(outcome)}"
    places = [_place(name, classes) for name in failures]
    return ToolRan(preset.name, title, version, "", failures, places, outcome.exit, outcome.seconds, problem)


def _first_line(outcome: Outcome) -> str:
    lines = [line.strip() for line in (outcome.stderr + "\n" + outcome.stdout).splitlines() if line.strip()]
    return f": {lines[0][:200]}" if lines else ""


def _place(failure: str, classes: set[str]) -> str:
    """The class, as Java writes it, that a failure is about; empty = none of the input's."""
    found = place_of(failure, classes)
    return java_name(found) if found else ""
