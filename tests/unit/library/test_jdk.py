"""Which JDK is found: by its variable, by the PATH, through a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.library.jdk import find_jdk


# Where the JDK is
def test_java_home_comes_first_and_path_when_it_is_none(tmp_path: Path) -> None:
    real = find_jdk()
    assert find_jdk({"JAVA_HOME": str(real.home), "PATH": ""}).image == real.image
    link = tmp_path / "bin"
    link.mkdir()
    (link / "java").symlink_to(real.java)
    assert find_jdk({"PATH": str(link)}).home == real.home.resolve()
    assert find_jdk({"JAVA_HOME": str(tmp_path), "PATH": str(link)}).home == real.home.resolve()
    assert real.feature >= 11


@pytest.fixture
def shim(tmp_path: Path) -> tuple[Path, Path]:
    """A script called ``java`` as version managers put it on PATH, and the file where it counts its starts."""
    folder, log = tmp_path / "shims", tmp_path / "log"
    folder.mkdir()
    (folder / "java").write_text(f'#!/bin/sh\necho called >> {log}\nexec {find_jdk().java} "$@"\n')
    (folder / "java").chmod(0o755)
    return folder, log


def test_a_script_is_asked_once(shim: tuple[Path, Path]) -> None:
    folder, log = shim
    environment = {"PATH": f"{folder}:/usr/bin:/bin"}
    for _ in range(2):
        assert find_jdk(environment).home.resolve() == find_jdk().home.resolve()
    assert log.read_text().count("called") == 1
    assert find_jdk({**environment, "OTHER": "1"}).home.resolve() == find_jdk().home.resolve()
    assert log.read_text().count("called") == 2


def test_a_java_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "java").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "java").chmod(0o755)
    with pytest.raises(InputError, match="does not belong to one"):
        find_jdk({"PATH": str(tmp_path)})
