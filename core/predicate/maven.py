"""Jars from a Maven repository: by an installed ``mvn``, unless the user names another repository than Maven's; else by
plain downloads from the repository's own layout. The versions that the repository has are read off its own list."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from core.errors import JarletError, OutputError
from core.library.maven_settings import mirrors, opener
from core.system.files import write_whole
from core.system.removal import remove

CENTRAL = "https://repo.maven.apache.org/maven2"
"""Address of the repository that Maven itself uses where nobody names another one."""
_PINNED = Path(__file__).resolve().parents[2] / "resources" / "checksums.txt"
VARIABLE = "JARLET_MAVEN"
"""Name of the environment variable that names another repository."""

_MAVEN_TIMEOUT = 600.0
"""Most seconds of one run of Maven."""
_SHORT_RUN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of the JVM for a short run."""
_SILENCE = 60.0
"""Most seconds that a server may stay silent."""
_CHECKSUMS = ("sha256", "sha1")
"""Algorithms of the checksums beside a file, best first: old files have SHA-1 alone."""

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
      <includeScope>runtime</includeScope>
      <artifactItems>
%s
      </artifactItems>
    </configuration>
  </plugin></plugins></build>
  <dependencies>
%s
  </dependencies>
</project>
"""
_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_ARTIFACT = ("groupId", "artifactId", "version", "type", "classifier")
"""Names in a project of the parts of a coordinate."""


class FetchError(JarletError):
    """A jar could not be fetched; the text says why."""


def fetch(coordinates: Sequence[str], folder: Path) -> None:
    """Put the jars of these coordinates, ``group:artifact:version``, into a folder: all of them or none.

    Raises FetchError with the reason.
    """
    maven = None if os.environ.get(VARIABLE) else shutil.which("mvn")
    try:
        if maven is not None:
            _run_maven(maven, "copy", _project(items=coordinates), folder, coordinates)
        else:
            _download(coordinates, folder)
    except (OSError, OutputError, subprocess.TimeoutExpired) as error:
        raise FetchError(str(error)) from error


def fetch_with_dependencies(coordinate: str, folder: Path) -> None:
    """Put the jar of a coordinate and those of all its dependencies into a folder. Only Maven itself knows these.

    Raises FetchError with the reason.
    """
    maven = shutil.which("mvn")
    if maven is None:
        raise FetchError(f"{coordinate} needs other jars, which Maven alone can find: install Maven (mvn).")
    try:
        _run_maven(maven, "copy-dependencies", _project(dependencies=[coordinate]), folder, [coordinate])
    except (OSError, OutputError, subprocess.TimeoutExpired) as error:
        raise FetchError(str(error)) from error


def published(artifact: str) -> tuple[str, ...]:
    """Return the versions of ``group:artifact`` that the repository lists, in the order of the list.

    Raises FetchError where the repository cannot be reached or has no such list.
    """
    address = f"{_repository()}/{quote(_folder_of(artifact))}/maven-metadata.xml"
    data = _read(address)
    try:
        found = [] if data is None else [each.text or "" for each in ElementTree.fromstring(data).iter("version")]
    except ElementTree.ParseError as error:
        raise FetchError(f"{address} is no list of versions ({error}).") from error
    versions = tuple(dict.fromkeys(version.strip() for version in found if version.strip()))
    if not versions:
        raise FetchError(f"The repository lists no version of {artifact}: {address}.")
    return versions


def published_on(coordinate: str) -> str:
    """Return the day on which the repository got a version, as ``2024-03-18``; empty where it does not tell."""
    group, artifact, version = coordinate.split(":")[:3]
    path = f"{_folder_of(f'{group}:{artifact}')}/{version}/{artifact}-{version}.pom"
    try:
        request = Request(f"{_repository()}/{quote(path)}", headers={"User-Agent": "jarlet"}, method="HEAD")
        with opener(request.full_url).open(request, timeout=_SILENCE) as answer:
            return f"{parsedate_to_datetime(answer.headers['Last-Modified']):%Y-%m-%d}"
    except (FetchError, OSError, HTTPException, TypeError, ValueError):
        return ""


def file_name(coordinate: str) -> str:
    """Return the name of the file that :func:`fetch` writes for a coordinate."""
    _, artifact, version, *more = coordinate.split(":")
    return "-".join([artifact, version, *more[1:]]) + ".jar"


def pinned() -> dict[str, str]:
    """Return the SHA-256 of the jars that presets name, by coordinate."""
    lines = _PINNED.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def _compare(coordinates: Sequence[str], data_of: Callable[[str], bytes]) -> None:
    """Compare the jars, which a function gives by file name, with the pinned ones. Raises FetchError."""
    known = pinned()
    for coordinate in coordinates:
        name = file_name(coordinate)
        if coordinate in known and hashlib.sha256(data_of(name)).hexdigest() != known[coordinate]:
            raise FetchError(f"{name} is not the file that Jarlet knows by its checksum (SHA-256): nothing is kept.")


def _run_maven(maven: str, goal: str, project: str, folder: Path, coordinates: Sequence[str]) -> None:
    """Run a goal of Maven's dependency plugin on a project, and move the jars that it copies into the folder, once
    those of the coordinates are compared with the pinned ones."""
    temporary = folder / f".maven-{secrets.token_hex(6)}"
    try:
        temporary.mkdir(parents=True)
        (temporary / "pom.xml").write_text(project, encoding="utf-8")
        done = subprocess.run(
            [maven, "-q", "-B", "--strict-checksums", f"dependency:{goal}"],
            capture_output=True, text=True, errors="replace", check=False, timeout=_MAVEN_TIMEOUT,
            stdin=subprocess.DEVNULL, cwd=temporary, env={**os.environ, "MAVEN_OPTS": _options()},
        )  # fmt: skip
        if done.returncode:
            lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or ["no reason given"]
            raise FetchError(f"Maven says: {_COLOUR.sub('', lines[0])[:300]}")
        _compare(coordinates, lambda name: (temporary / name).read_bytes())
        for path in temporary.glob("*.jar"):
            path.rename(folder / path.name)
    finally:
        remove(temporary)


def _options() -> str:
    """Return the options of Maven's JVM: those of a short run, then the user's own, which count where both say it."""
    return f"{_SHORT_RUN} {os.environ.get('MAVEN_OPTS', '')}".strip()


def _project(items: Sequence[str] = (), dependencies: Sequence[str] = ()) -> str:
    """Return a project of Maven's by which ``dependency:copy`` copies ``items``, and ``dependency:copy-dependencies``
    copies ``dependencies`` with all that they need, each in one run."""
    return _PROJECT % (_elements("artifactItem", items), _elements("dependency", dependencies))


def _elements(name: str, coordinates: Sequence[str]) -> str:
    lines = []
    for coordinate in coordinates:
        parts = zip(_ARTIFACT, coordinate.split(":"), strict=False)
        lines.append(f"<{name}>{''.join(f'<{part}>{escape(value)}</{part}>' for part, value in parts)}</{name}>")
    return "\n".join(lines)


def _download(coordinates: Sequence[str], folder: Path) -> None:
    """Download the jars without Maven. Nothing is written before all of them are here and right."""
    place = _repository()
    found = {path.rpartition("/")[2]: _verified(f"{place}/{quote(path)}") for path in map(path_of, coordinates)}
    _compare(coordinates, found.__getitem__)
    for name, data in found.items():
        write_whole(folder / name, data, durable=False, parents=True)


def path_of(coordinate: str) -> str:
    """Return the path of a jar in a repository."""
    group, artifact, version = coordinate.split(":")[:3]
    return f"{_folder_of(f'{group}:{artifact}')}/{version}/{file_name(coordinate)}"


def _folder_of(artifact: str) -> str:
    """Return the folder in a repository of ``group:artifact``."""
    group, _, name = artifact.partition(":")
    return f"{group.replace('.', '/')}/{name}"


def _repository() -> str:
    """Return the address of the repository: the user's variable, else the mirror in Maven's settings, else Central."""
    address = os.environ.get(VARIABLE) or next(mirrors(), CENTRAL)
    if not re.match(r"https?://", address):
        raise FetchError(f"the repository {address} has no address that begins with https:// or http:// ({VARIABLE}).")
    return address.rstrip("/")


def _verified(address: str) -> bytes:
    """Return a file that agrees with the checksum beside the file. Raises FetchError."""
    data = _read(address)
    if data is None:
        raise FetchError(f"{address} does not exist.")
    for algorithm in _CHECKSUMS:
        beside = _read(f"{address}.{algorithm}")
        if beside is not None:
            wanted = (beside.decode("ascii", "replace").split() or [""])[0].lower()
            if hashlib.new(algorithm, data).hexdigest() != wanted:
                raise FetchError(f"{address} does not agree with its checksum ({algorithm}): try again later.")
            return data
    raise FetchError(f"{address} has no checksum beside it, so that nothing tells whether it is right.")


def _read(address: str) -> bytes | None:
    """Return what stands at an address; None where nothing does. Raises FetchError."""
    request = Request(address, headers={"User-Agent": "jarlet"})
    try:
        with opener(request.full_url).open(request, timeout=_SILENCE) as answer:
            data: bytes = answer.read()
        return data
    except HTTPError as error:
        with suppress(OSError):
            error.close()
        if error.code in (404, 410):
            return None
        raise FetchError(f"{address} answers with {error.code} ({error.reason}).") from error
    except (OSError, HTTPException) as error:
        raise FetchError(f"{address} cannot be reached ({getattr(error, 'reason', error)}).") from error
