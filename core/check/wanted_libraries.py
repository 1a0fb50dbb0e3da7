"""The jars with the missing packages of an input, and the words of the command line that add them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from core.library.nearby import find_packages, jars_to_add, with_any
from core.model.class_model import ClassModel
from core.predicate.releases.coordinate import Coordinate
from core.protocol.java_names import package_of
from core.protocol.questions.background import Whereabouts
from core.report.needed_places import coordinate_of

Declared = dict[Coordinate, Path | None]
"""Libraries that the projects of an input declare, with their places on this machine."""

_WORDS = re.compile(r"[.-]")
_EVERYWHERE = {"org", "com", "net", "io", "java", "javax", "api", "core", "apache"}
"""Parts of names that tell no library from another one."""


def find_missing(
    model: ClassModel,
    packages: Iterable[str],
    libraries: Sequence[Path],
    ended: Callable[[], bool] = lambda: False,
) -> tuple[list[Whereabouts], list[str], Declared]:
    """Return the places of missing packages, the jars to add, and what the projects of the input declare.

    Declared jars with any other class that the input misses are added too: one failure hides another.
    """
    from core.predicate.releases.maven import declared_by  # here: the modules of the network take long to load

    unresolved, sources = model.graph.unresolved, model.jar.paths
    wanted = {
        package: frozenset(name.rpartition("/")[2] for name in unresolved if package_of(name) == package)
        for package in packages
    }
    declared = {each: place for source in sources for each, place in declared_by(Path(source)).items()}
    here = [place for place in declared.values() if place is not None]
    found = find_packages(wanted, sources, libraries, ended, here)
    more = map(str, with_any(here, unresolved, libraries))
    return found, list(dict.fromkeys((*jars_to_add(found), *more))), declared


def adding_text(model: ClassModel, packages: Sequence[str], libraries: Sequence[Path]) -> str:
    """Return sentences on the options to add all missing libraries, and on those to reduce without them.

    A declared library is named by its coordinate: the coordinate brings its dependencies along. For a package without a
    jar on this machine, its name points to a declared library."""
    found, jars, declared = find_missing(model, packages, libraries)
    named = {str(place): str(each) for each, place in declared.items() if place is not None}
    lost = [one.package for one in found if not one.jar and not one.given]
    away = [each for each, place in declared.items() if place is None]
    likely = [max(away, key=lambda each: _alike(each, package)) for package in lost if away]
    fetched = dict.fromkeys(str(each) for each, of in zip(likely, lost, strict=False) if _alike(each, of))
    words = [*(named.get(jar, jar) for jar in jars), *fetched]
    unread = (jar for jar in model.jar.files if not jar.with_suffix(".pom").exists())
    own = list(filter(None, map(coordinate_of, unread)))
    add = f"Add {shlex.join(word for value in words or ['PATH'] for word in ('--classpath', value))}"
    if own and not words:  # its project file may be on the server
        add = f"Name the input by its coordinate, {shlex.join(own)}, with --fetch: that brings its libraries along"
    return (
        f"{add}{' --fetch' if fetched else ''}. To reduce without: --allow-missing; for one of the failures: "
        "--failures 'chosen NAME'."
    )


def _alike(coordinate: Coordinate, package: str) -> int:
    words = {*_WORDS.split(coordinate.group), *_WORDS.split(coordinate.artifact)} - _EVERYWHERE
    return len(words.intersection(package.split(".")))
