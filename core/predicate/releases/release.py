"""The versions of one tool: published ones, which are fetched when they are run, and local jars."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.archive.zips import Archive
from core.errors import InputError, UsageError
from core.predicate.preset import Preset
from core.predicate.releases.coordinate import Coordinate, order_of
from core.predicate.tools import Tool, fetch_whole, folder_kept, kept, version_of

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
        if kept(self.coordinate) is None:
            fetch_whole(self.coordinate)
        return kept(self.coordinate) or ()

    def _own(self) -> Path:
        """Return the place of the tool's own jar."""
        if self.coordinate is None or self.jars:
            return self.jars[0]
        return folder_kept(self.coordinate) / self.coordinate.file_name

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


@dataclass(frozen=True, slots=True)
class ReleaseList:
    """The places of a tool's versions: the coordinate of its own jar without a version."""

    title: str
    group: str
    artifact: str
    classifier: str = ""

    def published(self) -> list[Release]:
        """Return the versions that the repository lists, oldest first. Raises FetchError."""
        from core.predicate.releases.maven import published

        return self._sorted(published(self.group, self.artifact))

    def kept(self) -> list[Release]:
        """Return the versions that were fetched before, oldest first."""
        return self._sorted(place.name for place in folder_kept(self._of("1")).parent.glob("*"))

    def _sorted(self, versions: Iterable[str]) -> list[Release]:
        """Return the versions of these names, which need not be there."""
        return [Release(version, self._of(version)) for version in sorted(versions, key=order_of)]

    def _of(self, version: str) -> Coordinate:
        return Coordinate(self.group, self.artifact, version, self.classifier)


def list_of_tool(tool: Tool) -> ReleaseList:
    """Return the places of the versions of a preset's tool. Raises UsageError where its jars have no coordinates."""
    if not tool.maven:
        raise UsageError(f"{tool.title} is in no Maven repository that Jarlet knows: name its jars with --jar.")
    own = Coordinate.parse(tool.maven[0])
    return ReleaseList(tool.title, own.group, own.artifact, own.classifier)


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
