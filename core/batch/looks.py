"""The jars of a hunt, from the files, folders and patterns that the user named, and looks: one tool is run on one jar,
and its failures are told by their kinds."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx

from core.archive.jar import read_jar
from core.archive.zips import Archive, open_regular
from core.batch.tasks import DONE, INTERRUPTED, Done
from core.classfile.format_error import ClassFormatError
from core.classfile.outline import references
from core.crash import record
from core.errors import InputError, JarletError
from core.evidence.kinds_of_failures import costs
from core.evidence.missing_libraries import library_failures
from core.library.class_path import named_by_manifest
from core.library.jdks import choose_jdk, needed_java
from core.library.kept_files import jar_of_class
from core.model import class_model
from core.model.class_model import ClassModel
from core.predicate import presets
from core.predicate.failure_kinds import FailureKinds, LibraryFailures
from core.predicate.output import javac
from core.predicate.releases.input_words import libraries, names_artifact
from core.service.queries.tool_survey import run_tool
from core.sets import listed_by

if TYPE_CHECKING:
    from core.service.workspace import Workspace


@dataclass(frozen=True)
class KindSeen:
    """A kind of failure in one jar: how many there are, and the one that is likely to need least of the jar."""

    kind: str
    failures: int
    failure: str
    bytes: int
    """Bytes of the classes around that failure; 0 if it names none."""


@dataclass(frozen=True)
class Look:
    """The failures of one tool on one jar. ``problem`` is a sentence on the lack of an answer."""

    tool: str
    version: str
    kinds: tuple[KindSeen, ...] = ()
    aside: int = 0
    """Number of failures that are set aside: they may show only because libraries are missing."""
    lacking: tuple[str, ...] = ()
    """Packages of the libraries that may be missing."""
    missing: Mapping[str, int] = field(default_factory=dict)
    """Number of failures that come from a missing library for certain, by its packages."""
    hidden: bool = False
    """True if javac could not parse a source, and so reported errors of its parser alone."""
    seconds: float = 0.0
    problem: str = ""

    @property
    def failures(self) -> int:
        """The number of failures of all kinds, without those that are set aside and those of missing libraries."""
        return sum(kind.failures for kind in self.kinds)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Look:
        """Return the look of a decoded object. Raise LookupError and TypeError for anything else."""
        kinds = tuple(KindSeen(**kind) for kind in values["kinds"])
        return cls(**{**values, "kinds": kinds, "lacking": tuple(values["lacking"])})


def look_at(name: str, jar: Path, preset: str, library: Sequence[Path], workspace: Workspace) -> Done:
    """Run the tool of a preset on a jar, and report the look of that name as JSON. A tool that reads the jar runs in a
    resident process; a failure counts if a new process shows it too. Raise InputError for a jar that cannot be read,
    UsageError without the preset."""
    cancel = workspace.control.cancel
    opened = read_jar([jar])
    entries = opened.for_tools(opened.contents)
    found = presets.find(preset)
    jdk = choose_jdk("", needed_java(entries), found.newest_jdk).jdk
    model, apart = None, LibraryFailures()
    for shelf in (None,) if found.runs or found.adapter else (workspace.shelf, None):
        ran, seen = run_tool(found, entries, library, cancel, jdk, shelf), []
        if ran.failures:
            model = model or class_model.build(opened)
            apart = library_failures(ran.failures, model, library)
            if apart.certain:  # what names no class may come from it
                nameless = {failure for failure, place in zip(ran.failures, ran.places, strict=True) if not place}
                first = min(apart.certain.values())
                more = dict.fromkeys(nameless - apart.certain.keys(), first)
                apart = replace(apart, possible={**more, **apart.possible})
            seen = _kinds(model, set(ran.failures) - apart.certain.keys() - apart.possible.keys())
        if not seen and not ran.problem:
            break
    lacking = tuple(sorted(set(apart.possible.values())))
    packages = dict(sorted(apart.packages(ran.failures).items()))
    compiles = found.reading is not None and "javac" in found.reading.kinds
    hidden = compiles and any(map(javac.is_of_parser, ran.failures))
    if cancel.is_set():
        return Done(name, INTERRUPTED)
    look = Look(
        ran.tool, ran.version, tuple(seen), len(apart.possible), lacking, packages, hidden, ran.seconds, ran.problem
    )
    return Done(name, DONE, report=asdict(look))


def _kinds(model: ClassModel, failures: Iterable[str]) -> list[KindSeen]:
    kind_of = FailureKinds.of(model.jar.contents).of_name
    by_kind = listed_by(kind_of, sorted(failures))
    return [
        KindSeen(kind, len(cost.failures), cost.cheapest, cost.bytes)
        for kind, cost in zip(by_kind, costs(model, by_kind), strict=True)
    ]


MARK = "hunt.txt"
MARKED = "This folder belongs to jarlet hunt: open index.html.\n"
"""Name and text of the file in the folder of a hunt."""
_ENDS = (".jar", ".war", ".ear")
"""Ends of the names of files in a folder that are hunted."""
_CLASS, _ZIP = b"\xca\xfe\xba\xbe", b"PK\3\4"
"""First bytes of a class file and of a jar."""


@dataclass(frozen=True)
class HuntedJar:
    """A jar as the user named it, and the libraries that it uses. ``digest`` is of its bytes and those of the
    libraries; ``problem`` says why it cannot be read."""

    name: str
    path: Path
    library: tuple[Path, ...] = ()
    digest: str = ""
    problem: str = ""


def hunted_jars(
    words: Sequence[str],
    classpath: Sequence[Path] = (),
    results: Path | None = None,
    *,
    by_content: bool = False,
    fetch: bool = False,
) -> list[HuntedJar]:
    """Return the jars that words name: files, folders (all jars below them), patterns and coordinates, each jar once.
    Jars in the folder of ``results``, and in those of other hunts inside a folder, are none. ``by_content``: files in
    folders count by their first bytes, class files too. ``fetch`` downloads what is missing.

    The libraries of a jar are those of ``classpath``, of its coordinate and of its manifest, and for a file the other
    files that it needs; a file of a folder ``by_content`` stands alone. Raises InputError for a file that is none, and
    for an unreadable library.
    """
    own = results.resolve() if results is not None else None
    shared = [path.absolute() for path in classpath]
    digest = cache(_library_digest)
    found: dict[Path, HuntedJar] = {}
    for word in words:
        artifact = names_artifact(word)
        try:
            first, *needed = libraries(word, fetch=fetch) if artifact else [word]
        except InputError as error:
            found[Path(word)] = HuntedJar(word, Path(word), problem=str(error).removeprefix(f"{word}: "))
            continue
        used = [*shared, *map(Path, needed)]
        list(map(digest, used))  # one that cannot be read ends the hunt
        for path in _files(first, _has_classes if by_content else lambda file: file.suffix.lower() in _ENDS):
            real = Path(os.path.realpath(path))
            if real not in found and own not in real.parents:
                made = _hunted(path, used, digest)
                found[real] = replace(made, name=word) if artifact else made
    files = [jar for jar in found.values() if not by_content and not names_artifact(jar.name)]
    others = dict(zip(files, _with_others(files), strict=True))
    return [others.get(jar, jar) for jar in found.values()]


def _with_others(jars: Sequence[HuntedJar]) -> list[HuntedJar]:
    """Return each jar with others as its libraries: the jars with classes that it lacks, and the libraries of these
    jars."""
    places: dict[str, Path] = {}
    names: dict[Path, set[str]] = {}
    for jar in jars:
        with suppress(JarletError, OSError), Archive(jar.path) as archive:
            own = {name.removesuffix(".class") for name in archive.names if name.endswith(".class")}
            for name in own:
                places.setdefault(name, jar.path)
            names[jar.path] = set().union(*(_named_in(archive, f"{name}.class") for name in own)) - own
    graph: nx.DiGraph[Path] = nx.DiGraph()
    graph.add_edges_from((path, places[name]) for path, named in names.items() for name in named if name in places)
    made = []
    for jar in jars:
        needed = nx.descendants(graph, jar.path) if jar.path in graph else ()
        others = [each for each in jars if each.path in needed and each.path.resolve() not in jar.library]
        library = (*jar.library, *(each.path for each in others))
        digest = _joined((jar.digest, *(each.digest for each in others))) if others else jar.digest
        made.append(replace(jar, library=library, digest=digest))
    return made


def _named_in(archive: Archive, name: str) -> set[str]:
    with suppress(JarletError, OSError, ClassFormatError):
        return set(references(archive.read(name)))
    return set()


def _begin(file: Path) -> bytes:
    with open(open_regular(file), "rb") as opened:
        return opened.read(len(_CLASS))


def _has_classes(file: Path) -> bool:
    with suppress(OSError, JarletError):
        return _begin(file) in (_CLASS, _ZIP)
    return False


def is_hunt(folder: Path) -> bool:
    """Return True if a hunt made the folder."""
    try:
        return (folder / MARK).read_text(encoding="utf-8") == MARKED
    except (OSError, UnicodeDecodeError):
        return False


def _files(word: str, counts: Callable[[Path], bool]) -> Iterator[Path]:
    path = Path(word)
    if path.is_dir():
        hunts = {mark.parent for mark in path.rglob(MARK) if is_hunt(mark.parent)}
        inside = (file for file in path.rglob("*") if hunts.isdisjoint(file.parents) and not os.path.isdir(file))
        names = sorted(filter(counts, inside))
        if not names:
            raise InputError(f"{word}: there is no jar in this folder. Name jars, or a folder with jars.")
        yield from names
    elif path.exists() or not glob.has_magic(word):
        if not path.exists():
            raise InputError(
                f"{word}: there is no such file. Name a jar, a folder with jars, a pattern or a coordinate."
            )
        yield path
    else:
        matches = [Path(name) for name in sorted(glob.glob(word, recursive=True))]
        files = [match for match in matches if not os.path.isdir(match)]
        if not files:
            raise InputError(f"{word}: no file has a name of this pattern.")
        yield from files


def _hunted(path: Path, shared: Sequence[Path], digest: Callable[[Path], str]) -> HuntedJar:
    place = path.absolute()
    try:
        own = digest_of(place)
        place = jar_of_class(place, damaged=True) if _begin(place) == _CLASS else place
        named = [library for library in named_by_manifest(place) if library != place.resolve()]
        libraries = tuple(dict.fromkeys((*shared, *named)))
        found = _joined((own, *map(digest, libraries)))
    except OSError as error:
        return HuntedJar(str(path), place, problem=f"It cannot be read ({error.strerror or error}).")
    except JarletError as error:
        return HuntedJar(str(path), place, problem=str(error).removeprefix(f"{place}: "))
    except Exception as error:  # one jar never ends a hunt
        return HuntedJar(str(path), place, problem=record(error))
    return HuntedJar(str(path), place, libraries, found)


def _library_digest(path: Path) -> str:
    """Return the digest of a library; of a folder that of its name. Raise InputError."""
    if path.is_dir():
        return _joined((str(path),))
    with InputError.telling(f"{path}: the library cannot be read"):
        return digest_of(path)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits. Raise OSError."""
    with open(open_regular(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _joined(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
