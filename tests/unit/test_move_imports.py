"""Imports of our packages are moved into ``jarlet`` when the package is built, and nothing else is touched."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from move_imports import MoveError, moved  # noqa: E402

SOURCE = '''"""See core.errors; from core import errors."""
from __future__ import annotations
import json, core_values
import core.model.rules
from core.errors import (
    A,
)
from resources import path
from . import cli
if True:
    x = "é"; from app.window import w
TEXT = "from core import errors"
'''


def test_imports_are_moved_and_texts_are_not() -> None:
    lines = moved(SOURCE, "x.py").splitlines()
    assert lines[0] == '"""See core.errors; from core import errors."""'
    assert lines[2:5] == [
        "import json, core_values",
        "import jarlet.core.model.rules",
        "from jarlet.core.errors import (",
    ]
    assert lines[7:11] == [
        "from jarlet.resources import path",
        "from . import cli",
        "if True:",
        '    x = "é"; from jarlet.app.window import w',
    ]
    assert lines[11] == 'TEXT = "from core import errors"'


@pytest.mark.parametrize("source", ["import core.x\ncore.x.f()\n", "import core.x, json\n", "from  core import x\n"])
def test_what_would_mean_something_else_is_refused(source: str) -> None:
    with pytest.raises(MoveError, match=r"^x\.py:1: write"):
        moved(source, "x.py")


@pytest.mark.slow
def test_every_module_of_ours_can_be_moved() -> None:
    for folder in ("app", "core", "jarlet", "resources"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = moved(path.read_text(encoding="utf-8"), str(path))
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom) and not node.level:
                    assert (node.module or "").partition(".")[0] not in ("app", "core", "resources")
