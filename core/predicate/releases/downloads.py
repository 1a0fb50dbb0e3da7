"""Answers of a Maven repository, read within bounds of bytes and time: by HTTP, or from a folder (``file:``)."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import cache, partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from pathlib import Path
from socket import socket
from ssl import SSLContext, create_default_context
from time import monotonic
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    AbstractHTTPHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    url2pathname,
)
from xml.etree import ElementTree
from xml.parsers import expat

from core.archive.zips import open_regular
from core.errors import JarletError
from core.library.maven_settings import proxy

TEXT = 16 << 20
"""Most bytes of a list of versions, a project file or a checksum."""
JAR = 512 << 20
"""Most bytes of a jar."""
_SILENCE = 60.0
"""Most seconds that a server may stay silent."""
_PIECE = 1 << 20
"""Bytes read at a time."""
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)\w+;")


class FetchError(JarletError):
    """A jar could not be fetched; the text says why."""


class FetchAllowance:
    """All that the answers of one fetch may take together: bytes, and seconds from now on."""

    def __init__(self, octets: int = 1 << 30, seconds: float = 600.0) -> None:
        self.octets = octets
        self.until = monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left. Raise TimeoutError where there are none."""
        seconds = self.until - monotonic()
        if seconds <= 0:
            raise TimeoutError("the answer takes too long")
        return seconds


class Fetched(NamedTuple):
    """Bytes, and the day of their last change, as ``2024-03-18``; empty if unknown."""

    data: bytes
    day: str = ""


def read(address: str, allowance: FetchAllowance, most: int = TEXT, login: str = "") -> Fetched | None:
    """Return the content at an address, None if there is none. ``login`` is the header for the first server.

    Raises FetchError, also for more than ``most`` bytes and beyond the allowance.
    """
    try:
        if address.startswith("file:"):
            return Fetched(_taken(_pieces(Path(url2pathname(urlsplit(address).path))), allowance, most))
        return _asked(address, allowance, most, login)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except HTTPError as error:
        with suppress(OSError):
            error.close()
        if error.code in (404, 410):
            return None
        raise FetchError(f"{address} answers with {error.code} ({error.reason}).") from error
    except ValueError as error:
        raise FetchError(f"{address} is not read: {error}.") from error
    except (OSError, HTTPException) as error:
        raise FetchError(f"{address} cannot be reached ({getattr(error, 'reason', error)}).") from error


def tree_of(data: bytes, address: str) -> ElementTree.Element:
    """Return the elements of an answer, without namespaces, as Maven reads them. Raise FetchError for one that is not
    XML, or has a document type: entities of its own could grow without end."""
    parser, builder = expat.ParserCreate(), ElementTree.TreeBuilder()
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = builder.data, _refuse
    try:
        known = _ENTITY.sub(lambda found: html.unescape(found[0].decode()).encode("ascii", "xmlcharrefreplace"), data)
        parser.Parse(known, True)
        return builder.close()
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise FetchError(f"{address} is not what a Maven repository has there ({error}).") from error


def _refuse(name: str, *words: object) -> None:
    raise ValueError(f"it has a document type, {name}")


def _asked(address: str, allowance: FetchAllowance, most: int, login: str) -> Fetched:
    request = Request(address, headers={"User-Agent": "jarlet"})
    if login:
        request.add_unredirected_header("Authorization", login)
    by = proxy(address)
    opener = OpenerDirector()  # neither ftp: nor file:, to which an answer might lead
    for handler in (
        ProxyHandler({request.type: by} if by else None),
        _Handler(allowance),
        HTTPErrorProcessor(),
        HTTPDefaultErrorHandler(),
        HTTPRedirectHandler(),
        UnknownHandler(),
    ):
        opener.add_handler(handler)
    with opener.open(request, timeout=min(_SILENCE, allowance.left())) as answer:
        data = _taken(iter(partial(answer.read, _PIECE), b""), allowance, most)
        if answer.length:  # of a server that promised more
            raise IncompleteRead(data, answer.length)
        day = ""
        with suppress(TypeError, ValueError):
            day = f"{parsedate_to_datetime(answer.headers['Last-Modified']):%Y-%m-%d}"
        return Fetched(data, day)


def _pieces(path: Path) -> Iterator[bytes]:
    """Yield the bytes of an ordinary file. Raise OSError."""
    with open(open_regular(path), "rb") as file:
        yield from iter(partial(file.read, _PIECE), b"")


def _taken(pieces: Iterator[bytes], allowance: FetchAllowance, most: int) -> bytes:
    """Return the pieces as one. Raise ValueError for too many bytes, TimeoutError for a time that is over."""
    found = io.BytesIO()
    for piece in pieces:
        found.write(piece)
        allowance.octets -= len(piece)
        allowance.left()
        if found.tell() > most or allowance.octets < 0:
            raise ValueError("it has more bytes than a repository should have there")
    return found.getvalue()


class _Timed(io.RawIOBase):
    """The bytes that a server sends: none later than the allowance ends, whatever they belong to."""

    def __init__(self, raw: Any, sock: socket, allowance: FetchAllowance) -> None:
        self._raw, self._sock, self._allowance = raw, sock, allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(min(_SILENCE, self._allowance.left()))
        return self._raw.readinto(buffer)  # type: ignore[no-any-return]

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    """An answer with timed bytes, whose body is read only if it is the requested content."""

    def __init__(self, sock: socket, *words: Any, allowance: FetchAllowance, **more: Any) -> None:
        super().__init__(sock, *words, **more)
        self.fp = io.BufferedReader(_Timed(self.fp.detach(), sock, allowance))

    def begin(self) -> None:
        super().begin()
        if self.status != HTTPStatus.OK:
            self.chunked, self.length = False, 0


@cache
def _certificates() -> SSLContext:
    """Return the certificates of this machine: to read them takes longer than most answers."""
    return create_default_context()


class _Handler(AbstractHTTPHandler):
    """Requests whose answers end when the allowance does."""

    http_request = https_request = AbstractHTTPHandler.do_request_

    def __init__(self, allowance: FetchAllowance) -> None:
        super().__init__()
        self._response = partial(_Response, allowance=allowance)

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(self._connection, HTTPConnection), req)

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(self._connection, HTTPSConnection), req, context=_certificates())

    def _connection(self, kind: type[HTTPConnection], host: str, **words: Any) -> HTTPConnection:
        made = kind(host, **words)
        made.response_class = self._response  # type: ignore[assignment]
        return made
