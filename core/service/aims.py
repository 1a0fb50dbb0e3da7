"""The aim that settings stand for. The module imports neither the model nor the algorithms, so that it is loaded at
once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from core.archive.entry_names import EntryKind, kind_of
from core.archive.named_inputs import InputJar, find
from core.archive.zips import Archive
from core.entries import Entries
from core.errors import InputError, OutputError, UsageError
from core.library.jdks import choose_jdk, needed_java
from core.library.kept_files import kept_file
from core.predicate import presets
from core.predicate.aim import Aim
from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.predicate.output.kinds import HANGS, KINDS
from core.predicate.preset import Preset
from core.predicate.releases.input_words import Resolved
from core.predicate.several.every import Trials
from core.protocol.java_names import dotted, matcher
from core.protocol.run_words import GRANULARITIES, WHOLE_CLASSES
from core.protocol.settings import Settings
from core.words import counted

_MEGA = 1 << 20

INPUT = "{input}"
"""Placeholder for the words of an input in a command."""

_CONSOLE = "org.junit.platform.console.ConsoleLauncher"
_OF_JUNIT = ("org.junit.", "junit.")
"""Beginnings of the names of JUnit's own classes. These are tests only if the user names them."""
_JUNIT_4 = f"java -cp {{classpath}} org.junit.runner.JUnitCore {INPUT}"
_JUNIT_5 = f"java -cp {{classpath}} {_CONSOLE} execute --disable-banner --details=none --fail-if-no-tests {INPUT}"


def aim_of(settings: Settings, inputs: Sequence[InputJar] = (), entries: Entries | None = None) -> Aim:
    """Return the aim of settings, for some inputs if known. Raises UsageError for an unknown preset or a condition that
    contradicts itself, InputError for a bad preset.

    With the ``entries`` of the input, the aim has a JDK for them, and for a preset the whole jars among them as
    libraries.
    """
    condition, asked = condition_of(settings), _asked(settings)
    preset = presets.find(settings.preset, settings.options) if settings.preset is not None else None
    if condition.hangs and preset is not None:
        preset = replace(preset, reading=condition.reading, wanted=condition.wanted)
        empty = (each for each in preset.settings if each.hanging and not settings.options.get(each.name))
        settings = replace(settings, options={**settings.options, **{each.name: each.hanging for each in empty}})
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
            slower=settings.slower_than,
        ),
        class_path=tuple(map(Path, settings.classpath)),
        options=settings.options,
        warm=settings.warm and not condition.hangs and not settings.rare,
        rare=settings.rare,
        failures_as=settings.failures_as,
        jdk=settings.jdk,
        check_runs=settings.check_runs,
        search=_search_of(settings),
        inputs=tuple(inputs),
        trials=trials_of(settings),
        lines=_text_files(settings.lines),
    )


def _text_files(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the places of text files. Raise UsageError for one that is none, and for two of one name."""
    found = tuple(Path(name).expanduser().resolve() for name in names)
    for path in found:
        if not path.is_file():
            raise UsageError(f"--lines {path}: there is no such file.")
        if [each.name for each in found].count(path.name) > 1:
            raise UsageError(f"--lines {path}: another file has this name too. Give each file a name of its own.")
    return found


def _search_of(settings: Settings) -> Settings:
    if settings.preserve and settings.trust == WHOLE_CLASSES:
        settings = replace(settings, granularity=GRANULARITIES[0])
    return replace(settings, jobs=1) if settings.rare else settings


def completed(settings: Settings, brought: Resolved) -> Settings:
    """Return settings with the libraries of an input behind those of the user, and, if the user has no options for a
    preset, with its values of the preset's settings."""
    known = tuple(dict.fromkeys((*settings.classpath, *brought.libraries)))
    if settings.tests and not settings.predicate:
        preserve = settings.preserve or frozenset({"exit"})
        settings = replace(settings, predicate=test_command(known), preserve=preserve, expect_exit=0)
    own = brought.options.get(settings.preset or "")
    if own and "options" not in settings.options:
        lines = tuple(dict.fromkeys((*settings.lines, *brought.lines)))
        settings = replace(settings, options={**own, **settings.options}, lines=lines)
    return settings if known == tuple(settings.classpath) else replace(settings, classpath=known)


def aim_in(report: Mapping[str, Any]) -> Aim:
    """Return the aim of the reduction that a report tells of. Raises as :func:`aim_of`."""
    paths, found = report["input"]["paths"], report["input"].get("inputs", ())
    inputs = tuple([InputJar(Path(each["path"]), each["name"], each["label"]) for each in found])
    return aim_of(Settings.from_json(report["settings"]), inputs or (find(paths) if len(paths) == 1 else ()))


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
        if settings.slower_than is not None and (settings.rare or settings.trials or settings.tests):
            raise UsageError("A slow run is told by one run: leave out --rare, --inputs, --tests or --slower-than.")
    elif naming is not None:
        known = naming in KINDS and naming != HANGS  # which has an option of its own
        reading = FailureNaming((naming,)) if known else FailureNaming(pattern=naming)
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


def _libraries_in(entries: Entries) -> Iterator[str]:
    """Yield the places of the jars inside an input as files of their own, which stay in the cache. Damaged jars have
    none, and no jar has one where the cache cannot be written."""
    for name, data in entries:
        if kind_of(name) is EntryKind.NESTED and zipfile.is_zipfile(io.BytesIO(data)):
            with suppress(OutputError):
                yield str(kept_file(PurePosixPath(name).name, data))


def _jdk_for(wanted: str, preset: Preset | None, entries: Entries) -> str:
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
    if settings.trials and settings.tests:
        raise UsageError("Give the inputs by --inputs or by --tests, not by both.")
    tests = chosen_tests(settings) if settings.tests else ()
    names = tests or (_lines(settings.trials) if settings.trials else ())
    if not names:
        return None
    count = max(settings.held_out > 0, round(settings.held_out * len(names) / 100)) if len(names) > 1 else 0
    unseen = Random(settings.seed).sample(names, count)
    searched = [name for name in names if name not in unseen]
    groups = [searched] if tests else [[name] for name in searched]
    text = settings.predicate if INPUT in settings.predicate else f"{settings.predicate} {INPUT}"
    before = "-c " if tests and _CONSOLE in text else ""
    commands = (text.replace(INPUT, " ".join(f"{before}{name}" for name in group)) for group in [*groups, *zip(unseen)])
    titles = [counted(len(searched), "class of tests")] if tests else searched
    return Trials(tuple(commands), (*titles, *unseen), len(groups), tuple(tests))


def test_command(class_path: Iterable[str]) -> str:
    """Return the command that runs classes of tests, by the version of JUnit on the class path."""
    return _JUNIT_5 if _CONSOLE in _classes(class_path) else _JUNIT_4


def _lines(name: str) -> list[str]:
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: the inputs cannot be read ({getattr(error, 'strerror', error)}).") from error
    found = dict.fromkeys(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not found:
        raise InputError(f"{name}: there is no input: write the arguments of a run on each line.")
    return list(found)


def chosen_tests(settings: Settings) -> list[str]:
    """Return the chosen classes of tests in the libraries, sorted."""
    wanted = matcher([each for each in settings.tests if not each.startswith("!")])
    unwanted = matcher([each[1:] for each in settings.tests if each.startswith("!")])
    own = () if any(each.startswith(_OF_JUNIT) for each in settings.tests) else _OF_JUNIT
    names = _classes(settings.classpath)
    found = [name for name in names if wanted(name) and not (unwanted(name) or name.startswith(own))]
    if not found:
        raise UsageError(
            f"--tests {','.join(settings.tests)}: no class in the jars of --classpath has such a name. Name the jar of "
            "tests and those of JUnit there."
        )
    return found


def _classes(class_path: Iterable[str]) -> list[str]:
    """Return the names of the classes in the jars of a class path, sorted. Others are told by whoever reads them."""
    found: set[str] = set()
    for path in filter(zipfile.is_zipfile, class_path):
        with Archive(Path(path)) as jar:
            found |= {dotted(name[:-6]) for name in jar.names if name.endswith(".class")}
    return sorted(found)
