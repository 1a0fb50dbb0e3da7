"""The jars on this computer with packages that the input lacks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from core.library.nearby import find_packages, jars_to_add
from core.protocol.events import LibrariesFound
from core.protocol.java_names import package_of
from core.protocol.questions.background import FindLibraries
from core.service.queries.desk import Desk

_SECONDS = 60.0


def find_libraries(desk: Desk, wish: FindLibraries) -> LibrariesFound:
    """Return the jars with the missing packages, found by the names of the input's missing classes there."""
    model = desk.workspace.opened
    wanted = {
        package: frozenset(name.rpartition("/")[2] for name in model.graph.unresolved if package_of(name) == package)
        for package in wish.packages
    }
    libraries = [Path(path) for path in wish.classpath]
    with desk.background.run("libraries", "Jars with the missing packages", _SECONDS) as cancel:
        found = find_packages(wanted, model.jar.sources, libraries, cancel.is_set)
    return LibrariesFound([asdict(one) for one in found], jars_to_add(found))
