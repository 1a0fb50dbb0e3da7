"""Sentences of a check about the JDK that runs, the JDK that the input needs, and a newer tool."""

from __future__ import annotations

import re
from contextlib import suppress

from core.archive.jar import Jar
from core.check.diagnosis import WARNING
from core.errors import InputError
from core.library.jdks import choose_jdk, java_of, needed_java
from core.predicate import presets
from core.predicate.command import wording
from core.predicate.verdict import Outcome
from core.protocol.settings import Settings

_STARTS_JAVA = re.compile(r"\bjava\b[^\n|;&]*\s-jar\s")
"""The start of a tool in the text of a command."""

_UNREAD = re.compile(
    r"(?i)unsupported class file (?:major )?version:? (\d+)|unsupported version number \[(\d+)\.\d+\]"
    r"|class file has wrong version (\d+)\.\d+|\(class file version (\d+)\.\d+\)"
)
"""The version of a class file that a tool does not read: in the words of ASM, of ProGuard, of javac, of the JVM."""


def tools_text(settings: Settings, jar: Jar) -> str:
    """Return sentences about the JDK and the preset's tools; empty if there is nothing to say."""
    newer = presets.find(settings.preset).newer() if settings.preset is not None else None
    return " ".join(filter(None, [jdk_text(settings, jar), f"{WARNING}{newer}" if newer else ""]))


def jdk_text(settings: Settings, jar: Jar) -> str:
    """Return sentences about the JDK of a run of ``jar``; empty for a command with a JDK of its own that is new enough.

    ``settings`` name the JDK where it is not the one of JAVA_HOME or PATH.
    """
    with suppress(InputError):
        needed = needed_java((entry.name, entry.data) for entry in jar.entries)
        preset = presets.find(settings.preset) if settings.preset is not None else None
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


def unread_text(outcome: Outcome, jar: Jar) -> str:
    """Return a warning where an output says that class files of the newest version in ``jar`` cannot be read: the tool,
    or what it runs on, is older than the input. Empty for other outputs."""
    output = "\n".join([*outcome.failures, outcome.stdout, outcome.stderr])
    told = {java_of(int(next(filter(None, match.groups())))) for match in _UNREAD.finditer(output)}
    needed = needed_java((entry.name, entry.data) for entry in jar.entries)
    if needed not in told:
        return ""
    return (
        f"{WARNING}class files of Java {needed}, which the input has, cannot be read, and that is what fails: take a "
        "newer version of the tool."
    )


def resident_text(settings: Settings) -> str:
    """Return a sentence for a command that starts a Java tool for each candidate; empty for other commands."""
    if not _STARTS_JAVA.search(wording(settings.predicate)):
        return ""
    return "The command starts a tool by 'java -jar': 'jarlet host' in its place keeps the tool in memory."
