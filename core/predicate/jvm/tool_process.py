"""A Java process that runs one program again and again: one of the user's, a step of a preset, or one of Jarlet's own.

The protocol is described in ``resources/java/tool/ToolHost.java``. The process ends by itself when we do, since its
input ends then.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag

from core.archive.entry_names import MANIFEST
from core.archive.zips import Archive
from core.errors import InputError, JarletError
from core.library.jdk import QUICK, Jdk, jdk_in
from core.predicate.effort import RequestLimit
from core.predicate.jvm.archives import ClassArchive
from core.predicate.jvm.helper_programs import SOURCES, compiled_sources, packed
from core.predicate.jvm.tool_calls import COMPILER
from core.predicate.places import TEMPORARY, environment_of
from core.predicate.process import ProcessResult, Stream
from core.system.processes.families import Family, has_ended, kill_group
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
_NO_FOREIGN: tuple[str, tuple[str, ...]] = ("none", ())
_GUARDED = range(18, 24)
"""Feature versions in which a guard of exits must be allowed."""
_OPENED = ("java.io", "java.lang", "java.util", "sun.nio.fs")
"""Packages of the JDK in which the process puts things right after a change of its working directory."""
_OWN_START = re.compile(rb"^(?:Launcher-Agent-Class|Add-Exports|Add-Opens|Enable-Native-Access):", re.M | re.I)
"""Entries of a manifest that ``java -jar`` alone heeds."""

_LENGTH = struct.Struct(">i")
_ANSWER = struct.Struct(">iB")
_ANSWERS = "answers"
_HOST = "tool.ToolHost"
_POLL = 0.05
_CHUNK = 1 << 16

_MOST_OUTPUT = 64 << 20
"""Bytes of output after which a program is run by itself, if nobody needs its output."""


KEPT, NEW, OWN = "kept", "new", "own"
"""Ways of a program's classes: kept from run to run, new for each run, or Jarlet's own, which leave no change for a
later run."""


class HostError(Exception):
    """A process cannot start, broke down, or answers what cannot be understood."""


class HostInterruptedError(HostError):
    """The process was killed: it took too long, or the call was cancelled."""

    def __init__(self, seconds: float, *, late: bool) -> None:
        super().__init__("out of time" if late else "cancelled")
        self.result = ProcessResult(-9, seconds, Stream(), Stream(), timed_out=late, cancelled=not late)


@dataclass(frozen=True)
class ToolCommand:
    """The start of a program: the launcher, options of the JVM, the jar or :data:`COMPILER`, and the variables of all
    its runs. ``merged``: both outputs are one. ``files``: size and time of the named files, so that a rebuilt tool
    makes another command. ``class_path``: place of the main class ``program``; empty for a jar or the compiler.
    ``arguments``: the first words of each run."""

    java: str
    options: tuple[str, ...]
    program: str
    variables: tuple[tuple[str, str], ...] = ()
    merged: bool = False
    files: tuple[str, ...] = ()
    class_path: str = ""
    arguments: tuple[str, ...] = ()
    way: str = KEPT

    def words(self) -> list[str]:
        """Return the command of a process that runs the program. Raise HostError if that is not possible."""
        jdk = jdk_in(Path(self.java).resolve().parent.parent)
        version = min(jdk.feature, max(_FOREIGN)) if jdk is not None else 0
        if jdk is not None and self.way == OWN:
            places = os.pathsep.join((str(packed(_compiled(jdk, version))), self.class_path))
            return [self.java, *self.options, "-cp", places, _HOST, self.program, OWN, _ANSWERS]
        if jdk is None or version not in _FOREIGN:
            raise HostError("a resident Java process needs JDK 17, or JDK 21 or later")
        if self.program != COMPILER and not self.class_path:
            _check_start(self.program)
        quick = () if any(word.startswith("-XX:") for word in self.options) else QUICK
        own = [word for package in _OPENED for word in ("--add-opens", f"java.base/{package}=ALL-UNNAMED")]
        own += [*_FOREIGN[version][1], "--enable-native-access=ALL-UNNAMED"]
        own += ["-Djava.security.manager=allow"] if jdk.feature in _GUARDED else []
        start = [
            *own,
            "-cp",
            str(_compiled(jdk, version)),
            _HOST,
            self.program,
            self.way,
            _ANSWERS,
            *([self.class_path] if self.class_path else []),
        ]
        return [self.java, *quick, *self.options, *start]

    def archive(self) -> ClassArchive | None:
        """Return the archive that makes Jarlet's own program start in less time. Raise HostError as :meth:`words`."""
        jdk = jdk_in(Path(self.java).parent.parent)
        return ClassArchive.of(jdk, self.words()) if jdk is not None and self.way == OWN else None

    def quick(self) -> Sequence[str]:
        """Return the words, with the archive where there is one. Raise HostError as :meth:`words`."""
        archive = self.archive()
        return self.words() if archive is None else archive.quick()


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
    """The end of a run: exit code, both outputs, and the seconds without those in which this process was stopped."""

    code: int
    out: bytes
    err: bytes
    seconds: float


class ToolProcess:
    """One process, whose folder is made in ``work``. Not for several threads at once. ``words``: a command of the same
    process with other options."""

    def __init__(
        self,
        command: ToolCommand,
        work: Path | None,
        seconds: float | None = None,
        cancel: Flag | None = None,
        words: Sequence[str] = (),
    ) -> None:
        words = words or command.quick()
        self._own = command.way == OWN
        self._folder = Path(tempfile.mkdtemp(prefix="jarlet-host-", dir=work))
        self.usable = True
        """False once the process is to be replaced."""
        self._code: int | None = None
        try:
            (self._folder / TEMPORARY).mkdir()
            os.mkfifo(self._folder / _ANSWERS, 0o600)
            self._answers = os.open(self._folder / _ANSWERS, os.O_RDONLY | os.O_NONBLOCK)
            error = subprocess.STDOUT if command.merged else subprocess.PIPE
            # the folder is found by the next start, should the process live on after the end of this one
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
            if self._exchange(b"", seconds, cancel).code:
                raise HostError("the process cannot be used")
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def run(self, call: ToolCall, seconds: float | None = None, cancel: Flag | None = None) -> ToolEnd:
        """Return the end of a run of at most ``seconds``. After any HostError the process is gone."""
        try:
            return self._exchange(call.request(), seconds, cancel)
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
        if self._answers >= 0:  # after a second call the number may be that of a file that another thread has opened
            os.close(self._answers)
            self._answers = -1
        remove(self._folder)

    def end(self) -> None:
        """End the process at once, from a thread other than that of its run. The run then raises HostError."""
        kill_group(self._process)

    def retire(self, seconds: float, cancel: Flag) -> None:
        """Let the process come to its own end, for at most so long, or until ``cancel`` is set."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not cancel.is_set() and not has_ended(self._process):
            time.sleep(_POLL)
        self.kill()

    def _exchange(self, request: bytes, seconds: float | None, cancel: Flag | None) -> ToolEnd:
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
                if cancel is not None and cancel.is_set():
                    raise HostInterruptedError(limit.elapsed(), late=False)
                if limit.passed():
                    raise HostInterruptedError(limit.elapsed(), late=True)
                if sum(map(len, outputs)) > _MOST_OUTPUT:
                    raise HostError("too much output")
                if ended and not came:
                    return self._ended(request, outputs, limit.elapsed())
            while self._read(selector, 0):  # what was written before the answer
                pass
        code, again = _ANSWER.unpack(answer[: _ANSWER.size])
        self.usable = bool(again)
        return _told(code, outputs, limit.elapsed())

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

    def _ended(self, request: bytes, outputs: list[bytearray], seconds: float) -> ToolEnd:
        """Return the end of a run that ended the process."""
        self.usable = False
        self._family.kill()
        self._code = self._family.wait()
        if not request or self._code < 0 or self._own:
            raise HostError("the process broke down")
        return _told(self._code, outputs, seconds)


def _told(code: int, outputs: list[bytearray], seconds: float) -> ToolEnd:
    out, err = [_without_own_frames(bytes(output)) for output in (*outputs, bytearray())][:2]
    return ToolEnd(code, out, err, seconds)


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
    """Return the folder with the classes of the process. Raise HostError."""
    folder, options = _FOREIGN.get(version, _NO_FOREIGN)
    sources = [*(_SOURCES / f"{name}.java" for name in _COMMON), _SOURCES / folder / "WorkingFolder.java"]
    release = ("--release", str(version)) if "--enable-preview" in options else ()  # javac takes both or neither
    try:
        return compiled_sources(jdk, sources, options=(*release, *options))
    except JarletError as error:
        raise HostError(str(error)) from error


_OWN_SIGN = b"at tool.Exits."
_OWN_FRAME = re.compile(rb"^\s+at tool\.(?:Program|Exits)\.")
_THREAD_START = re.compile(rb"^\s+at (?:java\.base/)?java\.lang\.Thread\.run\w*\(")
_MORE_FRAMES = re.compile(rb"^(\s+\.\.\. )(\d+)( (?:more|common frames omitted)\r?\n?)$")
_IN_TRACE = re.compile(rb"^(?:\s|Caused by: )")
"""Lines of a stack trace that only a program in this process has, and what tells them from others."""


def _without_own_frames(text: bytes) -> bytes:
    """Return an output with stack traces as a process of its own prints them: a cause counts fewer frames in common."""
    if _OWN_SIGN not in text:
        return text
    kept: list[bytes] = []
    own = 0
    for line in text.splitlines(keepends=True):
        more = _MORE_FRAMES.match(line)
        if _OWN_FRAME.match(line) or (own and _THREAD_START.match(line)):
            own += 1
        elif more is not None:
            kept.append(b"%s%d%s" % (more[1], max(0, int(more[2]) - own), more[3]))
        else:
            own = own if _IN_TRACE.match(line) else 0
            kept.append(line)
    return b"".join(kept)
