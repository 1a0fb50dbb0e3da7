"""Programs that must still run (``programs.toml``): how each is run, and what must stay the same."""

from __future__ import annotations

import os
import shlex
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from core.errors import InputError, UsageError
from core.protocol.run_words import OUTPUT
from core.words import no_such
from tests.bench.suite.corpus import Store, Subject

LIST = Path(__file__).with_name("programs.toml")

_FILES = "files"
_TIMEOUT = 300.0
"""Seconds for the preparation of one program."""


@dataclass(frozen=True)
class Program:
    """A jar, the command that runs it, and what makes a run of it interesting.

    ``files`` are written for the command, ``prepare`` is run once beside them. ``tools``: path and package of each jar
    that the command needs and the input does not. In ``command`` and ``prepare``, ``{library}`` and ``{tools}`` are
    class paths; ``{jar}`` is the candidate, for ``prepare`` the input.
    """

    subject: Subject
    kind: str
    command: str
    settings: Mapping[str, Any] = field(hash=False)
    files: Mapping[str, str] = field(hash=False)
    prepare: str = ""
    tools: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """``bsh``."""
        return self.subject.name

    @property
    def weight(self) -> int:
        """Return the sort key of programs: bytes of the classes."""
        return self.subject.class_bytes

    @property
    def label(self) -> tuple[str, str]:
        """Return the columns of the program in tables: the jar, and its kind."""
        return self.subject.name, self.kind

    def get(self, store: Store, folder: Path) -> list[str]:
        """Get the jars, and make the command's files in ``folder``. Return notes as :meth:`Store.get` does.

        Raises InputError.
        """
        notes = store.get(self.subject)
        store.get_all(self.tools)
        place = folder / _FILES
        if not (place / ".made").exists():
            self._make(store, place)
        return notes

    def asked(self, store: Store, folder: Path) -> dict[str, Any]:
        """Return the settings that describe the failure: at no level of trust, as all figures so far."""
        return {"predicate": self._filled(self.command, store, folder / _FILES), "trust": OUTPUT, **self.settings}

    def _make(self, store: Store, place: Path) -> None:
        try:
            place.mkdir(parents=True, exist_ok=True)
            for name, text in self.files.items():
                (place / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{place}: cannot be written ({error.strerror or error}).") from error
        if self.prepare:
            jar = str(store.jar(self.subject).resolve())
            self._run(shlex.split(self._filled(self.prepare, store, place).replace("{jar}", jar)), place)
        (place / ".made").touch()

    def _run(self, words: list[str], place: Path) -> None:
        try:
            done = subprocess.run(words, cwd=place, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"{self.name}: {words[0]} cannot be run ({error}).") from error
        if done.returncode:
            raise InputError(f"{self.name}: {shlex.join(words)} failed: {done.stderr.strip()[:500]}")

    def _filled(self, text: str, store: Store, place: Path) -> str:
        paths = {"library": store.library(self.subject), "tools": store.places(self.tools)}
        for name, jars in paths.items():
            text = text.replace(f"{{{name}}}", os.pathsep.join(str(jar.resolve()) for jar in jars))
        return text.replace("{file:", f"{{file:{place.resolve()}{os.sep}")


def load() -> tuple[Program, ...]:
    """Return the programs as they are listed."""
    return tuple(_program(row) for row in tomllib.loads(LIST.read_text(encoding="utf-8"))["program"])


def programs(names: Sequence[str] = ()) -> list[Program]:
    """Return programs in order, light ones first. ``names`` are names, or one number of programs; empty: all.

    Raises UsageError for names that there are not.
    """
    found = sorted(load(), key=lambda program: program.weight)
    if len(names) == 1 and names[0].isdigit():
        return found[: int(names[0])]
    known = [program.name for program in found]
    for name in names:
        if name not in known:
            raise UsageError(no_such("program", name, sorted(known)))
    return [program for program in found if not names or program.name in names]


def _program(row: Mapping[str, Any]) -> Program:
    subject = {part.name: row[part.name] for part in fields(Subject) if part.name in row}
    pairs = {name: tuple((path, package) for path, package in row.get(name, ())) for name in ("class_path", "tools")}
    return Program(
        Subject(**subject, library=pairs["class_path"]),
        row["kind"],
        row["command"],
        row["settings"],
        row.get("files", {}),
        row.get("prepare", ""),
        pairs["tools"],
    )
