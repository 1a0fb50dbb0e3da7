"""An input (jar, war, zip, folder of classes, or several) in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.archive.entry_names import INDEX, MARK, EntryKind, kind_of
from core.archive.joining import merged, repeated_text
from core.archive.named_inputs import InputJar, find, is_class_path, named, placed_at, renamed_text
from core.archive.nested import NotOpenedError, flattened, unfold
from core.archive.packer import write_folder, write_jar
from core.archive.reading import Entry, listed
from core.archive.zips import Allowance
from core.entries import Entries
from core.errors import InputError
from core.system.budget import LIMIT, most_unpacked, shortened

__all__ = ["LIMIT", "Entry", "EntryKind", "Jar", "read_jar", "write_folder", "write_jar"]


@dataclass(frozen=True)
class Jar:
    """An input in memory. ``entries`` are in the order of the archive's directory, names unique."""

    paths: tuple[Path, ...]
    """The user's files and folders, which are never written to."""
    title: str
    entries: tuple[Entry, ...]
    warnings: tuple[str, ...] = ()
    unfolded: bool = False
    """True if nested jars are opened: their entries are among the entries."""
    inputs: tuple[InputJar, ...] = ()
    """The inputs, in the order of the class path."""
    words: tuple[str, ...] = ()
    """The words by which the user named the inputs, with absolute paths."""

    @property
    def contents(self) -> Entries:
        """Name and data of each entry."""
        return [(entry.name, entry.data) for entry in self.entries]

    def classes(self) -> list[int]:
        """Return the indexes of the class files among the entries, ascending."""
        return [index for index, entry in enumerate(self.entries) if entry.kind is EntryKind.CLASS]

    @property
    def is_class_path(self) -> bool:
        """True if each input is a jar of its own, opened among the entries."""
        return is_class_path(self.inputs)

    def for_tools(self, entries: Entries) -> Entries:
        """Return entries of the input for a tool that reads one jar: the jars of a class path are joined."""
        return flattened(entries) if self.is_class_path else entries

    @property
    def merged(self) -> bool:
        """True if several inputs were joined to one jar."""
        return bool(self.words) and not self.inputs

    @property
    def files(self) -> list[Path]:
        """The files among the inputs that programs can read as jars."""
        return [each.path for each in self.inputs if not each.inside and each.path.is_file()]

    @property
    def is_signed(self) -> bool:
        """True if the input has a signature."""
        return any(entry.kind is EntryKind.SIGNATURE and not entry.name.endswith(INDEX) for entry in self.entries)

    @property
    def size(self) -> int:
        """Unpacked bytes of all entries together."""
        return _size(self.entries)


def read_jar(paths: Sequence[Path | str], *, limit: int = LIMIT, nested: bool = False, merge: bool = False) -> Jar:
    """Read the findings of :func:`core.archive.named_inputs.find`: jars, module files, folders of classes or of jars.
    See :func:`read_inputs`."""
    inputs = find(paths)
    places = tuple(Path(named(str(path))[1]) for path in paths)
    words = tuple(placed_at(str(path), os.path.abspath) for path in paths)
    return replace(read_inputs(inputs, limit=limit, nested=nested, merge=merge), paths=places, words=words)


def read_inputs(inputs: Sequence[InputJar], *, limit: int, nested: bool, merge: bool) -> Jar:
    """Read inputs. One jar is as it is; of several each is opened, its entries named ``a.jar!/p/C.class``; with
    ``merge`` several are joined to one (:func:`core.archive.joining.merged`).

    ``limit``: most unpacked bytes in all. ``nested``: open jars inside the jars (:mod:`core.archive.nested`).
    """
    if not inputs:
        raise InputError("No input given: name a jar, a war, a zip or a folder of classes.")
    opened = is_class_path(inputs) and not merge
    warnings: list[str] = []
    read: list[tuple[InputJar, list[Entry]]] = []
    left = limit
    for each in inputs:
        found = each.read(left, warnings)
        if nested:
            found = _unfolded(each, found, left - _size(found), warnings)
        if opened and each.path.is_dir():
            _refuse_without_classes([each], found, warnings, nested=nested)
        left -= _size(found)
        read.append((each, found))
    if opened:
        entries = [replace(entry, name=f"{one.name}{MARK}{entry.name}") for one, found in read for entry in found]
        warnings += filter(None, (renamed_text(inputs), repeated_text(read)))
    else:
        entries = read[0][1] if len(read) == 1 else merged(read, warnings)
    _refuse_without_classes(inputs, entries, warnings, nested=nested)
    whole = [entry.name for entry in entries if entry.kind is EntryKind.NESTED]
    if whole and not nested:
        warnings.append(
            f"Jars inside are whole, each kept or removed as one, and serve as libraries: {listed(whole)}. "
            "--nested opens them (File, Open nested jars)."
        )
    title = inputs[0].path.resolve().name or str(inputs[0].path)
    if len(inputs) > 1:
        title += f" + {len(inputs) - 1}"
    files = tuple(dict.fromkeys(each.path for each in inputs))
    kept = tuple(inputs) if opened or len(inputs) == 1 else ()
    return Jar(files, title, tuple(entries), tuple(warnings), nested, kept)


def _size(entries: Sequence[Entry]) -> int:
    return sum(len(entry.data) for entry in entries)


def _refuse_without_classes(
    inputs: Sequence[InputJar], entries: Sequence[Entry], warnings: list[str], *, nested: bool
) -> None:
    """Raise InputError if no entry is a class file."""
    if any(entry.kind is EntryKind.CLASS for entry in entries):
        return
    if not any(entry.kind is EntryKind.NESTED for entry in entries):
        hint = " Name a jar, a war, a zip or a folder with classes or jars."
    elif nested:
        hint = " ".join(("", "Nor is there one in the jars inside that could be opened.", *warnings))
    else:
        hint = " It only has jars inside: --nested opens them."
    names = listed(list(map(str, dict.fromkeys(each.path for each in inputs))))
    raise InputError(f"{names}: there is no class file in it.{hint}")


def _unfolded(source: InputJar, entries: list[Entry], left: int, warnings: list[str]) -> list[Entry]:
    """Return the entries with those of nested jars in the place of the jars. A jar that cannot be opened stays."""
    found: list[Entry] = []
    packed = (
        sum(len(entry.data) for entry in entries)
        if source.inside or source.path.is_dir()
        else source.path.stat().st_size
    )
    allowance = Allowance(most_unpacked(packed, left))
    for entry in entries:
        if entry.kind is not EntryKind.NESTED:
            found.append(entry)
            continue
        try:
            inside = [Entry(name, data, kind_of(name)) for name, data in unfold(entry.name, entry.data, allowance)]
        except NotOpenedError as error:
            warnings.append(f"{source.path}: {shortened(entry.name)} stays whole: {shortened(str(error))}.")
            inside = [entry]
        found += inside
    return found
