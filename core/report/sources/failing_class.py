"""Which class a failure's name is about."""

from __future__ import annotations

import re
from collections.abc import Collection

_FILE = re.compile(r"^(?P<name>[\w$-]+)\.java: ")
_WORD = re.compile(r"(?<![\w$.])[^\W\d][\w$]*(?:[./][\w$]+)*")


def place_of(failure: str, classes: Collection[str]) -> str:
    """Return the first of ``classes`` (internal names, outermost ones for files) that the failure names; empty =
    none."""
    file = _FILE.match(failure)
    if file is not None:
        simple = file["name"]
        found = sorted(name for name in classes if name.rpartition("/")[2] == simple)
        return found[0] if found else simple
    for match in _WORD.finditer(failure):
        word = match[0].replace(".", "/")
        while word:
            if word in classes:
                return word
            word = word.rpartition("/")[0]
    return ""
