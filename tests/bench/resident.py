"""Java programs that run one after another in one process, so that only the first starts a JVM and compiles itself."""

from __future__ import annotations

import base64
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 1200
"""After so long the process is killed; the next program starts another."""


class Resident:
    """A process with the programs of a class path, and javac. It runs in ``folder``, for javac leaves a file where it
    crashes; paths are absolute."""

    def __init__(self, options: Sequence[str], class_path: str, folder: Path) -> None:
        program = Path(__file__).resolve().with_name("java") / "Resident.java"
        self._command = ["java", *options, "-Dfile.encoding=UTF-8", "-cp", class_path, str(program)]
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def run(self, program: str, *arguments: str) -> str:
        """What the main class says, or ``"javac"``; nothing where it ends the process."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self._folder
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        limit = threading.Timer(_SECONDS, process.kill)
        limit.start()
        print("\t".join((program, *arguments)), file=process.stdin, flush=True)
        said = process.stdout.readline()
        limit.cancel()
        if not said:
            self.close()
        return base64.b64decode(said).decode("utf-8", "replace")

    def close(self) -> None:
        """Ends it."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
