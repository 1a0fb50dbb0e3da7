"""Class-data archives (JEP 350): the loaded classes of a Java program, ready to be mapped for a quicker start.

There is one for each command line that starts a tool with jars of its own. A process of low priority makes it at the
tool's first run, in a run of the tool on a small jar. It is kept in the cache, by the JDK, the words of the command,
and size and time of every named file. Without an archive, or if the JVM rejects it, the tool starts as usual: an
archive changes when classes are read, and nothing else.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.library.jdk import Jdk
from core.predicate import process
from core.predicate.places import environment_of
from core.system import file_locks
from core.system.work_folder import temporary_folder
from core.user_folders import cache_folder

_FIRST = 13
"""The first JDK that archives the loaded classes of a program with several jars."""

_LONGEST = 120.0
"""Seconds that making one may take."""

_POLITE = ("nice", "-n", "10")

_LAUNCHERS = {"java": "", "javac": "-J"}
"""Programs of the JDK that can use archives, each with the prefix of its options for the JVM."""

_QUIET = "-Xlog:cds*=off"
"""Option that silences a JVM about an unfit archive. The message would stand in the tool's output."""

_GOODBYE = 2.0
"""Seconds that the program waits at its end for the running maker of archives."""


@dataclass(frozen=True)
class ClassArchive:
    """The archive of one command line. ``words`` begin with a launcher of ``jdk``."""

    jdk: Jdk
    words: tuple[str, ...]

    @classmethod
    def of(cls, jdk: Jdk, words: Sequence[str]) -> ClassArchive | None:
        """Return the archive; None for a program outside the JDK, or a JDK without archives."""
        launcher = Path(words[0]) if words else Path()
        if jdk.feature < _FIRST or launcher.parent != jdk.home / "bin" or launcher.name not in _LAUNCHERS:
            return None
        return cls(jdk, tuple(words))

    def find(self) -> Path | None:
        """Return the file, if it is whole: its name has its size, since a JVM that maps half of one breaks down."""
        with contextlib.suppress(OSError, ValueError):
            for path in _folder().glob(f"{self._key}-*.jsa"):
                if path.stat().st_size == int(path.stem.rpartition("-")[2]):
                    return path
        return None

    def quick(self) -> tuple[str, ...]:
        """Return the words with the archive, if there is one."""
        path = self.find()
        return self.words if path is None else _with(self.words, f"-XX:SharedArchiveFile={path}", "-Xshare:auto")

    def make(self, run: Callable[[tuple[str, ...]], object]) -> None:
        """Let ``run`` run the words with the options that make the archive, unless another process makes it."""
        if self.find() is not None:
            return
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{self._key}.lock").open("ab") as lock:
            file_locks.try_take(lock.fileno())
            temporary = folder / f".{self._key}-{secrets.token_hex(6)}"
            try:
                run(_with(self.words, f"-XX:ArchiveClassesAtExit={temporary}"))
                with contextlib.suppress(FileNotFoundError):
                    temporary.rename(folder / f"{self._key}-{temporary.stat().st_size}.jsa")
            finally:
                temporary.unlink(missing_ok=True)

    @property
    def _key(self) -> str:
        key = hashlib.sha256("\0".join([self.jdk.identity, *self.words]).encode("utf-8", "surrogateescape"))
        for line in files_of(self.words):
            key.update(f"{line}\n".encode("utf-8", "surrogateescape"))
        return key.hexdigest()[:32]


class ArchiveMaker:
    """A maker of archives, one after another in the background, each once a process. The maker ends with the
    process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: set[object] = set()
        self._jobs: list[Callable[[Path], None]] = []
        self.over = threading.Event()
        self._thread: threading.Thread | None = None
        atexit.register(self.close)

    def ask(self, key: object, job: Callable[[Path], None]) -> None:
        """Run ``job`` once for a ``key``, in a folder of its own. Its errors are ignored."""
        with self._lock:
            if key in self._asked or self.over.is_set():
                return
            self._asked.add(key)
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="archives", daemon=True)
                self._thread.start()

    def run(self, words: Sequence[str], folder: Path) -> None:
        """Run a command in ``folder`` until it ends, with little right to the processors."""
        polite = _POLITE if shutil.which(_POLITE[0]) else ()
        launch = process.Launch([*polite, *words], folder, environment_of(folder), f"JARLET_WORK={folder}")
        process.run(launch, _LONGEST, self.over)

    def wait(self) -> None:
        """Return when all requested archives are done."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """End the work under way."""
        self.over.set()
        if self._thread is not None:
            self._thread.join(_GOODBYE)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs or self.over.is_set():
                    self._thread = None
                    return
                job = self._jobs.pop(0)
            # without an archive all goes on as before
            with contextlib.suppress(Exception), temporary_folder() as folder:
                job(folder)


MAKER = ArchiveMaker()


def files_of(words: Sequence[str]) -> tuple[str, ...]:
    """Return the name, size and time of each file that the words of a command name by its whole path."""
    found = []
    for piece in (piece for word in words for piece in word.split(os.pathsep) if piece.startswith("/")):
        with contextlib.suppress(OSError):
            facts = Path(piece).stat()
            found.append(f"{piece} {facts.st_size} {facts.st_mtime_ns}")
    return tuple(found)


def _with(words: tuple[str, ...], *options: str) -> tuple[str, ...]:
    begin = _LAUNCHERS[Path(words[0]).name]
    return (words[0], *(f"{begin}{option}" for option in (*options, _QUIET)), *words[1:])


def _folder() -> Path:
    return cache_folder() / "archives"
