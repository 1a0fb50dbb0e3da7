"""The zip file of a bug folder, for issue trackers that refuse a jar: jar, script, the files of the command, source,
and the nearest jars without the failure. An unpacked file is executable if it was so before."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

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
            *((name, data, _PROGRAM if program else _FILE) for name, data, program in made.copied.contents()),
            *((name, data, _FILE) for name, data in files),
        ]:
            info = zipfile.ZipInfo(name)
            info.create_system, info.compress_type = _UNIX, zipfile.ZIP_DEFLATED
            info.external_attr = mode << 16
            archive.writestr(info, data)
    return held.getvalue()
