"""Facts about classes outside the input: members, ancestors, class paths."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from core.classfile.flags import PROTECTED, STATIC
from core.classfile.format_error import ClassFormatError
from core.errors import InputError
from core.library import jdks
from core.library.jdk import QUICK_TOOL
from core.library.library import Library, open_library
from core.library.skim import skim
from tests.support.java import CompileJava, jdk_tool

STRING = "java/lang/String"


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library()


@pytest.fixture(scope="module")
def pieces(compile_java: CompileJava) -> Path:
    """Folder of small classes, compiled at once."""
    return compile_java(
        {
            "A.java": "class A {}",
            "x/Y.java": "package x; class Y { int base; } class Z {}",
            "S.java": "sealed interface S { record R(int x) implements S {} final class C implements S {} }",
            "Circle.java": "interface Circle extends Spiral {} interface Square extends Circle {} interface Spiral {}",
            "p/A.java": """package p;
            interface A { void a(); }
            interface Filled extends A { default void a() {} void b(); }
            interface Emptied extends Filled { void a(); }
            interface Narrow extends java.util.function.Function<String, String> { String apply(String s); }
            interface Twice extends A { void a(); static void s() {} default void d() {} }
            interface Joined extends A, Twice {}
            """,
        }
    )


def changed(pieces: Path, name: str, old: bytes, new: bytes, folder: Path) -> Path:
    """Puts a class into *folder* with one name in it replaced by another of the same length."""
    data = (pieces / f"{name}.class").read_bytes()
    assert old in data
    target = folder / f"{name}.class"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data.replace(old, new))
    return folder


def pack(jar: Path, folder: Path, manifest: str = "") -> Path:
    with zipfile.ZipFile(jar, "w") as archive:
        if manifest:
            archive.writestr("META-INF/MANIFEST.MF", manifest)
        for path in sorted(folder.rglob("*.class")):
            archive.write(path, path.relative_to(folder).as_posix())
    return jar


# One class
@pytest.mark.parametrize("name", [STRING, "java/util/Map$Entry", "java/util/ArrayList", "java/lang/Thread$State"])
def test_members_are_those_that_javap_shows(library: Library, name: str) -> None:
    shown = subprocess.run(
        [jdk_tool("javap"), *QUICK_TOOL, "-p", "-s", name.replace("/", ".")], capture_output=True, text=True, check=True
    ).stdout
    cls = library.get(name)
    assert cls is not None
    ours = sorted(descriptor for _, descriptor in [*cls.fields, *cls.methods])
    assert ours == sorted(re.findall(r"descriptor: (\S+)", shown))


def test_skim_tells_the_signatures_that_declare_type_parameters_or_are_an_annotations(library: Library) -> None:
    names = ("java/lang/annotation/Repeatable", "java/util/List", "java/lang/Runnable")
    repeatable, lists, runnable = map(library.get, names)
    assert repeatable is not None
    assert lists is not None
    assert runnable is not None
    assert repeatable.generic == {
        ("value", "()Ljava/lang/Class;"): "()Ljava/lang/Class<+Ljava/lang/annotation/Annotation;>;"
    }
    assert lists.generic["toArray", "([Ljava/lang/Object;)[Ljava/lang/Object;"] == "<T:Ljava/lang/Object;>([TT;)[TT;"
    assert ("iterator", "()Ljava/util/Iterator;") not in lists.generic
    assert runnable.generic == {}


def test_what_is_known_of_a_class(library: Library) -> None:
    thread = library.get("java/lang/Thread")
    assert thread is not None
    assert (thread.superclass, thread.interfaces) == ("java/lang/Object", ("java/lang/Runnable",))
    assert thread.methods["currentThread", "()Ljava/lang/Thread;"] & STATIC
    assert thread.fields["MAX_PRIORITY", "I"] & STATIC
    top = library.get("java/lang/Object")
    assert top is not None
    assert top.superclass is None
    assert top.methods["clone", "()Ljava/lang/Object;"] & PROTECTED
    enums = library.get("java/util/EnumMap")
    assert enums is not None
    assert enums.signature is not None
    assert enums.signature.startswith("<K:Ljava/lang/Enum<TK;>;")


@pytest.mark.parametrize("size", [0, 4, 9, 30, 200, 500])
def test_cut_class_files(library: Library, size: int) -> None:
    data = library.class_bytes("java/lang/Runnable") or b""
    assert size >= len(data) or skim(data)
    with pytest.raises(ClassFormatError):
        skim(data[: min(size, len(data) - 1)])


# Class paths
def test_class_path_comes_before_the_jdk_and_in_order(pieces: Path, tmp_path: Path) -> None:
    first = changed(pieces, "x/Y", b"base", b"here", tmp_path / "first")
    library = open_library([first, pack(tmp_path / "second.jar", pieces)])
    found = library.get("x/Y")
    assert found is not None
    assert list(found.fields) == [("here", "I")]
    assert library.get("x/Z") is not None
    assert library.get(STRING) is not None
    assert library.get("x/Nowhere") is None
    assert library.get("x/Y") is found
    library.close()


def test_multi_release_jar_as_the_jdk_sees_it(pieces: Path, tmp_path: Path) -> None:
    classes = tmp_path / "classes"
    changed(pieces, "x/Y", b"base", b"base", classes)
    for version in (9, 11, 99):
        changed(pieces, "x/Y", b"base", b"in%02d" % version, classes / f"META-INF/versions/{version}")
    for manifest, member in (("Multi-Release: true\n", "in11"), ("", "base")):
        jar = pack(tmp_path / f"{member}.jar", classes, f"Manifest-Version: 1.0\n{manifest}\n")
        found = open_library([jar]).get("x/Y")
        assert found is not None
        assert list(found.fields) == [(member, "I")]


def test_jars_that_a_manifest_names(pieces: Path, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    pack(tmp_path / "lib" / "the other.jar", pieces, "Manifest-Version: 1.0\nClass-Path: ../main.jar\n")
    jar = pack(tmp_path / "main.jar", tmp_path / "nothing",
               "Manifest-Version: 1.0\nClass-Path: missing.jar lib/the%20o\n ther.jar\n")  # fmt: skip
    assert open_library([jar]).get("x/Z") is not None


def test_class_path_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.jar: there is no such jar"):
        open_library([tmp_path / "missing.jar"])
    (tmp_path / "broken.jar").write_bytes(b"PK\3\4 and no more")
    with pytest.raises(InputError, match=r"broken\.jar: the jar is damaged"):
        open_library([tmp_path / "broken.jar"])


def test_damaged_class_on_the_class_path(tmp_path: Path) -> None:
    (tmp_path / "Bad.class").write_bytes(b"\xca\xfe\xba\xbe and no more")
    library = open_library([tmp_path])
    assert library.get("Bad") is None


def test_names_do_not_lead_out_of_the_class_path(pieces: Path, tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    shutil.copy(pieces / "A.class", tmp_path)
    library = open_library([tmp_path / "inside"])
    for name in ("../A", f"{tmp_path}/A", "\0", "\ud800", "x" * 5000):
        assert library.get(name) is None


def test_identity_follows_the_files(pieces: Path, tmp_path: Path) -> None:
    jar = pack(tmp_path / "a.jar", pieces)
    before = open_library([jar]).identity
    assert open_library([jar]).identity == before
    assert open_library().identity != before
    os.utime(jar, (0, 0))
    assert open_library([jar]).identity != before


def test_without_java_only_the_jdks_classes_fail(pieces: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PATH", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(jdks, "_FOLDERS", {"linux": ()})
    monkeypatch.delenv("JAVA_HOME", raising=False)
    library = open_library([pieces])
    assert library.get("A") is not None
    with pytest.raises(InputError, match=r"JAVA_HOME is not set, and there is no java on PATH") as caught:
        library.get(STRING)
    assert "Install a JDK" in str(caught.value)
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with pytest.raises(InputError, match="JAVA_HOME is /nowhere, which is not one"):
        library.get(STRING)
