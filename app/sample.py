"""The sample that comes with Jarlet: its jar, built at set-up, and its predicate. No Qt here."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from core.errors import InputError
from resources import path


def jar() -> Path:
    """The sample's jar. Raises InputError when it was not built."""
    built = Path(__file__).resolve().parent.parent / "build" / "sample.jar"
    if not built.is_file():
        raise InputError(f"The sample is not built: there is no file {built}. Run 'make setup'.")
    return built


def predicate() -> dict[str, Any]:
    """The sample's predicate as arguments of :class:`core.protocol.settings.Settings`."""
    with open(path("sample/sample.toml"), "rb") as file:
        values = tomllib.load(file)
    return {"predicate": values["command"], "match": values["match"], "expect_exit": values["expect_exit"]}
