"""The predicate of the settings: its command or preset, condition, limits and wanted failures.

The module imports neither the model nor the algorithms, so that it is loaded at once.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from core.archive.entry_names import EntryKind, kind_of
from core.archive.nested import flattened
from core.entries import Entries
from core.errors import InputError, JarletError, OutputError, UsageError
from core.library.jdk import Jdk
from core.library.jdks import choose_jdk, needed_java
from core.outside_names import file_name_like
from core.predicate import presets
from core.predicate.command import PredicateCommand, java_variables
from core.predicate.condition import Condition
from core.predicate.failure_kinds import KindOf
from core.predicate.failures import KINDS, FailureNaming, Statement, Wanted
from core.predicate.jvm.pool import ProcessPool
from core.predicate.jvm.tool_hosts import ToolHosts
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.preset import Preset, ToolRuns
from core.predicate.several.differ import differing
from core.protocol.settings import Settings
from core.protocol.wording import WARNING
from core.system.files import write_whole
from core.user_folders import cache_folder

_MEGA = 1 << 20


def predicate_of(settings: Settings, timeout: float | None, shelf: ProcessPool | None = None) -> Predicate:
    """Return a command with its condition, or a preset with its settings.

    ``timeout`` holds where the user set none. ``shelf`` has resident processes that stay for other predicates. Raises
    UsageError for wrong settings of a preset, PredicateError for missing tools.
    """
    if settings.preset is not None:
        return predicate_by(presets.find(settings.preset), settings, timeout, shelf)
    jdk, command = jdk_of(settings), PredicateCommand.parse(settings.predicate)
    limit = settings.timeout or timeout
    hosts = ToolHosts() if settings.warm and settings.memory is None else None  # a limit would not hold for them
    predicate = CommandPredicate(command, condition_of(settings), limit, limits=limits_of(settings), hosts=hosts)
    if jdk is None:
        return predicate
    return replace(predicate, extra=java_variables(jdk.home), tools={"java": jdk.release})


def predicate_by(
    preset: Preset, settings: Settings, timeout: float | None, shelf: ProcessPool | None = None
) -> Predicate:
    """Return the predicate of a preset, whatever the settings call it, with the rest of the settings."""
    limit, jdk = settings.timeout or timeout, jdk_of(settings)
    wanted = wanted_by(settings) if settings.failures is not None else None
    runs = ToolRuns(class_path_of(settings), jdk, limit, limits_of(settings), settings.warm, shelf)
    if preset.compares:
        return differing(preset, settings.options, wanted, runs)
    return preset.predicate(settings.options, wanted, runs, settings.also_interesting)


def jdk_of(settings: Settings) -> Jdk | None:
    """Return the JDK that the settings name; None for that of JAVA_HOME or PATH. Raise UsageError if there is none."""
    return choose_jdk(settings.jdk, 0).jdk if settings.jdk else None


def for_input(settings: Settings, entries: Sequence[tuple[str, bytes]]) -> Settings:
    """Return the settings for an input: with :func:`on_jdk`, and for a preset with whole jars inside as libraries."""
    settings = on_jdk(settings, entries)
    inside = [(name, data) for name, data in entries if kind_of(name) is EntryKind.NESTED]
    if settings.preset is None or not inside:
        return settings
    places = (_library_of(PurePosixPath(name).name, data) for name, data in inside)
    known = (*settings.classpath, *(str(place) for place in places if place))
    return replace(settings, classpath=tuple(dict.fromkeys(known)))


def _library_of(name: str, data: bytes) -> Path | None:
    """Return the place of a jar inside an input as a file of its own, which stays in the cache; None for damaged ones
    and where the cache cannot be written.
    """
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return None
    place = cache_folder() / "inside" / hashlib.sha256(data).hexdigest()[:16] / file_name_like(name)
    with suppress(OutputError):
        if not place.is_file():
            write_whole(place, data, durable=False, parents=True)
        return place
    return None


def on_jdk(settings: Settings, entries: Iterable[tuple[str, bytes]]) -> Settings:
    """Return the settings with the folder of the JDK, where that is not the one of JAVA_HOME or PATH.

    A command of the user's gets another one only where the settings name it: it runs as in the user's shell.
    """
    if not settings.jdk and (settings.preset is None or not presets.find(settings.preset).starts_java):
        return settings
    newest = presets.find(settings.preset).newest_jdk if settings.preset is not None else 0
    choice = choose_jdk(settings.jdk, needed_java(entries), newest)
    return replace(settings, jdk=str(choice.jdk.home)) if choice.why else settings


def tools_text(settings: Settings, entries: Entries) -> str:
    """Return sentences about the preset's tools, and about the JDK of a run of an input; empty for a command with a JDK
    of its own that is new enough.

    ``settings`` name the JDK where it is not the one of JAVA_HOME or PATH.
    """
    preset = presets.find(settings.preset) if settings.preset is not None else None
    needed = needed_java(entries)
    texts = [_jdk_text(settings, preset, needed)]
    if preset is not None:
        jdk = jdk_of(settings) or choose_jdk("", needed, preset.newest_jdk).jdk
        texts += [f"{WARNING}{text}" for text in (preset.newer(), preset.low_level(jdk, needed)) if text]
    return " ".join(filter(None, texts))


def _jdk_text(settings: Settings, preset: Preset | None, needed: int) -> str:
    with suppress(InputError):
        newest = preset.newest_jdk if preset is not None else 0
        best = choose_jdk("", needed, newest)
        automatic = preset is not None and preset.starts_java
        if settings.jdk or automatic:
            taken = automatic and settings.jdk in ("", str(best.jdk.home))
            chosen = best if taken else choose_jdk(settings.jdk, needed, newest)
            why = f", {chosen.why}" if chosen.why else ""
            lacking = f"{WARNING}{chosen.lacking}" if chosen.lacking else ""
            return f"Run with JDK {chosen.jdk.release} ({chosen.jdk.home}){why}. {lacking}".strip()
        if best.lacking:
            return f"{WARNING}{best.lacking}"
        if best.why:
            return (
                f"{WARNING}the input has class files of Java {needed}, and the command runs as in your shell, where "
                f"JAVA_HOME or PATH have an older JDK or none: --jdk {best.jdk.feature} gives it the one in "
                f"{best.jdk.home}."
            )
    return ""


def condition_of(settings: Settings) -> Condition:
    """Return the condition that makes a run of the command interesting."""
    reading = None
    if settings.naming is not None:
        known = settings.naming in KINDS
        reading = FailureNaming((settings.naming,)) if known else FailureNaming(pattern=settings.naming)
    wanted = wanted_by(settings) if reading is not None else None
    if settings.also_interesting is not None and settings.failures is not None and not (reading or settings.preset):
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
        wanted,
        settings.also_interesting,
    )


def keeps_working(settings: Settings, exit_code: int | None) -> bool:
    """Return True if the settings keep what a command does that ended with this exit code, and nothing fails there."""
    condition = condition_of(settings)
    wants_failure = condition.match is not None or condition.reading is not None or condition.expect_exit
    return bool(condition.preserve) and exit_code == 0 and not wants_failure


def wanted_by(settings: Settings) -> Wanted | None:
    """Return the failures that the user wants; None for those of the preset, and where failures have no names."""
    if settings.failures is not None:
        return Wanted.parse(settings.failures)
    return Wanted() if settings.naming is not None else None


def chosen_failures(settings: Settings) -> tuple[str, ...]:
    """Return the failures chosen by name; none if the settings ask for something that only the full input can show."""
    wanted = wanted_by(settings)
    if wanted is None or wanted.statement is not Statement.CHOSEN or wanted.no_new or settings.preserve:
        return ()
    if settings.preset is not None and presets.find(settings.preset).preserve:
        return ()
    if settings.granularity == "class" or settings.drop_first:
        return ()
    return wanted.chosen


def demand(settings: Settings) -> Wanted | None:
    """Return the failures that are wanted, by the user or by the preset; None where failures do not decide."""
    wanted = wanted_by(settings)
    return presets.find(settings.preset).wanted if wanted is None and settings.preset is not None else wanted


def wanted_text(settings: Settings, predicate: Predicate) -> str:
    """Return the condition for interesting in words: the predicate's own words, else those of the settings."""
    if own := getattr(predicate, "wanted_words", ""):
        return str(own)
    if settings.preset is None:
        return condition_of(settings).describe()
    wanted = demand(settings)
    return wanted.describe() if wanted else "exit code 0"


def demanded(wanted: Wanted | None, names: Iterable[str], kind_of: KindOf) -> int:
    """Return the number of failures, among those of these names, that must stay, or of their kinds; 0 if failures have
    no names."""
    distinct = set(names)
    if wanted is not None and wanted.by_kind:
        return len(wanted.kept(distinct, kind_of))
    one = wanted is not None and wanted.statement in (Statement.ANY, Statement.CHOSEN)
    return min(1, len(distinct)) if one else len(distinct)


def read_strictly(settings: Settings) -> Settings:
    """Return the settings of an earlier version, in which all failures had to come as often as on the full input unless
    the user or the preset said otherwise."""
    if settings.failures is not None or (settings.naming is None and settings.preset is None):
        return settings
    with suppress(JarletError):  # a preset that is gone is told of where it is run
        wanted = demand(settings)
        return replace(settings, failures=Statement.SAME.value) if wanted is not None and wanted.by_kind else settings
    return settings


def limits_of(settings: Settings) -> ProbeLimits:
    """Return the limits of a probe that the settings have."""
    return ProbeLimits(
        memory=settings.memory * _MEGA if settings.memory is not None else None, seconds=settings.timeout
    )


def class_path_of(settings: Settings) -> list[Path]:
    """Return the libraries of the input."""
    return [Path(path) for path in settings.classpath]


def given_to_tool(settings: Settings, entries: Entries) -> Entries:
    """Return the entries of a jar as the tool of a preset gets them; for a command as they are."""
    reads_all = settings.preset is not None and presets.find(settings.preset).reads_all
    return flattened(entries) if reads_all else entries


def runs_input(settings: Settings) -> bool:
    """Return whether the predicate may run code of the input. Two such runs at a time may disturb each other. A
    command may do anything."""
    return settings.preset is None or presets.find(settings.preset).runs
