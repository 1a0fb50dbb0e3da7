"""The jars that a jar of a Maven repository needs when it runs, from the project files (``pom.xml``), as Maven has it.

Parents, properties, managed dependencies with imports, exclusions, scopes, optional dependencies, relocations and
ranges of versions count. Of two versions of a jar the nearer one wins, of equally near ones the first that is declared.
Only profiles that are active by default count. Repositories that a project file names do not count: the user's own
repository alone is asked."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from typing import NamedTuple
from xml.etree.ElementTree import Element

from core.predicate.releases.coordinate import Coordinate, order_of
from core.predicate.releases.downloads import FetchError

_MOST = 1000
"""Most jars of one tool."""
_DEEPEST = 50
"""Most projects of which each is the parent of the one before, or imported by it; most properties within properties."""
_LONGEST = 1000
"""Most characters of a value."""
_NAMES = ("groupId", "artifactId", "version")
_PROPERTY = re.compile(r"\$\{([^${}]+)\}")
_RANGE = re.compile(r"([\[(])([^\[\]()]*)([\])])")
_AT_RUN_TIME = ("", "compile", "runtime")
_JARS = {"jar": "", "bundle": "", "maven-plugin": "", "ejb": "", "test-jar": "tests"}
"""Types of dependencies that are jars, and their classifiers."""

Key = tuple[str, str, str, str]
"""Group, artifact, type and classifier: one jar of a tool."""


class _Dependency(NamedTuple):
    key: Key
    version: str = ""
    scope: str = ""
    optional: str = ""
    excluded: frozenset[tuple[str, str]] = frozenset()


class _Project(NamedTuple):
    """A project file with all that it inherits."""

    dependencies: Iterable[_Dependency] = ()
    managed: Iterable[_Dependency] = ()
    moved: Sequence[str] = ()
    """Group, artifact and version to which it was relocated."""


class Dependencies:
    """The search for what jars need. ``read`` gives the project file of a coordinate, None where there is none;
    ``versions`` gives those of a group and an artifact."""

    def __init__(
        self, read: Callable[[Coordinate], Element | None], versions: Callable[[str, str], Iterable[str]]
    ) -> None:
        self._read, self._versions = read, versions
        self._projects: dict[Coordinate, _Project] = {}
        self._depth = 0

    def of(self, first: Coordinate, *, declared: bool = False) -> list[Coordinate]:
        """Return a jar with all its runtime dependencies, in Maven's order of discovery. With ``declared`` those that
        it needs at compile time alone are there too, and those of an unknown version are not. Raises FetchError."""
        root = _Dependency((first.group, first.artifact, "jar", first.classifier), first.version)
        left = deque([root])
        found: dict[tuple[object, ...], Coordinate | None] = {}
        while left:
            wanted = left.popleft()
            group, artifact, kind, classifier = wanted.key
            place = (group, artifact, classifier, kind in _JARS)
            if place in found:
                continue
            if len(found) == _MOST:
                raise FetchError(f"{first.artifact} {first.version} needs more than {_MOST} jars: nothing is fetched.")
            coordinate = Coordinate(group, artifact, self._version(wanted), classifier)
            project = self._project(replace(coordinate, classifier=""))
            found[place] = coordinate if kind in _JARS and not project.moved else None
            if project.moved:
                group, artifact, version = project.moved
                left.appendleft(wanted._replace(key=(group, artifact, kind, classifier), version=version))
            for each in project.dependencies:
                if declared and wanted is root and each.scope != "test":
                    each = each._replace(scope="", optional="")
                if declared and (not each.version or "${" in each.version):
                    continue
                names = {each.key[:2], ("*", "*"), (each.key[0], "*"), ("*", each.key[1])}
                if each.scope in _AT_RUN_TIME and each.optional != "true" and not names & wanted.excluded:
                    left.append(each._replace(excluded=wanted.excluded | each.excluded))
        return [coordinate for coordinate in found.values() if coordinate is not None]

    def _version(self, wanted: _Dependency) -> str:
        """Return the version of a dependency: of a range the newest one that is published."""
        ranges = _RANGE.findall(wanted.version)
        if not ranges:
            return wanted.version
        group, artifact = wanted.key[:2]
        known = (each for each in self._versions(group, artifact) if any(_within(each, *bounds) for bounds in ranges))
        newest = max(known, key=order_of, default="")
        if not newest:
            raise FetchError(f"No version of {group}:{artifact} that is published is in {wanted.version}.")
        return newest

    def _project(self, coordinate: Coordinate) -> _Project:
        if coordinate not in self._projects:
            if self._depth == _DEEPEST:
                raise FetchError(f"{coordinate.group}:{coordinate.artifact} is imported by imports without end.")
            self._depth += 1
            self._projects[coordinate] = _Project()  # what imports itself gets nothing
            self._projects[coordinate] = self._made(coordinate)
            self._depth -= 1
        return self._projects[coordinate]

    def _made(self, coordinate: Coordinate) -> _Project:
        line = list(self._line(coordinate))
        if not line:
            return _Project()
        fill = _Values(line, coordinate)
        moved = line[0].find("distributionManagement/relocation")
        if moved is not None:
            return _Project(
                moved=[fill(moved, name) or own for name, own in zip(_NAMES, astuple(coordinate), strict=False)]
            )
        parts = [part for one in line for part in _parts(one)]
        managed = [each for one in parts for each in fill.dependencies(one, "dependencyManagement/dependencies")]
        for each in [each for each in managed if each.scope == "import"]:
            managed.remove(each)
            managed += self._project(Coordinate(*each.key[:2], each.version)).managed
        by = {each.key: each for each in reversed(managed)}
        own: dict[Key, _Dependency] = {}
        for one in parts:
            for each in fill.dependencies(one, "dependencies"):
                own.setdefault(each.key, each)
        pairs = (zip(each, by.get(each.key, each), strict=True) for each in own.values())
        return _Project([_Dependency._make(said or managed for said, managed in pair) for pair in pairs], by.values())

    def _line(self, coordinate: Coordinate) -> Iterator[Element]:
        """Yield the project file of a coordinate, that of its parent, and so on."""
        for _ in range(_DEEPEST):
            element = self._read(coordinate)
            if element is None:
                return
            yield element
            parent = element.find("parent")
            if parent is None:
                return
            coordinate = Coordinate(*(_text(parent, name) for name in _NAMES))
        raise FetchError(f"{coordinate.group}:{coordinate.artifact} has parents without end.")


class _Values:
    """The values of a project file, with its properties and those of its parents in their places."""

    def __init__(self, line: list[Element], own: Coordinate) -> None:
        known: dict[str, str] = {}
        for element in line:
            for each in [value for part in _parts(element) for value in part.iterfind("properties/*")]:
                known.setdefault(each.tag, (each.text or "").strip())
        parent = line[0].find("parent")
        for name in _NAMES:
            known |= {f"{prefix}{name}": getattr(own, name.removesuffix("Id")) for prefix in ("project.", "pom.", "")}
            if parent is not None:
                known |= {f"{prefix}.parent.{name}": _text(parent, name) for prefix in ("project", "pom")}
        self._known = {name: value for name, value in known.items() if len(value) <= _LONGEST}

    def __call__(self, element: Element, name: str) -> str:
        text = _text(element, name)
        for _ in range(_DEEPEST):
            filled = _PROPERTY.sub(lambda found: self._known.get(found[1], found[0]), text)
            if len(filled) > _LONGEST:
                break
            if filled == text:
                return text
            text = filled
        raise FetchError(f"The value {_text(element, name)[:_LONGEST]!r} of a project file has no end.")

    def dependencies(self, element: Element, path: str) -> Iterator[_Dependency]:
        """Yield the dependencies of a list in a project file; of several of one key the last one counts."""
        found = {}
        for each in element.iterfind(f"{path}/dependency"):
            kind = self(each, "type") or "jar"
            classifier = self(each, "classifier") or _JARS.get(kind, "")
            key = (self(each, "groupId"), self(each, "artifactId"), kind, classifier)
            excluded = frozenset(
                (self(one, "groupId"), self(one, "artifactId")) for one in each.iterfind("exclusions/exclusion")
            )
            found[key] = _Dependency._make(
                (key, *(self(each, name) for name in ("version", "scope", "optional")), excluded)
            )
        yield from found.values()


def coordinate_in(project: Element) -> Coordinate:
    """Return the coordinate of a project file; group and version may be the parent's. Raises InputError."""
    parent = project.find("parent")
    found = (_text(project, name) or ("" if parent is None else _text(parent, name)) for name in _NAMES)
    return Coordinate(*found)


def _parts(project: Element) -> list[Element]:
    """Return the profiles of a project file that are active by default, then the project: profiles win."""
    profiles = [each for each in project.iterfind("profiles/profile") if len(each.findall("activation/*")) == 1]
    unset = [each for each in profiles if _text(each, "activation/property/name").startswith("!")]
    unset = [each for each in unset if each.find("activation/property/value") is None]
    default = [each for each in profiles if _text(each, "activation/activeByDefault") == "true"]
    return [*(unset or default), project]


def _text(element: Element, name: str) -> str:
    return element.findtext(name, "").strip()


def _within(version: str, begin: str, bounds: str, end: str) -> bool:
    """Return True if a version is in a range: ``[1.0,2.0)``, ``[1.0]``, ``(,2.0]``."""
    low, comma, high = (part.strip() for part in bounds.partition(","))
    place = order_of(version)
    if not comma:
        return place == order_of(low)
    above = not low or place > order_of(low) or (begin == "[" and place == order_of(low))
    return above and (not high or place < order_of(high) or (end == "]" and place == order_of(high)))
