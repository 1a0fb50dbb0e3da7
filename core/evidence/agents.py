"""The agents of a watched run: JaCoCo's, in one version, and our own for loaded classes and read resources."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError, OutputError, PredicateError
from core.library.jdk import Jdk
from core.library.jdks import choose_jdk
from core.predicate.jvm.helper_programs import compiled_sources
from core.predicate.tools import JACOCO
from core.system.files import write_whole

SOURCES = Path(__file__).resolve().parents[2] / "resources" / "java" / "evidence"

_ON_BOOT_PATH = ("evidence/Notes.class", "evidence/Notes$End.class", "evidence/Notes$Heard.class")
_LOG = "loaded-"
_OLDEST, _NEWEST = 8, 25
"""Versions of the JDK whose javac can compile class files for Java 8."""


class UnusableError(Exception):
    """A reason why a run cannot be watched, as a sentence. Behind it for a run that only reads the input: what the run
    printed, then a text for each exception, the last one first.
    """


@dataclass(frozen=True)
class Agents:
    """The programs of a watched run, and the reader of its records."""

    jdk: Jdk
    jacoco: Path
    own: Path
    """Jar of our agent. The classes for the boot class path lie beside the jar."""
    asm: Path
    reader: tuple[Path, ...]
    """Class path of the program that reads JaCoCo's records."""

    def environment(self, notes: Path, records: Path, inherited: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variable that makes every Java virtual machine watched. Raises UnusableError."""
        _refuse_letters(" \t\n\"',;=", self.jacoco, self.own, self.asm, notes, records)
        return _options(
            inherited,
            f"-javaagent:{self.own}={notes};{self.own};{self.asm}",
            # a class loader of the input's own may tell no place of its classes; those of reflection cannot name them
            f"-javaagent:{self.jacoco}=destfile={records},inclnolocationclasses=true,excludes=jdk.internal.*:sun.*",
        )


def lacking() -> str | None:
    """Return a sentence about how to get JaCoCo, or None where JaCoCo is there."""
    return None if JACOCO.find() else JACOCO.missing()


def fetch() -> str | None:
    """Get JaCoCo where it is missing. Return the reason for a failure as a sentence, or None."""
    return None if JACOCO.find() else JACOCO.fetch()


def find() -> Agents:
    """Return the agents. Our own are compiled on first use. Raises UnusableError with a remedy."""
    jars = JACOCO.find()
    if jars is None:
        raise UnusableError(JACOCO.missing())
    try:
        jdk = choose_jdk("", 0).jdk
        old = ("--release", str(_OLDEST)) if _OLDEST < jdk.feature <= _NEWEST else ()
        classes = compiled_sources(jdk, sorted(SOURCES.glob("*.java")), jars, old)
        own = _packed(classes)
    except (InputError, OutputError, PredicateError, OSError) as error:
        raise UnusableError(str(error)) from error
    return Agents(jdk, jars[0], own, jars[2], (classes, *jars[1:]))


def class_log(folder: Path, inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variable by which every Java virtual machine lists its loaded classes, in a file of its
    own in ``folder``. This needs Java 9 but no agent. Raises UnusableError.
    """
    _refuse_letters(" \t\n\"',:%", folder)
    return _options(inherited, f"-Xlog:class+load=info:file={folder}/{_LOG}%p.txt")


def listed_classes(folder: Path) -> set[str]:
    """Return the internal names of the classes in the files of :func:`class_log`."""
    found = set()
    for path in sorted(folder.glob(f"{_LOG}*.txt")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, source = line.rpartition("] ")[2].partition(" source: ")
            if source:
                found.add(name.strip().replace(".", "/"))
    return found


def _options(inherited: Mapping[str, str], *more: str) -> dict[str, str]:
    """Return the environment variable with options for every Java virtual machine, behind those of the user."""
    name = "JAVA_TOOL_OPTIONS"
    return {name: " ".join(filter(None, (inherited.get(name), *more)))}


def _refuse_letters(letters: str, *paths: Path) -> None:
    for path in paths:
        if any(letter in str(path) for letter in letters):
            raise UnusableError(f"The path {path} has a letter that the options of a Java agent cannot have.")


def _packed(classes: Path) -> Path:
    """Return our agent, packed as the JVM needs it: a jar with a manifest, and a jar for the boot class path."""
    agent, boot = classes / "agent.jar", classes / "boot.jar"
    manifest = "Manifest-Version: 1.0\r\nPremain-Class: evidence.Agent\r\n"
    manifest += "Can-Retransform-Classes: true\r\nBoot-Class-Path: boot.jar\r\n\r\n"
    names = sorted(path.relative_to(classes).as_posix() for path in classes.rglob("*.class"))
    _write(boot, "Manifest-Version: 1.0\r\n\r\n", classes, _ON_BOOT_PATH)
    _write(agent, manifest, classes, [name for name in names if name not in _ON_BOOT_PATH])
    return agent


def _write(path: Path, manifest: str, classes: Path, names: Sequence[str]) -> None:
    """Write a jar in one step, because several programs may write it at the same time."""
    if path.exists():
        return
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", manifest)
        for name in names:
            jar.write(classes / name, name)
    write_whole(path, packed.getvalue(), durable=False)
