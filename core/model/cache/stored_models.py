"""Models on disk: a model built once is loaded in a fraction of the time.

A file holds a digest of the rest, the items, the formula and the data of look-ups, then the facts of each class, which
are read on demand. Its name is a digest of everything that the model depends on.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from core.archive.jar import EntryKind, Jar
from core.errors import OutputError
from core.model.cache.class_files import ClassFileCache
from core.model.class_graph import ClassGraph
from core.model.class_model import ClassModel
from core.model.formula import Builder
from core.model.hierarchy import Hierarchy
from core.model.item_model import ItemModel
from core.model.model_settings import ModelSettings
from core.model.reading.facts import ClassFacts
from core.system.files import sweep_dead, write_whole
from core.user_folders import cache_folder
from core.version import VERSION

LIMIT = 512 << 20
"""Most bytes of all files together."""

_DIGEST = 32
_SUFFIX = ".model"
_MAKERS = ("archive", "classfile", "code", "parts", "library", "model")
"""The rooms of ``core`` whose sources make a model."""


def default_folder() -> Path:
    """Return the folder of models: ``$XDG_CACHE_HOME/jarlet/models``."""
    return cache_folder() / "models"


def key_of(jar: Jar, settings: ModelSettings) -> str:
    """Return the name under which a model is stored: content of the class files, names and sizes of the other entries,
    settings, library, and the program itself."""
    digest = hashlib.sha256()
    made_of = (VERSION, _program(), sys.version, settings.library.identity, settings.granularity, settings.validity)
    for part in made_of:
        digest.update(f"{len(part)}:{part}".encode())
    for entry in jar.entries:
        digest.update(f"{len(entry.name)}:{entry.name}:{len(entry.data)}".encode("utf-8", "surrogatepass"))
        if entry.kind is EntryKind.CLASS:
            digest.update(entry.data)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _program() -> str:
    """Return a digest of the sources that make models. Models stored by other sources are of no use."""
    digest = hashlib.sha256()
    core = Path(__file__).parents[2]
    for folder in _MAKERS:
        for path in sorted((core / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def save(folder: Path, key: str, model: ItemModel, limit: int = LIMIT) -> None:
    """Store a model; then remove the models used longest ago until ``limit`` bytes are left, but never the new one.

    A model that cannot be written is not stored: a cache costs time only.
    """
    facts = [pickle.dumps(found, pickle.HIGHEST_PROTOCOL) for found in model.facts.values()]
    ends = np.cumsum([len(data) for data in facts], dtype=np.int64)
    plain = pickle.dumps(_plain(model) | {"facts": (list(model.facts), ends.tobytes())}, pickle.HIGHEST_PROTOCOL)
    path = folder / (key + _SUFFIX)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, [_digest([plain, *facts]), plain, *facts], durable=False)
    except (OSError, OutputError):
        return
    _shrink(folder, path, limit)


def load(folder: Path, key: str, jar: Jar, settings: ModelSettings) -> ItemModel | None:
    """Return the stored model of a jar, and count a use; ``settings`` are those of the key. Return None if there is no
    model; remove a damaged file and return None."""
    path = folder / (key + _SUFFIX)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    content = memoryview(data)[_DIGEST:]
    try:
        if _digest([content]) != data[:_DIGEST]:
            raise ValueError("the file is damaged")
        found = _whole(pickle.loads(content), content, jar, settings)
    except Exception:  # whatever unpickling makes of it: as good as not there
        with suppress(OSError):
            path.unlink()
        return None
    with suppress(OSError):
        os.utime(path)
    return found


def _plain(model: ItemModel) -> dict[str, Any]:
    """Return all but the facts."""
    graph, hierarchy = model.model.graph, model.hierarchy
    edges = np.array(list(graph.graph.edges), dtype=np.int32).reshape(-1, 2)
    return {
        "graph": (graph.nodes, edges, graph.problems, graph.unresolved),
        "pinned": model.model.pinned,
        "whole": model.model.items,
        "items": model.items,
        "parts": model.parts,
        "formula": model.formula,
        "lookups": (hierarchy.variables, dict(hierarchy.nest_hosts), list(hierarchy.subtypes())),
        "unresolved": hierarchy.unresolved,
    }


def _whole(plain: dict[str, Any], content: memoryview, jar: Jar, settings: ModelSettings) -> ItemModel:
    nodes, edges, problems, missing = plain["graph"]
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from(edges.tolist())
    model = ClassModel(jar, ClassGraph(nodes, graph, problems, missing), plain["whole"], plain["pinned"])
    (names, ends), (variables, hosts, subtypes) = plain["facts"], plain["lookups"]
    facts = _Facts(names, ends, content)
    builder = Builder(len(plain["items"]))  # takes what is asked later: no more clauses, as after building
    hierarchy = Hierarchy(facts, settings.library.get, variables, builder, hosts, subtypes)
    hierarchy.unresolved.update(plain["unresolved"])
    return ItemModel(
        model,
        plain["items"],
        plain["parts"],
        facts,
        plain["formula"],
        hierarchy,
        settings.granularity,
        settings.validity,
        settings.known or ClassFileCache(settings.granularity),
    )


class _Facts(Mapping[str, ClassFacts]):
    """Facts by class at the end of a file's content, each read when it is asked for."""

    def __init__(self, names: list[str], ends: bytes, content: memoryview) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._ends = [0, *np.frombuffer(ends, dtype=np.int64).tolist()]
        self._data = content[len(content) - self._ends[-1] :]
        self._known: dict[str, ClassFacts] = {}

    def __getitem__(self, name: str) -> ClassFacts:
        found = self._known.get(name)
        if found is None:
            place = self._places[name]
            found = pickle.loads(self._data[self._ends[place] : self._ends[place + 1]])
            self._known[name] = found
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _digest(content: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for data in content:
        digest.update(data)
    return digest.digest()


def _shrink(folder: Path, newest: Path, limit: int) -> None:
    sweep_dead(folder)
    found = []
    for path in folder.glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            stat = path.stat()
            found.append((stat.st_mtime_ns, stat.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total > limit and path != newest:
            with suppress(OSError):
                path.unlink()
            total -= size
