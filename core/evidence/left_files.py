"""Errors of javac and stack traces in files that a command leaves in the folder of its run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from core.predicate.command import CLASSES, TEMPORARY
from core.predicate.output import javac, traces
from core.words import counted

_MOST_FILES = 1000
"""Largest number of files that are looked at. See decisions/037-files-of-a-command.md."""

_READ_BYTES = 1 << 20
"""Number of bytes read of each file. See decisions/037-files-of-a-command.md."""

_NO_TEXT = (".class", ".jar", ".zip", ".java")

SILENT = (
    "The command prints no error of javac and no stack trace, and leaves none in a file of its folder. If it runs a"
    " compiler or another tool that fails, let it print the tool's messages: the search then begins where they point."
)
"""Advice about a command that gives no evidence."""


class LeftFile(NamedTuple):
    """A file in which a failure was recognised."""

    name: str
    """Path in the folder of the run."""
    text: str


def left_files(folder: Path) -> list[LeftFile]:
    """Return the files in the folder of a run that hold errors of javac or stack traces, sorted by path."""
    found = []
    for path in _files(folder):
        try:
            with path.open("rb") as file:
                text = file.read(_READ_BYTES).decode("utf-8", "replace")
        except OSError:
            continue
        if recognised(text):
            found.append(LeftFile(path.relative_to(folder).as_posix(), text))
    return found


def recognised(text: str) -> str:
    """Return in words what failures a text tells; empty if none."""
    errors, thrown = len(javac.reports(text)), len(traces.names(text))
    words = [f"{counted(errors, 'error')} of javac"] if errors else []
    return " and ".join([*words, *([counted(thrown, "stack trace")] if thrown else [])])


def told(output: str, files: list[LeftFile]) -> str:
    """Return a sentence about the evidence in a command's ``output`` and in the ``files`` that it left."""
    places = [(recognised(output), "in its output"), *((recognised(file.text), f"in {file.name}") for file in files)]
    seen = [f"{what} {where}" for what, where in places if what]
    if not seen:
        return SILENT
    more = f" and in {counted(len(seen) - 3, 'other file')}" if len(seen) > 3 else ""
    return f"The command tells of {', '.join(seen[:3])}{more}: auto and gbr begin where that points."


def _files(folder: Path) -> Iterator[Path]:
    """Yield files that may hold text, without links. The candidate and temporary files are left out."""
    if folder.is_symlink():
        return  # the command has put a link in the place of its folder: what is there is not its own
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in (CLASSES, TEMPORARY))
        for name in sorted(names):
            path = Path(place, name)
            if path.suffix in _NO_TEXT or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                return
            yield path
