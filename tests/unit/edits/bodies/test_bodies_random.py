"""Any edits of any class: the virtual machine verifies what comes out."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.classfile.class_file import parse
from core.code.types.code_facts import CodeReader
from core.edits.bodies.editor import Editor
from tests.bench.bodies import WAYS
from tests.support.body_program import PROGRAM, written
from tests.support.java import CompileJava
from tests.support.rewriting import is_compact, judged


def classes_of(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(folder.rglob("*.class"))]


def in_jar(path: Path) -> list[bytes]:
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".class")]


def with_edits(
    folder: Path, classes: list[bytes], seed: int, change: Callable[[bytes], bytes] = lambda data: data
) -> tuple[list[Path], int]:
    """A folder for each way to choose, and how many classes are to be loaded."""
    folders, count = [], 0
    editors = [(parse(data), Editor(data)) for data in map(change, classes)]
    for turn, (_, choose) in enumerate(WAYS):
        source = random.Random(f"{seed} {turn}")
        folders.append(folder / str(turn))
        for number, (cf, editor) in enumerate(editors):
            data = editor.write(choose(editor.edits, source)) if editor.edits else cf.data or b""
            if number % len(WAYS) == turn:
                assert data == cf.data or is_compact(data)
                # Frames and stack as our own interpreter sees them.
                assert len(list(CodeReader(parse(data)).all())) == len(cf.methods)
            written(folders[-1], cf.name, data)
            count += cf.superclass is not None
    return folders, count


@pytest.mark.guarded
def test_any_edits_verify(program: Path, zoo: Path, sample_jar: Path, runner: Path, tmp_path: Path) -> None:
    classes = classes_of(program) + [data for data in classes_of(zoo) if parse(data).superclass] + in_jar(sample_jar)
    folders, count = with_edits(tmp_path, classes, 1)
    wrong, loaded, _ = judged(runner, "load", folders)
    assert wrong == []
    assert loaded == count


def test_any_edits_verify_the_old_way(compile_java: CompileJava, runner: Path, tmp_path: Path) -> None:
    """Class files of version 49, for which the verifier infers types: frames are not looked at."""
    options = ("--release", "8", "-Xlint:-options", "-g")
    old = {name: text.replace('switch ("w" + twice(1)) { case "w1" -> 1; case "w2" -> 2; default -> 0; }', "1")
           for name, text in PROGRAM.items()}  # fmt: skip
    old = {
        "p/Prog.java": old["p/Prog.java"].replace('() -> "a"', "new Supplier<String>() "
                                                  '{ public String get() { return "a"; } }')
    }  # fmt: skip
    folder = compile_java(old, *options)
    classes = [data[:6] + b"\0\x31" + data[8:] for data in classes_of(folder)]
    assert not any(b"BootstrapMethods" in data for data in classes)
    folders, count = with_edits(tmp_path, classes, 2)
    assert not any(b"StackMapTable" in file.read_bytes() for file in (tmp_path / str(len(WAYS) - 1)).rglob("*.class"))
    wrong, loaded, _ = judged(runner, "load", folders)
    assert wrong == []
    assert loaded == count


CODEC = Path("/usr/share/java/commons-codec.jar")


@pytest.mark.slow
@pytest.mark.skipif(not CODEC.exists(), reason="needs Debian's libcommons-codec-java")
def test_edits_of_a_real_jar_verify(runner: Path, tmp_path: Path) -> None:
    folders, count = with_edits(tmp_path, in_jar(CODEC), 4)
    wrong, loaded, _ = judged(runner, "load", folders)
    assert wrong == []
    assert loaded == count
