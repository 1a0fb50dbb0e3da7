"""Files that tests write: jars of compiled classes, scripts that are run."""

from __future__ import annotations

import zipfile
from pathlib import Path


def jar_of(classes: Path, jar: Path) -> Path:
    """Writes all classes below a folder to a new jar; its path."""
    with zipfile.ZipFile(jar, "w") as archive:
        for file in sorted(classes.rglob("*.class")):
            archive.write(file, file.relative_to(classes).as_posix())
    return jar


def script(folder: Path, text: str, name: str = "check.sh") -> Path:
    """Writes a shell script that can be run; its path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path
