"""Class files read by several processes: the same result for any number of them, also when they die."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import Entry, EntryKind, Jar, read_jar
from core.library.library import open_library
from core.model import building, class_graph
from core.model.cache.class_files import ClassFileCache
from core.model.model_settings import ModelSettings
from core.model.reading import readers
from core.system.interpreter import collector_paused


@pytest.fixture
def jar(sample_jar: Path, monkeypatch: pytest.MonkeyPatch) -> Jar:
    """A small jar that is read in many small chunks; one of its class files is none."""
    monkeypatch.setattr(readers, "SPLIT_FROM", 1)
    monkeypatch.setattr(readers, "_CHUNK", 3)
    whole = read_jar([sample_jar])
    return replace(whole, entries=(*whole.entries, Entry("bad/Bad.class", b"\xca\xfe\xba\xbe", EntryKind.CLASS)))


@pytest.mark.parametrize(
    ("granularity", "jobs"),
    [("full", 2), *(pytest.param(*each, marks=pytest.mark.guarded) for each in ((None, 2), (None, 5), ("full", 5)))],
)
def test_any_number_of_processes_reads_the_same(
    jar: Jar, monkeypatch: pytest.MonkeyPatch, jobs: int, granularity: str | None
) -> None:
    told: list[tuple[int, int]] = []
    alone = readers.read_classes(jar, granularity, jobs=1)
    monkeypatch.setattr(readers, "read_class", None)  # nothing is left to this process
    assert readers.read_classes(jar, granularity, lambda *done: told.append(done), jobs) == alone
    assert [entry for entry, _ in alone] == jar.classes()
    assert [reading for _, reading in alone if isinstance(reading, str)] != []
    assert told == sorted(told)
    assert told[-1] == (len(alone), len(alone))


def test_the_model_is_the_same(jar: Jar) -> None:
    library = open_library()
    one, two = (building.build_by(jar, ModelSettings(library, "full", "src", jobs=jobs)) for jobs in (1, 2))
    assert one.items == two.items
    assert list(one.formula.clauses()) == list(two.formula.clauses())
    assert one.model.graph.nodes == two.model.graph.nodes == class_graph.build(jar).nodes


@pytest.mark.parametrize(
    "program",
    [
        "raise SystemExit(3)",
        "import sys; sys.stdin.buffer.read(20); sys.stdout.write('x' * 40)",
        "import sys; sys.stdin.buffer.read(20); sys.stdout.buffer.write(bytes(7) + bytes([9]) + b'no pickle')",
    ],
    ids=["dies at once", "says too much", "says nonsense"],
)
def test_what_a_broken_process_owes_is_read_here(jar: Jar, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    alone = readers.read_classes(jar, "member", jobs=1)
    monkeypatch.setattr(readers, "python_child", lambda module: [sys.executable, "-c", program])
    assert readers.read_classes(jar, "member", jobs=2) == alone


def test_processes_that_are_killed_on_the_way(jar: Jar, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = readers.read_classes(jar, "member", jobs=1)
    started = readers._started
    known: list[subprocess.Popen[bytes]] = []

    def starting(count: int) -> list[subprocess.Popen[bytes]]:
        known.extend(started(count))
        return known

    monkeypatch.setattr(readers, "_started", starting)
    assert readers.read_classes(jar, "member", lambda *_: [one.kill() for one in known] and None, jobs=2) == alone
    assert len(known) == 2
    assert all(one.returncode is not None for one in known)


def test_processes_end_when_the_caller_gives_up(jar: Jar, monkeypatch: pytest.MonkeyPatch) -> None:
    started = readers._started
    known: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(readers, "_started", lambda count: known.extend(started(count)) or known)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        readers.read_classes(jar, "member", stop, jobs=2)
    assert all(one.returncode is not None for one in known)


@pytest.fixture
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("thawed")
def test_only_much_that_lasts_leaves_the_collectors_sight() -> None:
    with collector_paused(lasting=True):
        little = [[number] for number in range(100)]
    assert gc.get_freeze_count() == 0
    with collector_paused():
        passing = [[number] for number in range(100_000)]
    assert gc.get_freeze_count() == 0
    with collector_paused(lasting=True):
        much = [[number] for number in range(100_000)]
    assert gc.get_freeze_count() > len(much)
    assert gc.isenabled()
    assert len(little) + len(passing) == 100_100


def test_what_is_known_is_not_read_again(jar: Jar, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = readers.read_classes(jar, "full", jobs=1)
    known = ClassFileCache("full")
    for entry in jar.classes()[::2]:
        assert known.read(entry, jar.entries[entry].data)
        assert not known.read(entry, jar.entries[entry].data)
    read: list[int] = []
    real = readers.read_class
    monkeypatch.setattr(readers, "read_class", lambda entry, *more: read.append(entry) or real(entry, *more))
    assert readers.read_classes(jar, "full", jobs=1, known=known) == plain
    assert read == jar.classes()[1::2]
    moved = replace(jar, entries=jar.entries[::-1])
    again = readers.read_classes(moved, "full", jobs=1, known=known)
    assert read == jar.classes()[1::2], "nothing is read any more"
    assert {entry for entry, _ in again} == set(moved.classes())
    assert all(isinstance(reading, str) or reading.node.entry == entry for entry, reading in again)


def test_what_another_input_lacks_is_forgotten(jar: Jar) -> None:
    known = ClassFileCache("full")
    for entry in jar.classes():
        known.read(entry, jar.entries[entry].data)
        known.prepare(jar.entries[entry].data)
    part = replace(jar, entries=jar.entries[:20])
    before = known.held
    known.keep_only(part)
    assert 0 < known.held < before
    there = {part.entries[entry].data for entry in part.classes()}
    for entry in jar.classes():
        assert (known.reading(entry, jar.entries[entry].data) is not None) == (jar.entries[entry].data in there)
