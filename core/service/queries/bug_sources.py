"""The sources on the page of the bug: made by a decompiler, or the original ones."""

from __future__ import annotations

import zipfile
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from threading import Event as Flag

from core.archive.jar import write_jar
from core.entries import Entries
from core.library.jdks import choose_jdk, needed_java
from core.predicate import presets
from core.predicate.preset import ToolRuns
from core.predicate.several.decompiling import DecompiledSources, SourceTool, decompile, decompilers, title_of
from core.system.work_folder import temporary_folder

SECONDS = 120.0
"""Time limit of a decompiler, in seconds."""

INPUT, ORIGINAL, NEAREST = "input", "original", "nearest:"
"""The sources that may stand beside the first one, apart from another decompiler's. ``NEAREST`` begins the name of an
input that does not fail; the number of its neighbour in the report follows."""

_REMEMBERED = 8


@dataclass(frozen=True)
class Material:
    """Classes to decompile, the libraries of the input, and other classes of the candidate as one more library."""

    entries: Entries
    library: Sequence[Path]
    others: Entries = ()


class BugSources:
    """Sources of candidates by decompilers. The last ones are remembered."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], DecompiledSources] = OrderedDict()

    def made(
        self,
        tool: SourceTool,
        material: Material,
        cancel: Flag,
        jdk: str = "",
    ) -> DecompiledSources:
        """Return the sources that a tool makes. ``cancel`` kills it; what it has made by then is not remembered."""
        entries, library, beside = material.entries, material.library, material.others
        named = (tool.preset.name, tuple(sorted(tool.values.items())), tool.compiled)
        key = (named, _digest(entries), _digest(beside), tuple(library), jdk)
        if key not in self._known:
            with temporary_folder() as folder:
                place, paths = folder, list(library)
                if beside:
                    paths.insert(0, place / "others.jar")
                    write_jar(paths[0], beside, durable=False)
                runs = ToolRuns(paths, choose_jdk(jdk, needed_java(entries)).jdk, SECONDS)
                found = decompile(tool, entries, place / "run", runs, cancel)
            if cancel.is_set():
                return found
            self._known[key] = found
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._known[key]


def choices(tool: str, sources: Sequence[Path]) -> list[list[str]]:
    """Return the names and titles of the sources that may stand beside the one by ``tool``. The input was read from
    the files ``sources``."""
    own = title_of(presets.find(tool))
    titles = {title: name for name in reversed(decompilers()) if (title := title_of(presets.find(name))) != own}
    found = [[name, title] for title, name in reversed(titles.items())]
    found.append([INPUT, "The input, by the same tool"])
    archive = original(sources)
    return [*([[ORIGINAL, f"Original source ({archive.name})"]] if archive is not None else []), *found]


def original(sources: Sequence[Path]) -> Path | None:
    """Return the archive of the input's sources, as Maven names it: ``NAME-sources.jar`` beside ``NAME.jar``."""
    found = (path.with_name(f"{path.stem}-sources.jar") for path in sources if path.suffix == ".jar")
    return next((path for path in found if path.is_file()), None)


def original_texts(archive: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the texts of those files ``names`` that the archive has. Raises OSError and zipfile.BadZipFile."""
    with zipfile.ZipFile(archive) as opened:
        there = set(opened.namelist())
        return {name: opened.read(name).decode("utf-8", "replace") for name in names if name in there}


def outermost(entry: str) -> str:
    """Return the outermost class of a class file or a source file, by its path."""
    return entry.removesuffix(".class").removesuffix(".java").partition("$")[0]


def families(entries: Entries, classes: Iterable[str]) -> list[tuple[str, bytes]]:
    """Return the class files of outermost classes, given as paths without an ending, and of all nested in them."""
    wanted = set(classes)
    return [(name, data) for name, data in entries if name.endswith(".class") and outermost(name) in wanted]


def _digest(entries: Entries) -> bytes:
    digest = blake2b(digest_size=16)
    for name, data in entries:
        digest.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        digest.update(data)
    return digest.digest()
