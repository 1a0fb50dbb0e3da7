"""Names that come from outside and become paths: a version of a repository, an entry of an archive, a class, a title.

A name that must be kept is refused if it leads elsewhere (:func:`inside`). A file name that is only derived from a
foreign text has harmless letters alone (:func:`file_name_like`).
"""

from __future__ import annotations

import re
from pathlib import Path

from core.errors import InputError

_LONGEST = 255
"""Most bytes of the name of a file, in the file systems that are in use."""
_ODD = re.compile(r"[^\w.+-]")


def inside(folder: Path, *names: str) -> Path:
    """Return the path below a folder for names from outside, each of them one part of the path.

    Raises InputError for a name that leads elsewhere, and for a forbidden file name.
    """
    for name in names:
        why = _why_not(name)
        if why:
            raise InputError(f"The name {name!r} cannot be that of a file or folder: {why}.")
    return folder.joinpath(*names)


def file_name_like(text: str, most: int = _LONGEST // 2) -> str:
    """Return a file name of at most ``most`` bytes that is like a text of others; ``_`` stands for other letters than
    those of words and ``.+-``. It may be empty."""
    return _ODD.sub("_", text).encode()[:most].decode(errors="ignore").lstrip(".")


def _why_not(name: str) -> str:
    """Return the reason why a name cannot be used; empty if it can."""
    if name in ("", ".", ".."):
        return "it leads to another folder" if name else "it is empty"
    if "/" in name or "\\" in name:
        return "it is a path"
    if "\0" in name:
        return "it has a NUL character"
    try:
        long = len(name.encode("utf-8", "surrogateescape")) > _LONGEST
    except UnicodeEncodeError:
        return "it has half a character"
    return f"it has more than {_LONGEST} bytes" if long else ""
