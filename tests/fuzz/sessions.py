"""Damaged sessions through ``reduce --resume``."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fuzz.case import Case
from tests.support.damage import damaged

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2.5,
    10**9,
    10**400,
    "",
    "x",
    "\x1b[31m",
    "\ud800",
    "a\0b",
    [],
    [1],
    ["x"],
    {},
    {"a": {}},
    "x" * 5_000,
)
"""What stands where something else is expected."""


def changed(value: Any, dice: random.Random) -> Any:
    """The value with one place in it replaced, removed or added."""
    if isinstance(value, dict) and value and dice.random() < 0.85:
        key = dice.choice(sorted(value))
        if dice.random() < 0.2:
            return {name: inner for name, inner in value.items() if name != key}
        return {**value, key: changed(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.5:
        at = dice.randrange(len(value))
        return [*value[:at], changed(value[at], dice), *value[at + 1 :]]
    return dice.choice(VALUES)


class Sessions:
    """Makes cases of copies of one session. ``start`` runs a command line that makes it."""

    def __init__(self, jar: Path, folder: Path, start: Callable[[Case, Path], object]) -> None:
        self._whole = folder / "s.jarlet"
        words = ("--predicate", "grep -q [.]class {jar}", "--max-probes", "12", "-o", "out.jar", "--session", "s")
        start(Case("reduce", (str(jar), *words)), folder)
        if not (self._whole / "settings.json").is_file():
            raise RuntimeError("The session that is to be damaged could not be made.")

    def make(self, dice: random.Random, folder: Path) -> Case:
        """A copy of the session with something wrong in one to three of its files."""
        place = folder / "s.jarlet"
        shutil.copytree(self._whole, place)
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            files = sorted(path for path in place.rglob("*") if path.is_file() and path.name != "lock")
            if files:
                self._damage(dice.choice([path for path in files if path.parent == place] or files), dice)
        more = dice.choice(((), ("-o", "new.jar"), ("--max-probes", "3"), ("-q",)))
        return Case("reduce", ("--resume", "s.jarlet", "--time-limit", "10", *more))

    def _damage(self, path: Path, dice: random.Random) -> None:
        data = path.read_bytes()
        if path.suffix == ".json" and dice.random() < 0.8:
            value = changed(json.loads(data), dice) if _reads(data) else dice.choice(VALUES)
            path.write_text(json.dumps(value), encoding="utf-8")
            return
        match dice.randrange(8):
            case 0:
                path.unlink()
            case 1:
                path.write_bytes(b"")
            case 2:
                path.unlink()
                path.mkdir()
            case _:
                path.write_bytes(damaged(data, dice, 12))


def _reads(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True
