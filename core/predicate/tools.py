"""The tools of presets: finding them, and fetching them if allowed."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.archive.entry_names import MANIFEST
from core.archive.manifest import main_attributes
from core.archive.zips import Archive
from core.errors import InputError, JarletError, UsageError
from core.predicate.releases.coordinate import Coordinate, order_of
from core.system.removal import remove
from core.user_folders import cache_folder
from resources import path

_FOLDERS = ("/usr/share/java", "/usr/local/share/java", "~/.local/share/java", "~/.local/lib", "/opt")
_CARRIED = path("tools")
"""Folder of the tools that a package carries; a source tree has none."""
_VERSION = re.compile(r"-(\d[\w.+-]*?)(?:-all|-debian)?\.jar$")
_LEVEL = re.compile(r"(?<!\S)-(\d+)(?!\S)")
"""Option of a compiler for a level of Java, as its help lists it: ``-17``."""
_MAIN = (b"\1\0\4main", b"\1\0\x16([Ljava/lang/String;)V")
"""Constants of a class with a main method."""
_HELP_SECONDS = 60.0
"""Time limit of a compiler that prints its help, in seconds."""

Words = tuple[str | tuple[str, ...], ...]
"""Words of a command with placeholders; those of an inner tuple stand only where their values are not empty."""


@dataclass(frozen=True)
class Tool:
    """A Java tool: the jars that it consists of, each with the file names it may have, best first. Without ``jars`` it
    is the jar of its one coordinate, with all that this one needs when it runs."""

    name: str
    title: str
    jars: tuple[tuple[str, ...], ...] = ()
    run: Words = ()
    """Words of a step that run it with these jars; steps call them ``{NAME.run*}``."""
    debian: str = ""
    maven: tuple[str, ...] = ()
    """Coordinates ``group:artifact:version`` of the same jars."""
    newest_jdk: int = 0
    """Newest Java whose class library the ``maven`` version can read, for tools with the library of the JDK; 0: any."""
    note: str = ""
    """Advice where the tool is missing, beside the ways to get it: a sentence."""
    places: tuple[Path, ...] = ()
    """Jars of one version, taken in preference to all others."""

    @property
    def variable(self) -> str:
        """The environment variable by which a user points to the jars, in the order of ``jars``."""
        return f"JARLET_{re.sub(r'[^A-Z0-9]', '_', self.name.upper())}"

    @property
    def unnamed(self) -> bool:
        """True if a setting is to name the tool."""
        return not (self.jars or self.maven or self.places)

    def find(self, environment: Mapping[str, str] | None = None) -> tuple[Path, ...] | None:
        """Return the jars: those that the user points to, else fetched ones, else those in the program, else those of
        the usual folders."""
        if self.places:
            return self.places
        environment = os.environ if environment is None else environment
        named = environment.get(self.variable)
        if named:
            paths = tuple(Path(word).expanduser().absolute() for word in named.split(os.pathsep))
            return paths if all(path.is_file() for path in paths) else None
        if not self.jars:
            return kept(Coordinate.parse(self.maven[0])) if self.maven else None
        for folder in (tools_folder(), _CARRIED, *(Path(folder).expanduser() for folder in _FOLDERS)):
            found = [_first(folder, names) for names in self.jars]
            if all(found):
                return tuple(path for path in found if path is not None)
        return None

    def missing(self) -> str:
        """Return the ways to get the tool, as a sentence."""
        ways = []
        if self.debian:
            ways.append(f"install Debian's package (sudo apt-get install {self.debian})")
        if self.maven:
            ways.append("let Jarlet fetch it (--fetch, in the window Download)")
        ways.append(f"point to its jar with the environment variable {self.variable}")
        text = f"{self.title} is not installed: {', or '.join(ways)}."
        return f"{text} {self.note}".strip()

    def fetch(self) -> str | None:
        """Copy the jars from a Maven repository to the tools folder. Return the reason for a failure as a sentence, or
        None."""
        from core.predicate.releases.maven import fetch  # here: the modules of the network take long to load

        if not self.maven:
            return self.missing()
        try:
            if self.jars:
                fetch(self.maven, tools_folder())
            else:
                fetch_whole(Coordinate.parse(self.maven[0]))
        except JarletError as error:
            return f"{self.title} could not be fetched: {error}"
        return None if self.find() else self.missing()

    def named(self, text: str) -> Tool:
        """Return the tool at a coordinate, of another version, or of the jars of a class path. Raise UsageError for
        anything else."""
        places = tuple(Path(word).expanduser().absolute() for word in text.split(os.pathsep))
        if all(place.is_file() for place in places):
            return replace(self, places=places, title=places[0].stem)
        try:
            if self.maven and re.fullmatch(r"\d[\w.+-]*(?<!\.jar)", text):
                text = str(replace(Coordinate.parse(self.maven[0]), version=text))
            title = Coordinate.parse(text).artifact
        except InputError as error:
            raise UsageError(
                f"The tool {text!r} is neither a jar that exists, nor a version, "
                "nor a coordinate GROUP:ARTIFACT:VERSION."
            ) from error
        return replace(self, jars=(), maven=(text,), debian="", note="", newest_jdk=0, title=title)


JACOCO = Tool(
    name="jacoco",
    title="JaCoCo (which tells what code runs)",
    jars=(
        ("org.jacoco.agent-[0-9]*-runtime.jar",),
        ("org.jacoco.core-[0-9]*.jar",),
        ("asm-[0-9]*.jar",),
        ("asm-commons-[0-9]*.jar",),
        ("asm-tree-[0-9]*.jar",),
    ),
    maven=(
        "org.jacoco:org.jacoco.agent:0.8.14:jar:runtime",
        "org.jacoco:org.jacoco.core:0.8.14",
        "org.ow2.asm:asm:9.9",
        "org.ow2.asm:asm-commons:9.9",
        "org.ow2.asm:asm-tree:9.9",
    ),
    note="Without it the results of commands that run the input are larger.",
)


def tools_folder() -> Path:
    """Return the folder in which fetched tools are kept."""
    return cache_folder() / "tools"


def folder_kept(coordinate: Coordinate) -> Path:
    """Return the folder of the user's cache for a jar and all that it needs."""
    artifact = "+".join(filter(None, (coordinate.artifact, coordinate.classifier)))
    return tools_folder().joinpath("versions", coordinate.group, artifact, coordinate.version)


def kept(coordinate: Coordinate) -> tuple[Path, ...] | None:
    """Return a fetched jar and all that it needs; None where it was not fetched yet."""
    folder = folder_kept(coordinate)
    own = folder / coordinate.file_name
    return (own, *sorted(path for path in folder.glob("*.jar") if path != own)) if own.is_file() else None


def fetch_whole(coordinate: Coordinate) -> None:
    """Fetch a jar and all that it needs into a new folder, and move the folder to its place. Raise JarletError."""
    from core.predicate.releases.maven import fetch_with_dependencies  # here: see Tool.fetch

    folder, begun = folder_kept(coordinate), tools_folder() / f".begun-{secrets.token_hex(6)}"
    try:
        fetch_with_dependencies(coordinate, begun)
        folder.parent.mkdir(parents=True, exist_ok=True)
        os.rename(begun, folder)
    except OSError as error:
        if not folder.is_dir():  # nobody else has fetched the same meanwhile
            raise JarletError(f"{folder}: the fetched jars cannot be kept ({error.strerror}).") from error
    finally:
        remove(begun)


def main_class(jar: Path) -> str:
    """Return the main class: the one in the jar's manifest, or else the only class with a main method, or else the only
    such class with the name Main. Raise UsageError for any other jar."""
    mains: list[str] = []
    with suppress(OSError, InputError), Archive(jar) as archive:
        if MANIFEST in archive.names and (name := main_attributes(archive.read(MANIFEST)).get("main-class")):
            return name
        mains = [
            name.removesuffix(".class").replace("/", ".")
            for name, data in archive.entries()
            if all(part in data for part in _MAIN)
        ]
    for found in (mains, [name for name in mains if name.endswith(".Main")]):
        if len(found) == 1:
            return found[0]
    having = f"; these have a main method: {', '.join(sorted(mains)[:5])}" if mains else ""
    raise UsageError(f"{jar.name} names no main class in its manifest{having}. Name one (--set main=CLASS).")


def version_of(jar: Path) -> str:
    """Return the version that a jar's file name, manifest or Maven properties tell, else "unknown"."""
    found = _VERSION.search(jar.resolve().name)
    if found:
        return found[1]
    with suppress(OSError, InputError), Archive(jar) as archive:
        text = archive.read(MANIFEST).decode("utf-8", "replace")
        told = re.search(r"^(?:Implementation|Bundle|Specification)-Version: *(\S+)", text, re.MULTILINE)
        if told:
            return told[1]
    return "unknown"


@cache
def level_of(compiler: tuple[str, ...], newest: int) -> int:
    """Return the highest level of Java, ``newest`` at most, that the help of ``compiler`` lists as an option;
    ``newest`` if it lists none. The compiler is asked once.
    """
    with suppress(OSError, subprocess.TimeoutExpired):
        asked = subprocess.run(
            [*compiler, "-help"], capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=_HELP_SECONDS
        )
        known = [int(level) for level in _LEVEL.findall(asked.stdout.decode("utf-8", "replace"))]
        return max((level for level in known if level <= newest), default=newest)
    return newest


def _first(folder: Path, names: tuple[str, ...]) -> Path | None:
    for name in names:
        if found := list(folder.glob(name)):
            return max(found, key=lambda path: (order_of(path.stem), path.name))
    return None
