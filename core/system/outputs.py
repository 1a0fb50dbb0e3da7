"""One guard for every file and folder that a command or the window writes: asked before anything runs or is written.

Refused are an input (by path, through links, or by another name of its file), a place in the folder of an input, and
another output of this call or a place in it, and a file that Jarlet did not write. The last test is whether the place
can be written at all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import OutputError, UsageError
from core.system.files import check_file, check_folder, ignores_case

_HEAD = 1 << 20
"""Bytes of a present file that are read to see if Jarlet wrote it."""

Identity = tuple[int, int]
"""Device and inode: what two names of the same file share."""


@dataclass(frozen=True)
class Origin:
    """A file or folder that is read. ``what`` it is ends the sentence "X is ..."."""

    path: Path
    what: str = "the input itself"


@dataclass(frozen=True)
class Output:
    """A file or folder to be written. ``what`` names the option, or describes the output."""

    path: Path
    what: str
    folder: bool = False
    alone: bool = True
    """True if no other output may lie in this folder."""
    parents: bool = False
    """True if missing parent folders are made."""
    ours: re.Pattern[bytes] = re.compile(b"")
    """Pattern in each such file that Jarlet wrote. Another present file is not replaced, unless it is empty."""


def guard(outputs: Sequence[Output], reads: Sequence[Origin]) -> None:
    """Raise UsageError or OutputError, in one sentence, for the first output that may not or cannot be written."""
    read = _Origins(reads)
    for output in outputs:
        read.refuse(output)
    _refuse_each_other(outputs)
    for output in outputs:
        if output.folder:
            check_folder(output.path)
        else:
            check_file(output.path, parents=output.parents)
            _refuse_foreign(output)


def refuse_read(path: Path, reads: Sequence[Origin]) -> None:
    """Raise UsageError if the file is one of the reads, or lies in one."""
    _Origins(reads).refuse(Output(path, "the file to write"))


def refuse_present(folder: Path, names: Sequence[str]) -> None:
    """Raise OutputError if the folder has a file of these names. A name derived from the user's may not replace
    anything."""
    found = next((folder / name for name in names if os.path.lexists(folder / name)), None)
    if found is not None:
        raise OutputError(f"{found}: this file is there already, and sample replaces nothing. Choose another folder.")


def refuse_filled(folder: Path, what: str) -> None:
    """Raise OutputError unless the folder is empty or missing, for files whose names are not known beforehand."""
    try:
        first = next(iter(sorted(os.listdir(folder))), None)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise OutputError(f"{folder}: cannot be read ({error.strerror or error}).") from error
    if first is not None:
        raise OutputError(
            f"{folder}: this folder is not empty (there is {first!r} in it), and {what} replaces nothing. "
            "Choose a new or an empty one."
        )


class _Origins:
    """The files and folders that are read, by place and by identity."""

    def __init__(self, reads: Sequence[Origin]) -> None:
        self._places: dict[Path | Identity, Origin] = {}
        self._links: dict[Path, Origin] = {}
        for read in reversed(reads):  # the first of two names is told
            self._places[_real(read.path)] = read
            identity = _identity(read.path)
            if identity is not None:
                self._places[identity] = read
            self._links |= dict.fromkeys(_linked(read.path), read)

    def refuse(self, output: Output) -> None:
        """Raise UsageError if the output is one of the reads, lies in one, or is linked to from within one."""
        kind = "folder" if output.folder else "file"
        real, *above = _with_above(output.path)
        found = self._found(self._places, real)
        if found is not None:
            raise UsageError(
                f"{output.path} is {found.what}, which is never written to: choose another {kind} ({output.what})."
            )
        for place in (real, *above):
            found = self._found(self._links, place)
            if found is not None:
                raise UsageError(
                    f"{output.path} is linked to from within {found.path}, which is {found.what} and is never written "
                    f"to: choose another {kind} ({output.what})."
                )
        if output.folder and output.alone:
            inner = next((each for place, each in self._places.items() if _lies_in(place, real)), None)
            if inner is not None:
                raise UsageError(
                    f"{output.path} holds {inner.path}, which is {inner.what} and is never written to: choose another "
                    f"folder ({output.what})."
                )
        for place in above:
            found = self._found(self._places, place)
            if found is not None:
                raise UsageError(
                    f"{output.path} lies in {found.path}, which is {found.what} and is never written to: choose a "
                    f"{kind} outside ({output.what})."
                )

    @staticmethod
    def _found(known: Mapping[Any, Origin], place: Path) -> Origin | None:
        return known.get(place) or known.get(_identity(place))


def _refuse_foreign(output: Output) -> None:
    with suppress(FileNotFoundError, PermissionError), output.path.open("rb") as present:
        head = present.read(_HEAD)
        if head and not output.ours.search(head):
            raise OutputError(
                f"{output.path}: this file is there already, and Jarlet did not write it. Choose another name, or "
                f"remove the file first ({output.what})."
            )


def _refuse_each_other(outputs: Sequence[Output]) -> None:
    known: dict[Path | Identity | str, Output] = {}
    letters: set[str] = set()
    for output in outputs:
        real = _real(output.path)
        places = [real, _identity(output.path), *_without_case(real, letters)]
        other = next((known[place] for place in places if place in known), None)
        if other is not None:
            raise UsageError(
                f"{output.path} is named by both {other.what} and {output.what}: give each a place of its own."
            )
        known |= {place: output for place in places if place is not None}
    for output in outputs:
        for above in _with_above(output.path)[1:]:
            outer = known.get(above)
            if outer is not None and not outer.folder:
                raise UsageError(
                    f"{outer.path} cannot be both a file ({outer.what}) and the folder of {output.path} "
                    f"({output.what})."
                )
            if outer is not None and outer.alone:
                raise UsageError(
                    f"{output.path} ({output.what}) lies in {outer.path} ({outer.what}): give each a place of its own."
                )


def _without_case(real: Path, letters: set[str]) -> Iterator[str]:
    """Yield the path as a file system knows it that takes A and a for one letter, if this one does. ``letters`` has
    such paths of the outputs before."""
    folded = str(real).casefold()
    if folded not in letters or ignores_case(real.parent):
        yield folded
    letters.add(folded)


def _with_above(path: Path) -> list[Path]:
    """Return the place where a file is or would be, then the folders above it, the nearest first."""
    real = _real(path)
    return [real, *real.parents]


def _lies_in(place: Path | Identity, folder: Path) -> bool:
    return isinstance(place, Path) and folder in place.parents


def _linked(path: Path) -> Iterator[Path]:
    """Yield the targets of symbolic links to files within a folder. Targets are read as if they lay in the folder."""
    for folder, _, names in os.walk(path):
        for name in names:
            place = os.path.join(folder, name)
            if os.path.islink(place):
                yield Path(os.path.realpath(place))


def _identity(path: Path) -> Identity | None:
    with suppress(OSError, ValueError):
        facts = path.stat()
        return facts.st_dev, facts.st_ino
    return None


def _real(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:  # a NUL character
        raise OutputError(f"{str(path)!r}: cannot be written ({error}).") from error
