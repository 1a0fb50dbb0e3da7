"""Failures in the output of a command and in the files it leaves in the folder of its run: errors of javac, stack
traces and decompilers' comments.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

from core.predicate.output import decompiler_comments, javac, traces
from core.predicate.output.messages import uncoloured
from core.predicate.places import CLASSES, INPUTS, TEMPORARY
from core.system.removal import files_below
from core.words import counted

_MOST_FILES = 1000
"""Largest number of sources that are looked at, and of other files. See decisions/037-files-of-a-command.md."""

_READ_BYTES = 1 << 20
"""Number of bytes read of each file. See decisions/037-files-of-a-command.md."""

_NO_TEXT = (".class", ".jar", ".zip")
_SOURCE = ".java"

SILENT = (
    "The command prints no error of javac, no stack trace, no comment of a decompiler and no error that names a class"
    " of the input, and leaves none in a file of its folder. If it runs a compiler or another tool that fails, let it"
    " print the tool's messages: one line, such as"
    " 'cat javac.log', brings a search that begins at the classes in them instead of anywhere in the input."
)
"""Advice about a command that gives no evidence."""

_POINTS = "auto and gbr begin where that points, at {} (not with --failures-as none)."
_NAMED = "auto and gbr begin at {}, which the settings or its sources name (not with --failures-as none)."
_POINTLESS = "nothing of that names a class of the input, so that the search begins anywhere in it."

HEARD = (
    "The command keeps javac's messages to itself. Jarlet has run it once more, with javac writing them to files, and"
    " auto and gbr begin where they point (not with --failures-as none)."
)
"""Note about errors of javac that `listening.py` has brought to light."""

SWITCHED_OFF = "What the command prints and leaves is no evidence, as --failures-as none demands."
"""Note about a command whose failures are not to be recognised."""


class LeftFile(NamedTuple):
    """A file in which a failure was recognised."""

    name: str
    """Path in the folder of the run."""
    text: str


def left_files(folder: Path, tells: Callable[[str], bool] = lambda text: False) -> list[LeftFile]:
    """Return the files with failures in the folder of a run. Of a source only the comments of decompilers count, and
    its text is cut to a summary of them. Another file counts if it holds errors of javac, stack traces or such
    comments, or if ``tells`` is True for its text.
    """
    found = []
    for path in (*_files(folder, sources=False), *_files(folder, sources=True)):
        try:
            with path.open("rb") as file:
                text = uncoloured(file.read(_READ_BYTES).decode("utf-8", "replace"))
        except OSError:
            continue
        name = path.relative_to(folder).as_posix()
        if path.suffix == _SOURCE:  # a source's author may have written a stack trace into it
            text = decompiler_comments.summary(text, name)
        if recognised(text) or ("\0" not in text and tells(text)):  # a class file names classes, and tells nothing
            found.append(LeftFile(name, text))
    return found


def recognised(text: str) -> str:
    """Return in words what failures a text tells; empty if none."""
    errors, thrown = len(javac.placed(text)), len(traces.names(text))
    words = [f"{counted(errors, 'error')} of javac"] if errors else []
    words += [counted(thrown, "stack trace")] if thrown else []
    if undone := decompiler_comments.names(text):
        first = f" ({undone[0]})" if undone[0] else ""
        words.append(f"{counted(len(undone), 'comment')} of a decompiler that failed{first}")
    return " and ".join(words)


def told(output: str, files: list[LeftFile], begin: str, *, named: bool) -> str:
    """Return a sentence about the evidence in a command's ``output`` and in the ``files`` that it left. ``begin``: the
    class of the input at which the search begins; empty if none is known. ``named``: True if the output or a file names
    this class.
    """
    ways = (_POINTS if named else _NAMED).format(begin) if begin else _POINTLESS
    places = [(recognised(output), "in its output"), *((recognised(file.text), f"in {file.name}") for file in files)]
    seen = [f"{what} {where}" for what, where in places if what]
    if not seen:
        what = "tells of an error" if named else "tells of no place in the input"
        return f"The command {what}: {ways}" if begin else SILENT
    more = f" and in {counted(len(seen) - 3, 'other file')}" if len(seen) > 3 else ""
    return f"The command tells of {', '.join(seen[:3])}{more}: {ways}"


def to_compare(output: str, files: list[LeftFile]) -> str:
    """Return a sentence about the option that makes Jarlet compare a command's failures itself; empty if it prints
    none. Kinds of rewriting change names: a command that compares names says no to these.
    """
    for text, begin in ((output, "With"), ("\n".join(file.text for file in files), "If it printed these, then with")):
        kind = "javac" if javac.placed(text) else "traces" if traces.names(text) else ""
        if kind:
            return f"{begin} --failures-as {kind} Jarlet compares them itself, also where rewriting changes names."
    return ""


def _files(folder: Path, *, sources: bool) -> list[Path]:
    """Return sources, or other files that may hold text, without links, outer ones first. The candidate and temporary
    files are left out.

    A command may have put a link in the place of the folder itself: no file of another folder is read.
    """
    if folder.is_symlink():
        return []
    found = (
        entry.path for entry in files_below(folder, left_out=(CLASSES, INPUTS, TEMPORARY)) if _may_hold(entry, sources)
    )
    return [Path(path) for path in nsmallest(_MOST_FILES, found, key=lambda path: (path.count(os.sep), path))]


def _may_hold(entry: os.DirEntry[str], sources: bool) -> bool:
    """Return True for an ordinary file that is a source, or else may hold text."""
    suffix = os.path.splitext(entry.name)[1]
    return suffix not in _NO_TEXT and (suffix == _SOURCE) is sources and entry.is_file(follow_symlinks=False)
