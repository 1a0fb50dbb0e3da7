"""Why a command cannot be started: the system names the program also where something else is missing."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

_FIRST_LINE = 256
"""Bytes of a script that the system reads for its interpreter."""


def why_not_started(argv: Sequence[str], place: Path, error: OSError | ValueError) -> str:
    """A sentence or two on ``error``, which starting ``argv`` in the folder ``place`` gave."""
    begin = f"The predicate command cannot be started: {argv[0]!r}"
    if not isinstance(error, OSError):
        return f"{begin}: {error}."
    if not place.is_dir():
        return f"{begin}: the folder that it should run in, {place}, is not there any more."
    program = argv[0] if os.sep in argv[0] else shutil.which(argv[0])
    if program is not None and (place / program).is_file():
        start = _start_of(place / program)
        if start.startswith(b"#!"):
            return f"{begin}: {_of_interpreter(start)}"
        if error.errno == errno.ENOEXEC:
            return (
                f"{begin}: it has no first line like '#!/bin/sh', nor is it a program of this machine. Add that line."
            )
        if error.errno == errno.ENOENT:
            return f"{begin}: it exists, but its loader does not: it was built for another system."
    if error.errno == errno.E2BIG:
        return f"{begin}: its arguments and environment are longer than the system allows. Put them into a script."
    return f"{begin}: {error.strerror or error}. Check the command's first word, and that the file may be executed."


def _of_interpreter(start: bytes) -> str:
    line = start[2:].split(b"\n", 1)[0]
    words = os.fsdecode(line).split(maxsplit=1)
    name = words[0] if words else ""
    if line.endswith(b"\r"):
        return f"its first line ends as on Windows, so the system looks for '{name}\\r'. Save it with Unix line ends."
    if not name:
        return "its first line, '#!', names no interpreter: write '#!/bin/sh', for instance."
    if not Path(name).exists():
        return f"the script is there, but not its interpreter {name}, which its first line names. Correct that line."
    return f"the script is there, but its interpreter {name} cannot be run. Correct its first line."


def _start_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_FIRST_LINE)
    except OSError:
        return b""
