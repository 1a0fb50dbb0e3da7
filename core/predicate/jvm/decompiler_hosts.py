"""The resident processes in which the decompiler of a preset may run, and the options of short runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from core.archive.packer import Packer
from core.entries import Entries
from core.library.jdk import QUICK, Jdk
from core.predicate.jvm.archives import MAKER, files_of
from core.predicate.jvm.helper_programs import compiled, packed
from core.predicate.jvm.tool_process import OWN, ToolCall, ToolCommand, ToolProcess
from core.predicate.places import JAR, ONE_JAR, TEMPORARY

HEAP = 2048
"""Most megabytes of heap of each Java process."""

_LONGEST = 120.0
"""Seconds that the rehearsal of a resident process may take."""

JVM = (*QUICK, "-Xss8m", "-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8")
"""Options of the JVM for a short run in English."""


def own_jvm(heap: int | str) -> tuple[str, ...]:
    """Return the options of a run in a folder of its own, with a heap of so many megabytes."""
    return (*JVM, f"-Djava.io.tmpdir={TEMPORARY}", f"-Xmx{heap}m")


def hosts_of(
    jdk: Jdk, what: tuple[str, str], jars: Sequence[Path], library: tuple[str, ...]
) -> tuple[ToolCommand, ...]:
    """Return the commands of the resident processes: first the one that reuses decompiled classes, then the one without
    reuse. ``what``: the adapter to the decompiler, and the value of javac's ``--release`` or nothing."""
    adapter, release = what
    places = (str(packed(compiled(jdk, adapter, jars))), *map(str, jars), *library)
    options = (*own_jvm(HEAP), *([f"-Dwarm.release={release}"] if release else []))
    fast, faithful = (
        ToolCommand(
            str(jdk.java), options, "warm.Adapted", files=files_of(places), class_path=os.pathsep.join(places),
            arguments=(adapter, mode, *library), way=OWN,
        )
        for mode in ("reuse", "whole")
    )  # fmt: skip
    MAKER.ask(fast, lambda folder: _rehearse_host(jdk, fast, folder))
    return fast, faithful


def _rehearse_host(jdk: Jdk, command: ToolCommand, folder: Path) -> None:
    """Make the archive of a host, from a host that decompiles and compiles a small jar."""

    def run(words: tuple[str, ...]) -> None:
        host = ToolProcess(command, folder, _LONGEST, MAKER.over, words)
        place = folder / "work"
        ONE_JAR.write(small_candidate(jdk), place, Packer())
        try:
            words = (*command.arguments, str(place / JAR), str(place / "sources"))
            host.run(ToolCall(words, "", {}), _LONGEST, MAKER.over)
            host.retire(_LONGEST, MAKER.over)
        finally:
            host.kill()

    archive = command.archive()
    if archive is not None:
        archive.make(run)


def small_candidate(jdk: Jdk) -> Entries:
    """Return a small candidate: our own programs."""
    folder = compiled(jdk)
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in sorted(folder.rglob("*.class"))]
