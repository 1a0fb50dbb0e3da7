"""Reports of internal errors: the traceback in a log file, one sentence for the user, and an exit code of its own."""

from __future__ import annotations

import os
import platform
import sys
import time
import traceback
from pathlib import Path

from core.errors import JarletError
from core.user_folders import state_folder
from core.version import VERSION
from core.words import sentence

CRASHED = 70
"""Exit code of an internal error (``EX_SOFTWARE`` of sysexits.h); Python's own, 1, is taken by "not interesting"."""

_LOG = "crashes.log"
_LARGEST = 500_000
"""Bytes of the log; then it becomes ``crashes.log.1`` and a new one begins."""


def explained(error: BaseException, place: str = "") -> tuple[int, str]:
    """Return the exit code and the sentence of an error; an unexpected one is logged. ``place`` is the file or job for
    an error of the system without a file name; without either that is an internal error."""
    if isinstance(error, JarletError):
        return error.exit_code, str(error)
    told = record(error)
    if isinstance(error, MemoryError):
        return CRASHED, "There is not enough memory. Close other programs, or use fewer --jobs."
    if isinstance(error, OSError) and (error.filename is not None or place):
        name = error.filename if error.filename is not None else place
        name = os.fsdecode(name) if isinstance(name, str | bytes) else str(name)
        return JarletError.exit_code, sentence(f"{name}: {error.strerror or error}.")
    return CRASHED, told


def record(error: BaseException) -> str:
    """Write the error's traceback to the log. Return a sentence about the error and the log's place."""
    try:
        what = sentence(f"{type(error).__name__}: {error}").rstrip(". \n")
    except Exception:  # its own text cannot be made
        what = type(error).__name__
    try:
        place = f"The details are in {_write(error)}; please report them."
    except (OSError, RuntimeError, ValueError) as problem:  # RuntimeError: there is no home
        frames = traceback.extract_tb(error.__traceback__)
        where = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else "an unknown place"
        place = f"It came from {where}; no log could be written ({problem})."
    return f"Something went wrong inside Jarlet: {what}. {place}"


def told(error: Exception) -> str:
    """Return a user's mistake as its sentence, and record any other error."""
    return str(error) if isinstance(error, JarletError) else record(error)


def _write(error: BaseException) -> Path:
    folder = state_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _LOG
    if path.exists() and path.stat().st_size > _LARGEST:
        path.replace(path.with_name(f"{_LOG}.1"))
    head = f"{time.strftime('%Y-%m-%d %H:%M:%S')} Jarlet {VERSION}, Python {platform.python_version()}, {sys.argv!r}"
    words = "".join(traceback.format_exception(error))
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{head}\n{words}\n")
    return path
