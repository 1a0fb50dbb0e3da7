"""Decompiled sources that are remembered: the page of the bug and the bug report show the same ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import write_jar
from core.entries import Entries
from core.library.jdks import choose_jdk, needed_java
from core.predicate.preset import ToolRuns
from core.predicate.several.decompiling import DecompiledSources, SourceTool, decompile, decompilers
from core.system.work_folder import temporary_folder

NO_DECOMPILER = "No decompiler is installed: CFR, Vineflower, Procyon and Fernflower are known (Preferences, Tools)."

SECONDS = 120.0
"""Time limit of a decompiler, in seconds."""

_REMEMBERED = 8


@dataclass(frozen=True)
class Material:
    """Classes to decompile, the libraries of the input, and other classes of the candidate as one more library."""

    entries: Entries
    library: Sequence[Path]
    others: Entries = ()


def decompiler(wish: str = "") -> str:
    """Return the preset of a decompiler: the wish, if its tool is installed, else the best installed one. Empty if none
    is installed."""
    names = decompilers()
    return wish if wish in names else next(iter(names), "")


class SourceMemory:
    """Sources of candidates by decompilers. The last ones are remembered."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], DecompiledSources] = OrderedDict()

    def made(
        self,
        tool: SourceTool,
        material: Material,
        cancel: Flag | None = None,
        jdk: str = "",
        seconds: float = SECONDS,
    ) -> DecompiledSources:
        """Return the sources that a tool makes. Sources that were also compiled serve as well if no compilation is
        asked for.

        ``cancel`` kills the tool; its unfinished sources are not remembered. So many ``seconds`` are its time limit.
        """
        entries, others, stop = material.entries, material.others, cancel or Flag()
        of = (_digest(entries), _digest(others), tuple(material.library), jdk)
        for one in (tool, replace(tool, compiled=True)):
            known = self._known.get((_name(one), *of))
            if known is not None:
                return known
        with temporary_folder() as folder:
            paths = list(material.library)
            if others:
                paths.insert(0, folder / "others.jar")
                write_jar(paths[0], others, durable=False)
            runs = ToolRuns(paths, choose_jdk(jdk, needed_java(entries)).jdk, seconds)
            found = decompile(tool, entries, folder / "run", runs, stop)
        if not stop.is_set() and not found.problem:
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
