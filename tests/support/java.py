"""javac for tests, and a JVM for small programs: one that stays."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Callable
from pathlib import Path

from core.library.jdk import find_jdk

CompileJava = Callable[..., Path]
"""``compile_java({"a/B.java": "package a; ..."}, "-g")``: the folder of classes (a fixture of ``conftest.py``)."""


def jdk_tool(name: str) -> Path:
    """A program of the JDK."""
    return find_jdk().home / "bin" / name


class Compiler:
    """A javac that stays between compilations, so that only the first takes its second."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("Compiler.java")
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", str(program)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, *arguments: str) -> str:
        """Compiles; AssertionError with what javac says if it refuses. ``run("run", folder, "Main")`` runs a program
        instead, and returns what it prints."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print("\t".join(arguments), file=self._process.stdin, flush=True)
        code, said = self._process.stdout.readline().split(" ")
        text = base64.b64decode(said).decode()
        assert code == "0", text
        return text

    def close(self) -> None:
        """Ends it."""
        self._process.communicate()


_MADE: list[Compiler] = []


def compiler() -> Compiler:
    """The compiler of this process, started when it is first asked for; :func:`end_compiler` ends it."""
    if not _MADE:
        _MADE.append(Compiler())
    return _MADE[0]


def end_compiler() -> None:
    """Ends the compiler of this process, if there is one."""
    while _MADE:
        _MADE.pop().close()
