"""The aim that settings stand for. The module imports neither the model nor the algorithms, so that it is loaded at
once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from core.predicate.preset import Preset
from core.predicate.releases.input_words import Resolved
from core.protocol.settings import Settings

_MEGA = 1 << 20


def aim_of(
    settings: Settings, inputs: Sequence[InputJar] = (), entries: Sequence[tuple[str, bytes]] | None = None
) -> Aim:
    """Return the aim of settings, for some inputs if known. Raises UsageError for an unknown preset or a condition that
    contradicts itself, InputError for a bad preset.

    With the ``entries`` of the input, the aim has a JDK for them, and for a preset the whole jars among them as
    libraries.
    """
    condition, asked = condition_of(settings), _asked(settings)
    preset = presets.find(settings.preset) if settings.preset is not None else None
    if entries is not None:
        inside = _libraries_in(entries) if preset is not None else ()
        known = tuple(dict.fromkeys((*settings.classpath, *inside)))
        settings = replace(settings, jdk=_jdk_for(settings.jdk, preset, entries), classpath=known)
    return Aim(
        stored=settings.to_json(),
        preset=preset,
        command=settings.predicate,
        condition=condition,
        asked=asked,
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


def _libraries_in(entries: Iterable[tuple[str, bytes]]) -> Iterator[str]:
    """Yield the places of the jars inside an input as files of their own, which stay in the cache. Damaged jars have
    none, and no jar has one where the cache cannot be written."""
    for name, data in entries:
        if kind_of(name) is EntryKind.NESTED and zipfile.is_zipfile(io.BytesIO(data)):
            with suppress(OutputError):
                yield str(kept_file(PurePosixPath(name).name, data))


def _jdk_for(wanted: str, preset: Preset | None, entries: Iterable[tuple[str, bytes]]) -> str:
    """Return the folder of the JDK for an input, or ``wanted`` if that is the one of JAVA_HOME or PATH.

    A command of the user's gets another JDK only if the settings name it: it runs as in the user's shell.
    """
    if not wanted and (preset is None or not preset.starts_java):
        return wanted
    choice = choose_jdk(wanted, needed_java(entries), preset.newest_jdk if preset is not None else 0)
    return str(choice.jdk.home) if choice.why else wanted
