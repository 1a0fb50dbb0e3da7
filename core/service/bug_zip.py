"""The zip file of a bug folder, which issue trackers take where they refuse a jar: jar, script, the files of the
command, source, and the nearest jars that do not fail. Who unpacks it may execute what could be executed before."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable, Iterator

from core.report.reproduction import SCRIPT, SMALL, Reproduction

ZIP = "small.zip"
"""Name of the file."""
_UNIX = 3
"""Number of the system whose modes of files a zip file tells (APPNOTE 4.4.2)."""
_PROGRAM, _FILE = 0o100755, 0o100644
"""Modes of files."""


def bug_zip(jar: bytes, made: Reproduction, files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the bytes of the zip file; ``files`` are others, by their paths."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in [
            (SMALL, jar, _FILE),
            (SCRIPT, made.script.encode(), _PROGRAM),
            *_copied(made),
            *((name, data, _FILE) for name, data in files),
        ]:
            info = zipfile.ZipInfo(name)
            info.create_system, info.compress_type = _UNIX, zipfile.ZIP_DEFLATED
            info.external_attr = mode << 16
            archive.writestr(info, data)
    return held.getvalue()


def _copied(made: Reproduction) -> Iterator[tuple[str, bytes, int]]:
    """Yield the files of the command: path in the zip file, bytes, mode."""
    for origin, place in made.copied.items():
        files = [path for path in sorted(origin.rglob("*")) if path.is_file()] if origin.is_dir() else [origin]
        for path in files:
            inside = place if path == origin else f"{place}/{path.relative_to(origin).as_posix()}"
            yield inside, path.read_bytes(), _PROGRAM if os.access(path, os.X_OK) else _FILE
