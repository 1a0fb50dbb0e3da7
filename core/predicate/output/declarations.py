"""The declaration around a line of a source file, found by indentation: decompilers lay out their sources alike, and a
source with a syntax error has no tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.predicate.output import javac, traces

_TYPE = re.compile(r"(?:^|\s)@?(?:class|interface|enum|record)\s+(?P<name>[\w$]+)")
_NO_CODE = re.compile(r"/\*.*?\*/|//.*|@[\w.$]+(?:\([^()]*\))?")
_CONTINUED = re.compile(r"(?:extends|implements|throws|permits)\b|[){]")
"""Start of a line that continues a declaration at the same depth."""
_LABEL = re.compile(r"[\w$-]+:(?!:)")
_CALLED = re.compile(r"(?P<name>[\w$]+)\s*\(")
_FIELD = re.compile(r"(?P<name>[\w$]+)\s*(?:\[\s*\]\s*)*[=;,]")
_CRASH = re.compile(r"^(?P<path>\S+\.java):(?P<line>\d+): // .*\n(?P<trace>(?:.+\n?)+)", re.MULTILINE)
"""A decompiler's comment on its own crash, with the stack trace."""
_TAB = 4
_LARGEST = 1 << 24
"""Bytes of a source file that is read."""


@dataclass(frozen=True, slots=True)
class SourceDeclaration:
    """Simple names of the types around a line, outermost first, and the member: ``<init>`` and ``<clinit>`` as in class
    files (JVMS 2.9); empty where the line is of no member."""

    types: tuple[str, ...]
    member: str = ""


@dataclass(frozen=True, slots=True)
class FailurePlace:
    """Place of a failure with that name in a source file."""

    failure: str
    path: str
    declaration: SourceDeclaration


def places(output: str, text_of: Callable[[str], str]) -> tuple[FailurePlace, ...]:
    """Return the places of the errors in javac's ``output`` and of a decompiler's crashes, each once; without a
    declaration where the line is outside all, or the file is gone. ``text_of`` gives a file's text, or nothing."""
    files: dict[str, SourceFile] = {}
    found: dict[FailurePlace, None] = {}
    placed = [(problem.error.name, problem.path, problem.line) for problem in javac.placed(output)]
    for crash in _CRASH.finditer(output):
        placed += [(name, crash["path"], int(crash["line"])) for name in traces.names(crash["trace"])]
    for name, path, line in placed:
        file = files.get(path) or files.setdefault(path, SourceFile(text_of(path)))
        found[FailurePlace(name, path, file.declaration_at(line))] = None
    return tuple(found)


def source_in(folder: Path, path: str) -> str:
    """Return the text of a source file below ``folder``, the folder of a run; there a file from elsewhere is kept by
    its whole path. Empty if there is none."""
    for place in dict.fromkeys((folder / path, folder / Path(path).relative_to(Path(path).anchor))):
        with suppress(OSError, ValueError), place.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST)
    return ""


class SourceFile:
    """The lines of a source file and how deep they are indented."""

    def __init__(self, text: str) -> None:
        self._lines = text.expandtabs(_TAB).splitlines()
        self._depths = [len(line) - len(line.lstrip()) for line in self._lines]

    def declaration_at(self, line: int) -> SourceDeclaration:
        """Return the declaration that a line (the first is 1) is part of: of a local or anonymous class the member
        around."""
        types: list[str] = []
        for head in reversed(list(self._heads(line - 1))):
            of_type = _TYPE.search(head)
            if of_type is not None and "=" not in head[: of_type.start()]:
                types.append(of_type["name"])
            elif types:
                return SourceDeclaration(tuple(types), _member(head, types[-1]))
        return SourceDeclaration(tuple(types))

    def _heads(self, at: int) -> Iterator[str]:
        """Yield the start lines of the declarations that enclose a line, innermost first. An annotation counts as its
        declaration, a label as the code before it."""
        while 0 <= at < len(self._lines) - 1 and self._lines[at].lstrip().startswith("@") and not self._code(at):
            at += 1
        while 0 <= at < len(self._lines) and not self._begins(at):
            at -= 1
        most = self._depths[at] if 0 <= at < len(self._lines) else -1
        block = False
        for number in range(min(at, len(self._lines) - 1), -1, -1):
            if self._depths[number] > most or not self._begins(number):
                continue
            code = self._code(number)
            if block and code.endswith(("}", ";")):  # of an initialiser
                yield "{"
                block, most = False, most - 1
            elif _CONTINUED.match(code):
                block, most = code == "{", self._depths[number]
            else:
                yield code
                block, most = False, self._depths[number] - 1

    def _begins(self, number: int) -> bool:
        """Return True if the line has code other than a label."""
        code = self._code(number)
        return bool(code) and _LABEL.match(code) is None

    def _code(self, number: int) -> str:
        """Return a line without comments and annotations."""
        text = _NO_CODE.sub(" ", self._lines[number]).strip()
        return "" if text.startswith("*") else text


def _member(code: str, owner: str) -> str:
    """Return the member that a line at the depth of members begins."""
    if called := _CALLED.search(code.partition("=")[0]):
        return "<init>" if called["name"] == owner else called["name"]
    if code.startswith("static {") or code == "static":
        return "<clinit>"
    if code.startswith("{"):
        return "<init>"
    field = _FIELD.search(code)
    return field["name"] if field else ""
