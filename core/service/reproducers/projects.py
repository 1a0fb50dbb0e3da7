"""A maintainer's test as files of a project: the folders, names and packages of its tests, and how the test is
registered there. ``resources/projects.toml`` has the projects.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import normpath, relpath
from string import Template
from textwrap import indent
from typing import Any

from core.errors import UsageError
from core.words import no_such
from resources import path

_FILE = path("projects.toml")
_BUG_DIGITS = 7
"""Least number of digits of a bug that jtreg takes."""
_SUMMARY = 100
"""Largest number of characters of a failure in a comment."""


@dataclass(frozen=True)
class TestMaterial:
    """The parts of a test: the failing class, the files, and how they become class files."""

    main: str
    """Internal name of the class that fails, as it is in the project."""
    sources: Mapping[str, str]
    """Java sources by their paths; empty where there is assembler text."""
    assembler: Mapping[str, str]
    """Assembler texts by the paths of the class files with another ending."""
    classes: tuple[str, ...]
    """Internal names of all classes, nested ones too."""
    release: int
    debug: bool
    issue: str
    failures: tuple[str, ...]
    predicate: str
    """The preset or the command, in words."""
    others: tuple[str, ...]
    """Internal names of the classes that fail besides ``main``."""
    uses: Mapping[str, str]
    """Sources that a compiler was given with the class files, by their names."""


@dataclass(frozen=True)
class TestFiles:
    """The files of a test by their paths in the project, and the remaining steps for the user."""

    files: Mapping[str, str]
    steps: tuple[str, ...]
    """Sentences and lines of code, in the order in which they are followed."""


Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Project:
    """A project whose tests Jarlet can lay out, as it is declared."""

    name: str
    title: str
    package: str
    prefix: str
    renames: bool = True
    """False where the classes keep their own names: other sources mention them."""
    releases: Sequence[int] = ()
    values: Rows = ()
    files: Rows = ()
    texts: Rows = ()
    steps: Rows = ()

    @property
    def named_by_issue(self) -> bool:
        """True if the issue alone names the failing class."""
        return "{issue}" in self.prefix and not self.prefix.endswith("_")

    def main_name(self, name: str, issue: str) -> str:
        """Return the internal name of a failing class, whose simple name is ``name``."""
        start = self.prefix.replace("{issue}", issue)
        if self.named_by_issue:
            name = start
        elif not name.startswith(start):
            name = f"{start}{name}"
        return f"{self.package}/{name}" if self.package else name

    def lay(self, of: TestMaterial) -> TestFiles:
        """Return the files of a test, and the steps that are left."""
        sets = [each for each in self.releases if each >= of.release] or self.releases[-1:] or [of.release]
        filled = _Filled(of, sets[0])
        for row in filled.chosen(self.values):
            filled.values[row["name"]] = row.get("join", "").join(filled.texts(row, "text"))
        files = {
            f"{folder}/{path.rpartition('/')[2] if row.get('flat') else path}": text
            for row in filled.chosen(self.files)
            for folder in filled.texts(row, "folder")
            for path, text in (of.sources or of.assembler).items()
        }
        for row in filled.chosen(self.texts):
            files |= dict(zip(map(normpath, filled.texts(row, "path")), filled.texts(row, "text"), strict=True))
        return TestFiles(files, tuple(text for row in filled.chosen(self.steps) for text in filled.texts(row, "text")))


class _Filled:
    """The values, lists and words of a project's templates."""

    def __init__(self, of: TestMaterial, release: int) -> None:
        package, _, simple = of.main.rpartition("/")
        words = f"--release {of.release} {'-g' if of.debug else '-g:none'}"
        self.values = {
            "simple": simple,
            "package": package,
            "dotted": package.replace("/", "."),
            "group": package.rpartition("/")[2],
            "release": str(release),
            "words": words,
            "flags": f"javac {words}",
            "options": ", ".join(f'"{word}"' for word in words.split()),
            "issue": of.issue,
            "digits": of.issue.zfill(_BUG_DIGITS),
            "summary": " ".join(next(iter(of.failures), of.predicate).split())[:_SUMMARY].replace("*/", ""),
        }
        tops = list(dict.fromkeys(map(_top, of.classes)))
        failing = [(main, _top(main)) for main in (of.main, *of.others)]
        files = [f"{name}.class" for name in (of.main, *(each for each in of.classes if each != of.main))]
        self._lists: dict[str, list[dict[str, str]]] = {
            "failing": [
                {
                    "each": top,
                    "dotted": main.replace("/", "."),
                    "names": ", ".join(f'"{name}"' for name in (top, *(name for name in tops if name != top))),
                }
                for main, top in failing
            ],
            "tops": [{"each": name} for name in (simple, *(name for name in tops if name != _top(of.main)))],
            "classes": [{"kotlin": name.replace("$", "\\$")} for name in of.classes],
            "class_files": [{"each": name, "kotlin": name.replace("$", "\\$")} for name in files],
            "made": [{"each": relpath(path, package or ".")} for path in of.sources or of.assembler],
            "sources": [
                {"path": path, "text": text, "kotlin": indent(text.replace("$", "${'$'}").strip(), " " * 20)}
                for path, text in of.sources.items()
            ],
            "uses": [{"path": path, "text": text} for path, text in of.uses.items()],
        }
        self._words = {
            "source" if of.sources else "assembler",
            f"java {release}",
            f"preset {of.predicate}",
            *(["debug"] if of.debug else []),
            *(["package"] if package else []),
            *(["in compiler"] if package.startswith("compiler/") else []),
            *(["unnumbered"] if set(of.issue) == {"0"} else []),
            *(["jcod"] if not of.sources and any(path.endswith(".jcod") for path in of.assembler) else []),
        }

    def chosen(self, rows: Rows) -> Iterator[Mapping[str, Any]]:
        """Yield the rows whose words all hold."""
        for row in rows:
            if all((word.lstrip("!") in self._words) is not word.startswith("!") for word in row.get("when", ())):
                yield row

    def texts(self, row: Mapping[str, Any], part: str) -> list[str]:
        """Return a template of a row filled, for each item of its list if it has one."""
        items = self._lists[row["each"]] if "each" in row else [{}]
        return [Template(row[part]).substitute(self.values | item) for item in items]


def _top(name: str) -> str:
    """Return the simple name of a class, or of the class around it, by an internal name."""
    return name.rpartition("/")[2].partition("$")[0]


PROJECTS = {row["name"]: Project(**row) for row in tomllib.loads(_FILE.read_text(encoding="utf-8"))["projects"]}
"""The projects, by name."""


def project(name: str) -> Project:
    """Return the project of a name. Raises UsageError with the names that there are."""
    if name not in PROJECTS:
        raise UsageError(f"--as: {no_such('project', name, PROJECTS)}")
    return PROJECTS[name]
