"""Entry names: which are safe to write below a folder, and what kind of entry a name stands for."""

from __future__ import annotations

import re
from enum import Enum

MANIFEST = "META-INF/MANIFEST.MF"

_SIGNATURE = re.compile(r"META-INF/(?:[^/]+\.(?:SF|RSA|DSA|EC)|SIG-[^/]*)", re.IGNORECASE)
_NESTED = (".jar", ".war", ".ear")
_VERSIONED = re.compile(r"META-INF/versions/\d+/(.+)")
_WEB = "WEB-INF/classes/"


class EntryKind(Enum):
    """The kinds of entries, judged by their names alone."""

    CLASS = "class"
    """A ``.class`` file, also below ``META-INF/versions/N/`` and ``WEB-INF/classes/``."""
    RESOURCE = "resource"
    NESTED = "nested"
    """A jar inside the jar; it is kept or removed as a whole."""
    SIGNATURE = "signature"
    """A signature file: worthless once anything of the jar is missing."""
    DIRECTORY = "directory"
    """An empty entry whose name ends in ``/``."""


def kind_of(name: str) -> EntryKind:
    """Return the kind of the entry called *name*."""
    if name.endswith("/"):
        return EntryKind.DIRECTORY
    if name.endswith(".class"):
        return EntryKind.CLASS
    if _SIGNATURE.fullmatch(name):
        return EntryKind.SIGNATURE
    if name.lower().endswith(_NESTED):
        return EntryKind.NESTED
    return EntryKind.RESOURCE


def why_unsafe(name: str) -> str | None:
    """Why an entry must not be called *name* (it would leave the folder it is unpacked to), or None.

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
    return None


def is_versioned(name: str) -> bool:
    """Return True if the entry is a multi-release copy (``META-INF/versions/N/...``)."""
    return _VERSIONED.fullmatch(name) is not None


def class_path(name: str) -> str:
    """Return an entry's name as the class path sees it: without ``WEB-INF/classes/`` and ``META-INF/versions/N/``."""
    name = name.removeprefix(_WEB)
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name
