"""The file with the old names of a result with neutral names: beside the result, and never in a file for others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from core.entries import Entries, renaming_of
from core.renaming import NOT_NEUTRAL
from core.system.files import write_whole

_MARK = "names of a reduced jar"
"""Key by which a file of ours is known; its value is the version of the shape."""
_VERSION = 1
MADE = re.compile(_MARK.encode())
"""Pattern in each such file."""


def names_place(jar: Path) -> Path:
    """Return the path of the names of a jar."""
    return jar.with_name(f"{jar.stem}.names.json")


def keep_names(jar: Path, entries: Entries) -> None:
    """Write the names beside the jar of some entries, if some are neutral: old to new, classes and packages as Java
    writes them, then all single words. Earlier names are replaced."""
    neutral = renaming_of(entries).neutral
    if neutral == NOT_NEUTRAL:
        return
    values: dict[str, Any] = {_MARK: _VERSION, "jar": jar.name}
    for part, names in (("classes", neutral.classes), ("packages", neutral.packages), ("words", neutral.words)):
        slash = "/" if part == "words" else "."
        values[part] = {old.replace("/", slash): new.replace("/", slash) for new, old in names.items()}
    text = json.dumps(values, indent=2, ensure_ascii=False)
    write_whole(names_place(jar), f"{text}\n".encode("utf-8", "backslashreplace"))
