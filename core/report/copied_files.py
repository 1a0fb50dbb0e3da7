"""The user's files that lie beside the script that repeats a failure. In shell scripts among them the places of this
machine are variables."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from core.report.private_places import is_private

_SHELL = re.compile(r"#!\s*/\S*?(?:env\s+)?\b(?:ba|da|k|z)?sh\b")
_PATH = re.compile(r"(?<![\w.$~}/-])(?:~(?=/))?/[^\s:;,=|&<>()'\"`{}\\]+")
_PLAIN = re.compile(r"['\"#/~\\\n]")
"""Pattern of the characters of a shell script that may begin a path, or change the meaning of quotes."""
_HOST = re.compile(r"(?:[\w.$~{}/-]*/)?\bjarlet\s+host((?:\s+-\S+)*)(\s+(?:javac\b)?)")
"""Pattern of the start of a call of a tool that stays in memory while Jarlet runs."""
Shown = Callable[[str], str | None]
"""Gives the words of a shell script for a path of this machine; None for one that stays."""


@dataclass
class CopiedFiles:
    """Files and folders of this machine by their places beside the script, and texts that stand in place of files."""

    places: dict[Path, str] = field(default_factory=dict)
    texts: dict[Path, str] = field(default_factory=dict)

    def contents(self) -> Iterator[tuple[str, bytes, bool]]:
        """Yield each file: place, bytes, and True if it may be executed."""
        for origin, place in self.places.items():
            for path in sorted(origin.rglob("*")) if origin.is_dir() else [origin]:
                if path.is_file():
                    inside = place if path == origin else f"{place}/{path.relative_to(origin).as_posix()}"
                    text = self.texts.get(path)
                    yield inside, path.read_bytes() if text is None else _encoded(text), os.access(path, os.X_OK)

    @property
    def private(self) -> list[str]:
        """The places of the user's texts that name a path of this machine."""
        found = []
        for place, data, _ in self.contents():
            text = "" if b"\0" in data else data.decode("utf-8", "replace")
            if any(is_private(os.path.expanduser(match[0])) for match in _PATH.finditer(text)):
                found.append(place)
        return found


def is_shell_script(path: Path, text: str) -> bool:
    """Return True for a text that a shell reads."""
    return path.suffix == ".sh" or _SHELL.match(text) is not None


def without_host(text: str) -> str:
    """Return a shell's text in which Java itself runs what ``jarlet host`` keeps in memory."""
    return _HOST.sub(lambda found: found[2].lstrip() or f"java{found[1]} -jar{found[2]}", text)


def with_variables(text: str, shown: Shown) -> str:
    """Return a shell script in which each path that ``shown`` knows is what that gives, a word in double quotes; in
    comments it is a file name."""
    parts: list[str] = []
    at, quote = 0, ""
    while (found := _PLAIN.search(text, at)) is not None:
        parts.append(text[at : found.start()])
        at, sign = found.start(), found[0]
        path = _PATH.match(text, at) if sign in "/~" else None
        taken = step = sign
        if sign == "\\" and quote != "'":
            taken = step = text[at : at + 2]
        elif sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
        elif sign == "#" and not quote and (at == 0 or text[at - 1].isspace()):
            taken = text[at:].partition("\n")[0]
            step = _PATH.sub(_file_name, taken)
        elif path is not None and (word := shown(os.path.expanduser(path[0]))) is not None:
            taken, step = path[0], {"": word, '"': word.strip('"'), "'": f"'{word}'"}[quote]
        parts.append(step)
        at += len(taken)
    return "".join([*parts, text[at:]])


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _file_name(match: re.Match[str]) -> str:
    path = os.path.expanduser(match[0])
    return Path(path).name if is_private(path) else match[0]
