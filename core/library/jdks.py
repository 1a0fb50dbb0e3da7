"""The Java installations of the machine, and the choice among them by the newest class file of an input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.entries import Entries
from core.errors import InputError, UsageError
from core.library.jdk import Jdk, find_jdk, jdk_in

FIRST_VERSION = 44
"""Version of class files that Java 0 would have had: Java 8 has version 52."""

_FOLDERS = {
    "linux": ("/usr/lib/jvm/*", "/usr/lib64/jvm/*", "/usr/java/*", "/usr/local/java/*", "/opt/*", "/opt/*/*"),
    "darwin": (
        "/Library/Java/JavaVirtualMachines/*/Contents/Home", "~/Library/Java/JavaVirtualMachines/*/Contents/Home",
        "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
        "/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    ),
}  # fmt: skip
"""Folders of installations, as patterns, by the name of the system."""

_OF_MANAGERS = (
    "~/.sdkman/candidates/java/*", "~/.jdks/*", "~/.gradle/jdks/*", "~/.asdf/installs/java/*",
    "~/.local/share/mise/installs/java/*", "~/.jenv/versions/*",
)  # fmt: skip
"""Folders in which version managers and development environments keep installations, as patterns."""


@dataclass(frozen=True)
class JdkChoice:
    """The installation for an input, and the reason for it as the end of a sentence."""

    jdk: Jdk
    why: str = ""
    lacking: str = ""
    """A sentence, in small letters, if the input is newer than the installation; empty if it is not."""


def needed_java(classes: Entries) -> int:
    """Return the Java version (8, 17) of the newest of some class files, given by entry name and (first) bytes.

    Copies for later versions in a multi-release jar do not count, nor do the descriptors of modules: an older Java
    passes both over.
    """
    versions = (
        int.from_bytes(data[6:8], "big")
        for name, data in classes
        if name.endswith(".class") and "META-INF/versions/" not in name and not name.endswith("-info.class")
    )
    return java_of(max(versions, default=0))


def java_of(version: int) -> int:
    """Return the release of Java whose class files have this major version; 0 for none."""
    return max(version - FIRST_VERSION, 0)


def installed_jdks() -> list[Jdk]:
    """Return all installations, each once: that of JAVA_HOME or PATH first, then by version, those with a compiler
    before those without.
    """
    found: list[Jdk] = []
    with suppress(InputError):
        found.append(find_jdk())
    homes = dict.fromkeys(map(os.path.realpath, _homes()))
    others = [jdk for home in homes if (jdk := jdk_in(Path(home))) is not None]
    found += sorted(others, key=lambda jdk: (not jdk.compiles, jdk.feature, str(jdk.home)))
    seen: dict[str, Jdk] = {}
    for jdk in found:
        seen.setdefault(os.path.realpath(jdk.home), jdk)
    return list(seen.values())


def choose_jdk(wanted: str, needed: int, newest: int = 0) -> JdkChoice:
    """Return the ``wanted`` installation (a folder or a version), else the best one for an input of the Java version
    ``needed``. Tools read the class library of Java ``newest`` at most (0: of any).

    The best one is that of JAVA_HOME or PATH if it is new enough and has a compiler, else the oldest such installation,
    else the newest. Installations readable by the tools go first. Raise UsageError if there is none that is wanted,
    InputError if there is none at all.
    """
    default = None
    with suppress(InputError):
        default = find_jdk()
        if not wanted and _fits(default, needed) and _read(default, newest):
            return JdkChoice(default)
    found = installed_jdks()
    if wanted:
        jdk, why = _named(wanted, found), "as --jdk says"
    else:
        jdk = _best([one for one in found if _read(one, newest)] or found, needed)
        why = "since JAVA_HOME and PATH have none" if default is None else ""
        if default is not None and jdk is not found[0]:
            before = f"the one of JAVA_HOME or PATH is JDK {default.release}"
            needs = f"the input needs Java {needed}" if default.compiles else "a JDK with javac is needed"
            needs = needs if _read(default, newest) else f"the tool reads the classes of Java {newest} at most"
            why = f"since {needs}, and {before}"
    lacking = ""
    if not _read(jdk, newest):
        lacking = (
            f"the tool reads the classes of Java {newest} at most, those of the JDK, too, and {_listed(found, jdk)}: "
            "install an older one, or name the folder of one with --jdk."
        )
    elif jdk.feature < needed and not newest:
        newer = next((one for one in sorted(found, key=_age) if one.feature >= needed), None)
        remedy = f"install a JDK {needed} or later, or name the folder of one with --jdk"
        lacking = (
            f"the input has class files of Java {needed}, and {_listed(found, jdk)}: "
            f"{remedy if newer is None else f'--jdk {newer.feature} takes one that reads them'}."
        )
    return JdkChoice(jdk, why, lacking)


def class_library(jdk: Jdk) -> tuple[Path, ...]:
    """Return the class library of ``jdk`` as files, else the one of the newest installation with files; empty if there
    is none."""
    newest_first = sorted(installed_jdks(), key=_age, reverse=True)
    return next((one.library for one in (jdk, *newest_first) if one.library), ())


def _read(jdk: Jdk, newest: int) -> bool:
    return not newest or jdk.feature <= newest


def _fits(jdk: Jdk, needed: int) -> bool:
    return jdk.compiles and jdk.feature >= needed


def _best(found: list[Jdk], needed: int) -> Jdk:
    if not found:
        return find_jdk()  # raises, with a remedy
    fit = [jdk for jdk in found if _fits(jdk, needed)]
    return min(fit, key=_age) if fit else max(found, key=lambda jdk: (jdk.compiles, jdk.feature))


def _age(jdk: Jdk) -> int:
    return jdk.feature


def _named(wanted: str, found: list[Jdk]) -> Jdk:
    if wanted.replace(".", "").isdigit():
        fit = [jdk for jdk in found if f"{jdk.release}.".startswith(f"{wanted}.") or str(jdk.feature) == wanted]
        if fit:
            return fit[0]
        raise UsageError(f"There is no JDK {wanted}: {_listed(found)}. Name the folder of one, or install it.")
    jdk = jdk_in(Path(wanted).expanduser().absolute())
    if jdk is None:
        raise UsageError(f"--jdk {wanted}: no Java installation is in this folder, and {_listed(found)}.")
    return jdk


def _listed(found: list[Jdk], *more: Jdk) -> str:
    """Return words about the installations that are here, newest last."""
    known = {jdk.home: jdk for jdk in (*found, *more)}
    names = [f"JDK {jdk.release} ({jdk.home})" for jdk in sorted(known.values(), key=_age)]
    return f"here {'is' if len(names) == 1 else 'are'} {' and '.join(names)}" if names else "here is none"


def _homes() -> Iterator[Path]:
    """Yield possible places of an installation, a place perhaps several times."""
    for name, value in os.environ.items():
        if value and (name == "JDK_HOME" or name.startswith("JAVA_HOME")):
            yield Path(value)
    for part in os.environ.get("PATH", os.defpath).split(os.pathsep):
        for program in ("javac", "java"):
            yield Path(os.path.realpath(Path(part or ".", program))).parent.parent
    home = os.environ.get("HOME") or os.path.expanduser("~")
    sdkman = os.environ.get("SDKMAN_DIR")
    patterns = (*_FOLDERS.get(sys.platform, _FOLDERS["linux"]), *_OF_MANAGERS)
    for pattern in (*patterns, *([f"{sdkman}/candidates/java/*"] if sdkman else [])):
        path = Path(pattern.replace("~", home, 1) if pattern.startswith("~") else pattern)
        with suppress(OSError, ValueError):
            yield from sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
