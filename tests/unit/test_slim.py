"""What the packages leave out of Qt: the window still opens, and the rest is a small part."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import slim  # noqa: E402

pytestmark = pytest.mark.skipif(shutil.which("objdump") is None, reason="binutils is not installed: it has objdump")

WINDOW = """
import sys
sys.path[:0] = sys.argv[1:]
import networkx, numpy.testing, pygraphviz, pysat.solvers
import PySide6
from PySide6.QtGui import QImageReader
from PySide6.QtWidgets import QApplication
from app.window.main_window import MainWindow
from app.user_settings import UserSettings
application = QApplication([])
window = MainWindow(UserSettings("settings.ini"))
window.show()
application.processEvents()
window.close()
print(PySide6.__file__, b"svg" in QImageReader.supportedImageFormats(), application.platformName())
"""


def copied(source: Path, target: Path) -> Path:
    """A copy that shares the files' contents where the file system can."""

    def put(name: str, place: str) -> None:
        try:
            os.link(name, place)
        except OSError:
            shutil.copy2(name, place)

    if source.is_dir():
        shutil.copytree(source, target, copy_function=put)
    else:
        put(str(source), str(target))
    return target


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """What a wheel of ours is installed with, and our own code where the wheel has it."""
    packages, folder = Path(PySide6.__file__).parent.parent, tmp_path / "site"
    folder.mkdir()
    names = (
        "PySide6",
        "shiboken6",
        "numpy",
        "numpy.libs",
        "networkx",
        "pysat",
        "pygraphviz",
        "pygraphviz.libs",
        "jawa",
        "platformdirs",
        "psutil",
    )
    for path in (*(packages / name for name in names), *packages.glob("py*solvers*.so"), packages / "six.py"):
        if path.exists():
            copied(path, folder / path.name)
    shutil.copytree(ROOT / "app", folder / "jarlet" / "app")
    return folder


@pytest.mark.slow
def test_the_window_opens_with_what_is_left(site: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = slim.size_of(site / "PySide6")
    assert slim.main([str(site)]) == 0
    assert " MB, now " in capsys.readouterr().out
    assert slim.size_of(site / "PySide6") < before / 2
    left = {path.name for path in site.rglob("*")}
    assert {"libQt6Widgets.so.6", "libqxcb.so", "libqwayland.so", "libqsvgicon.so"} <= left
    assert not [name for name in left if "Quick" in name or "Qml" in name or name.endswith((".pyi", ".qm"))]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WINDOW, str(site), str(ROOT)],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(site / "PySide6" / "__init__.py"), "True", "offscreen"]


@pytest.mark.slow
def test_a_module_that_needs_more_of_qt_is_named(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "jarlet" / "more.py").write_text("from PySide6.QtNetwork import QTcpSocket\n")
    assert slim.modules_of(site / "jarlet") == {"QtCore", "QtGui", "QtNetwork", "QtSvg", "QtWidgets"}
    whole = slim.size_of(site)
    assert slim.main([str(site)]) == 1
    assert "need Network of Qt: name them in LIBRARIES" in capsys.readouterr().err
    assert slim.size_of(site) == whole, "nothing was removed"
