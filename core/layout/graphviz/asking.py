"""Asks the Graphviz process, with a time limit. Imports no pygraphviz."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
"""The folder that holds the package ``core``: the worker finds it wherever it is started."""


def ask(request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
    """The worker's answer; None when it fails or takes longer than ``seconds`` (then it is killed)."""
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), environment.get("PYTHONPATH")]))
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.layout.graphviz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    except OSError:
        return None
    with process:
        try:
            text, _ = process.communicate(json.dumps({**request, "seconds": seconds}).encode("ascii"), seconds)
        except BaseException as error:
            # Too late, or we are being stopped ourselves: it must not live on.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
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
