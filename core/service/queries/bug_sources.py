"""The sources on the page of the bug: made by a decompiler, or the original ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from core.archive.zips import Archive
from core.entries import Entries
from core.predicate import presets
from core.predicate.several.decompiling import decompilers, title_of
from core.service.queries.desk import Desk, once_per_input
from core.service.source_memory import SourceMemory

INPUT, ORIGINAL, NEAREST = "input", "original", "nearest:"
"""The sources that may stand beside the first one, apart from another decompiler's. ``NEAREST`` begins the name of an
input that does not fail; the number of its neighbour in the report follows."""


@once_per_input
def source_memory(desk: Desk) -> SourceMemory:
    """Return the sources that were made of the opened input and its results."""
    return SourceMemory()


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
    """Return the texts of those files ``names`` that the archive has. Raises OSError and InputError."""
    with Archive(archive) as opened:
        there = set(opened.names)
        return {name: opened.read(name).decode("utf-8", "replace") for name in names if name in there}


def outermost(entry: str) -> str:
    """Return the outermost class of a class file or a source file, by its path."""
    return entry.removesuffix(".class").removesuffix(".java").partition("$")[0]


def families(entries: Entries, classes: Iterable[str]) -> Entries:
    """Return the class files of outermost classes, given as paths without an ending, and of all nested in them."""
    wanted = set(classes)
    return [(name, data) for name, data in entries if name.endswith(".class") and outermost(name) in wanted]
