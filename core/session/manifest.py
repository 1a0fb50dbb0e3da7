"""``settings.json`` of a session: which input, and what the user chose."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.jar.archive import Jar
from core.run.journal_rows import content_key
from core.session.files import write_whole
from core.version import VERSION

SCHEMA = 1
"""Version of the file's shape."""


@dataclass(frozen=True)
class Manifest:
    """The input's paths (absolute, and from the session's folder), its title, size and digest; the settings."""

    paths: tuple[str, ...]
    relative: tuple[str, ...]
    title: str
    bytes: int
    digest: str
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, jar: Jar, settings: Mapping[str, Any], folder: Path) -> Manifest:
        """For an input as it was read: how it is packed does not matter, only names, contents and their order."""
        paths = tuple(str(path.absolute()) for path in jar.sources)
        relative = tuple(os.path.relpath(path, folder.absolute()) for path in paths)
        return cls(paths, relative, jar.title, jar.size, digest_of(jar), dict(settings))

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Reads a session's file. Raises InputError when there is none, or none that can be used."""
        try:
            values = json.loads(path.read_bytes())
            if values["schema"] > SCHEMA:
                raise InputError(
                    f"{path}: this session is of a newer Jarlet ({values.get('version')}, schema {values['schema']}). "
                    "Use that one."
                )
            found = values["input"]
            return cls(
                paths=tuple(map(str, found["paths"])),
                relative=tuple(map(str, found["relative"])),
                title=str(found["title"]),
                bytes=int(found["bytes"]),
                digest=str(found["digest"]),
                settings=dict(values["settings"]),
            )
        except FileNotFoundError as error:
            raise InputError(f"{path.parent}: this is no session (there is no {path.name} in it).") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{path}: this file is damaged ({type(error).__name__}: {error}). Begin a new session; what this one "
                "found so far is in its best.jar and in its folder steps."
            ) from error

    def write(self, path: Path) -> None:
        """Writes the file whole. Raises OutputError."""
        values = asdict(self)
        settings = values.pop("settings")
        text = json.dumps({"schema": SCHEMA, "version": VERSION, "input": values, "settings": settings}, indent=2)
        write_whole(path, (text + "\n").encode())

    def sources(self, folder: Path) -> list[Path]:
        """Where the input lies: as it was, or moved together with the session's folder. Raises InputError."""
        found = []
        for path, relative in zip(self.paths, self.relative, strict=True):
            moved = Path(os.path.normpath(folder.absolute() / relative))
            place = next((place for place in (Path(path), moved) if place.exists()), None)
            if place is None:
                raise InputError(
                    f"{path}: the input of the session {folder} is not there any more. Bring it back to that place"
                    + (f", or to {moved}." if moved != Path(path) else ".")
                )
            found.append(place)
        return found

    def moved(self, jar: Jar, folder: Path) -> Manifest:
        """The same with the places that ``jar`` was read from. Raises InputError if it is another input."""
        if digest_of(jar) != self.digest:
            names = ", ".join(str(path) for path in jar.sources)
            raise InputError(
                f"{names}: this is not the input that the session {folder} began with ({self.title}, {self.bytes} "
                f"bytes unpacked; this one has {jar.size}), or it has changed since. Bring the old file back, or "
                "begin a new session for this one."
            )
        place = Manifest.of(jar, self.settings, folder)
        return replace(self, paths=place.paths, relative=place.relative)


def digest_of(jar: Jar) -> str:
    """Digest of the names and contents of an input's entries, in their order."""
    return content_key((entry.name, entry.data) for entry in jar.entries).hex()
