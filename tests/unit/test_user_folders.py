"""The folders of the user: those that the environment names, else those of the system."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core import user_folders

ROOT = Path(__file__).resolve().parents[2]

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems name their folders otherwise")
FOLDERS = [
    (user_folders.state_folder, "XDG_STATE_HOME", ".local/state"),
    (user_folders.cache_folder, "XDG_CACHE_HOME", ".cache"),
    (user_folders.config_folder, "XDG_CONFIG_HOME", ".config"),
]


@pytest.mark.parametrize(("folder", "variable", "usual"), FOLDERS)
def test_the_environment_names_the_folder(
    folder: Callable[[], Path], variable: str, usual: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "named \udcff"))
    assert folder() == tmp_path / "named \udcff" / "jarlet"


@linux
@pytest.mark.parametrize("value", [None, "", "relative/folder"])
@pytest.mark.parametrize(("folder", "variable", "usual"), FOLDERS)
def test_without_an_absolute_name_the_folder_is_in_the_home(
    folder: Callable[[], Path],
    variable: str,
    usual: str,
    value: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    if value is None:
        monkeypatch.delenv(variable, raising=False)
    else:
        monkeypatch.setenv(variable, value)
    assert folder() == tmp_path / usual / "jarlet"


@linux
def test_without_a_home_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    def unknown(_: int) -> None:
        raise KeyError

    for variable in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(RuntimeError, match="home"):
        user_folders.state_folder()


def test_nobody_reads_the_variables_himself() -> None:
    readers = {
        path.relative_to(ROOT).as_posix()
        for top in ("core", "app", "jarlet")
        for path in (ROOT / top).rglob("*.py")
        if any(f"{quote}XDG_" in path.read_text(encoding="utf-8") for quote in "\"'")
    }
    assert readers == set()
