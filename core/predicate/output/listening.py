"""A run of the full input that hears messages of javac even if the command does not print them: by environment
variables alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core.errors import InputError, OutputError, PredicateError
from core.library.jdks import choose_jdk
from core.predicate.jvm.helper_programs import compiled_sources
from core.predicate.output import javac
from core.system.files import write_whole
from resources import path

SOURCE = path("java/listening/KeptSources.java")
"""Source of the plug-in that keeps javac's input."""

_OPTIONS = "JDK_JAVAC_OPTIONS"
"""Name of the environment variable with options for each javac from JDK 9 on."""

_RELEASE = ("--release", "9")
"""Options that compile for the oldest Java with support of this variable in javac."""

_PLUGIN, _SERVICE = "JarletKeptSources", "META-INF/services/com.sun.source.util.Plugin"
_MESSAGES = "javac.txt"


def starts_javac(wording: str) -> bool:
    """Return True if a command names javac, in the text of its scripts too; a package's name is no such call."""
    return re.search(r"(?<!\.)\bjavac\b(?!\.\w)", wording) is not None


def plug_in() -> Path | None:
    """Return the folder with the plug-in, compiled on first use; None if no JDK can do that."""
    with suppress(InputError, OutputError, PredicateError, OSError):
        folder = compiled_sources(choose_jdk("", 0).jdk, [SOURCE], (), _RELEASE)
        service = folder / _SERVICE
        if not service.exists():
            service.parent.mkdir(parents=True, exist_ok=True)
            write_whole(service, b"listening.KeptSources\n", durable=False)
        return folder
    return None


def variables(work: Path, plugin: Path | None, inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variable for each javac of a run: it writes its messages into a file of the folder
    ``work`` and, with the plug-in, copies of its sources below that folder. The file is that of the last javac.
    """
    words = [inherited.get(_OPTIONS, ""), f'-Xstdout "{work / _MESSAGES}"']
    if plugin is not None:
        words.append(f'-processorpath "{plugin}" "-Xplugin:{_PLUGIN} {work}"')
    return {_OPTIONS: " ".join(filter(None, words))}


def refused(work: Path) -> bool:
    """Return True if javac took no options with the plug-in, as where the command has a path of processors of its own:
    then its only error is one of no file.
    """
    with suppress(OSError):
        found = javac.placed((work / _MESSAGES).read_text(encoding="utf-8", errors="replace"))
        return bool(found) and not any(error.path for error in found)
    return False
