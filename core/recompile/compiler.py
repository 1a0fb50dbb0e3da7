"""A compiler that stays: javac of one JDK, or ECJ on it. It compiles small sources to classes, or tells its errors."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag

from core.errors import UsageError
from core.library.jdk import Jdk
from core.predicate.jvm.decompiler_hosts import own_jvm
from core.predicate.jvm.helper_programs import SOURCES, compiled_sources
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_process import OWN, HostError, ToolCall, ToolCommand
from core.system.work_folder import WorkFolder
from core.values import conform

ECJ = "org/eclipse/jdt/internal/compiler/tool/EclipseCompiler.class"
"""The class of Eclipse's compiler that other programs call."""

_PROGRAM = "Recompile"
_HEAP = 512
"""Most megabytes of heap of a compiler."""


@dataclass(frozen=True)
class Complaint:
    """An error of a compiler, with offsets in the text of the source; -1 if there is none."""

    code: str
    """javac's own name of the error, such as ``compiler.err.prob.found.req``."""
    message: str
    path: str
    begin: int = -1
    point: int = -1
    end: int = -1
    body: int = -1
    """Begin of the body of the method around the error."""
    body_end: int = -1
    throws: bool = False
    """True if the method declares its exceptions."""
    attempt: int = -1
    """Begin of the body of the try statement around the error."""
    statement: int = -1
    statement_end: int = -1
    arguments: tuple[tuple[int, ...], ...] = ()
    """Begin and end of each argument of the call in which the error is."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """The classes that a compiler made, by their internal names, or its complaints."""

    classes: Mapping[str, bytes]
    complaints: tuple[Complaint, ...]


class CompilerHost:
    """A resident compiler. Not for several threads at once. Raises PredicateError if the JDK has no javac.

    ``library`` is the class path of the sources; ``ecj`` has the jars of Eclipse's compiler, if there are any.
    """

    def __init__(self, jdk: Jdk, library: Sequence[Path], ecj: Sequence[Path] = ()) -> None:
        programs = compiled_sources(jdk, [SOURCES / f"{_PROGRAM}.java"])
        options = own_jvm(_HEAP)
        places = os.pathsep.join(map(str, (programs, *ecj)))
        self._command = ToolCommand(str(jdk.java), options, f"warm.{_PROGRAM}", class_path=places, way=OWN)
        self._library = _list(map(str, library))
        self._place = WorkFolder()
        self._pool = ProcessPool(self._place.path)

    def compile(
        self, texts: Mapping[str, str], options: Sequence[str], *, ecj: bool = False, seconds: float, cancel: Flag
    ) -> Compiled:
        """Return the classes of some sources. Raises HostError if the compiler does not end in time or breaks down."""
        sources = (text.encode("utf-8", "replace").decode() for pair in texts.items() for text in pair)
        words = ("ecj" if ecj else "javac", *self._library, *_list(options), *sources)
        end = self._pool.ask(self._command, ToolCall(words, "", {}), seconds, cancel)
        if end.code:
            raise HostError(f"the compiler ended with exit code {end.code}")
        return _parsed(end.out)

    def close(self) -> None:
        """End the process, and remove its folder."""
        self._pool.close()
        self._place.close()


def _list(words: Iterable[str]) -> tuple[str, ...]:
    found = tuple(words)
    return (str(len(found)), *found)


def _parsed(data: bytes) -> Compiled:
    try:
        found = json.loads(data)
        classes = {name: base64.b64decode(text) for name, text in found["classes"].items()}
        return Compiled(classes, conform("errors", found["errors"], tuple[Complaint, ...]))
    except (ValueError, LookupError, UsageError) as error:
        raise HostError(f"the answer of the compiler is malformed: {error}") from error
