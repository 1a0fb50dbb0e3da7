"""The referee's judges: the virtual machine, reflection (both ``tests/bench/java/referee``) and ProGuard.

Each is run once for many jars."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from core.library.jdk import Jdk, find_jdk
from core.predicate.jvm.helper_programs import compiled_sources
from tests.bench.referee_proguard import class_files, levelled, readable

SOURCES = Path(__file__).with_name("java") / "referee"
PROGUARD = Path("/usr/share/java/proguard.jar")
"""Where Debian's package ``proguard`` has it."""

_SMALL = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1500m", "-Xss4m")
_OPEN = ("--add-opens", "java.base/java.lang.invoke=ALL-UNNAMED")
_ONLY_READ = (
    "-dontshrink", "-dontoptimize", "-dontobfuscate", "-dontpreverify", "-dontnote", "-ignorewarnings",
    # Without seeds to print it would read the jar and stop there, and seeds need something to keep.
    "-keep class nothing", f"-printseeds {os.devnull}",
)  # fmt: skip

Row = dict[str, str | int]

_CLASSES = re.compile(r"L[^;()]+;")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A finding. Those of ``level`` "src" break no program that runs: a missing class of a declaration, reflection.
    Those of the judge that reads all by reflection have the level "reflection"."""

    type: str
    """Internal name of the class that has it."""
    level: str
    kind: str
    target: str
    """Missing or wrong thing: a class, ``class.name:descriptor``, a method where the verifier stopped."""
    message: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Key of the same finding in another version of the class, in which descriptors may name Object."""
        return self.type, self.kind, _CLASSES.sub("L;", self.target)

    def named(self, undone: Callable[[str], str]) -> Problem:
        """The same finding with other names, as a function of texts tells them."""
        return replace(self, type=undone(self.type), target=undone(self.target), message=undone(self.message))

    @property
    def judge(self) -> str:
        """The judge that found the problem."""
        if self.level == "reflection" or self.kind == "proguard":
            return self.level if self.level == "reflection" else self.kind
        return "machine"

    @property
    def owner(self) -> str:
        """The class that the target belongs to, if the target begins with one."""
        return self.target.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one jar. ``classes`` is 0 where the judge does not count them."""

    classes: int
    problems: frozenset[Problem]


class Machine:
    """A virtual machine that judges one jar after another. Used in a ``with`` statement."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed with the machine
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def judge(self, jars: Iterable[Path], timeout: float = 600) -> list[Verdict]:
        """Return the findings in each of *jars*. Raise ``RuntimeError`` if the machine ends, or takes over
        ``timeout`` seconds for one."""
        return [self._verdict(jar, timeout) for jar in jars]

    def _verdict(self, jar: Path, timeout: float) -> Verdict:
        assert self._process.stdin
        assert self._process.stdout
        clock = threading.Timer(timeout, self._process.kill)
        clock.start()
        try:
            self._process.stdin.write(f"{jar}\n")
            self._process.stdin.flush()
            found = set()
            for line in self._process.stdout:
                if not line.startswith("{"):
                    continue  # a warning of the virtual machine's own
                row = json.loads(line)
                if "classes" in row:
                    return Verdict(row["classes"], frozenset(found))
                found.add(Problem(*(row[key] for key in ("class", "level", "kind", "target", "message"))))
        except BrokenPipeError:
            pass
        finally:
            clock.cancel()
        code = self._process.wait()
        self._errors.seek(0)
        end = self._errors.read().strip()[-2000:]
        raise RuntimeError(f"The judge ended with code {code} before it was done with {jar}: {end}")


class Referee:
    """The judges, with *folder* for their files. Raises ``PredicateError`` when they cannot be compiled, and
    ``RuntimeError`` when they do not judge."""

    def __init__(self, folder: Path, jdk: Jdk | None = None) -> None:
        self._folder = folder
        self._jdk = jdk or find_jdk()
        self._classes = compiled_sources(self._jdk, sorted(SOURCES.glob("*.java")))

    def machine(self, jars: Sequence[Path], class_path: Sequence[Path] = (), level: str = "src") -> list[Verdict]:
        """Return the findings of the virtual machine in each of *jars*, for one of the levels of :meth:`resident`."""
        with self.resident(class_path, level) as machine:
            return machine.judge(jars)

    def resident(
        self, class_path: Sequence[Path] = (), level: str = "src", full: Path | None = None, jdk: Jdk | None = None
    ) -> Machine:
        """Start a virtual machine that judges jars until it is closed.

        With the *level* "jvm" only problems of that level are looked for; with "reflection" classes are read by
        reflection, and no more; "all" is "src" and then "reflection". *full*: the jar that all others are parts of;
        then the class path is loaded once for all.
        """
        # classes of a loader of ours are verified in any case, and -Xverify:all doubles the time of a start
        command = [(jdk or self._jdk).java, *_SMALL, *_OPEN, "-cp", self._classes, "referee.Referee", level]
        return Machine([*command, os.pathsep.join(map(str, class_path)), *([full] if full else [])])

    def proguard(self, jars: Sequence[Path], libraries: Sequence[Path] = (), timeout: float = 3600) -> list[Verdict]:
        """ProGuard's warnings about each of *jars*; one process reads all of them.

        *libraries*: class path and JDK as ProGuard can read them, see :mod:`tests.bench.referee_proguard`.
        """
        command = ["-cp", os.pathsep.join((str(self._classes), str(PROGUARD))), "referee.Shrinker"]
        paths = os.pathsep.join(f"'{path}'" for path in libraries)
        options = [*_ONLY_READ, *([f"-libraryjars {paths}"] if libraries else [])]
        # It is an error to it when there is no class at all.
        asked = [jar for jar in jars if next(class_files(jar), None)]
        copies = [readable(jar, self._folder) for jar in asked]
        try:
            found = self._run(command, copies, options, timeout)
        finally:
            for jar, copy in zip(asked, copies, strict=True):
                if copy != jar:
                    copy.unlink()
        verdicts = {jar: Verdict(0, frozenset()) for jar in jars}
        for jar, rows in zip(asked, found, strict=True):
            failed = next((str(row["failed"]) for row in rows if "failed" in row), None)
            if failed is not None:
                raise RuntimeError(f"ProGuard cannot judge {jar}: {failed}")
            messages = [str(row["message"]) for row in rows if "message" in row]
            warned = {
                Problem(name, level, "proguard", text, f"{name}: {text}")
                for name, level, text in levelled(jar, messages)
            }
            verdicts[jar] = Verdict(0, frozenset(warned))
        return [verdicts[jar] for jar in jars]

    def _run(
        self, command: Sequence[str], jars: Sequence[Path], options: Sequence[str], timeout: float
    ) -> list[list[Row]]:
        """The rows about each jar. Raises ``RuntimeError`` if the process ended before it was done with all."""
        names = self._folder / f"jars-{secrets.token_hex(6)}.txt"
        names.write_text("".join(f"{jar}\n" for jar in jars), encoding="utf-8")
        rows: dict[str, list[Row]] = {str(jar): [] for jar in jars}
        try:
            done = subprocess.run(
                [self._jdk.java, *_SMALL, *command, names, *options],
                capture_output=True, text=True, encoding="utf-8", check=False, timeout=timeout,
            )  # fmt: skip
        finally:
            names.unlink()
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                row = json.loads(line)
                rows[row.pop("jar")].append(row)
        for jar in jars:
            if not any("done" in row for row in rows[str(jar)]):
                end = done.stderr.strip()[-2000:]
                raise RuntimeError(f"The judge ended with code {done.returncode} before it was done with {jar}: {end}")
        return [rows[str(jar)] for jar in jars]
