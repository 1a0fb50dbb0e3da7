"""The run-time image of a JDK, and a Java 8 without one: their classes as the JDK's own tools list and extract them."""

from __future__ import annotations

import subprocess
import time
import zipfile
from pathlib import Path

import pytest

from core.errors import InputError
from core.library.jdk import find_jdk
from core.library.jimage import Image
from core.library.library import Library, open_library
from core.library.skim import skim
from tests.support.java import jdk_tool

STRING = "java/lang/String"


@pytest.fixture(scope="module")
def library() -> Library:
    return open_library()


@pytest.fixture(scope="module")
def image() -> Image:
    path = find_jdk().image
    assert path is not None
    return Image(path)


@pytest.fixture(scope="module")
def listed() -> list[str]:
    """The classes that ``jimage list`` tells of."""
    command = [jdk_tool("jimage"), "list", find_jdk().image]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    names = [line.removesuffix(".class") for line in lines if "/" in line and line.endswith(".class")]
    assert len(names) > 5000
    return names


@pytest.mark.guarded
def test_image_gives_the_bytes_that_jimage_extracts(image: Image, tmp_path: Path) -> None:
    where = "java.base/java/util/stream"
    done = subprocess.run(
        [jdk_tool("jimage"), "extract", "--dir", tmp_path, "--include", f"regex:/{where}/.*", find_jdk().image],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    files = sorted((tmp_path / where).glob("*.class"))
    assert len(files) > 200
    for file in files:
        assert image.class_bytes(f"java/util/stream/{file.stem}") == file.read_bytes()


def test_image_finds_everything_that_jimage_lists(image: Image, listed: list[str]) -> None:
    for name in listed[::40]:
        data = image.class_bytes(name)
        assert data is not None
        assert skim(data).name == name


@pytest.mark.parametrize("name", ["java/lang/Strin", "java/lang/Missing", "no/such/Thing", "Unnamed", "", "[I", "é/ü"])
def test_image_without_the_class(image: Image, name: str) -> None:
    assert image.class_bytes(name) is None


def test_resources_that_are_no_classes(image: Image) -> None:
    assert image.resource("/java.base/java/lang/Object.class") == image.class_bytes("java/lang/Object")
    assert image.resource("/packages/java.util") is not None
    assert image.resource("/java.base/nothing") is None


@pytest.mark.parametrize("size", [0, 3, 27, 28, 5000])
def test_cut_image_is_the_users_mistake(tmp_path: Path, size: int) -> None:
    path = find_jdk().image
    assert path is not None
    with path.open("rb") as file:
        (tmp_path / "modules").write_bytes(file.read(size))
    with pytest.raises(InputError, match="modules: the JDK's run-time image"):
        Image(tmp_path / "modules")


def test_image_cut_in_the_classes(tmp_path: Path) -> None:
    path = find_jdk().image
    assert path is not None
    with path.open("rb") as file:
        (tmp_path / "modules").write_bytes(file.read(3 << 20))
    with pytest.raises(InputError, match="cut off"):
        [Image(tmp_path / "modules").class_bytes(name) for name in ("java/util/zip/ZipFile", STRING)]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["1", "2"])
def test_compressed_image(image: Image, tmp_path: Path, level: str) -> None:
    home = tmp_path / "jdk"
    command = [jdk_tool("jlink"), "--add-modules", "java.base", f"--compress={level}", "--output", home]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    compressed = Image(home / "lib" / "modules")
    for name in (STRING, "java/util/Map$Entry", "java/util/concurrent/ConcurrentHashMap", "java/lang/Object"):
        # jlink writes the class files anew when it shares their strings, but with the same content.
        data = compressed.class_bytes(name)
        assert data is not None
        assert data == image.class_bytes(name)


@pytest.mark.parametrize("place", ["lib", "jre/lib"])
def test_java_8_has_its_classes_in_a_jar(
    image: Image, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str
) -> None:
    lib = tmp_path / "jdk8" / place
    (lib / "ext").mkdir(parents=True)
    for jar, name in (("rt.jar", STRING), ("ext/more.jar", "java/util/Map")):
        with zipfile.ZipFile(lib / jar, "w") as archive:
            archive.writestr(f"{name}.class", image.class_bytes(name) or b"")
    (tmp_path / "jdk8" / "release").write_text('JAVA_VERSION="1.8.0_402"\n')
    (tmp_path / "jdk8/bin").mkdir()
    (tmp_path / "jdk8/bin/javac").touch()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk8"))
    library = open_library()
    assert library.jdk.feature == 8
    assert library.get(STRING) is not None
    assert library.get("java/util/Map") is not None
    assert library.get("java/util/Set") is None
    library.close()


def test_two_thousand_classes_cold(listed: list[str]) -> None:
    """0.3 s of CPU on an idle machine; the bounds leave room for a busy one."""
    names = [name for name in listed if name.startswith("java/")][:2000]
    library = open_library()
    start = time.process_time()
    assert library.get(STRING) is not None
    assert time.process_time() - start < 0.1
    found = [library.get(name) for name in names]
    assert None not in found
    assert time.process_time() - start < 1.5
