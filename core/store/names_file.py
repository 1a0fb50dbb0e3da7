"""The file with the old names of a result with neutral names: beside the result, and never in a file for others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.entries import Entries, renaming_of
from core.errors import OutputError, UsageError
from core.renaming import Neutral
from core.system.files import write_whole
from core.values import read_json

_MARK = "names of a reduced jar"
"""Key by which a file of ours is known; its value is the version of the shape."""
_VERSION = 1


def names_place(jar: Path) -> Path:
    """Return the path of the names of a jar."""
    return jar.with_name(f"{jar.stem}.names.json")


def keep_names(jar: Path, entries: Entries) -> None:
    """Write the names beside the jar of some entries, if some are neutral."""
    neutral = renaming_of(entries).neutral
    if neutral.words or neutral.packages:
        refuse_other_names(jar)
        _write(jar, neutral)


def _write(jar: Path, neutral: Neutral) -> None:
    """Write the names of a jar, old to new: classes and packages as Java writes them, then all single words."""
    values: dict[str, Any] = {_MARK: _VERSION, "jar": jar.name}
    for part, names in (("classes", neutral.classes), ("packages", neutral.packages), ("words", neutral.words)):
        slash = "/" if part == "words" else "."
        values[part] = {old.replace("/", slash): new.replace("/", slash) for new, old in names.items()}
    text = json.dumps(values, indent=2, ensure_ascii=False)
    write_whole(names_place(jar), f"{text}\n".encode("utf-8", "backslashreplace"))


def refuse_other_names(jar: Path) -> None:
    """Raise OutputError if there is a file in the place of the names that is none of ours."""
    place = names_place(jar)
    try:
        ours = _MARK in read_json(place)
    except FileNotFoundError:
        return
    except (OSError, UsageError):
        ours = False
    if not ours:
        raise OutputError(
            f"{place}: the old names would be written here, but the file is there already and holds no names of a "
            "reduced jar. Name another result, or move the file away."
        )
