"""The aim that settings stand for. The module imports neither the model nor the algorithms, so that it is loaded at
once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from core.archive.entry_names import EntryKind, kind_of
from core.archive.named_inputs import InputJar
from core.classfile.format_error import ClassFormatError
from core.errors import InputError, OutputError, UsageError
from core.library.jdks import choose_jdk, needed_java
from core.library.kept_files import kept_file
from core.predicate import presets
from core.predicate.aim import Aim
from core.predicate.condition import Condition
from core.predicate.failures import HANGS, KINDS, FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.predicate.preset import Preset
from core.predicate.releases.input_words import Resolved
from core.predicate.several.every import Trials
from core.protocol.java_names import dotted
from core.protocol.settings import Settings

_MEGA = 1 << 20

INPUT = "{input}"
"""Placeholder for the words of an input in a command."""

_CONSOLE = "org.junit.platform.console.ConsoleLauncher"
_JUNIT_4 = f"java -cp {{classpath}} org.junit.runner.JUnitCore {INPUT}"
_JUNIT_5 = f"java -cp {{classpath}} {_CONSOLE} execute --disable-banner --details=none --fail-if-no-tests {INPUT}"


def aim_of(
    settings: Settings, inputs: Sequence[InputJar] = (), entries: Sequence[tuple[str, bytes]] | None = None
) -> Aim:
    """Return the aim of settings, for some inputs if known. Raises UsageError for an unknown preset or a condition that
    contradicts itself, InputError for a bad preset.

    With the ``entries`` of the input, the aim has a JDK for them, and for a preset the whole jars among them as
    libraries.
    """
    condition, asked = condition_of(settings), _asked(settings)
    preset = presets.find(settings.preset, settings.options) if settings.preset is not None else None
    if condition.hangs and preset is not None:
        preset = replace(preset, reading=condition.reading, wanted=condition.wanted, adapter="")
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
        limits=ProbeLimits(
            settings.memory * _MEGA if settings.memory is not None else None,
            seconds=settings.timeout,
            processor=settings.slower_than,
        ),
        class_path=tuple(map(Path, settings.classpath)),
        options=settings.options,
        warm=settings.warm and not condition.hangs,
        failures_as=settings.failures_as,
        jdk=settings.jdk,
        check_runs=settings.check_runs,
        search=settings,
        inputs=tuple(inputs),
        trials=trials_of(settings),
    )


def completed(settings: Settings, brought: Resolved) -> Settings:
    """Return settings with the libraries of an input behind those of the user, and with its options for a preset if the
    user has none."""
    known = tuple(dict.fromkeys((*settings.classpath, *brought.libraries)))
    if settings.tests and not settings.predicate:
        preserve = settings.preserve or frozenset({"exit"})
        settings = replace(settings, predicate=test_command(known), preserve=preserve, expect_exit=0)
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
    if settings.hangs or settings.slower_than is not None:
        reading = FailureNaming((HANGS,))
        if naming or settings.preserve or settings.match or settings.no_match or settings.expect_exit is not None:
            raise UsageError(
                "A run that does not end is judged by where it is stuck: leave out --preserve, --expect-exit, --match, "
                "--no-match and --failures-as, or --hangs and --slower-than."
            )
    elif naming is not None:
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


def trials_of(settings: Settings) -> Trials | None:
    """Return the inputs of settings; None for a command without any. All searched tests are one command, since a
    virtual machine for each class would take most of the time. Raise UsageError and InputError."""
    if not (settings.trials or settings.tests):
        return None
    if settings.trials and settings.tests:
        raise UsageError("Give the inputs by --inputs or by --tests, not by both.")
    lines = list(dict.fromkeys(_tests(settings) if settings.tests else _lines(settings.trials)))
    share = settings.held_out / 100
    count = max(share > 0, round(share * len(lines))) if len(lines) > 1 else 0
    unseen = Random(settings.seed).sample(lines, count)
    searched = [line for line in lines if line not in unseen]
    groups = [searched] if settings.tests else [[line] for line in searched]
    option = "-c " if _CONSOLE in settings.predicate and settings.tests else ""
    commands = [_with(settings.predicate, [f"{option}{line}" for line in group]) for group in (*groups, *zip(unseen))]
    names = [f"{len(searched)} classes of tests"] if settings.tests else searched
    return Trials(tuple(commands), (*names, *unseen), len(groups), tuple(lines) if settings.tests else ())


def test_command(class_path: Iterable[str]) -> str:
    """Return the command that runs classes of tests, by the version of JUnit on the class path."""
    runner = f"{_CONSOLE.replace('.', '/')}.class"
    return _JUNIT_5 if any(runner in names for names, _ in _jars(class_path)) else _JUNIT_4


def _with(command: str, lines: Sequence[str]) -> str:
    """Return the command for inputs. Without a place for them they are its last words."""
    return (command if INPUT in command else f"{command} {INPUT}").replace(INPUT, " ".join(lines))


def _lines(name: str) -> list[str]:
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: the inputs cannot be read ({getattr(error, 'strerror', None) or error}).") from error
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not found:
        raise InputError(f"{name}: there is no input: write the arguments of a run on each line.")
    return found


def _tests(settings: Settings) -> list[str]:
    """Return the chosen classes of tests in the libraries, sorted."""
    out = [pattern[1:] for pattern in settings.tests if pattern.startswith("!")]
    chosen = [pattern for pattern in settings.tests if not pattern.startswith("!")] or ["*"]

    def wanted(name: str) -> bool:
        by = (any(fnmatchcase(name, pattern) for pattern in patterns) for patterns in (chosen, out))
        return next(by) and not next(by)

    found = {
        name
        for names, jar in _jars(settings.classpath)
        for entry in names
        if entry.endswith(".class") and wanted(name := dotted(entry.removesuffix(".class")))
        if not _is_abstract(jar.read(entry))
    }
    if not found:
        raise UsageError(
            f"--tests {','.join(settings.tests)}: no class of JUnit tests in the jars of --classpath has such a name. "
            "Name the jar of tests and those of JUnit there."
        )
    return sorted(found)


def _jars(class_path: Iterable[str]) -> Iterator[tuple[list[str], zipfile.ZipFile]]:
    """Yield each jar of a class path with the names of its entries. Others are told by whoever opens them all."""
    for path in class_path:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as jar:
                yield jar.namelist(), jar


def _is_abstract(data: bytes) -> bool:
    from core.classfile.class_file import parse  # here: few settings need it
    from core.classfile.flags import ABSTRACT

    with suppress(ClassFormatError):
        return bool(parse(data).access & ABSTRACT)
    return True
