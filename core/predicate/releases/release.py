"""The versions of one tool: published ones, which are fetched when they are run, and local jars."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.archive.zips import Archive
from core.errors import InputError, JarletError, UsageError
from core.predicate.preset import Preset
from core.predicate.releases.coordinate import Coordinate, order_of
from core.predicate.tools import Tool, tools_folder, version_of
from core.system.removal import remove

_LONG_AGO = 1990
"""Year before the first tool for Java: repeatable builds give such dates."""


@dataclass(frozen=True, slots=True)
class Release:
    """One version of a tool: the coordinate of its own jar, or all of its jars."""

    version: str
    coordinate: Coordinate | None = None
    jars: tuple[Path, ...] = ()

    def place(self) -> tuple[Path, ...]:
        """Return the jars, the tool's own first; fetch them where they are not kept yet. Raises FetchError."""
        if self.coordinate is None or self.jars:
            return self.jars
        folder, own = _kept(self.coordinate), self._own()
        if not folder.is_dir():
            _fetch(self.coordinate, folder)
        return (own, *sorted(path for path in folder.glob("*.jar") if path != own))

    def _own(self) -> Path:
        """Return the place of the tool's own jar."""
        if self.coordinate is None or self.jars:
            return self.jars[0]
        return _kept(self.coordinate) / self.coordinate.file_name

    def date(self) -> str:
        """Return the day on which the version was built or published, as ``2024-03-18``; empty if not known.

        The entries of the jar tell, unless the build gave all of them one date of long ago. Then the repository may.
        """
        own = self._own()
        if own.is_file():
            with suppress(OSError, ValueError, InputError), Archive(own) as archive:
                newest = max(entry.date_time for entry in archive.infos)
                if newest[0] > _LONG_AGO:
                    return "{:04}-{:02}-{:02}".format(*newest[:3])
        if self.coordinate is None:
            return ""
        from core.predicate.releases.maven import published_on  # here: the modules of the network take long to load

        return published_on(self.coordinate)


def _kept(coordinate: Coordinate) -> Path:
    """Return the folder of the user's cache where the jars of a version are kept."""
    return tools_folder().joinpath("versions", coordinate.group, coordinate.artifact, coordinate.version)


def _fetch(coordinate: Coordinate, folder: Path) -> None:
    """Fetch all jars into a new folder, and move the folder to its place."""
    from core.predicate.releases.maven import fetch_with_dependencies

    begun = tools_folder() / f".begun-{secrets.token_hex(6)}"
    try:
        fetch_with_dependencies(coordinate, begun)
        folder.parent.mkdir(parents=True, exist_ok=True)
        os.rename(begun, folder)
    except OSError as error:
        if not folder.is_dir():  # nobody else has fetched the same meanwhile
            raise JarletError(f"{folder}: the fetched jars cannot be kept ({error.strerror}).") from error
    finally:
        remove(begun)


@dataclass(frozen=True, slots=True)
class ReleaseList:
    """The places of a tool's versions: the coordinate of its own jar without a version."""

    title: str
    group: str
    artifact: str

    def published(self) -> list[Release]:
        """Return the versions that the repository lists, oldest first. Raises FetchError."""
        from core.predicate.releases.maven import published

        return self._sorted(published(self.group, self.artifact))

    def kept(self) -> list[Release]:
        """Return the versions that were fetched before, oldest first."""
        return self._sorted(place.name for place in _kept(Coordinate(self.group, self.artifact, "1")).parent.glob("*"))

    def _sorted(self, versions: Iterable[str]) -> list[Release]:
        """Return the versions of these names, which need not be there."""
        return [
            Release(version, Coordinate(self.group, self.artifact, version))
            for version in sorted(versions, key=order_of)
        ]


def list_of_tool(tool: Tool) -> ReleaseList:
    """Return the places of the versions of a preset's tool. Raises UsageError where its jars have no coordinates."""
    if not tool.maven:
        raise UsageError(f"{tool.title} is in no Maven repository that Jarlet knows: name its jars with --jar.")
    own = Coordinate.parse(tool.maven[0])
    return ReleaseList(tool.title, own.group, own.artifact)


def list_of_artifact(artifact: str) -> ReleaseList:
    """Return the places of the versions of ``group:artifact``. Raises UsageError for another form."""
    try:
        group, name = artifact.split(":")
        Coordinate(group, name, "1")
    except (ValueError, InputError) as error:
        raise UsageError(f"{artifact!r} is no coordinate of a tool: write GROUP:ARTIFACT.") from error
    return ReleaseList(name, group, name)


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
