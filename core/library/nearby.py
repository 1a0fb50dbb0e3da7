"""The search for the jar of a missing package: near the input, and in the local Maven repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path

from core.archive.entry_names import MANIFEST
from core.archive.manifest import main_attributes
from core.archive.zips import Archive
from core.errors import InputError
from core.library.class_path import named_by_manifest
from core.library.maven_settings import local_repository
from core.protocol.questions.background import Whereabouts
from core.user_folders import cache_folder

MOST_JARS = 3000
"""Largest number of jars that one search looks into."""

_LARGEST = 1 << 30
"""Bytes of a jar above which it is not looked into."""

_GROUP = 2
"""Number of a package's first parts that its Maven group is likely to begin with."""


def find_packages(
    wanted: dict[str, frozenset[str]],
    sources: Sequence[Path],
    libraries: Sequence[Path],
    ended: Callable[[], bool],
    declared: Iterable[Path],
) -> list[Whereabouts]:
    """Return the places of the ``wanted`` packages, each with the simple names of its classes that are missing.

    The jars ``declared`` by the projects of the ``sources`` come first, then those of their manifests, then those
    beside the sources, then those of the local Maven repository and the fetched ones. In each of these places a jar of
    a source's version is preferred, then one with more of the missing classes of all packages.
    ``ended`` is True when the answer is no longer wanted.
    """
    known = {path.resolve() for path in (*sources, *libraries)}
    versions = {version for source in sources for version in _versions(source)}
    found: dict[str, str] = {}
    looked = 0
    for places in chain([declared], _candidates(sources, wanted)):
        scores: dict[str, tuple[bool, int]] = {}
        left = {package: names for package, names in wanted.items() if package not in found}
        for path in places if left else ():
            if ended() or looked >= MOST_JARS:
                break
            if path.resolve() in known:
                continue
            known.add(path.resolve())
            looked += 1
            packages = _packages(str(path), *_stamp(path))
            has_most = sum(len(names & packages.get(package, frozenset())) for package, names in left.items())
            score = path.parent.name in versions, has_most
            for package, names in left.items():
                has = packages.get(package, frozenset())
                if (names & has or (has and not names)) and score > scores.get(package, (False, -1)):
                    found[package], scores[package] = str(path), score
    given = {
        package: str(path)
        for path in reversed(libraries)
        if path.is_file()
        for package in wanted
        if package in _packages(str(path), *_stamp(path))
    }
    return [Whereabouts(package, found.get(package, ""), given.get(package, "")) for package in wanted]


def _candidates(sources: Sequence[Path], wanted: Collection[str]) -> Iterator[Iterable[Path]]:
    """Yield the jars of one kind of places after the other, likely ones first."""
    yield (path for source in sources for path in _named(source))
    folders = dict.fromkeys(source.parent for source in sources)
    yield (path for folder in folders for each in (folder, folder / "lib") for path in _jars(each, "*.jar"))
    repositories = local_repository(), cache_folder() / "maven"
    groups = dict.fromkeys("/".join(package.split(".")[:_GROUP]) for package in wanted)
    yield (path for group in groups for each in repositories for path in _jars(each / group, "**/*.jar"))
    yield (path for each in repositories for path in _jars(each, "**/*.jar"))


def _jars(folder: Path, pattern: str) -> list[Path]:
    with suppress(OSError):
        return sorted(path for path in folder.glob(pattern) if path.is_file())
    return []


def _named(source: Path) -> list[Path]:
    with suppress(OSError, InputError):
        return named_by_manifest(source)
    return []


def _versions(jar: Path) -> set[str]:
    """Return the versions of a jar by its name and by its manifest."""
    found = {jar.stem.rpartition("-")[2]}
    with suppress(OSError, ValueError, InputError), Archive(jar) as archive:
        found.add(main_attributes(archive.read(MANIFEST)).get("implementation-version", ""))
    return found - {""}


def _stamp(path: Path) -> tuple[int, int]:
    with suppress(OSError):
        info = path.stat()
        return info.st_size, info.st_mtime_ns
    return 0, 0


@lru_cache(maxsize=MOST_JARS)
def _packages(path: str, octets: int, changed: int) -> dict[str, frozenset[str]]:
    """Return the simple names of a jar's classes by package. ``octets`` and ``changed`` tell one version of the file
    from another."""
    found: dict[str, list[str]] = {}
    if not 0 < octets <= _LARGEST:
        return {}
    with suppress(OSError, ValueError, InputError), Archive(Path(path)) as jar:
        for name in jar.names:
            if name.endswith(".class") and not name.startswith("META-INF/"):
                package, _, simple = name.removesuffix(".class").rpartition("/")
                found.setdefault(package.replace("/", "."), []).append(simple)
    return {package: frozenset(names) for package, names in found.items()}


def with_any(jars: Iterable[Path], classes: Collection[str], libraries: Iterable[Path]) -> list[Path]:
    """Return the jars with any of the ``classes``, internal names, that no jar of the ``libraries`` has."""
    left = set(classes).difference(*map(_classes, libraries))
    return [jar for jar in jars if not left.isdisjoint(_classes(jar))]


def _classes(jar: Path) -> set[str]:
    packages = _packages(str(jar), *_stamp(jar)).items()
    return {f"{package.replace('.', '/')}/{name}" for package, names in packages for name in names}


def jars_to_add(found: Sequence[Whereabouts]) -> list[str]:
    """Return the jars that have missing packages, the one with most packages first, each once."""
    return [jar for jar, _ in Counter(one.jar for one in found if one.jar).most_common()]
