"""The jars of a hunt, from the files, folders and patterns that the user named, with the libraries of each."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.archive.zips import open_regular
from core.crash import record
from core.errors import InputError, JarletError
from core.library.class_path import named_by_manifest

_ENDS = (".jar", ".war", ".ear")
"""Ends of the names of files in a folder that are hunted."""


@dataclass(frozen=True)
class HuntedJar:
    """A jar as the user named it, and the libraries that it uses. ``digest`` is of its bytes and those of the
    libraries; ``problem`` says why it cannot be read."""

    name: str
    path: Path
    library: tuple[Path, ...] = ()
    digest: str = ""
    problem: str = ""


def hunted_jars(words: Sequence[str], classpath: Sequence[Path] = (), results: Path | None = None) -> list[HuntedJar]:
    """Return the jars that words name: files, folders (all jars below them) and patterns, each jar once. Jars in the
    folder of ``results`` are none.

    The libraries of a jar are those of ``classpath`` and those that its manifest names. Raises InputError for a word
    that names no jar, and for a library that cannot be read.
    """
    own = results.resolve() if results is not None else None
    shared = [path.absolute() for path in classpath]
    digests = {path: _library_digest(path) for path in shared}
    found: dict[Path, HuntedJar] = {}
    for word in words:
        for path in _files(word):
            real = Path(os.path.realpath(path))
            if real not in found and own not in real.parents:
                found[real] = _hunted(path, shared, digests)
    return list(found.values())


def _files(word: str) -> Iterator[Path]:
    path = Path(word)
    if path.is_dir():
        names = sorted(file for file in path.rglob("*") if file.suffix.lower() in _ENDS and not os.path.isdir(file))
        if not names:
            raise InputError(f"{word}: there is no jar in this folder. Name jars, or a folder with jars.")
        yield from names
    elif path.exists() or not glob.has_magic(word):
        if not path.exists():
            raise InputError(f"{word}: there is no such file. Name a jar, a folder with jars, or a pattern.")
        yield path
    else:
        matches = [Path(name) for name in sorted(glob.glob(word, recursive=True))]
        files = [match for match in matches if not os.path.isdir(match)]
        if not files:
            raise InputError(f"{word}: no file has a name of this pattern.")
        yield from files


def _hunted(path: Path, shared: Sequence[Path], digests: dict[Path, str]) -> HuntedJar:
    place = path.absolute()
    try:
        own = digest_of(path)
        named = [library for library in named_by_manifest(path) if library != place.resolve()]
        for library in named:
            digests.setdefault(library, _library_digest(library))
    except OSError as error:
        return HuntedJar(str(path), place, problem=f"It cannot be read ({error.strerror or error}).")
    except JarletError as error:
        return HuntedJar(str(path), place, problem=str(error).removeprefix(f"{path}: "))
    except Exception as error:  # one jar never ends a hunt
        return HuntedJar(str(path), place, problem=record(error))
    libraries = tuple(dict.fromkeys((*shared, *named)))
    return HuntedJar(str(path), place, libraries, _joined((own, *(digests[each] for each in libraries))))


def _library_digest(path: Path) -> str:
    """Return the digest of a library; of a folder that of its name. Raise InputError."""
    if path.is_dir():
        return _joined((str(path),))
    try:
        return digest_of(path)
    except OSError as error:
        raise InputError(f"{path}: the library cannot be read ({error.strerror or error}).") from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits. Raise OSError."""
    with open(open_regular(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _joined(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
