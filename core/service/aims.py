"""The aim that settings stand for. The module imports neither the model nor the algorithms, so that it is loaded at
once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from core.archive.entry_names import EntryKind, kind_of
from core.archive.named_inputs import InputJar
from core.errors import OutputError, UsageError
from core.library.jdks import choose_jdk, needed_java
from core.library.kept_files import kept_file
from core.predicate import presets
from core.predicate.aim import Aim
from core.predicate.condition import Condition
from core.predicate.failures import KINDS, FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.predicate.releases.input_words import Resolved
from core.protocol.settings import Settings

_MEGA = 1 << 20


def aim_of(settings: Settings, inputs: Sequence[InputJar] = ()) -> Aim:
    """Return the aim of settings, for some inputs if known. Raises UsageError for an unknown preset or a condition that
    contradicts itself, InputError for a bad preset."""
    return Aim(
        stored=settings.to_json(),
        preset=presets.find(settings.preset) if settings.preset is not None else None,
        command=settings.predicate,
        condition=condition_of(settings),
        asked=_asked(settings),
        limits=ProbeLimits(settings.memory * _MEGA if settings.memory is not None else None, seconds=settings.timeout),
        class_path=tuple(map(Path, settings.classpath)),
        options=settings.options,
        warm=settings.warm,
        failures_as=settings.failures_as,
        jdk=settings.jdk,
        check_runs=settings.check_runs,
        search=settings,
        inputs=tuple(inputs),
    )


def completed(settings: Settings, brought: Resolved) -> Settings:
    """Return settings with the libraries of an input behind those of the user, and with its options for a preset if the
    user has none."""
    known = tuple(dict.fromkeys((*settings.classpath, *brought.libraries)))
    options = brought.options.get(settings.preset or "")
    if options and "options" not in settings.options:
        settings = replace(settings, options={**settings.options, "options": options})
    return settings if known == tuple(settings.classpath) else replace(settings, classpath=known)


def aim_in(report: Mapping[str, Any]) -> Aim:
    """Return the aim of the reduction that a report tells of. Raises as :func:`aim_of`."""
    found = report["input"].get("inputs", ())
    inputs = [InputJar(Path(each["path"]), each["name"], each["label"]) for each in found]
    return aim_of(Settings.from_json(report["settings"]), inputs)


def condition_of(settings: Settings) -> Condition:
    """Return the condition that makes a run of the command interesting."""
    reading, asked, naming = None, _asked(settings), settings.naming
    if naming is not None:
        reading = FailureNaming((naming,)) if naming in KINDS else FailureNaming(pattern=naming)
    if settings.also_interesting is not None and asked is not None and not (reading or settings.preset):
        raise UsageError(
            f"The failures cannot be {settings.failures!r}, since nothing names them: say how with --failures-as. To "
            "reduce for a failure of --also-interesting, take the jar that was kept for it, with --expect-exit."
        )
    return Condition(
        settings.preserve,
        settings.expect_exit,
        settings.match or None,
        settings.no_match or None,
        reading,
        (asked or Wanted()) if reading is not None else None,
        settings.also_interesting,
    )


def _asked(settings: Settings) -> Wanted | None:
    return Wanted.parse(settings.failures) if settings.failures is not None else None


def for_input(settings: Settings, entries: Sequence[tuple[str, bytes]]) -> Settings:
    """Return the settings for an input: with :func:`on_jdk`, and for a preset with whole jars inside as libraries."""
    settings = on_jdk(settings, entries)
    inside = [(name, data) for name, data in entries if kind_of(name) is EntryKind.NESTED]
    if settings.preset is None or not inside:
        return settings
    places = (_library_of(name, data) for name, data in inside)
    known = (*settings.classpath, *(str(place) for place in places if place))
    return replace(settings, classpath=tuple(dict.fromkeys(known)))


def _library_of(name: str, data: bytes) -> Path | None:
    """Return the place of a jar inside an input as a file of its own, which stays in the cache; None for damaged ones
    and where the cache cannot be written.
    """
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return None
    with suppress(OutputError):
        return kept_file(PurePosixPath(name).name, data)
    return None


def on_jdk(settings: Settings, entries: Iterable[tuple[str, bytes]]) -> Settings:
    """Return the settings with the folder of the JDK, if it is not the one of JAVA_HOME or PATH.

    A command of the user's gets another JDK only if the settings name it: it runs as in the user's shell.
    """
    preset = presets.find(settings.preset) if settings.preset is not None else None
    if not settings.jdk and (preset is None or not preset.starts_java):
        return settings
    choice = choose_jdk(settings.jdk, needed_java(entries), preset.newest_jdk if preset is not None else 0)
    return replace(settings, jdk=str(choice.jdk.home)) if choice.why else settings
