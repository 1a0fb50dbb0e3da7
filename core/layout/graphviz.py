"""The Graphviz process: asked with a time limit, and never loaded here."""

from __future__ import annotations

import json
import subprocess
import time
from threading import Event as Flag
from typing import Any

from core.system.processes import background
from core.system.processes.families import kill_group
from core.system.processes.python_child import python_child

_LOOK = 0.2
"""Seconds between two looks at the flag that ends the worker."""


def ask(request: dict[str, Any], seconds: float, cancel: Flag | None = None) -> dict[str, Any] | None:
    """Return the worker's answer; None when it fails, or is killed: after ``seconds``, or once ``cancel`` is set."""
    try:
        process = subprocess.Popen(
            python_child("core.layout.graphviz_worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    background.take(process.pid)
    with process:
        try:
            text = _answer(process, json.dumps({**request, "seconds": seconds}).encode("ascii"), seconds, cancel)
        except BaseException as error:
            # Too late, or we are being stopped ourselves: it must not live on.
            kill_group(process)
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise
    if process.returncode != 0:
        return None
    try:
        answer = json.loads(text)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _answer(process: subprocess.Popen[bytes], data: bytes, seconds: float, cancel: Flag | None) -> bytes:
    """Return the output of the worker. Raises TimeoutExpired for a killed worker."""
    end = time.monotonic() + seconds
    rest: bytes | None = data
    while True:
        try:
            return process.communicate(rest, min(_LOOK, max(0.0, end - time.monotonic())))[0]
        except subprocess.TimeoutExpired:
            rest = None  # it is being sent
            if time.monotonic() >= end or (cancel is not None and cancel.is_set()):
                raise
