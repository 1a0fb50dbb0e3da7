"""A Maven repository in a folder, which a server on this machine offers; no Maven is installed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *words: object) -> None:
        """Print nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a server offers the folder."""
    folder.mkdir(exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def publish(folder: Path, coordinate: str, data: bytes) -> None:
    """Put a jar into the repository, with its checksum."""
    group, artifact, version = coordinate.split(":")
    place = folder.joinpath(*group.split("."), artifact, version)
    place.mkdir(parents=True)
    jar = place / f"{artifact}-{version}.jar"
    jar.write_bytes(data)
    jar.with_name(f"{jar.name}.sha1").write_text(hashlib.sha1(data).hexdigest())


def list_versions(folder: Path, artifact: str, versions: list[str]) -> None:
    """Write the repository's own list of the versions of ``group:artifact``."""
    group, _, name = artifact.partition(":")
    place = folder.joinpath(*group.split("."), name, "maven-metadata.xml")
    place.parent.mkdir(parents=True, exist_ok=True)
    told = "".join(f"<version>{version}</version>" for version in versions)
    place.write_text(f"<metadata><versioning><versions>{told}</versions></versioning></metadata>")
