"""The sample that comes with Jarlet: its jar, built at set-up or packed with the program, and its predicate.

No Qt here.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from core.errors import InputError
from resources import path


def built() -> Path:
    """Return the place of the sample in a source tree."""
    return Path(__file__).resolve().parent.parent / "build" / "sample.jar"


def jar() -> Path:
    """Return the sample's jar. Raise InputError when it was not built."""
    packed = path("sample/sample.jar")
    if packed.is_file():
        return packed
    own = built()
    if own.is_file():
        return own
    if (own.parent.parent / "packaging" / "build_sample.py").is_file():
        raise InputError(f"The sample is not built: there is no file {own}. Run 'make sample'.")
    raise InputError(
        f"There is no sample in this Jarlet, which was built without a JDK: there is no file {packed}. Open a jar of "
        "yours, or build the package where javac is on the PATH."
    )


def is_sample(file: Path) -> bool:
    """Return True if the file is the sample's jar."""
    return file in (path("sample/sample.jar"), built())


def predicate() -> dict[str, Any]:
    """Return the sample's predicate as arguments of :class:`core.protocol.settings.Settings`."""
    with open(path("sample/sample.toml"), "rb") as file:
        values = tomllib.load(file)
    return {"predicate": values["command"], "match": values["match"], "expect_exit": values["expect_exit"]}
