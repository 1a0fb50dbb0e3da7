"""``settings.json`` of a session: input, settings, the folder of its making, and the places of its results."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from core import values as check
from core.archive.jar import Jar
from core.archive.named_inputs import named, placed_at
from core.archive.selection import content_key
from core.errors import InputError, JarletError, UsageError
from core.predicate import presets
from core.predicate.failures import Statement
from core.protocol.settings import Settings
from core.system.files import write_whole
from core.values import read_json
from core.version import VERSION

SCHEMA = 2
"""Version of the file's shape and meaning."""

_BY_KIND = 2
"""First version that compares failures by their kinds unless the settings say otherwise."""


@dataclass(frozen=True)
class Made:
    """Base folder of the relative names in the settings (absolute, and relative to the session's folder), and the files
    that the session writes (absolute); empty if unknown."""

    folder: str = ""
    relative: str = ""
    output: str = ""
    report: str = ""
    bug_folder: str = ""

    @classmethod
    def here(cls, session: Path) -> Made:
        """Return the origin of a session that is made in the current folder."""
        folder = Path.cwd()
        return cls(str(folder), os.path.relpath(folder, session.absolute()))


@dataclass(frozen=True)
class Manifest:
    """The input's paths (absolute, and from the session's folder), its title, size and digest; the settings."""

    paths: tuple[str, ...]
    relative: tuple[str, ...]
    title: str
    bytes: Annotated[int, check.Whole(0, check.LARGEST)]
    digest: str
    settings: Mapping[str, Any]
    made: Made = Made()
    taken: Mapping[str, str] = field(default_factory=dict)
    """Choices that the settings leave open and the first run made; empty in sessions of earlier versions."""
    nested: bool = False
    """True if the input was read with its nested jars opened."""
    merged: bool = False
    """True if several inputs were read as one jar."""
    class_path: bool = False
    """True if each input is opened as a jar of its own."""

    @classmethod
    def of(cls, jar: Jar, settings: Mapping[str, Any], folder: Path, made: Made | None = None) -> Manifest:
        """Return the manifest of an input as it was read. Only names, contents and their order matter, not how it is
        packed.
        """
        paths = jar.words or tuple(str(path.absolute()) for path in jar.paths)
        relative = tuple(placed_at(path, lambda place: os.path.relpath(place, folder.absolute())) for path in paths)
        made = made or Made.here(folder)
        digest, chosen = digest_of(jar), dict(settings)
        return cls(
            paths,
            relative,
            jar.title,
            jar.size,
            digest,
            chosen,
            made,
            nested=jar.unfolded,
            merged=jar.merged,
            class_path=jar.is_class_path,
        )

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read a session's file. Raise InputError when there is no file that can be used."""
        try:
            values = read_json(path)
            if (schema := check.whole("field 'schema'", values.get("schema"), 0, check.LARGEST)) > SCHEMA:
                raise InputError(
                    f"{path}: this session is of a newer Jarlet ({values.get('version', '?')}, schema {schema}). "
                    "Use that one."
                )
            found = check.table("field 'input'", values.get("input"))
            given = found | {name: values[name] for name in ("made", "settings", "taken") if name in values}
            known = {name: value for name, value in given.items() if name in check.hints_of(cls)}
            manifest: Manifest = check.record(cls, known, "field {!r}".format)
            if schema < _BY_KIND:
                manifest = replace(manifest, settings=_read_strictly(manifest.settings))
            if not manifest.paths or len(manifest.paths) != len(manifest.relative):
                raise UsageError("The fields 'paths' and 'relative' must name the same files, and at least one.")
            return manifest
        except FileNotFoundError as error:
            there = path.parent.is_dir()
            why = f"this is not a session (there is no {path.name} in it)." if there else "there is no such session."
            raise InputError(f"{path.parent}: {why}") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
        except UsageError as error:
            raise InputError(
                f"{path}: this file is damaged. {error} Mend it, or begin a new session; what this one "
                "found so far is in its best.jar and in its folder steps."
            ) from error

    def chosen(self, path: Path) -> Settings:
        """Return the settings, of which the file is ``path``. Raise InputError that names the file and the setting."""
        try:
            return Settings.from_json(self.settings)
        except UsageError as error:
            raise InputError(
                f"{path}: its settings cannot be used: {error} Mend the file, or begin a new session."
            ) from error

    def write(self, path: Path) -> None:
        """Write the file whole. Raise OutputError."""
        values = asdict(self)
        rest = {name: values.pop(name) for name in ("made", "settings", "taken")}
        text = json.dumps({"schema": SCHEMA, "version": VERSION, "input": values, **rest}, indent=2)
        write_whole(path, (text + "\n").encode())

    def inputs(self, folder: Path) -> list[str]:
        """Return the words that name the inputs: as they were, or moved together with the session's folder. Raises
        InputError."""
        found = []
        for word, relative in zip(self.paths, self.relative, strict=True):
            path, moved = named(word)[1], os.path.normpath(folder.absolute() / named(relative)[1])
            place = next((place for place in (path, moved) if os.path.exists(place)), None)
            if place is None:
                raise InputError(
                    f"{path}: the input of the session {folder} is not there any more. Bring it back to that place"
                    + (f", or to {moved}." if moved != path else ".")
                )
            found.append(placed_at(word, lambda _, place=place: place))  # type: ignore[misc]
        return found

    def place(self, folder: Path) -> Path | None:
        """Return the folder in which relative names of the settings begin: the folder of the session's making, also if
        it was moved together with the session. Return None if unknown, as in sessions of earlier versions.

        Raises InputError when the folder is gone and something begins there.
        """
        if not self.made.folder:
            return None
        moved = Path(os.path.normpath(folder.absolute() / self.made.relative))
        found = next((place for place in (Path(self.made.folder), moved) if place.is_dir()), None)
        if found is None and (loose := loose_names(self.settings)):
            raise InputError(
                f"{self.made.folder}: the folder in which the session {folder} was made is not there any more, and "
                f"{loose[0]} begins there. Bring it back, or begin a new session."
            )
        return found

    def written(self, folder: Path) -> list[Path | None]:
        """Return output, report and bug folder that the session writes, also if they were moved together with the
        folder of its making. Raise InputError as :meth:`place`."""
        place, made = self.place(folder), self.made
        return [self._moved_with(place, text) for text in (made.output, made.report, made.bug_folder)]

    def _moved_with(self, place: Path | None, text: str) -> Path | None:
        path = Path(text)
        if place is not None and text and not path.parent.is_dir() and path.is_relative_to(self.made.folder):
            return place / path.relative_to(self.made.folder)
        return path if text else None

    def moved(self, jar: Jar, folder: Path) -> Manifest:
        """Return the same manifest with the places from which ``jar`` was read. Raise InputError for another input."""
        if digest_of(jar) != self.digest:
            names = ", ".join(str(path) for path in jar.paths)
            raise InputError(
                f"{names}: this is not the input that the session {folder} began with ({self.title}, {self.bytes} "
                f"bytes unpacked; this one has {jar.size}), or it has changed since. Bring the old file back, or "
                "begin a new session for this one."
            )
        place = Manifest.of(jar, self.settings, folder, self.made)
        return replace(self, paths=place.paths, relative=place.relative)


def digest_of(jar: Jar) -> str:
    """Return the digest of the names and contents of an input's entries, in their order."""
    return content_key(jar.contents).hex()


def _read_strictly(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings of an earlier version, in which all failures had to come as often as on the full input unless
    the user or the preset said otherwise."""
    with suppress(JarletError):  # a run reports a missing preset, :meth:`Manifest.chosen` the rest
        known = Settings.from_json(settings)
        wanted = presets.find(known.preset).wanted if known.naming is None and known.preset is not None else None
        if known.failures is None and (known.naming is not None or (wanted is not None and wanted.by_kind)):
            return {**settings, "failures": Statement.SAME.value}
    return settings


def loose_names(settings: Mapping[str, Any]) -> list[str]:
    """Return the names of files in the settings that are relative to the folder of the call."""
    texts = [str(settings.get("predicate") or "").strip().partition(" ")[0]]
    found = [text for text in texts if "/" in text]
    found += re.findall(r"\{file:([^{}]*)\}", str(settings.get("predicate") or ""))
    found += [str(path) for path in settings.get("classpath") or ()]
    options = settings.get("options")
    found += [text for value in dict(options or {}).values() for text in str(value).split() if "/" in text]
    return [text for text in found if not text.startswith(("/", "~", "{"))]
