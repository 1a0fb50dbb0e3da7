"""The versions of one tool: published ones, which are fetched when they are run, and local jars."""

from __future__ import annotations

import os
import secrets
import shutil
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import JarletError, UsageError
from core.predicate.preset import Preset
from core.predicate.releases.order import order_of
from core.predicate.tools import Tool, tools_folder, version_of
from core.system.removal import remove

_LONG_AGO = 1990
"""Year before which no tool for Java was built: builds that are to be repeatable give such dates."""


@dataclass(frozen=True, slots=True)
class Release:
    """One version of a tool: the coordinates of its jars, or the jars themselves."""

    version: str
    coordinates: tuple[str, ...] = ()
    """``group:artifact:version`` of each jar, the tool's own first."""
    alone: bool = True
    """False where Maven must find the other jars that the tool's own needs."""
    jars: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of the user's cache where the jars are kept."""
        _, artifact, version = self.coordinates[0].split(":")[:3]
        return tools_folder() / "versions" / f"{artifact}-{version}"

    def place(self) -> tuple[Path, ...]:
        """Return the jars, the tool's own first; fetch them where they are not kept yet. Raises FetchError."""
        if self.jars:
            return self.jars
        if not self.folder.is_dir():
            self._fetch()
        own = self._own()
        return (*own, *sorted(path for path in self.folder.glob("*.jar") if path not in own))

    def _own(self) -> list[Path]:
        from core.predicate.maven import file_name  # here: the modules of the network take long to load

        return [self.folder / file_name(coordinate) for coordinate in self.coordinates]

    def date(self) -> str:
        """Return the day on which the version was built or published, as ``2024-03-18``; empty if not known.

        The entries of the jar tell, unless the build gave all of them one date of long ago. Then the repository may.
        """
        own = self.jars[0] if self.jars else self._own()[0]
        if own.is_file():
            with suppress(OSError, ValueError, zipfile.BadZipFile), zipfile.ZipFile(own) as archive:
                newest = max(entry.date_time for entry in archive.infolist())
                if newest[0] > _LONG_AGO:
                    return "{:04}-{:02}-{:02}".format(*newest[:3])
        if not self.coordinates:
            return ""
        from core.predicate.maven import published_on

        return published_on(self.coordinates[0])

    def _fetch(self) -> None:
        """Fetch all jars into a new folder, and move the folder to its place."""
        from core.predicate.maven import fetch, fetch_with_dependencies

        begun = self.folder.with_name(f".{self.folder.name}-{secrets.token_hex(6)}")
        try:
            if self.alone:
                fetch(self.coordinates, begun)
            else:
                fetch_with_dependencies(self.coordinates[0], begun)
            os.rename(begun, self.folder)
        except OSError as error:
            if not self.folder.is_dir():  # nobody else has fetched the same meanwhile
                raise JarletError(f"{self.folder}: the fetched jars cannot be kept ({error.strerror}).") from error
        finally:
            remove(begun)


@dataclass(frozen=True, slots=True)
class ReleaseList:
    """The places of a tool's versions: coordinates without a version, the tool's own first."""

    title: str
    artifacts: tuple[str, ...]
    alone: bool

    def published(self) -> list[Release]:
        """Return the versions that the repository lists, oldest first. Raises FetchError."""
        from core.predicate.maven import published

        return self._sorted(published(self.artifacts[0]))

    def kept(self) -> list[Release]:
        """Return the versions that were fetched before, oldest first."""
        begin = f"{self.artifacts[0].partition(':')[2]}-"
        places = (tools_folder() / "versions").glob(f"{begin}[0-9]*")
        return self._sorted(place.name.removeprefix(begin) for place in places)

    def release(self, version: str) -> Release:
        """Return the version of that name, which need not be there."""
        return Release(version, tuple(f"{artifact}:{version}" for artifact in self.artifacts), self.alone)

    def _sorted(self, versions: Iterable[str]) -> list[Release]:
        return [self.release(version) for version in sorted(versions, key=order_of)]


def list_of_tool(tool: Tool) -> ReleaseList:
    """Return the places of the versions of a preset's tool. Raises UsageError where its jars have no coordinates.

    Jars of one group and one version are taken to have the same versions. Other jars are left to Maven to find.
    """
    if not tool.maven:
        raise UsageError(f"{tool.title} is in no Maven repository that Jarlet knows: name its jars with --jar.")
    parts = [coordinate.split(":") for coordinate in tool.maven]
    alone = len({(group, version) for group, _, version, *_ in parts}) == 1
    artifacts = tuple(f"{group}:{artifact}" for group, artifact, *_ in parts)
    return ReleaseList(tool.title, artifacts if alone else artifacts[:1], alone)


def list_of_artifact(artifact: str) -> ReleaseList:
    """Return the places of the versions of ``group:artifact``, with dependencies where Maven can find them. Raises
    UsageError for another form."""
    parts = artifact.split(":")
    if len(parts) != 2 or not all(parts):
        raise UsageError(f"{artifact!r} is no coordinate of a tool: write GROUP:ARTIFACT.")
    return ReleaseList(parts[1], (artifact,), alone=shutil.which("mvn") is None)


def local(text: str) -> Release:
    """Return the version whose jars are named: one, or several separated as in a class path. Raises UsageError."""
    jars = tuple(Path(word).expanduser().absolute() for word in text.split(os.pathsep) if word)
    missing = next((jar for jar in jars if not jar.is_file()), None)
    if missing is not None or not jars:
        raise UsageError(f"--jar {text}: there is no file {missing or text}.")
    version = version_of(jars[0])
    return Release(jars[0].stem if version == "unknown" else version, jars=jars)


def tool_of(preset: Preset, name: str | None) -> Tool:
    """Return the tool of a preset whose versions are meant, by default its first; of alternatives the published one.

    Raises UsageError where the preset has no such tool.
    """
    names = list(dict.fromkeys(tool.name for tool in preset.tools))
    if not names:
        raise UsageError(f"The preset {preset.name} runs no tool that has versions of its own.")
    if name is not None and name not in names:
        raise UsageError(f"The preset {preset.name} has no tool {name!r}: choose among {', '.join(names)}.")
    same = [tool for tool in preset.tools if tool.name == (name or names[0])]
    return next((tool for tool in same if tool.maven), same[0])


def installed(preset: Preset, tool: Tool) -> Release | None:
    """Return the version that the preset runs now; None if it has none."""
    jars = next((jars for one in preset.tools if one.name == tool.name and (jars := one.find())), None)
    return Release(version_of(jars[0]), jars=jars) if jars else None


def running(preset: Preset, tool: Tool, release: Release, jars: Sequence[Path]) -> Preset:
    """Return the preset with the version of a tool that consists of ``jars``."""
    same = [one for one in preset.tools if one.name == tool.name]
    if release.jars:  # these are started as the preset starts what is installed
        tool = next((one for one in same if one.find() == release.jars), tool)
    placed = replace(tool, places=tuple(jars))
    return replace(preset, tools=(*(one for one in preset.tools if one.name != tool.name), placed))
