"""A Java process that runs one program of the user's again and again, for ``jarlet host``.

The protocol is described in ``resources/java/tool/ToolHost.java``.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag

from core.archive.entry_names import MANIFEST
from core.archive.zips import Archive
from core.errors import InputError, JarletError
from core.library.jdk import Jdk, jdk_in
from core.predicate.command import environment_of
from core.predicate.effort import RequestLimit
from core.predicate.helper_programs import SOURCES, compiled_sources
from core.predicate.jvm.host import HostCancelledError, HostError, HostTimeoutError
from core.predicate.jvm.own_frames import without_own_frames
from core.predicate.jvm.tool_calls import COMPILER
from core.system.processes.families import Family
from core.system.processes.process_groups import has_ended
from core.system.removal import remove

_SOURCES = SOURCES.parent / "tool"
_COMMON = ("ToolHost", "Program", "Surroundings", "Exits", "Leftovers")
_FOREIGN: dict[int, tuple[str, tuple[str, ...]]] = {
    17: ("17", ("--add-modules", "jdk.incubator.foreign")),
    21: ("21", ("--enable-preview",)),
    22: ("21", ()),
}
"""The way to call functions of the system, as the change of the working directory needs it: folder of the source, and
options, by feature version. All later versions do as the last one.
"""
_GUARDED = range(18, 24)
"""Feature versions in which a guard of exits must be allowed."""
_OPENED = ("java.io", "java.lang", "java.util", "sun.nio.fs")
"""Packages of the JDK in which the process puts things right after a change of its working directory."""
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
_OWN_START = re.compile(rb"^(?:Launcher-Agent-Class|Add-Exports|Add-Opens|Enable-Native-Access):", re.M | re.I)
"""Entries of a manifest that ``java -jar`` alone heeds."""

_LENGTH = struct.Struct(">i")
_ANSWER = struct.Struct(">iB")
_ANSWERS = "answers"
_POLL = 0.05
_CHUNK = 1 << 16

_MOST_OUTPUT = 64 << 20
"""Bytes of output after which a program is run by itself, where nobody has to keep its output."""


@dataclass(frozen=True)
class ToolCommand:
    """The start of a program: the launcher, options of the JVM, the jar or :data:`COMPILER`, and the variables that
    hold for all its runs. ``merged``: both outputs are one. ``stamp`` tells a rebuilt jar from the old one.
    ``class_path``: place of the main class ``program``; empty where that is none."""

    java: str
    options: tuple[str, ...]
    program: str
    variables: tuple[tuple[str, str], ...] = ()
    merged: bool = False
    stamp: tuple[int, int] = (0, 0)
    class_path: str = ""

    def words(self, kept: bool) -> list[str]:
        """Return the command of a process that runs the program, whose classes are ``kept`` or new for each run. Raise
        HostError where that is not possible."""
        jdk = jdk_in(Path(self.java).resolve().parent.parent)
        version = min(jdk.feature, max(_FOREIGN)) if jdk is not None else 0
        if jdk is None or version not in _FOREIGN:
            raise HostError("a resident Java process needs JDK 17, or JDK 21 or later")
        if self.program != COMPILER and not self.class_path:
            _check_start(self.program)
        quick = () if any(word.startswith("-XX:") for word in self.options) else _QUICK
        own = [word for package in _OPENED for word in ("--add-opens", f"java.base/{package}=ALL-UNNAMED")]
        own += [*_FOREIGN[version][1], "--enable-native-access=ALL-UNNAMED"]
        own += ["-Djava.security.manager=allow"] if jdk.feature in _GUARDED else []
        start = [
            *own,
            "-cp",
            str(_compiled(jdk, version)),
            "tool.ToolHost",
            self.program,
            "kept" if kept else "new",
            _ANSWERS,
            *([self.class_path] if self.class_path else []),
        ]
        return [self.java, *quick, *self.options, *start]


@dataclass(frozen=True)
class ToolCall:
    """One run of a program: its arguments, working directory and environment."""

    words: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]

    def request(self) -> bytes:
        """Return the call as the process reads it. Raise HostError for texts that Java cannot have."""
        pairs = [text for pair in self.environment.items() for text in pair]
        texts = [self.folder, str(len(self.environment)), *pairs, *self.words]
        try:
            data = [text.encode() for text in texts]
        except UnicodeEncodeError as error:
            raise HostError("an argument or a variable is no Unicode text") from error
        return b"".join([_LENGTH.pack(len(data)), *(_LENGTH.pack(len(each)) + each for each in data)])


@dataclass(frozen=True)
class ToolEnd:
    """The end of a run: exit code and both outputs."""

    code: int
    out: bytes
    err: bytes


class ToolProcess:
    """One process. Not for several threads at once."""

    def __init__(self, command: ToolCommand, kept: bool, work: Path, cancel: Flag) -> None:
        words = command.words(kept)
        self._folder = Path(tempfile.mkdtemp(prefix="jarlet-host-", dir=work))
        self.usable = True
        """False once the process is to be replaced."""
        self._code: int | None = None
        try:
            os.mkfifo(self._folder / _ANSWERS, 0o600)
            self._answers = os.open(self._folder / _ANSWERS, os.O_RDONLY | os.O_NONBLOCK)
            error = subprocess.STDOUT if command.merged else subprocess.PIPE
            environment = {**environment_of(self._folder), **dict(command.variables)}
            self._family = Family(words, self._folder, environment, subprocess.PIPE, error)
        except OSError as failure:
            remove(self._folder)
            raise HostError(f"{words[0]} cannot be started: {failure}") from failure
        self._process = self._family.process
        pipes = (self._process.stdout, self._process.stderr)
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
        try:
            if self._exchange(b"", cancel).code:
                raise HostError("the process cannot be used")
        except BaseException:
            self.kill()
            raise

    def run(self, call: ToolCall, cancel: Flag, seconds: float | None = None) -> ToolEnd:
        """Return the end of a run of at most ``seconds``. After any HostError the process is gone."""
        try:
            return self._exchange(call.request(), cancel, seconds)
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End the process at once, with all that it started."""
        self.usable = False
        if self._code is None:
            self._family.kill()
            self._code = self._family.wait()
        for pipe in (self._process.stdin, *self._pipes):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        os.close(self._answers)
        remove(self._folder)

    def _exchange(self, request: bytes, cancel: Flag, seconds: float | None = None) -> ToolEnd:
        assert self._process.stdin is not None
        limit = RequestLimit(self._process.pid, seconds)
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
        except OSError as error:
            raise HostError(f"the process ended: {error}") from error
        outputs = [bytearray() for _ in self._pipes]
        answer = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._answers, selectors.EVENT_READ, answer)
            for pipe, output in zip(self._pipes, outputs, strict=True):
                selector.register(pipe.fileno(), selectors.EVENT_READ, output)
            while len(answer) < _ANSWER.size:
                ended = has_ended(self._process)
                came = self._read(selector, 0 if ended else _POLL)
                if cancel.is_set():
                    raise HostCancelledError("cancelled")
                if limit.passed():
                    raise HostTimeoutError("out of time")
                if sum(map(len, outputs)) > _MOST_OUTPUT:
                    raise HostError("too much output")
                if ended and not came:
                    return self._ended(request, outputs)
            while self._read(selector, 0):  # what was written before the answer
                pass
        code, again = _ANSWER.unpack(answer[: _ANSWER.size])
        self.usable = bool(again)
        return _told(code, outputs)

    def _read(self, selector: selectors.BaseSelector, seconds: float) -> bool:
        """Read what is there. Return True if anything came."""
        came = False
        for key, _ in selector.select(seconds):
            with contextlib.suppress(BlockingIOError):
                chunk = os.read(key.fd, _CHUNK)
                key.data.extend(chunk)
                came = came or bool(chunk)
                if not chunk and key.fd != self._answers:
                    selector.unregister(key.fd)
        return came

    def _ended(self, request: bytes, outputs: list[bytearray]) -> ToolEnd:
        """Return the end of a run that ended the process."""
        self.usable = False
        self._family.kill()
        self._code = self._family.wait()
        if not request or self._code < 0:
            raise HostError("the process broke down")
        return _told(self._code, outputs)


def _told(code: int, outputs: list[bytearray]) -> ToolEnd:
    out, err = [without_own_frames(bytes(output)) for output in (*outputs, bytearray())][:2]
    return ToolEnd(code, out, err)


def _check_start(program: str) -> None:
    """Raise HostError for a jar that ``java -jar`` starts in a way of its own."""
    try:
        with Archive(Path(program)) as jar:
            manifest = jar.read(MANIFEST)
    except (OSError, InputError) as error:
        raise HostError(f"{program} is no jar that can be run: {error}") from error
    if _OWN_START.search(manifest):
        raise HostError(f"{program} wants options of the virtual machine")


def _compiled(jdk: Jdk, version: int) -> Path:
    """Return the folder with the classes of the process. ``version``: a key of ``_FOREIGN``. Raise HostError."""
    folder, options = _FOREIGN[version]
    sources = [*(_SOURCES / f"{name}.java" for name in _COMMON), _SOURCES / folder / "WorkingFolder.java"]
    release = ("--release", str(version)) if "--enable-preview" in options else ()  # javac takes both or neither
    try:
        return compiled_sources(jdk, sources, options=(*release, *options))
    except JarletError as error:
        raise HostError(str(error)) from error
