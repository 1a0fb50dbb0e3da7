"""Sessions in tests: jars of a few names, entries and steps of a size."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

from core.archive.jar import Entry, Jar, kind_of
from core.protocol.run_events import Accepted
from core.store.fingerprint import Fingerprint

PRINT = Fingerprint({"command": "x"})
SEARCH = {"algorithm": "binary"}


def jar(path: Path, *names: str, salt: str = "") -> Jar:
    """An input that was read from ``path``, where there is something."""
    path.touch()
    entries = tuple(Entry(name, (salt + name).encode() * 30, kind_of(name)) for name in names)
    return Jar((path,), path.name, entries)


def entries(count: int, size: int = 100) -> list[tuple[str, bytes]]:
    """``count`` entries that do not compress well."""
    return [(f"p/C{n}.class", (bytes(str(n), "ascii") + os.urandom(size))[:size]) for n in range(count)]


def step(size: int, probe: int = 1) -> Accepted:
    return Accepted(probe, "", 0.5, size, size, size)


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return archive.namelist()
