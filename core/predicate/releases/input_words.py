"""Words that name an input by something else than a jar or a folder: a class file, a module of the JDK, coordinates of
Maven, a project file, a dump of R8. The named input is reduced; its dependencies become libraries.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree.ElementTree import Element

from core.archive.named_inputs import named, placed_at
from core.archive.zips import Archive
from core.errors import InputError, JarletError
from core.library.kept_files import MODULE, jar_of_class, jar_of_module, kept_file
from core.predicate.releases.coordinate import Coordinate
from core.system.budget import LIMIT

_COORDINATE = re.compile(r"[\w.-]+:[\w.-]+:[^:/\\\s]+(?::[\w.-]+)*")
_CLASSIFIER = re.compile(r"[\w.-]+")
_Artifact = tuple[str, str, str]
"""Group, name and classifier."""
_DUMP, _RULES = "program.jar", "proguard.config"
_OF_DUMP, _TOLD = ("library.jar", "classpath.jar"), "build.properties"
_FLAGS = {
    "mode=debug": "--debug", "mode=release": "--release", "backend=CF": "--classfile", "tree-shaking=false":
    "--no-tree-shaking", "minification=false": "--no-minification", "force-proguard-compatibility=true": "--pg-compat",
    "desugar-state=OFF": "--no-desugaring",
}  # fmt: skip
"""Options of R8 by the lines of a dump's ``build.properties``."""


@dataclass(frozen=True)
class Resolved:
    """Words that name files and folders, with the libraries and options from the user's own words."""

    words: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    """Jars that the input needs, for ``--classpath``."""
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Values of settings, by the name of the preset."""
    lines: tuple[str, ...] = ()
    """Text files in these values that are reduced by lines."""


def resolved(words: Sequence[str], *, fetch: bool = False, dependencies: bool = False) -> Resolved:
    """Return the files that words name. With ``fetch`` missing files are downloaded; with ``dependencies`` the
    dependencies of a coordinate or a project are reduced too: of an artifact that several of them need, the first
    version found. Raise InputError."""
    rests = [named(word)[1] for word in words]
    taken = {_artifact(Coordinate.parse(rest)) for rest in rests if names_artifact(rest)}
    found = list(map(_Resolver(taken, fetch, dependencies).of_word, words))
    return Resolved(
        tuple(word for each in found for word in each.words),
        tuple(dict.fromkeys(library for each in found for library in each.libraries)),
        {name: values for each in found for name, values in each.options.items()},
        tuple(line for each in found for line in each.lines),
    )


def libraries(text: str, *, fetch: bool = False) -> list[str]:
    """Return the parts of a class path between colons. A Maven coordinate gives its jar and the jars of its
    dependencies. Raise InputError."""
    words = text.split(os.pathsep)
    found: list[str] = []
    while words:
        count = _length(words)
        word = ":".join(words[:count])
        del words[:count]
        found += [word] if count == 1 else map(str, _Resolver(set(), fetch).jars(word, Coordinate.parse(word), {}))
    return found


def _length(words: Sequence[str]) -> int:
    """Return the number of words at the beginning that are a coordinate; 1 if they are none. What stands behind the
    version is a classifier, unless it is a file or begins the next coordinate."""
    if not _is_coordinate(words[:3]):
        return 1
    end = 4 if words[3:4] == ["jar"] else 3
    nearest = words[end : end + 3]
    begins = _is_coordinate(nearest) and ("." in nearest[0] or nearest[2][:1].isdigit())
    return end + (bool(_CLASSIFIER.fullmatch("".join(nearest[:1]))) and not _is_file(nearest[0]) and not begins)


def _is_coordinate(words: Sequence[str]) -> bool:
    return len(words) == 3 and not any(map(_is_file, words)) and bool(_COORDINATE.fullmatch(":".join(words)))


def _is_file(word: str) -> bool:
    return os.path.exists(word) or word.endswith(".jar")


def names_input(word: str) -> bool:
    """Return True for a word that names something to open."""
    rest = named(word)[1]
    return os.path.exists(rest) or rest.startswith(MODULE) or names_artifact(rest)


def names_artifact(rest: str) -> bool:
    """Return True for a coordinate of Maven."""
    return not os.path.exists(rest) and bool(_COORDINATE.fullmatch(rest))


def _artifact(coordinate: Coordinate) -> _Artifact:
    return coordinate.group, coordinate.artifact, coordinate.classifier


def _at(word: str, path: Path) -> Resolved:
    return Resolved((_placed(word, path),))


def _placed(word: str, path: Path) -> str:
    return placed_at(word, lambda _: str(path))


def _of_dump(word: str, path: Path) -> Resolved:
    """Return the program of a dump of R8, with its libraries and its rules; another zip as it is."""
    with suppress(InputError), Archive(path) as archive:
        if not {_DUMP, _RULES, *_OF_DUMP[:1]} <= set(archive.names):
            return Resolved((word,))
        files = {
            name: kept_file(name, archive.read(name, LIMIT)).resolve()
            for name in (_DUMP, _RULES, *_OF_DUMP)
            if name in archive.names
        }
        told = archive.read(_TOLD, LIMIT).decode("utf-8", "replace").splitlines() if _TOLD in archive.names else []
        flags = [_FLAGS[line] for line in told if line in _FLAGS]
        if "backend=CF" not in told:  # class files have no level
            flags += [part for line in told if line.startswith("min-api=") for part in f"--{line}".split("=")]
        rules, (library, *others) = str(files[_RULES]), (str(files[name]) for name in _OF_DUMP if name in files)
        values = {"lib": shlex.quote(library), "options": shlex.join(["--pg-conf", rules, *flags])}
        return Resolved((_placed(word, files[_DUMP]),), (library, *others), {"r8": values}, (rules,))
    return Resolved((word,))


@dataclass(frozen=True)
class _Resolver:
    """The files of words. Artifacts of ``taken`` are inputs already; with ``fetch`` missing files are downloaded; with
    ``dependencies`` these are inputs too."""

    taken: set[_Artifact]
    fetch: bool
    dependencies: bool = False

    def of_word(self, word: str) -> Resolved:
        """Return the files that a word names."""
        rest = named(word)[1]
        with InputError.telling(f"{rest}: cannot be read"):
            if os.path.isfile(rest):
                name = os.path.basename(rest).lower()
                if name.endswith(".class"):
                    return _at(word, jar_of_class(Path(rest)))
                if name == "pom.xml" or name.endswith(".pom"):
                    return self._of_project(Path(rest))
                return _of_dump(word, Path(rest)) if name.endswith(".zip") else Resolved((word,))
            if rest.startswith(MODULE):
                return _at(word, jar_of_module(rest.removeprefix(MODULE).lstrip("/")))
            if names_artifact(rest):
                own, *others = self.jars(rest, Coordinate.parse(rest), {})
                return self._with(_at(word, own), others)
            try:
                os.stat(rest)  # before anything is said of the output
            except (FileNotFoundError, ValueError) as error:
                raise InputError(
                    f"{rest or repr(rest)}: there is no such file. Name a jar, a folder, or GROUP:ARTIFACT:VERSION."
                ) from error
        return Resolved((word,))

    def _of_project(self, path: Path) -> Resolved:
        """Return the built files of a project, and its dependencies."""
        from core.predicate.releases.maven import projects_at

        projects = projects_at(path)
        own = next(iter(projects))
        needed = self.jars(str(path), own, projects)
        built = path.absolute().parent / "target"
        places = [place for place in (built / own.file_name, built / "classes") if place.exists()]
        if not places and not (self.dependencies and needed):
            raise InputError(
                f"{path}: there is neither {own.file_name} nor classes in {built}: build the project first, or reduce "
                "what it depends on (--with-dependencies)."
            )
        return self._with(Resolved(tuple(map(str, places[:1]))), needed)

    def _with(self, own: Resolved, needed: Sequence[Path]) -> Resolved:
        """Return an input with what it needs: more inputs, or libraries."""
        more = tuple(map(str, needed))
        return replace(own, words=(*own.words, *more)) if self.dependencies else replace(own, libraries=more)

    def jars(self, word: str, coordinate: Coordinate, projects: Mapping[Coordinate, Element]) -> list[Path]:
        """Return the jar of a coordinate, unless it is one of ``projects``, and the jars of its dependencies but those
        of :attr:`taken` artifacts, which then include them. Raise InputError."""
        from core.predicate.releases.maven import jars_of  # here: the modules of the network take long to load

        try:
            places = jars_of(coordinate, projects, fetch=self.fetch)
        except JarletError as error:
            hint = "" if self.fetch else " --fetch downloads what is not here."
            raise InputError(f"{word}: these jars cannot be had: {error}{hint}") from error
        found = {each: path for each, path in places.items() if each == coordinate or _artifact(each) not in self.taken}
        self.taken.update(map(_artifact, found))
        return list(found.values())
