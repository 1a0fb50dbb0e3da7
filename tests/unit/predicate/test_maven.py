"""Downloads from a Maven repository: a server on this machine, a folder, and what is here already."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from app.cli import main
from core.errors import UsageError
from core.predicate import presets
from core.predicate.releases import maven
from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.dependencies import Dependencies
from core.predicate.releases.downloads import FetchAllowance, FetchError
from core.predicate.releases.maven import CENTRAL, VARIABLE, _Repository, fetch
from core.predicate.releases.release import list_of_artifact
from core.predicate.tools import JACOCO, tools_folder
from core.protocol.events import Presets
from core.protocol.questions.choosing import FetchAgent
from core.service.queries.choices import fetch_agent as fetch_agent_for
from core.service.queries.desk import Desk
from core.service.session_keeper import SessionKeeper
from core.service.workspace import Workspace
from tests.support.maven_repository import list_versions

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "packaging"))

import fetch_agent

from tests.support.rows import rows

PINNED = maven.pinned
ONE, TWO = "org.demo:one:1.0", "org.demo.sub:two:2.1:jar:runtime"
ONE_PATH, TWO_PATH = "org/demo/one/1.0/one-1.0.jar", "org/demo/sub/two/2.1/two-2.1-runtime.jar"


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *words: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        if "cut" in self.path:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half")
        elif "forbidden" in self.path:
            self.send_error(403)
        else:
            super().do_GET()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that a server offers as the repository; nothing is here yet."""
    folder = tmp_path / "repository"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(maven, "pinned", dict)  # the files here are no real jars
    yield folder
    server.shutdown()
    server.server_close()


def put(repository: Path, path: str, algorithm: str = "sha1", checksum: str | None = None) -> bytes:
    """Write a file of the repository, with its checksum or another one beside it."""
    data = path.encode() * 3
    file = repository / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    right = hashlib.new(algorithm, data).hexdigest()
    (file.parent / f"{file.name}.{algorithm}").write_text(f"{right if checksum is None else checksum}  {file.name}\n")
    return data


def test_all_files_arrive_with_the_names_that_maven_gives_them(repository: Path, tmp_path: Path) -> None:
    one, two = put(repository, ONE_PATH), put(repository, TWO_PATH, "sha256")
    fetch((ONE, TWO), tmp_path / "tools")
    found = {path.name: path.read_bytes() for path in (tmp_path / "tools").iterdir()}
    assert found == {"one-1.0.jar": one, "two-2.1-runtime.jar": two}


def _missing(repository: Path) -> None:
    """The second file is not there."""


def _no_checksum(repository: Path) -> None:
    put(repository, TWO_PATH)
    (repository / f"{TWO_PATH}.sha1").unlink()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_missing, "two-2.1-runtime.jar does not exist"),
        (_no_checksum, "has no checksum beside it"),
        (lambda folder: put(folder, TWO_PATH, "sha1", "0" * 40), r"does not agree with its checksum \(sha1\)"),
        (lambda folder: put(folder, TWO_PATH, "sha256", ""), r"does not agree with its checksum \(sha256\)"),
    ],
)
def test_nothing_is_written_where_one_file_is_not_right(
    repository: Path, tmp_path: Path, spoil: Callable[[Path], object], reason: str
) -> None:
    put(repository, ONE_PATH)
    spoil(repository)
    with pytest.raises(FetchError, match=reason):
        fetch((ONE, TWO), tmp_path / "tools")
    assert not (tmp_path / "tools").exists()


@pytest.mark.parametrize(
    ("coordinate", "reason"),
    [("org.demo:cut:1", "cannot be reached"), ("org.demo:forbidden:1", "answers with 403")],
)
def test_an_answer_that_is_no_file_is_a_sentence(
    repository: Path, tmp_path: Path, coordinate: str, reason: str
) -> None:
    with pytest.raises(FetchError, match=reason):
        fetch((coordinate,), tmp_path / "tools")
    assert not (tmp_path / "tools").exists()


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "file:///etc", "ftp://127.0.0.1", "nonsense"])
def test_the_command_ends_with_a_sentence_where_no_repository_answers(
    repository: Path,
    sample_jar: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    address: str,
) -> None:
    monkeypatch.setenv(VARIABLE, address)
    assert main(["check", str(sample_jar), "--predicate", "true", "--fetch"]) == 2
    error = capsys.readouterr().err
    assert error.splitlines()[0] == "Downloading JaCoCo."
    assert error.count("\n") == 2
    assert f"{JACOCO.title} could not be fetched: " in error
    assert not tools_folder().exists()


@pytest.fixture
def desk() -> Iterator[Desk]:
    workspace = Workspace(lambda event: None)
    yield Desk(workspace, SessionKeeper(workspace))
    workspace.close()


def test_the_window_gets_the_agent(repository: Path, desk: Desk) -> None:
    with pytest.raises(UsageError, match=r"-runtime.jar does not exist. Versions that do: http:.*/org.jacoco.agent/$"):
        fetch_agent_for(desk, FetchAgent())
    for coordinate in JACOCO.maven:
        put(repository, Coordinate.parse(coordinate).jar)
    answer = fetch_agent_for(desk, FetchAgent())
    assert isinstance(answer, Presets)
    assert answer.agent == ""
    runs = {one.name: one.runs for one in answer.offered}
    assert (runs["run"], runs["procyon"]) == (True, False)


def test_a_fetched_agent_is_found(repository: Path) -> None:
    for coordinate in JACOCO.maven:
        put(repository, Coordinate.parse(coordinate).jar)
    assert JACOCO.fetch() is None
    found = JACOCO.find({})
    assert found is not None
    assert {path.parent for path in found} == {tools_folder()}


def test_all_that_presets_and_the_agent_name_is_pinned() -> None:
    tools = [JACOCO, *(tool for preset in presets.load_all().values() for tool in preset.tools)]
    assert set(maven.pinned()) >= {coordinate for tool in tools for coordinate in tool.maven}


@pytest.mark.slow
def test_all_that_tools_need_is_pinned_and_nothing_else_is() -> None:
    tools = [JACOCO, *(tool for preset in presets.load_all().values() for tool in preset.tools)]
    repository = _Repository(FetchAllowance())
    needed = {coordinate for tool in tools for coordinate in tool.maven}
    for whole in (Coordinate.parse(tool.maven[0]) for tool in tools if tool.maven and not tool.jars):
        for each in Dependencies(repository.project, repository.versions).of(whole):
            needed.add(str(each))
    assert set(maven.pinned()) == needed


def test_a_package_never_gets_another_file_than_the_pinned_one(
    monkeypatch: pytest.MonkeyPatch, repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(maven, "pinned", PINNED)
    for coordinate in JACOCO.maven:
        put(repository, Coordinate.parse(coordinate).jar)
    assert fetch_agent.main([str(tmp_path / "tools")]) == 2
    assert (
        "org.jacoco.agent-0.8.14-runtime.jar is not the file that Jarlet knows by its checksum"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "tools").exists()


@rows(
    ("mirrors", "wanted"),
    [
        ("", CENTRAL),
        ("<mirror><mirrorOf>other</mirrorOf><url>https://a.test/m</url></mirror>", CENTRAL),
        ("<mirror><mirrorOf>*,!central</mirrorOf><url>https://a.test/m</url></mirror>", CENTRAL),
        ("<mirror><mirrorOf>*</mirrorOf><url>https://a.test/m</url><blocked>true</blocked></mirror>", CENTRAL),
        ("<mirror><mirrorOf>other, central</mirrorOf><url> https://a.test/m/ </url></mirror>", "https://a.test/m"),
        ("<mirror><mirrorOf>*</mirrorOf><url>https://a.test/m</url></mirror>", "https://a.test/m"),
        ("<mirror>", CENTRAL),
    ],
)
@rows("space", ["", ' xmlns="http://maven.apache.org/SETTINGS/1.0.0"'])
def test_the_mirror_of_mavens_settings_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mirrors: str, wanted: str, space: str
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "settings.xml").write_text(f"<settings{space}><mirrors>{mirrors}</mirrors></settings>")
    assert _Repository(FetchAllowance()).address == wanted


def test_what_the_local_repository_has_is_not_asked_for(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = put(tmp_path / ".m2" / "repository", ONE_PATH)
    monkeypatch.setattr(maven, "pinned", lambda: {ONE: hashlib.sha256(here).hexdigest()})
    fetch((ONE,), tmp_path / "tools")
    assert (tmp_path / "tools" / "one-1.0.jar").read_bytes() == here
    monkeypatch.setattr(maven, "pinned", lambda: {ONE: "0" * 64})
    with pytest.raises(FetchError, match=r"one-1\.0\.jar is not the file that Jarlet knows"):
        fetch((ONE,), tmp_path / "others")
    assert not (tmp_path / "others").exists()


def test_the_settings_name_another_local_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = put(tmp_path / "else where", ONE_PATH)
    monkeypatch.setenv("ELSE", "else where")
    (tmp_path / ".m2").mkdir()
    place = "<localRepository>${user.home}/${env.ELSE}</localRepository>"
    (tmp_path / ".m2" / "settings.xml").write_text(f"<settings>{place}</settings>")
    fetch((ONE,), tmp_path / "tools")
    assert (tmp_path / "tools" / "one-1.0.jar").read_bytes() == here


def test_a_repository_may_be_a_folder(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, (tmp_path / "a folder").as_uri())
    data = put(tmp_path / "a folder", ONE_PATH)
    fetch((ONE,), tmp_path / "tools")
    assert (tmp_path / "tools" / "one-1.0.jar").read_bytes() == data


PROGRAM = """#!/bin/sh
echo "$0 $*" >>ASKED
"""


def test_no_maven_that_is_installed_is_run(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mvn").write_text(PROGRAM.replace("ASKED", str(tmp_path / "asked")))
    (tmp_path / "mvn").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    data = put(repository, ONE_PATH)
    list_versions(repository, "org.demo:one", ["1.0"])
    (release,) = list_of_artifact("org.demo:one").published()
    assert [path.read_bytes() for path in release.place()] == [data]
    assert not (tmp_path / "asked").exists()


class Proxy(BaseHTTPRequestHandler):
    """A proxy that answers each request itself, and notes what it is asked for."""

    asked: ClassVar[list[tuple[str, str]]] = []
    logins: ClassVar[list[tuple[str, str]]] = []
    data = b"what the proxy has"

    def log_message(self, format: str, *words: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Proxy-Authorization", "")))
        self.logins.append((self.path, self.headers.get("Authorization", "")))
        beside = self.path.endswith(".sha1")
        body = hashlib.sha1(self.data).hexdigest().encode() if beside else self.data
        self.send_response(404 if self.path.endswith(".sha256") else 200)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that writes the user's settings of Maven, in which PORT stands for the port of a proxy here."""
    for name in ("no_proxy", "NO_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(VARIABLE, "http://repository.invalid/maven")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".m2").mkdir()
    Proxy.asked.clear()
    Proxy.logins.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    Thread(target=server.serve_forever, daemon=True).start()

    def write(text: str) -> None:
        body = text.replace("PORT", str(server.server_port))
        (tmp_path / ".m2" / "settings.xml").write_text(f"<settings><proxies>{body}</proxies></settings>")

    yield write
    server.shutdown()
    server.server_close()


HERE = "<host>127.0.0.1</host><port>PORT</port>"
DEAD = "<host>127.0.0.1</host><port>1</port>"


@pytest.mark.parametrize(
    ("proxies", "login"),
    [
        (f"<proxy>{HERE}</proxy>", ""),
        (f"<proxy><active>false</active>{DEAD}</proxy><proxy><protocol>http</protocol>{HERE}</proxy>", ""),
        (f"<proxy>{HERE}</proxy><proxy>{DEAD}</proxy>", ""),
        (f"<proxy>{HERE}<username>me</username><password>a:@b</password></proxy>", "me:a:@b"),
        (f"<proxy>{HERE}<username>me</username><password>{{encrypted=}}</password></proxy>", ""),
        (f"<proxy>{HERE}<nonProxyHosts>other|*.test</nonProxyHosts></proxy>", ""),
    ],
)
def test_the_proxy_of_mavens_settings_is_used(
    proxy: Callable[[str], None], tmp_path: Path, proxies: str, login: str
) -> None:
    proxy(proxies)
    fetch((ONE,), tmp_path / "tools")
    assert (tmp_path / "tools" / "one-1.0.jar").read_bytes() == Proxy.data
    assert Proxy.asked[0][0] == f"http://repository.invalid/maven/{ONE_PATH}"
    assert Proxy.asked[0][1] == (f"Basic {base64.b64encode(login.encode()).decode()}" if login else "")


def test_the_user_logs_in_at_the_mirror_and_nowhere_else(
    proxy: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mirror = "<mirror><id>ours</id><mirrorOf>*</mirrorOf><url>http://127.0.0.1:PORT/m</url></mirror>"
    server = "<server><id>ours</id><username>me</username><password>${env.SECRET}</password></server>"
    monkeypatch.setenv("SECRET", "s:1")
    proxy(f"<proxy>{HERE}</proxy></proxies><mirrors>{mirror}</mirrors><servers>{server}</servers><proxies>")
    fetch((ONE,), tmp_path / "named")
    assert {login for _, login in Proxy.logins} == {""}, "a repository that the variable names is another one"
    monkeypatch.delenv(VARIABLE)
    proxy(f"</proxies><mirrors>{mirror}</mirrors><servers>{server}</servers><proxies>")
    Proxy.logins.clear()
    fetch((ONE,), tmp_path / "mirrored")
    assert Proxy.logins[0] == (f"/m/{ONE_PATH}", f"Basic {base64.b64encode(b'me:s:1').decode()}")


@pytest.mark.parametrize(
    "proxies",
    [
        f"<proxy><active>false</active>{HERE}</proxy>",
        f"<proxy>{HERE}<nonProxyHosts>localhost|*.invalid</nonProxyHosts></proxy>",
        "<proxy>",
    ],
)
def test_a_proxy_that_does_not_serve_the_repository_is_not_asked(
    proxy: Callable[[str], None], tmp_path: Path, proxies: str
) -> None:
    proxy(proxies)
    with pytest.raises(FetchError, match="cannot be reached"):
        fetch((ONE,), tmp_path / "tools")
    assert Proxy.asked == []


def test_the_agent_is_fetched_for_a_package_where_no_library_is_installed() -> None:
    command = [sys.executable, "-I", "-S", str(fetch_agent.__file__)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr.startswith("usage: ")
