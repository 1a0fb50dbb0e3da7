"""The Java installation for programs of this machine: its folder, its version and its classes."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.errors import InputError
from core.library.class_path import Classpath
from core.library.jimage import Image

QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
"""Options of the JVM for a short run."""

QUICK_TOOL = tuple(f"-J{option}" for option in QUICK)
"""Options of javac or javap for a short run."""

_VERSION = re.compile(r'^JAVA_VERSION="(?:1\.)?(\d+)', re.MULTILINE)
_RELEASE = re.compile(r'^JAVA_VERSION="([^"]+)"', re.MULTILINE)
_HOME = re.compile(r"^\s*java\.home = (.+?)\s*$", re.MULTILINE)
_OLD = ("rt.jar", "jce.jar", "jsse.jar", "charsets.jar", "resources.jar", "ext/*.jar")
"""Places of the classes of Java 8 and before, below ``lib`` or ``jre/lib``."""


@dataclass(frozen=True, slots=True)
class Jdk:
    """An installation. ``image`` is ``lib/modules``, or None for Java 8 and before, which have ``jars``."""

    home: Path
    image: Path | None
    jars: tuple[Path, ...]

    @property
    def java(self) -> Path:
        """The launcher."""
        return self.home / "bin" / "java"

    @property
    def feature(self) -> int:
        """The first number of the version: 8, 11, 17. Without a stated version it is 8 or 17, by the layout."""
        found = _VERSION.search(self._release)
        return int(found[1]) if found else 17 if self.image else 8

    @property
    def release(self) -> str:
        """The whole version, 17.0.15, or else its first number."""
        found = _RELEASE.search(self._release)
        return found[1] if found else str(self.feature)

    @property
    def compiles(self) -> bool:
        """True if there is a javac."""
        return (self.home / "bin" / "javac").is_file()

    @property
    def library(self) -> tuple[Path, ...]:
        """The class library as files: the folder ``jmods``, which a JDK from 24 on may lack, or the jars of Java 8."""
        modules = self.home / "jmods"
        return self.jars or ((modules,) if modules.is_dir() else ())

    @property
    def identity(self) -> str:
        """A text that changes when the installation does; caches go by it."""
        places = [self.image] if self.image else list(self.jars)
        stats = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in places]
        return hashlib.sha256(repr((self._release, stats)).encode()).hexdigest()

    @property
    def _release(self) -> str:
        for place in (self.home, self.home.parent):  # of a Java 8 in jdk/jre the file is in jdk
            with suppress(OSError):
                return (place / "release").read_text(encoding="utf-8", errors="replace")
        return ""

    def open(self) -> Image | Classpath:
        """Return the classes; to be closed. Raise :class:`InputError` when they cannot be read."""
        return Image(self.image) if self.image else Classpath(self.jars, lambda: self.feature)


def find_jdk(environment: Mapping[str, str] | None = None) -> Jdk:
    """Return the installation of JAVA_HOME, else the one of the ``java`` on PATH; :class:`InputError` without one.

    A ``java`` that is no link into an installation, such as a version manager's script, is asked for its home, once in
    this process.
    """
    environment = os.environ if environment is None else environment
    named = environment.get("JAVA_HOME")
    if named and (jdk := jdk_in(Path(named))):
        return jdk
    program = shutil.which("java", path=environment.get("PATH", os.defpath))
    if program:
        jdk = jdk_in(Path(program).resolve().parent.parent)
        if jdk is None and (home := _home_told(program, os.getcwd(), frozenset(environment.items()))):
            jdk = jdk_in(home)
        if jdk:
            return jdk
    tried = f"JAVA_HOME is {named}, which is not one" if named else "JAVA_HOME is not set"
    found = f"{program} does not belong to one" if program else "there is no java on PATH"
    raise InputError(
        f"No Java installation found: {tried}, and {found}. Install a JDK, or set JAVA_HOME to the folder of one."
    )


def jdk_in(home: Path) -> Jdk | None:
    """Return the installation in a folder, or None if there is none."""
    image = home / "lib" / "modules"
    if image.is_file():
        return Jdk(home, image, ())
    for lib in (home / "lib", home / "jre" / "lib"):
        if (lib / "rt.jar").is_file():
            jars = tuple(path for pattern in _OLD for path in sorted(lib.glob(pattern)))
            return Jdk(home, None, jars)
    return None


@cache
def _home_told(program: str, place: str, environment: frozenset[tuple[str, str]]) -> Path | None:
    """Return the home that ``program`` prints when it runs in the folder ``place``. The script of a version manager
    decides by the folder."""
    try:
        answer = subprocess.run(
            [program, "-XshowSettings:properties", "-version"],
            capture_output=True, text=True, errors="replace", timeout=60, check=False, env=dict(environment), cwd=place,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _HOME.search(answer.stderr) or _HOME.search(answer.stdout)
    return Path(found[1]) if found else None
