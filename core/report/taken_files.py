"""The user's files for a command: found in its words and in the texts of its scripts, and given places beside the
script that repeats a failure. Jars of a repository, and large files, are found by the script instead. Marks stand for
the places of this machine in copied texts; the script fills the marks in a copy."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.archive.entry_names import MANIFEST
from core.archive.manifest import without_class_path
from core.archive.zips import Archive
from core.errors import InputError
from core.outside_names import file_name_like
from core.predicate.places import TEMPORARY
from core.report.needed_places import JAVA_HOME, NeededPlaces, coordinate_of
from core.report.private_places import OF_THE_SYSTEM, is_private, told_elsewhere

_PROGRAMS, _FILES = "programs", "files"
"""Folders beside the script: Jarlet's own Java programs that take part, and files of the user's."""
_LARGEST = 1 << 20
"""Bytes up to which a file, or a folder without its jars, is copied beside the script."""
_MOST = 500
"""Largest number of files of a folder that is copied."""
_ALL_JARS = "/*"
"""End of an entry of a class path that stands for all jars of a folder."""
_JDK = re.compile(r"^(/.*)/bin/(java|javac|jdeps|javap)$")
_QUOTED = re.compile(r"(?<=[\"':=])/[^\"'\n:\0]* [^\"'\n:\0]*(?=[\"':])")
"""Pattern of a path with spaces, which quotes or colons end."""
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")
_BELOW = re.compile(r"\$\{?(\w+)\}?\"?/([\w.+@*-]+(?:/[\w.+@*-]+)*)")
"""Pattern of a path below the folder that a variable has."""
_COMPUTED = re.compile(r"\$\(|\$\{?\w+[^}/\s\"]*\}?")
_RELATIVE = re.compile(r"[\w.+@*-]+(?:/[\w.+@*-]+)*")
_OWN_PLACE = re.compile(r"\$\{?0|BASH_SOURCE|__file__|MAKEFILE_LIST")
"""Pattern of the words by which a script finds its own place."""
_UP = re.compile(r"\.\.(?:[\"', /]+\.\.)*")
"""Pattern of the way up from a folder."""
_MARK = re.compile(r"\0(\w+)\0")


def mark(name: str) -> str:
    """Return the mark of a variable of the script in words and texts."""
    return f"\0{name}\0"


class TakenFiles:
    """The copied files of a script, and the places that it finds itself. The failure's ``inputs`` are not copied, of
    ``folders`` only these files."""

    def __init__(self, inputs: Collection[Path], folders: Mapping[Path, Sequence[Path]]) -> None:
        self._folders = folders
        self._inputs = {Path(os.path.realpath(path)) for path in inputs}
        self.copied, self.needed = CopiedFiles(), NeededPlaces()
        self.variables: set[str] = {"CLASSPATH"}
        """Names of variables that the texts read."""
        self._below_variables: set[tuple[str, str]] = set()
        self._roots: dict[Path, str] = {}
        self._single: dict[Path, str] = {}

    def told(self, text: str, program: bool = False) -> str:
        """Return a text, with marks in the place of paths of this machine."""
        if text.startswith("/") and os.path.exists(text):  # whatever letters it has
            return self._path(text, program) or text
        self.variables |= set(_VARIABLE.findall(text))
        self._below_variables |= set(_BELOW.findall(text))
        self._relative(text)
        text = _QUOTED.sub(lambda found: self._path(found[0], program=False, sure=True) or found[0], text)

        def shown(found: re.Match[str]) -> str:
            path = os.path.expanduser(re.sub(r"\\(.)", r"\1", found[0]))
            listed = text[found.start() - 1 : found.start()] == "@"  # a file of arguments
            return self._path(path, program and found[0] == text, listed=listed) or found[0]

        return PATH.sub(shown, text)

    def take_below(self, variable: str, value: str) -> None:
        """Take the files that texts name below a folder of the user's, the value of a variable of the environment."""
        folder = Path(value)
        names = sorted(path for name, path in self._below_variables if name == variable)
        taken = [name for name in names if is_private(value) and any(self._below(folder, name))]
        if taken:
            self._tree(folder, *taken)

    def _path(self, text: str, program: bool, *, sure: bool = False, listed: bool = False) -> str | None:
        """Return a path with marks; None = as it stands. ``sure``: only of what is there. ``listed``: the file's text
        is read for paths too."""
        jdk = _JDK.match(text)
        if jdk is not None and (program or is_private(text)):
            return f"{mark(self.needed.variable(jdk[1], JAVA_HOME))}/bin/{jdk[2]}"
        if text.endswith(_ALL_JARS):
            folder = Path(text.removesuffix(_ALL_JARS))
            if not str(folder).startswith(OF_THE_SYSTEM) and any(_jars(folder)):
                return f"{self._tree(folder, '*')}{_ALL_JARS}"
            shown = self._path(str(folder), program=False, sure=sure)
            return f"{shown}{_ALL_JARS}" if shown else None
        path, home = Path(text), self.needed.jdk
        if home is not None and path.is_relative_to(home):  # the JDK's classes, which a tool is given
            return mark(JAVA_HOME) + text.removeprefix(home)
        if not os.path.exists(path):  # or too long a name
            return f"{mark('WORK')}/{TEMPORARY}/{path.name}" if is_private(text) and not sure else None
        if path.is_dir():
            return self._folder(path)
        system = text.startswith(OF_THE_SYSTEM)
        if path.suffix == ".jar" and (system or not (self._is_own(path) or any(_beside_jar(path)))):
            return mark(self.needed.variable(text))
        if system:
            return None
        small = self._is_small(path) or path.suffix == ".jar"
        return self._file(path, listed) if small else mark(self.needed.variable(text))

    def _folder(self, path: Path) -> str | None:
        """Return the place of a folder. Copied are the files named in texts, or all of a small folder with classes or
        jars."""
        if "/jarlet/programs/" in str(path):
            place = self._single.setdefault(path, self.copied.free(f"{_PROGRAMS}/{path.name}"))
            self.copied.places[place] = path
            return f"{mark('HERE')}/{place}"
        if str(path).startswith(OF_THE_SYSTEM):
            return None
        if path in self._roots:
            return f"{mark('HERE')}/{self._roots[path]}"
        files = self._folders[path] if path in self._folders else self._files(path)
        if any(file.suffix in (".class", ".jar") for file in files):
            return self._tree(path, *(str(file.relative_to(path)) for file in files))
        return mark(self.needed.variable(str(path)))

    def _file(self, path: Path, listed: bool) -> str:
        """Return the place of a copied file. The files that it finds by its own place go with it."""
        if any(_beside_jar(path)) if path.suffix == ".jar" else _OWN_PLACE.search(_text(path)):
            root = path.parents[: _way_up(path) + 1][-1]
            name = path.relative_to(root).as_posix()
            return f"{self._tree(root, name)}/{name}"
        if path not in self._single:
            self._single[path] = self.copied.free(f"{_FILES}/{file_name_like(path.name)}")
            self._put(path, self._single[path], listed)
        return f"{mark('HERE')}/{self._single[path]}"

    def _relative(self, text: str) -> None:
        """Take the files with relative names in a text from the folders in that text."""
        names = _relative_names(text)
        for found in PATH.finditer(text):
            base = Path(os.path.expanduser(found[0]))
            if base.is_dir() and is_private(str(base)):
                taken = [name for name in names if any(self._below(base, name))]
                if taken:
                    self._tree(base, *taken)

    def _tree(self, folder: Path, *names: str) -> str:
        """Return the place of some files of a folder, which keep their names."""
        root = self._roots.get(folder) or self.copied.free(f"{_FILES}/{file_name_like(folder.name) or 'root'}")
        self._roots[folder] = root
        for name in names:
            for file in self._below(folder, name):
                self._put(file, f"{root}/{file.relative_to(folder).as_posix()}")
        return f"{mark('HERE')}/{root}"

    def _below(self, folder: Path, name: str) -> Iterator[Path]:
        """Yield the files of a folder that a relative path means."""
        path = folder / name.removesuffix("*") if name == "*" or name.endswith(_ALL_JARS) else folder / name
        if ".." in path.parts or (path == folder and name != "*"):
            return
        if path.is_dir():
            yield from _jars(path) if name.endswith("*") else self._files(path)
        elif path.is_file():
            yield path
        elif path.with_name(f"{path.name}.class").is_file():  # a program, which may use the classes beside it
            beside = sorted(path.parent.glob("*.class"))
            small = sum(file.stat().st_size for file in beside) <= _LARGEST
            yield from self._files(folder) or (beside if small else ())

    def _files(self, folder: Path) -> list[Path]:
        """Return the files of a folder; none if they are too many or too large, or if an input is among them."""
        found: list[Path] = []
        size = 0
        if self._has_input(folder):
            return []
        for above, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                path = Path(above, name)
                if name.startswith(".") or not path.is_file():
                    continue
                size += 0 if path.suffix == ".jar" else path.stat().st_size
                found.append(path)
                if size > _LARGEST or len(found) > _MOST:
                    return []
        return found

    def _put(self, path: Path, place: str, listed: bool = False) -> None:
        """Copy a file to a place, or have the script link it there."""
        if place in self.copied.places or place in self.copied.links:
            return
        if not (self._is_own(path) if path.suffix == ".jar" else self._is_small(path)):
            self.copied.links[place] = self.needed.variable(str(path))
        else:
            self.copied.places[place] = path
            text = _text(path)
            names_files = _lists_files(path, text)
            if listed or names_files or is_program(path, text):
                self.copied.texts[place] = self._filled(without_host(text), path, place, own=names_files)
        if path.suffix == ".jar":
            for other in _beside_jar(path):
                self._put(other, os.path.join(os.path.dirname(place), other.relative_to(path.parent)))

    def _filled(self, text: str, path: Path, place: str, *, own: bool) -> str:
        """Return the text of a program or list with marks for the places of this machine; comments have none. ``own``:
        its relative names are of files near it, as they are of a program that finds its own place.
        """
        lines = text.split("\n")
        code = "\n".join(line for line in lines if not _is_comment(line))
        if own or _OWN_PLACE.search(code):
            for folder, root in zip(path.parents[: _way_up(path) + 1], Path(place).parents[:-1], strict=False):
                for name in _relative_names(code):
                    if folder == path.parent or "/" in name or any(_jars(folder / name)):
                        for file in self._below(folder, name):
                            self._put(file, str(root / file.relative_to(folder)))
        told = iter(_MARK.sub(self._in_file, self.told(f"\n{code}")).split("\n")[1:])
        return "\n".join(told_elsewhere(line) if _is_comment(line) else next(told) for line in lines)

    def _in_file(self, found: re.Match[str]) -> str:
        """Return a mark for a copied text. Files found by the script are linked beside the text."""
        if found[1] in ("HERE", "WORK"):
            return HERE if found[1] == "HERE" else WORK
        links = self.copied.links
        place = next((place for place, variable in links.items() if variable == found[1]), "")
        if not place:
            name = Path(self.needed.variables[found[1]]).name
            place = self.copied.free(f"{_FILES}/{file_name_like(name)}")
            links[place] = found[1]
        return f"{HERE}/{place}"

    def _has_input(self, path: Path) -> bool:
        real = Path(os.path.realpath(path))
        return any(each.is_relative_to(real) or real.is_relative_to(each) for each in self._inputs)

    def _is_own(self, jar: Path) -> bool:
        """Return True for a small jar of the user's, which no repository is known to have."""
        return self._is_small(jar) and not str(jar).startswith(OF_THE_SYSTEM) and not coordinate_of(jar)

    def _is_small(self, path: Path) -> bool:
        """Return True for a file that may be copied."""
        return path.stat().st_size <= _LARGEST and os.access(path, os.R_OK) and not self._has_input(path)


def _jars(folder: Path) -> Iterator[Path]:
    """Yield the jars of a folder, as Java finds them."""
    with suppress(OSError):
        yield from sorted(path for path in folder.iterdir() if path.suffix in (".jar", ".JAR") and path.is_file())


def _beside_jar(jar: Path) -> Iterator[Path]:
    """Yield the files below the jar's folder that its manifest has on its class path."""
    with suppress(OSError, InputError), Archive(jar) as archive:
        _, named = without_class_path(archive.read(MANIFEST))
        for name in named.split():
            path = jar.parent / name
            if ".." in path.parts or not path.is_relative_to(jar.parent):
                continue
            yield from (each for each in ([path] if path.is_file() else path.rglob("*.class")) if each.is_file())


def _relative_names(text: str) -> list[str]:
    """Return the words of a text that may be relative paths, also what follows the way up from a folder."""
    return sorted({name.removeprefix("../") for name in _RELATIVE.findall(_COMPUTED.sub(" ", text))})


def _lists_files(path: Path, text: str) -> bool:
    """Return True for the text of a file that is a class path: each word is a file or folder, or an option."""
    words = [word.strip("\"'").removesuffix(_ALL_JARS) for word in re.split(r"[\s:]+", text.strip())]
    return bool(text) and all(word.startswith("-") or os.path.exists(path.parent / word) for word in words)


def _text(path: Path) -> str:
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", "surrogateescape")


def _way_up(path: Path) -> int:
    """Return the number of folders by which a text goes up from its own."""
    return max((found.count("..") for found in _UP.findall(_text(path))), default=0)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#") and not line.startswith("#!")


HERE, WORK = "@HERE@", "@WORK@"
"""Marks in copied texts: the copy of the script's folder, and the folder of the run."""

PATH = re.compile(
    r"(?<![\w.$~})/\0])(?<!(?<!:)-)(?<![\w})][\"'])(?<!@HERE@)(?<!@WORK@)"
    r"(?:~/|/+(?![/*]))(?:\\[ ()&']|[^\s:;,=|&<>()'\"`{}\\\0])+"
)
"""Pattern of an absolute path in a text that a shell reads. Slashes alone, and those of comments, are none."""
_HOST = re.compile(r"(?:[\w.$~{}/-]*/)?\bjarlet\s+host((?:\s+-\S+)*)(\s+(?:javac\b)?)")
"""Pattern of the start of a call of a tool that stays in memory while Jarlet runs."""


@dataclass
class CopiedFiles:
    """Contents of the folder around the script, by place: files and folders of this machine, changed texts of such
    files, and links to the values of variables of the script."""

    places: dict[str, Path] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    def free(self, wish: str) -> str:
        """Return a place that nothing has: the wish, or the wish with a number."""
        taken = [*self.places, *self.links]
        place, number = wish, 2
        while any(each == place or each.startswith(f"{place}/") for each in taken):
            place, number = f"{wish}-{number}", number + 1
        return place

    def contents(self) -> Iterator[tuple[str, bytes, bool]]:
        """Yield each file: place, bytes, and True if it may be executed."""
        for place, origin in self.places.items():
            for path in sorted(origin.rglob("*")) if origin.is_dir() else [origin]:
                if path.is_file():
                    inside = place if path == origin else f"{place}/{path.relative_to(origin).as_posix()}"
                    text = self.texts.get(inside)
                    data = path.read_bytes() if text is None else text.encode("utf-8", "surrogateescape")
                    yield inside, data, os.access(path, os.X_OK)

    @property
    def private(self) -> list[str]:
        """The places of the user's texts that name a path of this machine."""
        found = []
        for place, data, _ in self.contents():
            text = "" if b"\0" in data else data.decode("utf-8", "replace")
            if any(is_private(os.path.expanduser(match[0])) for match in PATH.finditer(text)):
                found.append(place)
        return found


def is_program(path: Path, text: str) -> bool:
    """Return True for a text that a shell or another program runs."""
    return path.suffix in (".sh", ".py", ".mk") or path.name == "Makefile" or text.startswith("#!")


def without_host(text: str) -> str:
    """Return a shell's text with ``java`` in the place of ``jarlet host``, which keeps a program in memory."""
    return _HOST.sub(lambda found: found[2].lstrip() or f"java{found[1]} -jar{found[2]}", text)
