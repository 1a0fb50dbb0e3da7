"""Decompiled sources that are remembered: the page of the bug and the bug report show the same ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import write_jar
from core.entries import Entries
from core.library.jdks import choose_jdk, needed_java
from core.predicate.preset import ToolRuns
from core.predicate.several.decompiling import DecompiledSources, SourceTool, decompile
from core.system.work_folder import temporary_folder

SECONDS = 120.0
"""Time limit of a decompiler, in seconds."""

_REMEMBERED = 8


class SourceMemory:
    """Sources of candidates by decompilers. The last ones are remembered. ``cancel`` kills the decompiler that runs."""

    def __init__(self, cancel: Flag | None = None) -> None:
        self._cancel = cancel or Flag()
        self._known: OrderedDict[tuple[object, ...], DecompiledSources] = OrderedDict()

    def made(
        self,
        tool: SourceTool,
        entries: Entries,
        library: Sequence[Path],
        beside: Entries = (),
        jdk: str = "",
    ) -> DecompiledSources:
        """Return the sources that a tool makes of ``entries``, with ``beside`` as one more library. Sources that were
        compiled too serve where that is not asked for."""
        of = (_digest(entries), _digest(beside), tuple(library), jdk)
        for one in (tool, replace(tool, compiled=True)):
            known = self._known.get((_name(one), *of))
            if known is not None:
                return known
        with temporary_folder() as folder:
            paths = list(library)
            if beside:
                paths.insert(0, folder / "others.jar")
                write_jar(paths[0], beside, durable=False)
            runs = ToolRuns(paths, choose_jdk(jdk, needed_java(entries)).jdk, SECONDS)
            found = decompile(tool, entries, folder / "run", runs, self._cancel)
        if not self._cancel.is_set():
            self._known[_name(tool), *of] = found
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found


def _name(tool: SourceTool) -> tuple[object, ...]:
    return tool.preset.name, tuple(sorted(tool.values.items())), tool.compiled


def _digest(entries: Entries) -> bytes:
    digest = blake2b(digest_size=16)
    for name, data in entries:
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        digest.update(data)
    return digest.digest()
