"""Our own Java programs in ``resources/java/warm``, compiled with the user's JDK when they are first needed."""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
from collections.abc import Sequence
from pathlib import Path

from core.errors import PredicateError
from core.jar.jdk import Jdk
from core.system.removal import remove

SOURCES = Path(__file__).resolve().parents[2] / "resources" / "java" / "warm"
_COMMON = tuple(
    f"{name}.java"
    for name in ("Host", "Reuse", "View", "Candidate", "Platform", "Compiler", "Decompiler", "Cold", "Verify")
)
_TIMEOUT = 300.0


def cache_folder() -> Path:
    """Where what can be made anew is kept between runs: ``$XDG_CACHE_HOME/jarlet``."""
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "jarlet"


def compiled(jdk: Jdk, adapter: str | None = None, jars: Sequence[Path] = ()) -> Path:
    """The folder of class files, with the adapter (``"Cfr"``) to the decompiler in *jars* if one is named.

    The folder goes by the sources, the JDK and the jars; several programs may make it at once. Raises
    PredicateError when javac refuses.
    """
    names = [*_COMMON, *([f"{adapter}.java"] if adapter else [])]
    key = hashlib.sha256(jdk.identity.encode())
    for name in names:
        key.update(name.encode() + b"\0" + (SOURCES / name).read_bytes())
    for jar in jars:
        stat = jar.stat()
        key.update(f"{jar.resolve()} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    folder = cache_folder() / "programs" / key.hexdigest()[:32]
    if folder.is_dir():
        return folder
    javac = jdk.home / "bin" / "javac"
    if not javac.is_file():
        raise PredicateError(f"There is no javac in {jdk.home}: install a JDK (Debian: default-jdk-headless).")
    temporary = folder.with_name(f".{folder.name}-{secrets.token_hex(6)}")
    quick = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
    command = [str(javac), *quick, "-encoding", "UTF-8", "-nowarn", "-proc:none", "-d", str(temporary)]
    command += ["-cp", os.pathsep.join(map(str, jars)) or str(temporary)]
    try:
        temporary.mkdir(parents=True)
        done = subprocess.run(
            [*command, *(str(SOURCES / name) for name in names)],
            capture_output=True, text=True, errors="replace", check=False, timeout=_TIMEOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if done.returncode:
            raise PredicateError(f"Jarlet's own Java program cannot be compiled with {javac}: {done.stderr[:2000]}")
        try:
            temporary.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another program was faster
                raise
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PredicateError(f"Jarlet's own Java program cannot be compiled into {folder}: {error}") from error
    finally:
        remove(temporary)
    return folder
