"""The words by which a user names an input, as the jars of a class path: in order, each with a file name of its own.

A jar is one input, and so is a folder of classes; a folder of jars has one for each of its jars, an ``.aar`` one for
``classes.jar`` and for each of ``libs/*.jar``. ``old=a.jar`` gives an input a name that placeholders may use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.archive.entry_names import JMOD, OPENED
from core.archive.reading import Entry, listed, read_source, read_zip
from core.archive.zips import Archive
from core.errors import InputError
from core.system.budget import LIMIT
from core.system.removal import files_below

LIST = "classpath.txt"
"""The file that names the jars."""
MADE = "# Written by Jarlet, which replaces this folder: the jars below, in the order of the class path."
"""First line of that file."""
_NAMED = re.compile(r"([A-Za-z_][\w.-]*)=(.+)", re.DOTALL)
_JARS = (".jar", ".war", ".ear", JMOD)
"""Ends of the names of files that make a folder a folder of jars."""
_LIBRARIES = re.compile(r"libs/[^/]+\.jar")
_ODD = re.compile(r"[:;\\\x00-\x1f]")
"""Characters that a class path, or another system, has a use of its own for."""


@dataclass(frozen=True)
class InputJar:
    """One jar of a class path: the user's file or folder, and the name of the jar's file in candidates and results."""

    path: Path
    name: str
    label: str
    """The name that the user gave; empty for none."""
    inside: str = ""
    """The entry for the jar within the file ``path``; empty if the file is the jar itself."""

    def read(self, left: int, warnings: list[str]) -> list[Entry]:
        """Return the entries, ``left`` bytes of them at most. Raise InputError."""
        return (
            read_zip(self.path, left, warnings, self._inside())
            if self.inside
            else read_source(self.path, left, warnings)
        )

    def own(self) -> bytes | None:
        """Return the jar's bytes as the user has them; None for a folder. Raise InputError and OSError."""
        if self.path.is_dir():
            return None
        return self._inside() if self.inside else self.path.read_bytes()

    def _inside(self) -> bytes:
        with Archive(self.path) as archive:
            return archive.read(self.inside, LIMIT)


def is_class_path(inputs: Sequence[InputJar]) -> bool:
    """Return True if each input is opened as a jar of its own: several inputs, or one in another form than a jar."""
    return len(inputs) > 1 or any(each.name.lower().endswith(JMOD) for each in inputs)


def named(word: str) -> tuple[str, str]:
    """Return the name that a word gives its input, or nothing, and the rest of the word."""
    match = _NAMED.fullmatch(word)
    return (match[1], match[2]) if match and not os.path.exists(word) else ("", word)


def placed_at(word: str, place: Callable[[str], str]) -> str:
    """Return a word with ``place`` of the path that it names."""
    label, rest = named(word)
    return f"{label}={place(rest)}" if label else place(rest)


def find(words: Sequence[str | Path]) -> tuple[InputJar, ...]:
    """Return the inputs that words name, in order. Raise InputError for a file named twice, and for a label that
    stands for two."""
    found = [each for word in words for each in _of_word(str(word))]
    places: dict[tuple[str, str], InputJar] = {}
    for each in found:
        place = (os.path.realpath(each.path) if os.path.exists(each.path) else str(each.path), each.inside)
        if place in places:
            raise InputError(f"{each.path}: this input is listed twice. Name each input once.")
        places[place] = each
    labels = [each.label for each in found if each.label]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InputError(f"{twice}= names more than one jar. Give each jar a name of its own.")
    return distinct(found)


def distinct(inputs: Sequence[InputJar]) -> tuple[InputJar, ...]:
    """Return the inputs with a file name each that no other has: a repeated one gets its label, or a number."""
    taken: set[str] = set()
    made = []
    for each in inputs:
        stem, dot, end = each.name.rpartition(".")
        name, number = each.name, 2
        if name.casefold() in taken and each.label:
            name = f"{each.label}{dot}{end}"
        while name.casefold() in taken:
            name, number = f"{stem}-{number}{dot}{end}", number + 1
        taken.add(name.casefold())
        made.append(replace(each, name=name))
    return tuple(made)


def renamed_text(inputs: Sequence[InputJar]) -> str:
    """Return a sentence on the inputs that have other file names than the user's files; empty if none has."""
    if not is_class_path(inputs):
        return ""
    pairs = [(each.inside or str(each.path), each.name) for each in inputs]
    other = [f"{path} is {name}" for path, name in pairs if Path(path).name != name and not Path(path).is_dir()]
    return f"Inputs of one name get names of their own: {listed(other)}." if other else ""


def _of_word(word: str) -> Iterator[InputJar]:
    label, rest = named(word)
    path = Path(rest)
    if os.path.isdir(path) and (jars := _jars_of(path)):
        yield from (InputJar(jar, _file_name(jar.name), label) for jar in jars)
    elif path.suffix.lower() == ".aar" and os.path.isfile(path):
        with Archive(path) as archive:
            names = archive.names
        inside = [name for name in ("classes.jar", *sorted(filter(_LIBRARIES.fullmatch, names))) if name in names]
        if not inside:
            raise InputError(f"{path}: there is neither classes.jar nor a jar in libs/ in it.")
        for name in inside:
            own = f"{path.stem}.jar" if name == "classes.jar" else name.rpartition("/")[2]
            yield InputJar(path, _file_name(own), label, name)
    else:
        yield InputJar(path, _file_name(os.path.basename(os.path.abspath(path))), label)


def _jars_of(folder: Path) -> list[Path]:
    """Return the jars at the top of a folder without class files, in the order of its list or of their names, no links
    to others of them; none for a folder of classes."""
    with InputError.telling(f"{folder}: cannot be read"):
        order = {name: number for number, name in enumerate(listed_jars(folder))}
        found = [each for each in folder.iterdir() if each.name.lower().endswith(_JARS) and each.is_file()]
        jars = list(
            {os.path.realpath(each): each for each in sorted(found, key=Path.is_symlink, reverse=True)}.values()
        )
        jars.sort(key=lambda jar: (order.get(jar.name, len(order)), jar.name))
    has_classes = bool(jars) and any(each.name.endswith(".class") for each in files_below(folder))
    return [] if has_classes else jars


def _file_name(name: str) -> str:
    """Return the file name of an input of that name, always with the ending of a jar."""
    name = _ODD.sub("_", name)
    return name if name.lower().endswith(OPENED) else f"{name}.jar"


def listed_jars(folder: Path) -> list[str]:
    """Return the names of the jars of a folder of ours, in their order; none for another folder."""
    with suppress(OSError, ValueError):
        first, *names = (folder / LIST).read_text(encoding="utf-8").splitlines()
        return names if first == MADE else []
    return []
