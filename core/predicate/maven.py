"""Jars from a Maven repository: by an installed ``mvn``, else by plain downloads from the repository's own layout."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from core.errors import JarletError, OutputError
from core.system.files import write_whole
from core.system.removal import remove

CENTRAL = "https://repo.maven.apache.org/maven2"
"""Address of the repository that Maven itself uses where nobody names another one."""
VARIABLE = "JARLET_MAVEN"
"""Name of the environment variable that names another repository."""

_MAVEN_TIMEOUT = 600.0
"""Most seconds of one run of Maven."""
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
      <artifactItems>
%s
      </artifactItems>
    </configuration>
  </plugin></plugins></build>
</project>
"""
_ARTIFACT = ("groupId", "artifactId", "version", "type", "classifier")
"""Names in a project of the parts of a coordinate."""


class FetchError(JarletError):
    """A jar could not be fetched; the text says why."""


def fetch(coordinates: Sequence[str], folder: Path) -> None:
    """Put the jars of these coordinates, ``group:artifact:version``, into a folder: all of them or none.

    Raises FetchError with the reason.
    """
    maven = shutil.which("mvn")
    try:
        if maven is not None:
            _run_maven(maven, coordinates, folder)
        else:
            _download(coordinates, folder)
    except (OSError, OutputError, subprocess.TimeoutExpired) as error:
        raise FetchError(str(error)) from error


def file_name(coordinate: str) -> str:
    """Return the name of the file that :func:`fetch` writes for a coordinate."""
    _, artifact, version, *more = coordinate.split(":")
    return "-".join([artifact, version, *more[1:]]) + ".jar"


def _run_maven(maven: str, coordinates: Sequence[str], folder: Path) -> None:
    temporary = folder / f".maven-{secrets.token_hex(6)}"
    try:
        temporary.mkdir(parents=True)
        (temporary / "pom.xml").write_text(_project(coordinates), encoding="utf-8")
        done = subprocess.run(
            [maven, "-q", "-B", "dependency:copy"],
            capture_output=True, text=True, errors="replace", check=False, timeout=_MAVEN_TIMEOUT,
            stdin=subprocess.DEVNULL, cwd=temporary,
        )  # fmt: skip
        if done.returncode:
            lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or ["no reason given"]
            raise FetchError(f"Maven says: {lines[0][:300]}")
        for path in temporary.glob("*.jar"):
            path.rename(folder / path.name)
    finally:
        remove(temporary)


def _project(coordinates: Sequence[str]) -> str:
    """Return a project of Maven's by which ``dependency:copy`` copies artifacts, all in one run."""
    items = (
        "".join(
            f"<{name}>{escape(part)}</{name}>" for name, part in zip(_ARTIFACT, coordinate.split(":"), strict=False)
        )
        for coordinate in coordinates
    )
    return _PROJECT % "\n".join(f"        <artifactItem>{item}</artifactItem>" for item in items)


def _download(coordinates: Sequence[str], folder: Path) -> None:
    """Download the jars without Maven. Nothing is written before all of them are here and right."""
    place = _repository()
    found = {path.rpartition("/")[2]: _verified(f"{place}/{quote(path)}") for path in map(path_of, coordinates)}
    for name, data in found.items():
        write_whole(folder / name, data, durable=False, parents=True)


def path_of(coordinate: str) -> str:
    """Return the path of a jar in a repository."""
    group, artifact, version = coordinate.split(":")[:3]
    return f"{group.replace('.', '/')}/{artifact}/{version}/{file_name(coordinate)}"


def _repository() -> str:
    """Return the address of the repository: the user's variable, else the mirror in Maven's settings, else Central."""
    address = os.environ.get(VARIABLE) or next(_mirrors(Path("~/.m2/settings.xml").expanduser()), CENTRAL)
    if not re.match(r"https?://", address):
        raise FetchError(f"the repository {address} has no address that begins with https:// or http:// ({VARIABLE}).")
    return address.rstrip("/")


def _mirrors(settings: Path) -> Iterator[str]:
    """Yield the addresses of the mirrors of Maven Central that a settings file names."""
    try:
        tree = ElementTree.parse(settings)
    except (OSError, ElementTree.ParseError):
        return  # no settings that Maven could use either
    for mirror in tree.iterfind(".//{*}mirror"):
        named = [name.strip() for name in mirror.findtext("{*}mirrorOf", "").split(",")]
        address = mirror.findtext("{*}url", "").strip()
        blocked = mirror.findtext("{*}blocked", "").strip() == "true"
        if address and not blocked and "!central" not in named and {"*", "external:*", "central"} & set(named):
            yield address


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
        with urlopen(request, timeout=_SILENCE) as answer:
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
