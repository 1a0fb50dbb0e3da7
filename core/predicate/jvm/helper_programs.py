"""Our own Java programs in ``resources/java/warm``, compiled with the user's JDK when they are first needed."""

from __future__ import annotations

import atexit
import hashlib
import os
import secrets
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path

from core.archive.packer import write_jar
from core.errors import OutputError, PredicateError
from core.library.jdk import QUICK_TOOL, Jdk
from core.system.file_locks import take
from core.system.removal import remove
from core.system.work_folder import WorkFolder
from core.user_folders import cache_folder
from resources import path

SOURCES = path("java/warm")
_HOST = ("Adapted", "Reuse", "View", "Candidate", "Named", "Nesting", "Platform", "Compiler", "Decompiler")
_ALONE = ("Cold", "Verify", "Constants", "KotlinMetadata", "Each", "Uses", "Apart", "Both", "Part", "Reflected")
_COMMON = tuple(f"{name}.java" for name in (*_HOST, *_ALONE))
_TIMEOUT = 300.0
_JAR = "programs.jar"


def program_of(words: Iterable[object]) -> str:
    """Return the program in a tool's words that is compiled with the tool's jars; empty if there is none."""
    named = [str(word).removeprefix("warm.") for word in words if str(word).startswith("warm.")]
    return "".join(name for name in named if f"{name}.java" not in _COMMON)


def compiled(jdk: Jdk, adapter: str | None = None, jars: Sequence[Path] = ()) -> Path:
    """Return the folder of class files, with the adapter (``"Cfr"``) or program that needs ``jars`` if one is named.

    The folder goes by the sources, the JDK and the jars; it is compiled once, whoever asks at the same
    moment waits. Raises PredicateError when javac refuses.
    """
    names = [*_COMMON, *([f"{adapter}.java"] if adapter else [])]
    return compiled_sources(jdk, [SOURCES / name for name in names], jars)


def compiled_sources(jdk: Jdk, sources: Sequence[Path], jars: Sequence[Path] = (), options: Sequence[str] = ()) -> Path:
    """Return the folder of class files of some sources that need ``jars``: as :func:`compiled`."""
    key = hashlib.sha256("\0".join([jdk.identity, *options]).encode())
    for source in sources:
        key.update(source.name.encode() + b"\0" + source.read_bytes())
    for jar in jars:
        stat = jar.stat()
        key.update(f"{jar.resolve()} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    folder = _usable(cache_folder()) / "programs" / key.hexdigest()[:32]
    javac = jdk.home / "bin" / "javac"
    return _ONCE.do(folder, lambda: _made(folder, javac, sources, jars, options))


@cache
def _usable(place: Path) -> Path:
    """Return the cache, or a temporary folder of this process if the cache is read-only."""
    inside = [place / "locks", place / "programs"]
    with suppress(OSError):
        for folder in inside:
            folder.mkdir(parents=True, exist_ok=True)
    return place if all(os.access(folder, os.W_OK | os.X_OK) for folder in inside) else _own_place().path


@cache
def _own_place() -> WorkFolder:
    folder = WorkFolder()
    atexit.register(folder.close)
    return folder


def packed(folder: Path) -> Path:
    """Return a jar of the classes in a folder of :func:`compiled_sources`, as archives of classes want it. Raise
    PredicateError."""
    jar = folder / _JAR
    with _locked(folder) if not jar.is_file() else nullcontext():
        if not jar.is_file():
            names = sorted(folder.rglob("*.class"))
            try:
                write_jar(jar, [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in names])
            except (OSError, OutputError) as error:
                raise PredicateError(f"Jarlet's own Java program cannot be packed: {error}") from error
    return jar


class Once:
    """A maker of folders, each once: whoever asks while it is being made waits for it, and gets the same error.

    Threads share one making. Other processes wait at a lock; the system releases the lock of a dead process. On a file
    system without locks several may make a folder, as :func:`_compile` allows.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[Path, Future[Path]] = {}

    def do(self, folder: Path, make: Callable[[], Path]) -> Path:
        """Return the folder, if need be made by ``make``."""
        if folder.is_dir():
            return folder
        with self._lock:
            future = self._under_way.get(folder)
            first = future is None
            if future is None:
                future = self._under_way[folder] = Future()
        if first:
            try:
                future.set_result(make())
            except BaseException as error:
                future.set_exception(error)
            finally:
                with self._lock:
                    del self._under_way[folder]
        return future.result()


_ONCE = Once()


def _made(folder: Path, javac: Path, sources: Sequence[Path], jars: Sequence[Path], options: Sequence[str]) -> Path:
    """Return the folder, compiled unless another process has done it. Raise PredicateError."""
    if not javac.is_file():
        raise PredicateError(
            f"There is no javac in {javac.parent.parent}: install a JDK (Debian: default-jdk-headless)."
        )
    try:
        with _locked(folder):
            if not folder.is_dir():
                _compile(folder, javac, sources, jars, options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PredicateError(f"Jarlet's own Java program cannot be compiled into {folder}: {error}") from error
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Within it no other process makes ``folder``. The file of the lock stays: another may be waiting for it."""
    locks = folder.parent.with_name("locks")
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / folder.name).open("ab") as file:
        with suppress(OSError):
            take(file.fileno())
        yield


def _compile(folder: Path, javac: Path, sources: Sequence[Path], jars: Sequence[Path], options: Sequence[str]) -> None:
    """Compile into a temporary folder, which then gets its name."""
    temporary = folder.with_name(f".{folder.name}-{secrets.token_hex(6)}")
    command = [str(javac), *QUICK_TOOL, *options, "-encoding", "UTF-8", "-nowarn", "-proc:none", "-d", str(temporary)]
    command += ["-cp", os.pathsep.join(map(str, jars)) or str(temporary)]
    try:
        temporary.mkdir(parents=True)
        done = subprocess.run(
            [*command, *map(str, sources)],
            capture_output=True, text=True, errors="replace", check=False, timeout=_TIMEOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if done.returncode:
            raise PredicateError(f"Jarlet's own Java program cannot be compiled with {javac}: {done.stderr[:2000]}")
        try:
            temporary.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another program was faster
                raise
    finally:
        remove(temporary)
