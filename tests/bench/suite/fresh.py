"""Jars of Maven Central that a decompiler fails on, and that no other list names (``fresh.toml``).

Heuristics were never tuned on these jars.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError, UsageError
from core.predicate.releases.maven import fetch
from tests.bench.suite.corpus import STRICT, Store, Subject

LIST = Path(__file__).with_name("fresh.toml")


@dataclass(frozen=True)
class FreshCase:
    """A jar of Maven Central and the preset that fails on it."""

    subject: Subject
    preset: str

    @property
    def name(self) -> str:
        """``re2j-procyon``."""
        return f"{self.subject.name}-{self.preset}"

    @property
    def label(self) -> tuple[str, str]:
        """The jar, and the decompiler."""
        return self.subject.name, self.preset

    def get(self, store: Store, folder: Path) -> list[str]:
        """Fetch the jar unless it is there. Raises InputError and FetchError."""
        jar = store.jar(self.subject)
        if not jar.is_file():
            fetch([self.subject.package], jar.parent)
        if hashlib.sha256(jar.read_bytes()).hexdigest() != self.subject.sha256:
            raise InputError(f"{self.name}: {self.subject.package} is not the jar that is listed.")
        return []

    def asked(self, store: Store, folder: Path) -> dict[str, Any]:
        """Return the settings that say what the failure is."""
        return {"preset": self.preset, "failures": STRICT}


def load() -> tuple[FreshCase, ...]:
    """Return the cases in the order of the list."""
    rows = tomllib.loads(LIST.read_text(encoding="utf-8"))["jar"]
    return tuple(FreshCase(_subject(row), row["preset"]) for row in rows)


def fresh(names: tuple[str, ...] = ()) -> list[FreshCase]:
    """Return the cases of these names; all where no name is given. Raises UsageError for an unknown name."""
    found = load()
    for name in names:
        if name not in [case.name for case in found]:
            raise UsageError(f"There is no fresh case {name!r}.")
    return [case for case in found if not names or case.name in names]


def _subject(row: dict[str, Any]) -> Subject:
    _, artifact, version = row["coordinate"].split(":")
    path = f"maven/{artifact}-{version}.jar"
    return Subject(row["name"], row["coordinate"], version, path, row["sha256"], row["classes"], row["class_bytes"])
