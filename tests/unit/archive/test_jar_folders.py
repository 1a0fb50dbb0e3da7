"""Folders of jars as results: whole at each moment, and never in the place of what somebody else wrote."""

from __future__ import annotations

import os
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.archive.jar_folders import write_jars, write_result
from core.archive.named_inputs import LIST, find
from core.errors import InputError, OutputError
from core.system import files
from tests.support.patience import patience

ONE = [("a.jar!/p/A.class", b"a"), ("b.jar!/p/B.class", b"b")]
TWO = [("b.jar!/p/B.class", b"b")]


def jar_with(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return path


def test_the_folder_is_whole_at_each_moment(tmp_path: Path) -> None:
    folder, over = tmp_path / "out", threading.Event()
    write_jars(folder, ONE)
    seen: set[str] = set()

    def look() -> None:
        while not over.is_set():
            seen.add((folder / LIST).read_text().partition("\n")[2])

    looking = threading.Thread(target=look)
    looking.start()
    for _ in range(50):
        write_jars(folder, TWO)
        write_jars(folder, ONE)
    over.set()
    looking.join(patience())
    assert seen <= {"a.jar\nb.jar\n", "b.jar\n"}
    assert os.listdir(tmp_path) == ["out"]
    assert [entry.name for entry in read_jar([folder]).entries] == [name for name, _ in ONE]


def test_a_write_that_ends_early_leaves_what_was_there(tmp_path: Path) -> None:
    write_jars(tmp_path / "out", ONE)

    def entries() -> Iterator[tuple[str, bytes]]:
        yield TWO[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_jars(tmp_path / "out", entries())
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.jar", "b.jar", LIST]


def test_the_remains_of_a_killed_writer_are_in_nobodys_way(tmp_path: Path) -> None:
    new = tmp_path / ".out.jarlet"
    new.mkdir()
    (new / files._fresh_name()).write_bytes(b"half a jar")
    write_jars(tmp_path / "out", ONE)
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("name", ["notes.txt", "c.jar", "lib"])
def test_a_folder_with_anything_else_is_not_replaced(tmp_path: Path, name: str) -> None:
    write_jars(tmp_path / "out", ONE)
    place = tmp_path / "out" / name
    place.mkdir() if name == "lib" else place.write_text("mine")
    with pytest.raises(OutputError, match=f"has files that Jarlet did not write \\('{name}'\\)"):
        write_jars(tmp_path / "out", TWO)
    assert place.exists()
    assert (tmp_path / "out" / "a.jar").exists()


def test_the_order_of_a_result_is_that_of_its_class_path(tmp_path: Path) -> None:
    inputs = read_jar([jar_with(tmp_path / f"{name}.jar", f"{name}.class") for name in "cab"])
    write_result(tmp_path / "out", inputs.contents, inputs.inputs)
    assert [each.name for each in read_jar([tmp_path / "out"]).inputs] == ["c.jar", "a.jar", "b.jar"]


def test_a_link_in_a_folder_to_another_of_its_jars_is_no_second_input(tmp_path: Path) -> None:
    for name in ("b-1.jar", "c.jar"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "a.jar").symlink_to("b-1.jar")
    assert [each.name for each in find([tmp_path])] == ["b-1.jar", "c.jar"]


def test_a_folder_with_classes_and_jars_is_one_input(tmp_path: Path) -> None:
    (tmp_path / "app" / "p").mkdir(parents=True)
    (tmp_path / "app" / "p" / "A.class").write_bytes(b"a")
    jar_with(tmp_path / "app" / "b.jar", "p/B.class")
    assert {entry.name for entry in read_jar([tmp_path / "app"]).entries} == {"p/A.class", "b.jar"}


def test_a_jar_that_changes_while_it_is_read_is_a_sentence(tmp_path: Path) -> None:
    jar, over = jar_with(tmp_path / "a.jar", *(f"p/C{number}.class" for number in range(300))), threading.Event()

    def change() -> None:
        number = 0
        while not over.is_set():
            os.utime(jar, ns=(number, number := number + 1))

    changing = threading.Thread(target=change)
    changing.start()
    try:
        with pytest.raises(InputError, match=r"a\.jar: the file changed while it was read\. Try again when it is comp"):
            list(map(read_jar, 1000 * [[jar]]))
    finally:
        over.set()
        changing.join(patience())
    assert len(read_jar([jar]).entries) == 300
