"""Models on disk: a model built once is loaded in a fraction of the time.

A file holds the items, the formula and the data of look-ups, then the facts of each class, which are read on demand.
Its name is a digest of everything that the model depends on.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import struct
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
from core.system.files import write_whole
from core.user_folders import cache_folder
from core.version import VERSION

_SIZE = struct.Struct(">Q")
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


def save(folder: Path, key: str, model: ItemModel) -> None:
    """Store a model."""
    facts = [pickle.dumps(found, pickle.HIGHEST_PROTOCOL) for found in model.facts.values()]
    ends = np.cumsum([len(data) for data in facts], dtype=np.int64)
    head = pickle.dumps(_plain(model) | {"facts": (list(model.facts), ends.tobytes())}, pickle.HIGHEST_PROTOCOL)
    put_blob(folder, key, [_SIZE.pack(len(head)), head, *facts])


def load(folder: Path, key: str, jar: Jar, settings: ModelSettings) -> ItemModel | None:
    """Return the stored model of a jar, or None; ``settings`` are those of the key."""
    data = get_blob(folder, key)
    if data is None:
        return None
    try:
        (size,) = _SIZE.unpack_from(data)
        at = _SIZE.size + size
        plain = pickle.loads(data[_SIZE.size : at])
        return _whole(plain, data[at:], jar, settings)
    except Exception:  # whatever unpickling makes of it: as good as not there
        remove_blob(folder, key)
        return None


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


def _whole(plain: dict[str, Any], data: memoryview, jar: Jar, settings: ModelSettings) -> ItemModel:
    nodes, edges, problems, missing = plain["graph"]
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from(edges.tolist())
    model = ClassModel(jar, ClassGraph(nodes, graph, problems, missing), plain["whole"], plain["pinned"])
    (names, ends), (variables, hosts, subtypes) = plain["facts"], plain["lookups"]
    facts = _Facts(names, ends, data)
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
    """Facts by class, each read when it is asked for."""

    def __init__(self, names: list[str], ends: bytes, data: memoryview) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._ends = [0, *np.frombuffer(ends, dtype=np.int64).tolist()]
        if self._ends[-1] != len(data):
            raise ValueError("the facts are cut off")
        self._data = data
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


LIMIT = 512 << 20
"""Most bytes of all files together."""

_MAGIC = b"jarlet model 1\n"
_DIGEST = 32
_SUFFIX = ".model"
_STALE = 3600  # seconds after which a temporary file counts as abandoned


def get_blob(folder: Path, key: str) -> memoryview | None:
    """Return the content stored under ``key``, and count a use. Return None if there is no content; remove a damaged
    file and return None."""
    path = folder / (key + _SUFFIX)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST
    content = memoryview(data)[start:]
    if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : start] != _digest([content]):
        remove_blob(folder, key)
        return None
    with suppress(OSError):
        os.utime(path)
    return content


def put_blob(folder: Path, key: str, content: list[bytes], limit: int = LIMIT) -> None:
    """Store ``content``; then remove the blobs used longest ago until ``limit`` bytes are left, but never the new blob.

    A model that cannot be written is not stored: a cache costs time only.
    """
    path = folder / (key + _SUFFIX)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, [_MAGIC + _digest(content), *content], durable=False)
    except (OSError, OutputError):
        return
    _shrink(folder, path, limit)


def remove_blob(folder: Path, key: str) -> None:
    """Forget the blob."""
    with suppress(OSError):
        (folder / (key + _SUFFIX)).unlink(missing_ok=True)


def _digest(content: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for data in content:
        digest.update(data)
    return digest.digest()


def _shrink(folder: Path, newest: Path, limit: int) -> None:
    found = []
    with suppress(OSError):
        now = newest.stat().st_mtime
        for path in folder.iterdir():
            with suppress(OSError):
                stat = path.stat()
                if path.suffix == _SUFFIX:
                    found.append((stat.st_mtime_ns, stat.st_size, path))
                elif path.suffix == ".tmp" and now - stat.st_mtime > _STALE:
                    path.unlink()
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total > limit and path != newest:
            with suppress(OSError):
                path.unlink()
            total -= size
