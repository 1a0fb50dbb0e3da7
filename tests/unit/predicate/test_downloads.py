"""Answers of a repository that lies or has no end, from a real server on this machine: each ends in a sentence."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar

import pytest

from core.errors import InputError
from core.predicate.releases import downloads
from core.predicate.releases.downloads import FetchAllowance, FetchError, read, tree_of
from core.predicate.releases.maven import VARIABLE, published
from tests.support.rows import rows

PIECE = b"x" * (1 << 16)


class Liar(BaseHTTPRequestHandler):
    """A server that answers as the first folder of the path says."""

    over: ClassVar[Event] = Event()
    logins: ClassVar[list[tuple[str, str]]] = []

    def log_message(self, format: str, *words: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self.logins.append((self.headers["Host"], self.headers.get("Authorization", "")))
        with suppress(OSError):
            getattr(self, self.path.split("/")[1].partition("?")[0])()

    def _begin(self, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def endless(self) -> None:
        self._begin()
        while not self.over.is_set():
            self.wfile.write(PIECE)

    def endless_redirect(self) -> None:
        self._begin(302, Location="/right")
        while not self.over.is_set():
            self.wfile.write(PIECE)

    def dripping(self) -> None:
        self._begin()
        self._drip()

    def dripping_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        self._drip()

    def dripping_redirects(self) -> None:
        time.sleep(0.05)
        self._begin(302, Location=f"{self.path}?")

    def _drip(self) -> None:
        while not self.over.wait(0.02):
            self.wfile.write(b"x")
            self.wfile.flush()

    def short(self) -> None:
        self._begin(Content_Length="1000000000000")
        self.wfile.write(b"half")

    def circle(self) -> None:
        self._begin(302, Location="/circle")

    def to_a_file(self) -> None:
        self._begin(302, Location="file:///etc/passwd")

    def to_ftp(self) -> None:
        self._begin(302, Location="ftp://127.0.0.1:1/x")

    def elsewhere(self) -> None:
        port = self.headers["Host"].partition(":")[2]
        self._begin(302, Location=f"http://localhost:{port}/right")

    def right(self) -> None:
        self._begin(Last_Modified="Mon, 18 Mar 2024 10:00:00 GMT")
        self.wfile.write(b"right")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The address of the server."""
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    monkeypatch.setenv("HOME", str(tmp_path))
    Liar.over.clear()
    Liar.logins.clear()
    made = ThreadingHTTPServer(("127.0.0.1", 0), Liar)
    made.daemon_threads = True
    Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    Liar.over.set()
    made.shutdown()
    made.server_close()


@rows(
    ("answer", "reason"),
    [
        ("endless", "is not read: it has more bytes than"),
        ("dripping", "takes too long|timed out"),
        ("dripping_headers", "takes too long|timed out"),
        ("dripping_redirects", "takes too long|timed out|answers with 302"),
        ("short", "cannot be reached .*IncompleteRead"),
        ("circle", "answers with 302"),
        ("to_a_file", "answers with 302"),
        ("to_ftp", "cannot be reached .*unknown url type: ftp"),
    ],
)
def test_an_answer_without_an_end_or_that_lies_is_a_sentence(server: str, answer: str, reason: str) -> None:
    with pytest.raises(FetchError, match=reason):
        read(f"{server}/{answer}", FetchAllowance(seconds=0.5), most=1 << 20)


def test_the_answers_of_one_fetch_share_its_bytes(server: str) -> None:
    allowance = FetchAllowance(octets=12)
    assert [read(f"{server}/right", allowance) for _ in range(2)] == [(b"right", "2024-03-18")] * 2
    with pytest.raises(FetchError, match="is not read: it has more bytes"):
        read(f"{server}/right", allowance)


def test_the_body_of_a_redirection_is_not_read(server: str) -> None:
    found = read(f"{server}/endless_redirect", FetchAllowance(octets=1 << 20))
    assert found is not None
    assert found.data == b"right"


def test_the_login_is_for_the_first_server_alone(server: str) -> None:
    read(f"{server}/elsewhere", FetchAllowance(), login="Basic bWU6aXQ=")
    port = server.rpartition(":")[2]
    assert Liar.logins == [(f"127.0.0.1:{port}", "Basic bWU6aXQ="), (f"localhost:{port}", "")]


def test_of_a_folder_only_ordinary_files_within_the_bounds_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "a b").write_bytes(b"right")
    for name, reason in (("pipe", "not an ordinary file"), ("huge", "more bytes than"), ("", "Is a directory")):
        with pytest.raises(FetchError, match=reason):
            read((tmp_path / name).as_uri(), FetchAllowance(), most=1 << 20)
    assert read((tmp_path / "none").as_uri(), FetchAllowance()) is None
    assert read((tmp_path / "a b").as_uri(), FetchAllowance()) == (b"right", "")


BOMB = '<!DOCTYPE m [<!ENTITY a "xxxxxxxxxx">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{BOMB}]><metadata><version>&j;</version></metadata>".encode(), "it has a document type, m"),
        (f"{BOMB}]><metadata><version>&j;</version></metadata>".encode("utf-16"), "it has a document type, m"),
        (b'<!DOCTYPE m SYSTEM "file:///etc/passwd"><m/>', "it has a document type, m"),
        (b"<metadata>", "no element found"),
        (b"<?xml version='1.0' encoding='nonsense'?><m/>", "unknown encoding"),
        (b"<m>&nonsense;</m>", "undefined entity"),
        (b"\0\xff", "syntax error|not well-formed"),
    ],
)
def test_xml_with_entities_of_its_own_or_none_at_all_is_refused(text: bytes, reason: str) -> None:
    with pytest.raises(FetchError, match=f"list is not what a Maven repository has there .*{reason}"):
        tree_of(text, "list")


def test_letters_that_project_files_name_as_html_does_are_read() -> None:
    assert tree_of(b"<m>Trygve &oslash; &amp; &#65;</m>", "pom").text == "Trygve ø & A"


@pytest.mark.parametrize(
    "version", ["1/../../../../ESC", "..", "1:jar:../ESC", "1\\0", "x" * 300, "x" * 250, "1\u202e2"]
)
def test_a_list_with_a_version_that_is_no_file_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    place = tmp_path / "org" / "demo" / "one"
    place.mkdir(parents=True)
    (place / "maven-metadata.xml").write_text(f"<m><version>1.0</version><version>{version}</version></m>", "utf-8")
    monkeypatch.setenv(VARIABLE, tmp_path.as_uri())
    with pytest.raises(InputError, match=r"is no coordinate of a jar|cannot be that of a file"):
        published("org.demo", "one")


def test_the_certificates_of_this_machine_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    read_by: list[ssl.SSLContext] = []
    monkeypatch.setattr(ssl.SSLContext, "set_default_verify_paths", lambda context: read_by.append(context))
    # what is read here has no certificates: no other test may get it
    monkeypatch.setattr(downloads, "_certificates", cache(downloads._certificates.__wrapped__))
    for _ in range(2):
        with pytest.raises(FetchError):
            read("https://127.0.0.1:1/a", FetchAllowance())
    assert len(read_by) == 1
