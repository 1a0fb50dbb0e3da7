"""Names of entries: their safety below a folder, and the kind of entry that a name stands for."""

from __future__ import annotations

import re
from enum import Enum

MANIFEST = "META-INF/MANIFEST.MF"
INDEX = "META-INF/INDEX.LIST"

_SIGNATURE = re.compile(r"META-INF/(?:[^/]+\.(?:SF|RSA|DSA|EC)|SIG-[^/]*|INDEX\.LIST)", re.IGNORECASE)
SERVICES = re.compile(r"META-INF/services/[^/]+")
NESTED = (".jar", ".war", ".ear")
"""Ends of the names of jars inside a jar."""
JMOD = ".jmod"
OPENED = (*NESTED, JMOD, ".zip")
"""Ends of the names of files that may stand opened among the entries: a class path has more kinds than a jar."""
MARK = "!/"
"""Separator between an opened nested jar and the name of an entry in it (:mod:`core.archive.nested`)."""
_COPY = re.compile(r"META-INF/versions/([1-9][0-9]{0,5})/(.+)")
ROOTS = ("WEB-INF/classes/", "BOOT-INF/classes/")
"""Folders of an archive in which packages begin."""
_OF_JMOD = "classes/"


class EntryKind(Enum):
    """The kinds of entries, judged by their names alone."""

    CLASS = "class"
    """A ``.class`` file, also below ``META-INF/versions/N/``, ``WEB-INF/classes/`` and
    ``BOOT-INF/classes/``."""
    RESOURCE = "resource"
    NESTED = "nested"
    """A jar inside the jar; it is kept or removed as a whole."""
    SIGNATURE = "signature"
    """A signature file, or an index of packages: worthless once anything of the jar is missing."""
    DIRECTORY = "directory"
    """An empty entry whose name ends in ``/``."""


def kind_of(name: str) -> EntryKind:
    """Return the kind of the entry called ``name``."""
    if name.endswith("/"):
        return EntryKind.DIRECTORY
    if name.endswith(".class"):
        return EntryKind.CLASS
    if _SIGNATURE.fullmatch(within(name)):
        return EntryKind.SIGNATURE
    if name.lower().endswith(NESTED):
        return EntryKind.NESTED
    return EntryKind.RESOURCE


def why_unsafe(name: str) -> str | None:
    """Return the reason why an entry must not be called ``name``, such as a path out of the folder; None if it may.

    A backslash is refused too: it separates folders on one system and not on another.
    """
    if not name or name.strip("/") == "":
        return "the name is empty"
    if "\0" in name:
        return "the name contains a NUL character"
    if "\\" in name:
        return "the name contains a backslash"
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "the name is absolute"
    if ".." in name.split("/"):
        return "the name leads out of the archive"
    if any(f"{end}{MARK}" in name.lower() for end in OPENED):
        return f"{MARK} stands for an opened nested jar"
    return None


def within(name: str) -> str:
    """Return the name of an entry within its own jar, which may be an opened nested one."""
    return name.rpartition(MARK)[2] if MARK in name else name


def opened_jar(name: str) -> str:
    """Return the name of the opened nested jar that an entry lies in; empty for an entry of the input's own."""
    return name.rpartition(MARK)[0]


def is_versioned(name: str) -> bool:
    """Return True if the entry is a multi-release copy (``META-INF/versions/N/...``)."""
    return place_of(within(name))[0] > 0


def below_roots(name: str) -> str:
    """Return the name of an entry within its own jar, below the folder in which packages begin there."""
    if MARK in name:
        jar, _, name = name.rpartition(MARK)
        if jar.lower().endswith(JMOD):
            return name.removeprefix(_OF_JMOD)
    for root in ROOTS:
        name = name.removeprefix(root)
    return name


def split_input(name: str) -> tuple[str, str]:
    """Return the beginning of the name of an entry, which tells jar and folder of packages, and the rest."""
    own = below_roots(name)
    return name.removesuffix(own), own


def class_path(name: str) -> str:
    """Return an entry's name as the class path sees it: without an opened jar's name, ``WEB-INF/classes/``,
    ``BOOT-INF/classes/`` and ``META-INF/versions/N/``."""
    return place_of(below_roots(name))[1]


def place_of(name: str) -> tuple[int, str]:
    """Return the version of a multi-release copy at the top of its jar, and the name without it; 0 for others."""
    copy = _COPY.fullmatch(name)
    return (int(copy[1]), copy[2]) if copy else (0, name)


def placed(version: int, name: str) -> str:
    """Return the name of an entry by its version and the name without it: the inverse of :func:`place_of`."""
    return f"META-INF/versions/{version}/{name}" if version else name
