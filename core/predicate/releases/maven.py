"""Jars from a Maven repository: local ones, else plain downloads from the repository's own layout.

The repository is the one that the user names, else the mirror in Maven's settings, else Maven Central; it alone is
asked, within the bounds of :mod:`core.predicate.releases.downloads`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote
from xml.etree.ElementTree import Element

from core.archive.zips import Archive
from core.errors import InputError, OutputError
from core.library.maven_settings import local_repository, mirror
from core.predicate.releases.coordinate import COORDINATES, Coordinate, folder_of
from core.predicate.releases.dependencies import Dependencies, coordinate_in
from core.predicate.releases.downloads import JAR, TEXT, FetchAllowance, Fetched, FetchError, read, tree_of
from core.system.files import write_whole
from core.user_folders import cache_folder
from resources import path

CENTRAL = "https://repo.maven.apache.org/maven2"
"""Address of Maven's default repository."""
_PINNED = path("checksums.txt")
VARIABLE = "JARLET_MAVEN"
"""Name of the environment variable that names another repository."""

_PROJECT = re.compile(r"META-INF/maven/[^/]+/([^/]+)/pom\.xml")
"""Project file of an artifact in its jar."""
_CHECKSUMS = ("sha256", "sha1")
"""Algorithms of the checksums beside a file, best first: old files have SHA-1 alone."""
_SMALL = 60.0
"""Most seconds until a list of versions, or a date, is there."""


def fetch(coordinates: Sequence[str], folder: Path) -> None:
    """Put the jars of these coordinates, ``group:artifact:version``, into a folder: all of them or none.

    Raises FetchError with the reason, InputError for a bad coordinate.
    """
    _put([Coordinate.parse(coordinate) for coordinate in coordinates], _Repository(FetchAllowance()), folder)


def fetch_with_dependencies(coordinate: Coordinate, folder: Path) -> None:
    """Put the jar of a coordinate and those of all its dependencies into a folder: all of them or none, with a list of
    their coordinates.

    Raises FetchError with the reason, InputError for a project file with a bad coordinate.
    """
    repository = _Repository(FetchAllowance())
    found = Dependencies(repository.project, repository.versions).of(coordinate)
    _put(found, repository, folder)
    write_whole(folder / COORDINATES, "\n".join(map(str, found)).encode(), durable=False)


def jars_of(first: Coordinate, projects: Mapping[Coordinate, Element], *, fetch: bool) -> dict[Coordinate, Path]:
    """Return the places of a jar and of all its runtime dependencies, in the order of Maven; not of ``projects``, whose
    files these are. Unless ``fetch``, no server is asked for missing files.

    Raises FetchError for a missing file, InputError for a project file with a bad coordinate.
    """
    repository = _Repository(FetchAllowance(), projects, alone=not fetch)
    found = Dependencies(repository.project, repository.versions).of(first)
    return {each: repository.place(each) for each in found if each not in projects}


def project_of(jar: Path) -> dict[Coordinate, Element]:
    """Return the project of a jar, and those of the folders above: where it was built, beside it as in a repository, or
    its own one inside. None is known of a jar without a readable project file."""
    built = [jar.parent.parent / "pom.xml"] if jar.parent.name == "target" else []
    with suppress(OSError, InputError, FetchError):
        for path in (jar.with_suffix(".pom"), *built):
            if path.is_file():
                return projects_at(path)
        with Archive(jar) as archive:
            own = [name for name in archive.names if (of := _PROJECT.fullmatch(name)) and jar.name.startswith(of[1])]
            if len(own) == 1:
                element = tree_of(archive.read(own[0], TEXT), f"{own[0]} in {jar}")
                return {coordinate_in(element): element}
    return {}


def projects_at(path: Path) -> dict[Coordinate, Element]:
    """Return the project of a file and those of the folders above, by their coordinates; of equal ones the
    nearest. Raise FetchError and OSError."""
    found: dict[Coordinate, Element] = {}
    path = path.absolute()
    while path.is_file():
        element = tree_of(path.read_bytes(), str(path))
        found.setdefault(coordinate_in(element), element)
        path = path.parent.parent / "pom.xml"
    return found


def declared_by(jar: Path) -> dict[Coordinate, Path | None]:
    """Return the declared dependencies of a jar's project and their runtime dependencies, each with its place on this
    machine. None for a jar that is not here. No server is asked."""
    projects, found = project_of(jar), dict[Coordinate, Path | None]()
    with suppress(FetchError, InputError, StopIteration):
        repository = _Repository(FetchAllowance(), projects, alone=True)
        for each in Dependencies(repository.known, lambda *_: ()).of(next(iter(projects)), declared=True):
            found[each] = None
            with suppress(FetchError):
                found[each] = repository.place(each)
    return {each: path for each, path in found.items() if each not in projects}


def published(group: str, artifact: str) -> tuple[str, ...]:
    """Return the versions of an artifact that the repository lists, in the order of the list.

    Raises FetchError if the repository cannot be reached or has no such list, InputError if it lists an impossible
    version.
    """
    return _Repository(FetchAllowance(TEXT, _SMALL)).versions(group, artifact)


def published_on(coordinate: Coordinate) -> str:
    """Return the day on which the repository got a version, as ``2024-03-18``; empty if unknown."""
    try:
        answer = _Repository(FetchAllowance(TEXT, _SMALL)).remote(coordinate.pom)
    except FetchError:
        return ""
    return answer.day if answer is not None else ""


def pinned() -> dict[str, str]:
    """Return the SHA-256 of the jars that presets name, by coordinate."""
    lines = _PINNED.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


class _Repository:
    """The user's repository for one fetch, with its local copy. Raises FetchError."""

    def __init__(
        self,
        allowance: FetchAllowance,
        projects: Mapping[Coordinate, Element] = MappingProxyType({}),
        *,
        alone: bool = False,
    ) -> None:
        """``projects``: projects outside of any repository; ``alone``: no server is asked for missing files."""
        address, self._login = (named, "") if (named := os.environ.get(VARIABLE)) else mirror()
        self.address = (address or CENTRAL).rstrip("/")
        if not re.match(r"https?://|file:/", self.address):
            kinds = "https://, http:// or file:/"
            raise FetchError(f"the repository {address} has no address that begins with {kinds} ({VARIABLE}).")
        self._allowance, self._projects, self._alone = allowance, projects, alone

    def remote(self, path: str, most: int = TEXT) -> Fetched | None:
        """Return the file at a path of the repository; None where there is none."""
        if self._alone:
            raise FetchError(f"{path} is not in the local repository.")
        return read(f"{self.address}/{quote(path)}", self._allowance, most, self._login)

    def project(self, coordinate: Coordinate) -> Element | None:
        """Return the project file of a coordinate; None where there is none."""
        if coordinate in self._projects:
            return self._projects[coordinate]
        kept = cache_folder() / "maven" / coordinate.pom
        answer = self._here(coordinate.pom, TEXT) or read(kept.absolute().as_uri(), self._allowance)
        if answer is None and (answer := self.remote(coordinate.pom)) is not None:
            write_whole(kept, answer.data, durable=False, parents=True)
        return None if answer is None else tree_of(answer.data, coordinate.pom)

    def known(self, coordinate: Coordinate) -> Element | None:
        """Return the project file of a coordinate; None also where it is not to be had."""
        with suppress(FetchError):
            return self.project(coordinate)
        return None

    def versions(self, group: str, artifact: str) -> tuple[str, ...]:
        """Return the versions that the repository lists."""
        path = f"{folder_of(group, artifact)}/maven-metadata.xml"
        answer = self.remote(path)
        found = [] if answer is None else [each.text or "" for each in tree_of(answer.data, path).iter("version")]
        versions = tuple(dict.fromkeys(version.strip() for version in found if version.strip()))
        if not versions:
            raise FetchError(f"The repository lists no version of {group}:{artifact}: {self.address}/{path}.")
        for version in versions:
            Coordinate(group, artifact, version)
        return versions

    def jar(self, coordinate: Coordinate) -> bytes:
        """Return a local jar, else one that agrees with the published checksum."""
        here = self._here(coordinate.jar, JAR)
        if here is not None:
            return here.data
        answer, address = self.remote(coordinate.jar, JAR), f"{self.address}/{coordinate.jar}"
        if answer is None:
            raise FetchError(f"{address} does not exist. Versions that do: {address.rsplit('/', 2)[0]}/")
        for algorithm in _CHECKSUMS:
            beside = self.remote(f"{coordinate.jar}.{algorithm}")
            if beside is not None:
                wanted = (beside.data.decode("ascii", "replace").split() or [""])[0].lower()
                if hashlib.new(algorithm, answer.data).hexdigest() != wanted:
                    raise FetchError(f"{address} does not agree with its checksum ({algorithm}): try again later.")
                return answer.data
        raise FetchError(f"{address} has no checksum beside it, so that nothing tells whether it is right.")

    def place(self, coordinate: Coordinate) -> Path:
        """Return the place of a jar that stays: in the local repository, else in the cache."""
        local, kept = local_repository() / coordinate.jar, cache_folder() / "maven" / coordinate.jar
        if not local.is_file() and not kept.is_file():
            write_whole(kept, self.jar(coordinate), durable=False, parents=True)
        return local if local.is_file() else kept

    def _here(self, path: str, most: int) -> Fetched | None:
        """Return a file of the local repository; None where there is none."""
        return read((local_repository() / path).absolute().as_uri(), self._allowance, most)


def _put(coordinates: Sequence[Coordinate], repository: _Repository, folder: Path) -> None:
    """Write the jars of these coordinates. Nothing is written before all of them are here and right."""
    found = {coordinate.file_name: repository.jar(coordinate) for coordinate in coordinates}
    known = {Coordinate.parse(text): digest for text, digest in pinned().items()}
    for coordinate in coordinates:
        name = coordinate.file_name
        if coordinate in known and hashlib.sha256(found[name]).hexdigest() != known[coordinate]:
            raise FetchError(f"{name} is not the file that Jarlet knows by its checksum (SHA-256): nothing is kept.")
    try:
        for name, data in found.items():
            write_whole(folder / name, data, durable=False, parents=True)
    except OutputError as error:
        raise FetchError(str(error)) from error
