"""Sessions on a disk that is full or may not be written to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from core.archive.jar import Entry, Jar, kind_of
from core.archive.packer import Packer
from core.errors import JarletError, OutputError
from core.model import class_model
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.reduction.elements import WholeElements
from core.reduction.records import sub_input_of
from core.service.searching.saver import Saver
from core.store.session import Session
from tests.support.driving import made_tester
from tests.support.sessions import PRINT, SEARCH, entries, jar, names, step


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("needs the right to mount")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk(mounted: Path, tmp_path: Path) -> None:
    source = jar(tmp_path / "in.jar", "A.class")
    folder = Session.create(mounted / "s", source, {})
    memory = folder.memory(PRINT, 5.0, SEARCH)
    folder.accept(step(3), entries(3))
    done: list[bytes] = []

    def fill() -> None:
        while len(done) < 10_000:
            key = len(done).to_bytes(20, "big")
            memory.put(key, Outcome(Verdict.NOT_INTERESTING, 0.01, 1, os.urandom(1500).hex()))
            done.append(key)

    with pytest.raises(JarletError, match=r"disk.*best\.jar") as caught:
        fill()
    assert caught.value.exit_code == 2
    assert len(done) > 50
    # the old steps give way to a new best
    large = [entries(10, 2000) for _ in range(2)]
    with pytest.raises(OutputError, match="No space left"):
        folder.accept(step(2), entries(90, 9000))
    assert len(names(folder.path / "best.jar")) == 3
    folder.close()
    assert len(names(folder.path / "best.jar")) == 3
    subprocess.run(["mount", "-o", "remount,size=8m", mounted], check=True)
    with Session.open(folder.path) as again:
        assert again.warnings == []
        memory = again.memory(PRINT, 5.0, SEARCH)
        assert all(memory.get(key) is not None for key in done)
        again.accept(step(2), large[0])
        assert len(names(again.path / "best.jar")) == 10


def test_a_folder_that_may_not_be_written_to(mounted: Path, tmp_path: Path) -> None:
    folder = Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {})
    folder.memory(PRINT, 5.0, SEARCH)
    folder.accept(step(3), entries(3))
    kept = {name: (folder.path / name).read_bytes() for name in ("journal.sqlite", "journal.sqlite-wal")}
    folder.close()
    for name, data in kept.items():  # as after kill -9: the step is in the log alone
        (folder.path / name).write_bytes(data)
    subprocess.run(["mount", "-o", "remount,ro", mounted], check=True)
    with pytest.raises(OutputError, match=r"(?i)read-only.*best\.jar"):
        Session.open(folder.path)
    with pytest.raises(OutputError, match=r"(?i)read-only"):
        Session.create(mounted / "t", jar(tmp_path / "in.jar", "A.class"), {})


def fill_up(disk: Path) -> None:
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def test_a_full_disk_gives_up_old_steps_before_the_run(mounted: Path, tmp_path: Path) -> None:
    with Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {}) as folder:
        memory = folder.memory(PRINT, 5.0, SEARCH)
        for size in (9, 8, 7, 6):
            folder.accept(step(size), entries(size, 8000))
        kept = sorted(path.name for path in (folder.path / "steps").iterdir())
        assert len(kept) == 4
        fill_up(mounted)
        number = 0
        while len(list((folder.path / "steps").iterdir())) == 4:  # each verdict takes a little of what the log has left
            number += 1
            memory.put(number.to_bytes(20, "big"), Outcome(Verdict.NOT_INTERESTING, 0.01, 1, os.urandom(1500).hex()))
        assert [path.name for path in (folder.path / "steps").iterdir()] == ["0004.jar"], "the best stays"
        assert len(names(folder.path / "best.jar")) == 6
        assert all(memory.get(at.to_bytes(20, "big")) is not None for at in range(1, number + 1))
        folder.finish("done", {"text": "x" * 1000})


def test_a_full_disk_gives_up_old_steps_for_the_output(mounted: Path, tmp_path: Path) -> None:
    with Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {}) as folder:
        folder.memory(PRINT, 5.0, SEARCH)
        for size in (9, 8, 7):
            folder.accept(step(size), entries(size, 8000))
        fill_up(mounted)
        files = tuple(Entry(name.replace(".class", ".bin"), data, kind_of("a.bin")) for name, data in entries(7, 8000))
        model = class_model.build(Jar((tmp_path / "in.jar",), "in.jar", files))
        best = sub_input_of(
            made_tester(
                WholeElements(model), CommandPredicate(PredicateCommand.parse("true"), condition=Condition()), tmp_path
            ),
            model.full,
        )
        with pytest.raises(OutputError, match="No space"):
            Saver(mounted / "out.jar").save(best, Packer())
        Saver(mounted / "out.jar", folder).save(best, Packer())
        assert len(names(mounted / "out.jar")) == 7
        assert len(names(folder.path / "best.jar")) == 7


def test_a_step_that_no_room_is_left_for_is_told(mounted: Path, tmp_path: Path) -> None:
    with Session.create(mounted / "s", jar(tmp_path / "in.jar", "A.class"), {}) as folder:
        folder.memory(PRINT, 5.0, SEARCH)
        files = tuple(Entry(name.replace(".class", ".bin"), data, kind_of("a.bin")) for name, data in entries(7, 8000))
        model = class_model.build(Jar((tmp_path / "in.jar",), "in.jar", files))
        predicate = CommandPredicate(PredicateCommand.parse("true"), condition=Condition())
        told: list[events.Event] = []
        saver = Saver(session=folder, output=None)
        saver.save(sub_input_of(made_tester(WholeElements(model), predicate, tmp_path), model.full), Packer())
        fill_up(mounted)
        with pytest.raises(OutputError, match="No space"):
            events.to_all(saver.note, told.append)(events.Accepted(1, "", 0.5, 7, 7, 56000))
        assert [type(event) for event in told] == [events.Accepted]
