#!/usr/bin/env python3
"""Compiles the sample's sources and packs them to a jar: the same bytes for the same javac.

Needs Python and a JDK, no other package, so that it can run before the set-up is done:
``python3 packaging/build_sample.py [-o FILE] [--force]``. Does nothing when the jar is newer
than all sources. Exit code 0 = the jar is there, 2 = it could not be built (one sentence says why).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "resources" / "sample"
JAR = ROOT / "build" / "sample.jar"
MANIFEST = "Manifest-Version: 1.0\r\nMain-Class: sample.Main\r\n\r\n"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip entry can have: every entry gets it, whenever the jar is built."""


class BuildError(Exception):
    """The sample cannot be built; the text says what to do."""


def sources() -> list[Path]:
    """The Java files in the order in which the compiler gets them."""
    return sorted((SAMPLE / "java").rglob("*.java"))


def is_fresh(jar: Path) -> bool:
    """Return True if ``jar`` is newer than every source, every folder of sources and this script.

    A folder's time changes when a file in it is removed.
    """
    if not jar.is_file():
        return False
    built = jar.stat().st_mtime_ns
    inputs = [Path(__file__), *(SAMPLE / "java").rglob("*"), *(SAMPLE / "files").rglob("*")]
    return all(path.stat().st_mtime_ns < built for path in inputs)


def find_javac() -> str:
    """The compiler of ``JAVA_HOME`` or, failing that, of ``PATH``."""
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "javac").is_file():
        return str(Path(home) / "bin" / "javac")
    found = shutil.which("javac")
    if found is None:
        raise BuildError("javac is missing: install a JDK 17 or later (make setup does so on Debian) or set JAVA_HOME")
    return found


def compile_sources(classes: Path) -> None:
    """Compiles into the folder ``classes``."""
    command = [find_javac(), "--release", "17", "-g", "-encoding", "UTF-8", "-proc:none", "-d", str(classes)]
    # JAVA_TOOL_OPTIONS and its like print to standard error and could change the classes.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("JAVA_TOOL", "JDK_JAVA"))}
    done = subprocess.run(
        [*command, *map(str, sources())], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise BuildError(f"javac failed with exit code {done.returncode}:\n{done.stdout}{done.stderr}")


def entries(classes: Path) -> dict[str, bytes]:
    """Every entry's name and bytes, in the jar's order: manifest, classes, other files."""
    result = {"META-INF/MANIFEST.MF": MANIFEST.encode("ascii")}
    for folder in (classes, SAMPLE / "files"):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                result[path.relative_to(folder).as_posix()] = path.read_bytes()
    return result


def pack(content: dict[str, bytes], jar: Path) -> None:
    """Writes ``jar`` in one step: it is there whole or as it was before."""
    handle, name = tempfile.mkstemp(dir=jar.parent, prefix=jar.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, data in content.items():
                info = zipfile.ZipInfo(path, EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.create_system = 3
                info.external_attr = 0o644 << 16
                archive.writestr(info, data)
        os.chmod(name, 0o644)
        os.replace(name, jar)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def build(jar: Path = JAR, *, force: bool = False) -> bool:
    """Makes ``jar`` if it is missing or old; True when it was made.

    Raises BuildError when there is no compiler or it fails, OSError when the jar cannot be written.
    """
    if not force and is_fresh(jar):
        return False
    jar.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="jarlet-sample-") as folder:
        classes = Path(folder)
        compile_sources(classes)
        pack(entries(classes), jar)
    return True


def main() -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Builds the sample jar.")
    parser.add_argument("-o", "--output", type=Path, default=JAR, metavar="FILE")
    parser.add_argument("--force", action="store_true", help="build even when nothing changed")
    options = parser.parse_args()
    try:
        if build(options.output, force=options.force):
            print(f"built {options.output}")
    except (BuildError, OSError) as error:
        print(f"build_sample: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
