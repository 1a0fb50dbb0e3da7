"""The program of the tests of trust."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.library.library import Library, open_library
from core.model import class_model
from core.model.class_model import ClassModel
from core.plan.trust import Trust
from tests.support.files import jar_of
from tests.support.trusted_program import RAN, SOURCES


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, compile_java: Callable[..., Path]) -> ClassModel:
    jar = jar_of(compile_java(SOURCES), tmp_path_factory.mktemp("trust") / "app.jar")
    with zipfile.ZipFile(jar, "a") as made:
        main, agent = "Main-Class: app.Tool\n", "Launcher-Agent-Class: app.Started\n"
        made.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\n{main}{agent}\n")
        made.writestr("META-INF/services/java.lang.Runnable", "app.Served\n")
        made.writestr("META-INF/services/app.Shape", "app.Offered\n")
        made.writestr("META-INF/services/app.Maker", "app.Other\n")
        made.writestr("META-INF/services/not.There", "app.Counter\n")
        made.writestr("app/asked.txt", "a")
        made.writestr("app/unread.conf", "class = app.InFile")
        made.writestr("other/folder/strange.bin", "b")
        made.writestr("any.ending", "c")
        made.writestr("picture2.bin", "d")
        made.writestr("names.bin", b"\0\x0aapp/Unused\0\x61by/Beside" + bytes(1 << 16))
    return class_model.build(read_jar([jar]))


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    opened = open_library()
    yield opened
    opened.close()


@pytest.fixture
def trust(model: ClassModel, library: Library) -> Callable[[str], Trust]:
    return lambda level: Trust(model, RAN, level, library.get)
