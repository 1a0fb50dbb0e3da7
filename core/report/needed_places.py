"""The needs of the script that repeats a failure, besides the jar: tools, libraries and a JDK, and the lines of shell
to find them on any machine."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from core.archive.zips import Archive
from core.errors import InputError
from core.library.jdk import jdk_in
from core.predicate import presets
from core.predicate.releases.coordinate import COORDINATES, Coordinate
from core.predicate.releases.dependencies import coordinate_in
from core.predicate.releases.downloads import FetchError, tree_of
from core.predicate.tools import Tool, version_of

JAVA_HOME = "JAVA_HOME"
"""Variable of the JDK."""

_TAKEN = {JAVA_HOME, "HOME", "IFS", "LANG", "PATH", "PWD", "TMPDIR"}
"""Variables of the shell that no file may have."""
_PROPERTIES = re.compile(r"META-INF/maven/[^/]+/[^/]+/pom\.properties")
_PROPERTY = re.compile(r"^(groupId|artifactId|version)=(\S+)\s*$", re.MULTILINE)

_LOOKS = r"""
get=
if [ "$1" = --get ]; then get=yes; shift; fi
place_of() {  # file; group, artifact and version where a Maven repository has it
  kept=${XDG_CACHE_HOME:-$HOME/.cache}/jarlet
  path=$(echo "$2" | tr . /)/$3/$4
  for folder in "$here" "$HOME/.m2/repository/$path" "$HOME/.gradle/caches/modules-2/files-2.1/$2/$3/$4"/* \
      "$kept/maven/$path" "$kept/tools" "$kept/tools/versions"/*/*/* /usr/share/java; do
    for file in "$folder/$1" "$folder/$3-$4.jar"; do
      [ -e "$file" ] && { echo "$file"; return; }
    done
  done
}
get_all() {  # by one run of Maven, into a folder from above, whatever Maven's settings name
  folder=$(mktemp -d) || return
  cat >"$folder/pom.xml" <<END
<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
<packaging>pom</packaging><build><plugins><plugin><artifactId>maven-dependency-plugin</artifactId>
<configuration><artifactItems>$wanted</artifactItems></configuration></plugin></plugins></build></project>
END
  mvn -q -f "$folder/pom.xml" dependency:copy "-Dmaven.repo.local=$HOME/.m2/repository" >&2
  rm -rf "$folder"
}
lacks() {  # the value of a variable, what to get, how to tell the place; where Maven has it, see place_of
  missing="$missing${missing:+; }$2 (${1:+there is no $1; }$3)"
  [ -z "$4" ] || wanted="$wanted<artifactItem><groupId>$4</groupId><artifactId>$5</artifactId><version>$6</version>
    <classifier>${8-}</classifier></artifactItem>"
}
"""
_LOOKS_FOR_JDK = r"""
jdk_of() {  # version: the JDK of the path, if it is that one, else that one in the usual places, else any of the path
  found=$(command -v javac || command -v java) && found=$(dirname "$(dirname "$(readlink -f "$found")")")
  for home in "$found" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    grep -qs "^JAVA_VERSION=\"\(1[.]\)\{0,1\}$1\([.+-].*\)\{0,1\}\"" "$home/release" && { echo "$home"; return; }
  done
  echo "$found"
}
"""


@dataclass(frozen=True, slots=True)
class NeededPlace:
    """A tool, a library, a folder or the JDK: its path on this machine, and the variable of the script that names it on
    any."""

    variable: str
    path: str

    @property
    def of_jdk(self) -> bool:
        """True for the JDK."""
        return self.variable == JAVA_HOME

    @property
    def title(self) -> str:
        """Words on the file to get: its name, with its coordinate if that is known."""
        if self.of_jdk:
            return f"a JDK {self._feature}".strip()
        name, coordinate = Path(self.path).name, coordinate_of(Path(self.path))
        if coordinate:
            return f"{name} (Maven: {coordinate})"
        version = version_of(Path(self.path)) if name.endswith(".jar") else "unknown"
        told = [f"version {version}"] if version != "unknown" and version not in name else []
        tools = [tool for tool, place, _ in _of_presets() if _same(place, self.path)]
        told += [f"Debian: {tool.debian}" for tool in tools if tool.debian]
        about = f" ({'; '.join(dict.fromkeys(told))})" if told else ""
        return f"{'the folder ' if os.path.isdir(self.path) else ''}{name}{about}"

    def lines(self, argument: int) -> list[str]:
        """Return lines that set the variable from the numbered argument, the environment, or a search. If there is
        nothing, they end the script."""
        name = self.variable
        if self.of_jdk:
            where: list[str] = []
            looked, given, ways = f"jdk_of {shlex.quote(self._feature)}", "", f"the variable {name}"
        else:
            where = list(filter(None, coordinate_of(Path(self.path)).split(":")))
            looked, given = f"place_of {shlex.join([Path(self.path).name, *where])}", f"${{{argument}:-"
            ways = f"the variable {name} or argument {argument}"
        value = f"${{{name}:-$({looked})}}"
        told = shlex.join([self.title, ways, *where])
        return [
            f"{name}={given}{value}{'}' if given else ''}",
            f'[ -e "${name}" ] || lacks "${name}" {told}',
            *([] if self.of_jdk else [f'case "${name}" in "" | /*) ;; *) {name}=$PWD/${name} ;; esac']),
        ]

    @property
    def _feature(self) -> str:
        """The first number of the JDK's version; empty if it is not known."""
        jdk = jdk_in(Path(self.path))
        return str(jdk.feature) if jdk is not None else ""


class NeededPlaces:
    """The places that a script needs, each with a variable of its own, in the order of the requests."""

    def __init__(self) -> None:
        self._found: dict[str, NeededPlace] = {}

    def variable(self, path: str, name: str = "") -> str:
        """Return the variable of a path; ``name`` where it must be this one."""
        if path not in self._found:
            made = name or re.sub(r"\W+", "_", re.sub(r"-\d.*", "", Path(path).stem)).upper().strip("_") or "PLACE"
            made = f"_{made}" if made[0].isdigit() else made
            taken = {each.variable for each in self._found.values()} | (set() if name else _TAKEN)
            wish, number = made, 2
            while made in taken:
                made, number = f"{wish}_{number}", number + 1
            self._found[path] = NeededPlace(made, path)
        return self._found[path].variable

    @property
    def jdk(self) -> str | None:
        """The path of the JDK on this machine."""
        return next((place.path for place in self._found.values() if place.of_jdk), None)

    @property
    def files(self) -> list[NeededPlace]:
        """All places but the JDK's."""
        return [place for place in self._found.values() if not place.of_jdk]

    @property
    def variables(self) -> dict[str, str]:
        """The paths on this machine, by variable."""
        return {place.variable: place.path for place in self._found.values()}

    def lines(self) -> list[str]:
        """Return lines that find all places."""
        if not self._found:
            return []
        use = " ".join(f"[{place.variable}" for place in self.files) + "]" * len(self.files)
        about = [
            f"# Arguments, each a place: {use}. Else the variable of that name counts, else the",
            "# file is looked for beside this script and where Maven, Gradle, Jarlet and Debian keep jars.",
        ]
        jdk = [place for place in self._found.values() if place.of_jdk]
        return [
            *(about if use else ()),
            *_LOOKS.strip().splitlines(),
            *(_LOOKS_FOR_JDK.strip().splitlines() if jdk else []),
            "look() {",
            "missing= wanted=",
            *(line for place in jdk for line in place.lines(0)),
            *(line for number, place in enumerate(self.files, 1) for line in place.lines(number)),
            "}",
            'look "$@"',
            '[ -z "$get" ] || [ -z "$wanted" ] || { get_all; look "$@"; }',
            '[ -z "$missing" ] || {',
            '  echo "${0##*/}: get what is missing (Maven: --get), and put it beside this script or tell its place: '
            '$missing." >&2',
            "  exit 2",
            "}",
        ]


def coordinate_of(jar: Path) -> str:
    """Return the coordinate ``group:artifact:version`` of a jar: of its own Maven properties, else of the project file
    beside it in a repository, from the list beside fetched jars, or that of the preset with this tool, by file name or
    path; empty if none is known."""
    if jar.suffix != ".jar":
        return ""
    with suppress(OSError, InputError), Archive(jar) as archive:
        names = filter(_PROPERTIES.fullmatch, archive.names)
        found = [dict(_PROPERTY.findall(archive.read(name).decode("utf-8", "replace"))) for name in names]
        own = [each for each in found if len(each) == 3 and jar.name.startswith(each["artifactId"])]
        if len(own) == 1:
            return ":".join(own[0][part] for part in ("groupId", "artifactId", "version"))
    with suppress(OSError, InputError, FetchError):
        beside = jar.with_suffix(".pom")
        return str(coordinate_in(tree_of(beside.read_bytes(), str(beside))))
    with suppress(OSError):
        fetched = map(Coordinate.parse, (jar.parent / COORDINATES).read_text().split())
        if found_here := next((each for each in fetched if each.file_name == jar.name), None):
            return str(found_here)
    for coordinate in (each for preset in presets.load_all().values() for tool in preset.tools for each in tool.maven):
        group, artifact, version = coordinate.split(":")[:3]
        first = version.partition(".")[0]  # artifacts move to another group with a new first number
        named = re.fullmatch(rf"{re.escape(artifact)}-({re.escape(first)}\.[\w.+-]*)\.jar", jar.name)
        if named:
            return f"{group}:{artifact}:{named[1]}"
    for _, place, coordinate in _of_presets():
        if coordinate and _same(place, str(jar)) and version_of(jar) != "unknown":
            return f"{coordinate.rpartition(':')[0]}:{version_of(jar)}"
    return ""


def _of_presets() -> Iterator[tuple[Tool, Path, str]]:
    """Yield the jars here of the presets' tools: tool, place, and the coordinate of the version that is fetched."""
    for preset in presets.load_all().values():
        for tool in preset.tools:
            for place, coordinate in zip_longest(tool.find() or (), tool.maven[: len(tool.jars)], fillvalue=""):
                if place:
                    yield tool, Path(place), coordinate


def _same(place: Path, path: str) -> bool:
    return os.path.realpath(place) == os.path.realpath(path)
