"""Mutated jars through every command that reads one."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.monsters import ALL
from tests.fuzz.mutations import of_class
from tests.support.damage import damaged

NAMES = (
    "../evil.class",
    "/abs.class",
    "a\\b.class",
    "a//b.class",
    "./x.class",
    "\x1b[31m.class",
    "a\nb.class",
    "é\u202e.class",
    "META-INF/versions/99999999999999999999/A.class",
    "META-INF/versions/9/A.class",
    "x" * 300 + ".class",
    "a/.class",
    ".class",
    "META-INF/services/a.B",
    "WEB-INF/classes/A.class",
    "lib/x.jar",
    "d/" * 250 + "A.class",
    "META-INF/X.SF",
)

COMMANDS = (
    ("inspect",),
    ("inspect", "--granularity", "member"),
    ("inspect", "--granularity", "full", "--validity", "jvm"),
    ("inspect", "--json"),
    ("graph",),
    ("graph", "--format", "graphml", "--components"),
    ("graph", "--format", "svg", "--packages"),
    ("graph", "--format", "dot", "-o", "graph.dot"),
    ("why", "{class}"),
    ("why", "{class}", "{class}"),
    ("around", "{class}"),
    ("around", "{class}", "--without", "{class}", "-o", "around.jar"),
    ("sample", "--count", "2", "-o", "samples"),
    ("sample", "--count", "2", "-o", "samples", "--granularity", "full"),
    ("reduce", "--predicate", "grep -q [.]class {jar}", "--max-probes", "6", "-o", "out.jar"),
    (
        "reduce",
        "--predicate",
        "grep -q [.]class {jar}",
        "--max-probes",
        "4",
        "-o",
        "out.jar",
        "--report",
        "r.md",
        "--session",
        "s",
    ),
    ("reduce", "--predicate", "test -d {classes}", "--max-probes", "4", "-o", "out.jar", "--granularity", "member"),
    ("check", "--predicate", "grep -q [.]class {jar}", "--runs", "1"),
)


def _classes_in(path: Path) -> list[str]:
    """The classes of a jar or folder, as far as it can be read: a name that it lacks ends a command at once."""
    if path.is_dir():
        return sorted(file.relative_to(path).as_posix() for file in path.rglob("*.class"))
    try:
        with zipfile.ZipFile(path) as archive:
            return [name for name in archive.namelist() if name.endswith(".class")]
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return []


class Jars:
    """Makes cases of the entries of one jar."""

    def __init__(self, jar: Path) -> None:
        with zipfile.ZipFile(jar) as archive:
            found = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        self._classes = [(name, data) for name, data in found.items() if name.endswith(".class")]
        self._others = [(name, data) for name, data in found.items() if not name.endswith(".class")]

    def make(self, dice: random.Random, folder: Path) -> Case:
        """A jar of some classes of which at least one thing is wrong, and a command."""
        path = self.write(dice, folder)
        name = dice.choice(_classes_in(path) or [name for name, _ in self._classes]).removesuffix(".class")
        command, *words = dice.choice(COMMANDS)
        return Case(command, (str(path), *(word.replace("{class}", name) for word in words)))

    def write(self, dice: random.Random, folder: Path, whole: bool = False) -> Path:
        """The jar, or the folder of classes; *whole*: nothing is wrong with it."""
        entries = dice.sample(self._classes, min(len(self._classes), dice.randint(1, 8)))
        entries += dice.sample(self._others, min(len(self._others), dice.randint(0, 2)))
        if not whole:
            self._damage(entries, dice)
        if not whole and dice.random() < 0.1:
            place = folder / "classes"
            for name, data in entries:
                target = place / name.lstrip("/").replace("..", "_").replace("\0", "_")[:200]
                try:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
                except OSError:  # a folder of that name
                    continue
            place.mkdir(exist_ok=True)
            return place
        path = folder / "input.jar"
        with zipfile.ZipFile(path, "w", dice.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))) as archive:
            for name, data in entries:
                archive.writestr(zipfile.ZipInfo(name), data, archive.compression)
        if not whole and dice.random() < 0.25:
            path.write_bytes(damaged(path.read_bytes(), dice))
        return path

    def _damage(self, entries: list[tuple[str, bytes]], dice: random.Random) -> None:
        for _ in range(dice.choice((1, 1, 2, 4))):
            number = dice.randrange(len(entries))
            name, data = entries[number]
            match dice.randrange(8):
                case 0 | 1 | 2 | 3:
                    entries[number] = name, of_class(data, dice)
                case 4:
                    entries[number] = name, dice.choice(entries)[1]
                case 5:
                    new = dice.choice(NAMES)
                    if new not in dict(entries):
                        entries[number] = new, data
                case 6:
                    monster = dice.choice(ALL)
                    new = f"m/{monster.__name__}.class"
                    if new not in dict(entries):
                        entries.append((new, monster(dice).bytes()))
                case 7:
                    manifest = b"Manifest-Version: 1.0\nMulti-Release: true\n" + b"Name: x\n y\n\n" * dice.choice(
                        (1, 90_000)
                    )
                    if "META-INF/MANIFEST.MF" not in dict(entries):
                        entries.append(("META-INF/MANIFEST.MF", damaged(manifest, dice)))
