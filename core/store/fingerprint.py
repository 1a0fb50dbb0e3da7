"""The facts, beside the candidate, that decide a predicate's verdicts: verdicts of another predicate are no answers.

The time limit is left out: the journal weighs it verdict by verdict. Programs on the PATH of a script, and the files it
reads on its own, cannot be seen. For these there are the check at the start and the last check of the result.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.predicate.aim import Aim
from core.predicate.condition import Condition
from core.predicate.failures import Statement, Wanted
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import Predicate

SCHEMA = 1
"""Grows by one when a condition's meaning changes, so that old verdicts do not count."""

_VARIABLES = ("JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "LC_ALL", "LANG")
"""Variables of the environment that change the work of Java tools or the language of their messages."""

_PROGRAMS = frozenset({".bash", ".class", ".jar", ".java", ".js", ".pl", ".py", ".rb", ".sh", ".toml", ".war", ".zip"})
"""Files of the command that are taken for a part of it; others may be its logs. Executable files count too, and so do
the script after a program (``sh /home/me/check``) and files marked by the user (``{file:PATH}``)."""

_INTERPRETERS = frozenset({"sh", "bash", "dash", "ksh", "zsh", "python", "perl", "ruby", "node", "java", "env", "exec"})

_WHOLE = 64 << 20
"""Bytes up to which a file is read; of a larger one, size and time count."""

_WORK = Path("/work-folder")
_BETWEEN = re.compile(r"[\s:=,;|&<>()'\"]+")
_MARKED = re.compile(r"\{file:([^{}]*)\}")


@dataclass(frozen=True)
class Fingerprint:
    """Named parts, each a short text; equal parts mean equal verdicts."""

    parts: Mapping[str, str]

    @property
    def digest(self) -> bytes:
        """20 bytes that stand for all parts."""
        text = json.dumps(dict(sorted(self.parts.items())))
        return hashlib.blake2b(text.encode(), digest_size=20).digest()

    def changed_files(self, before: Mapping[str, Any]) -> list[str]:
        """Return the names of the programs, scripts and jars that differ from those among earlier parts."""
        files = [name for name in self.parts if name.startswith("file ") and name in before]
        return [name for name in files if before[name] != self.parts[name]]

    def steady(self, later: Fingerprint) -> Fingerprint:
        """Return ``later`` without the files that changed since this one: the command writes them itself."""
        changed = {name for name in self.parts.keys() | later.parts.keys() if name.startswith("file ")}
        changed = {name for name in changed if self.parts.get(name) != later.parts.get(name)}
        return Fingerprint({name: text for name, text in later.parts.items() if name not in changed})


def fingerprint(
    predicate: Predicate, condition: Condition, *, limits: ProbeLimits | None = None, template: str
) -> Fingerprint:
    """Return the parts of a predicate and its condition. ``template``: the command as the user wrote it."""
    command = predicate.shell_line(_WORK)
    parts = {"schema": str(SCHEMA), "command": command, "condition": _text(asdict(condition))}
    if limits is not None:  # the time has a place of its own in the session
        parts["limits"] = _text({name: most for name, most in asdict(limits).items() if name != "seconds"})
    parts |= {f"tool {name}": version for name, version in predicate.versions().items()}
    parts |= {f"variable {name}": os.environ[name] for name in _VARIABLES if name in os.environ}
    if predicate.reference is not None:
        # only what is compared: the rest may differ from run to run
        compared = condition.preserve | ({"failures"} if condition.wanted else set())
        for name, value in asdict(predicate.reference).items():
            if name in compared:
                parts[f"reference {name}"] = _digest(_text(value).encode())
    for path in _files(command, template):
        parts[f"file {path}"] = _content(path)
    return Fingerprint(parts)


def mark_of(predicate: Predicate, aim: Aim) -> Fingerprint:
    """Return the fingerprint of everything besides the candidate that verdicts depend on: command, tools, scripts,
    limits.
    """
    found = fingerprint(predicate, aim.condition, limits=aim.limits, template=aim.command)
    wanted, run = aim.demand, predicate.reference
    if wanted is not None and wanted.by_kind and run is not None and run.of_libraries:
        found = Fingerprint({**found.parts, "failures of missing libraries": "\n".join(run.of_libraries)})
    if aim.preset is None or wanted is None or not (wanted.by_kind or aim.asked is not None):
        return found  # the condition has the demand of a command
    # earlier versions did not note the demand on a preset's failures, which mostly was the strict one
    return found if wanted == Wanted(Statement.SAME) else Fingerprint({**found.parts, "failures": wanted.describe()})


def _files(command: str, template: str) -> list[Path]:
    """Return the programs (with the release file of a JDK), marked files, and scripts and jars named by their paths."""
    found: set[Path] = set()
    words = shlex.split(command)
    found |= {Path(after) for word, after in itertools.pairwise(words) if after.startswith("/") and _interprets(word)}
    marked = {Path(match[1]).name for match in _MARKED.finditer(template)}
    for word in words:
        for piece in {word, *_BETWEEN.split(word)}:
            path = Path(piece)
            if piece.startswith("/") and (path.suffix.lower() in _PROGRAMS or path.name in marked):
                found.add(path)
            elif "/" not in piece or piece.startswith("/"):
                program = shutil.which(piece) if piece and "\0" not in piece else None
                if program is not None:
                    real = Path(os.path.realpath(program))
                    found |= {real, real.parent.parent / "release"}
    return sorted(path for path in found if os.path.isfile(path))


def _interprets(word: str) -> bool:
    """Return True if a word may be a program that runs the file after the word."""
    return Path(word).name.rstrip("0123456789.") in _INTERPRETERS


def _content(path: Path) -> str:
    try:
        facts = path.stat()
        if facts.st_size > _WHOLE:
            return f"{facts.st_size} bytes, {facts.st_mtime_ns}"
        return _digest(path.read_bytes())
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def _text(value: Any) -> str:
    """Return JSON in ASCII. Sets are sorted; a value that JSON does not know becomes text."""

    def plain(value: object) -> list[str] | str:
        return sorted(map(str, value)) if isinstance(value, (set, frozenset)) else str(value)

    return json.dumps(value, sort_keys=True, default=plain)
