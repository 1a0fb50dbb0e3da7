"""Finding the tools that presets run, and fetching them where that is allowed."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from core.system.removal import remove
from core.user_folders import cache_folder

_FOLDERS = ("/usr/share/java", "/usr/local/share/java", "~/.local/share/java", "~/.local/lib", "/opt")
_VERSION = re.compile(r"-(\d[\w.+-]*?)(?:-all|-debian)?\.jar$")
_FETCH_TIMEOUT = 600.0

_PROJECT = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>jarlet</groupId>
  <artifactId>tools</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-dependency-plugin</artifactId>
    <configuration>
      <outputDirectory>${project.basedir}</outputDirectory>
      <artifactItems>
%s
      </artifactItems>
    </configuration>
  </plugin></plugins></build>
</project>
"""
_ARTIFACT = ("groupId", "artifactId", "version", "type", "classifier")
"""Names of the parts of a coordinate, in a Maven project."""

Words = tuple[str | tuple[str, ...], ...]
"""Words of a command with placeholders; those of an inner tuple stand only where their values are not empty."""


@dataclass(frozen=True)
class Tool:
    """A Java tool: the jars that it consists of, each with the file names it may have, best first."""

    name: str
    title: str
    jars: tuple[tuple[str, ...], ...]
    run: Words = ()
    """Words of a step that run it with these jars; steps call them ``{NAME.run*}``."""
    debian: str = ""
    maven: tuple[str, ...] = ()
    """Coordinates ``group:artifact:version`` of the same jars."""
    note: str = ""
    """Advice where neither package nor coordinate exists: a sentence."""

    @property
    def variable(self) -> str:
        """The environment variable by which a user points to the jars, in the order of ``jars``."""
        return f"JARLET_{re.sub(r'[^A-Z0-9]', '_', self.name.upper())}"

    def find(self, environment: Mapping[str, str] | None = None) -> tuple[Path, ...] | None:
        """Return the jars: those the user points to, else fetched ones, else those of the usual folders."""
        environment = os.environ if environment is None else environment
        named = environment.get(self.variable)
        if named:
            paths = tuple(Path(word).expanduser().absolute() for word in named.split(os.pathsep))
            return paths if all(path.is_file() for path in paths) else None
        for folder in (tools_folder(), *(Path(folder).expanduser() for folder in _FOLDERS)):
            found = [_first(folder, names) for names in self.jars]
            if all(found):
                return tuple(path for path in found if path is not None)
        return None

    def missing(self) -> str:
        """Return the ways to get the tool, as a sentence."""
        ways = []
        if self.debian:
            ways.append(f"install Debian's package (sudo apt-get install {self.debian})")
        if self.maven and shutil.which("mvn"):
            ways.append(f"let Maven fetch {' and '.join(self.maven)} (--fetch)")
        elif self.maven:
            ways.append(f"install Maven, which can fetch {' and '.join(self.maven)}")
        ways.append(f"point to its jar with the environment variable {self.variable}")
        text = f"{self.title} is not installed: {', or '.join(ways)}."
        return f"{text} {self.note}".strip()

    def fetch(self) -> str | None:
        """Copy the jars from the Maven repository to the tools folder. Return the reason for a failure as a sentence,
        or None."""
        maven = shutil.which("mvn")
        if not self.maven or maven is None:
            return self.missing()
        temporary = tools_folder() / f".{self.name}-{secrets.token_hex(6)}"
        try:
            temporary.mkdir(parents=True)
            (temporary / "pom.xml").write_text(_project(self.maven), encoding="utf-8")
            done = subprocess.run(
                [maven, "-q", "-B", "dependency:copy"],
                capture_output=True, text=True, errors="replace", check=False, timeout=_FETCH_TIMEOUT,
                stdin=subprocess.DEVNULL, cwd=temporary,
            )  # fmt: skip
            if done.returncode:
                lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or ["no reason given"]
                return f"Maven could not fetch {' and '.join(self.maven)}: {lines[0][:300]}"
            for path in temporary.glob("*.jar"):
                path.rename(tools_folder() / path.name)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{self.title} could not be fetched: {error}"
        finally:
            remove(temporary)
        return None if self.find() else self.missing()


def _project(coordinates: Sequence[str]) -> str:
    """Return a project of Maven's by which ``dependency:copy`` copies artifacts, all in one run."""
    items = (
        "".join(
            f"<{name}>{escape(part)}</{name}>" for name, part in zip(_ARTIFACT, coordinate.split(":"), strict=False)
        )
        for coordinate in coordinates
    )
    return _PROJECT % "\n".join(f"        <artifactItem>{item}</artifactItem>" for item in items)


def tools_folder() -> Path:
    """Where fetched tools are kept."""
    return cache_folder() / "tools"


def version_of(jar: Path) -> str:
    """Return the version that a jar's file name, manifest or Maven properties tell, else "unknown"."""
    found = _VERSION.search(jar.resolve().name)
    if found:
        return found[1]
    with suppress(OSError, zipfile.BadZipFile, KeyError), zipfile.ZipFile(jar) as archive:
        text = archive.read("META-INF/MANIFEST.MF").decode("utf-8", "replace")
        told = re.search(r"^(?:Implementation|Bundle|Specification)-Version: *(\S+)", text, re.MULTILINE)
        if told:
            return told[1]
    return "unknown"


def _first(folder: Path, names: tuple[str, ...]) -> Path | None:
    for name in names:
        found = sorted(folder.glob(name), key=lambda path: _order(path.name))
        if found:
            return found[-1]
    return None


def _order(name: str) -> list[tuple[int, int, str]]:
    """So that 1.10 comes after 1.9."""
    return [(1, int(word), "") if word.isdigit() else (0, 0, word) for word in re.split(r"(\d+)", name)]
