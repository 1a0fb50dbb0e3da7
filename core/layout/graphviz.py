"""The Graphviz process: asked with a time limit, and never loaded here."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from core.system.processes import background
from core.system.processes.families import kill_group
from core.system.processes.python_child import python_child


def ask(request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
    """Return the worker's answer; None when it fails, or is killed after ``seconds``."""
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
            text, _ = process.communicate(json.dumps({**request, "seconds": seconds}).encode("ascii"), seconds)
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
