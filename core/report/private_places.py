"""Texts that are made for others: file names in the place of paths of this machine, and neutral names alone."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.predicate.places import INPUTS
from core.protocol.run_events import Report
from core.renaming import Renaming

OF_THE_SYSTEM = ("/bin/", "/dev/", "/etc/", "/lib/", "/proc/", "/sbin/", "/sys/", "/usr/")
"""Beginnings of paths that are the same for every user."""

_PATH = re.compile(r"(?<![\w.$~/-])(?:~(?=/)|file:)?/[^\s:;,=|&<>()'\"`{}\[\]\\]+")
"""Pattern of an absolute path in a text."""
_HOME, _TEMPORARY = "~", "/tmp"
"""Texts in the place of the user's home folder and of the folder for temporary files."""


def is_private(path: str) -> bool:
    """Return True for an absolute path that tells something of this machine or its user: below the home folder, the
    current folder or the folder for temporary files, or outside the system's folders. A number sign stands for a number
    in the name of a kind of failure."""
    path = path.partition("#")[0]
    if not path.startswith("/") or path.startswith(OF_THE_SYSTEM):
        return False
    if any(path == place or path.startswith(f"{place}/") for place in _own()):
        return True
    return os.path.dirname(path) != "/" and os.path.isdir(os.path.dirname(path))


def told_elsewhere(text: str) -> str:
    """Return a text in which each path of this machine is a file name."""
    if "/" not in text:
        return text
    if is_private(text) and os.path.exists(text):  # whatever letters it has
        return Path(text).name
    text = _PATH.sub(_name, text)
    for place in sorted(_own(), key=len, reverse=True):  # what is left has letters that end a path
        text = text.replace(f"{place}/", f"{_HOME if place == os.path.expanduser('~') else _TEMPORARY}/")
    return text


def with_any_folders(text: str) -> list[str]:
    """Return the parts of a text between which the folders of this machine stood."""
    return _PATH.sub(lambda found: "\0" * is_private(found[0]) + _name(found), text).split("\0")


def without_places(report: Report, base: str = "") -> dict[str, Any]:
    """Return a report, or another JSON object, for others: each path of this machine in its texts is a file name. Texts
    lose ``base`` from their beginning."""
    told: dict[str, Any] = _told(report, base)
    return told


def _told(value: object, base: str) -> Any:
    if isinstance(value, str):
        return told_elsewhere(value.removeprefix(base))
    if isinstance(value, Mapping):
        return {_told(name, base): _told(each, base) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each, base) for each in value]
    return value


def _name(match: re.Match[str]) -> str:
    path = os.path.expanduser(match[0].removeprefix("file:"))
    if path.rstrip("/") == os.path.expanduser("~") != "/":
        return _HOME
    return Path(path).name if is_private(path) else match[0]


def _own() -> set[str]:
    """Return the folders that are the user's own."""
    found = {os.path.expanduser("~"), tempfile.gettempdir()}
    with suppress(OSError):  # the current folder may be gone
        found.add(os.getcwd())
    return {place for place in found if place != "/" and not place.startswith(OF_THE_SYSTEM)}


_INPUT = "input.jar"
"""Name of the input in such a report: its own name may tell its owner."""
_JAR = re.compile(rf"(?<=work/{INPUTS}/)[\w.+-]+")
"""Pattern of the input's name in a command."""
_TELLING: dict[str, Any] = {"evidence": [], "others": [], "failures": {}, "held": []}
"""Parts of a report with names of removed or renamed items, each with its replacement."""


def without_old_names(report: Report, renaming: Renaming) -> dict[str, Any]:
    """Return a report with the failures' names in the result, and without a name of the input; the report itself if no
    name is neutral.
    """
    if not renaming.neutral.words and not renaming.neutral.packages:
        return report
    given, settings, final = renaming.given, report["settings"], report["final"]
    edits, inputs = len(report.get("rewritings") or ()), report["input"].get("inputs", ())
    return {
        **report,
        **{part: value for part, value in _TELLING.items() if part in report},
        "nearest": [_neighbour(given, each) for each in report.get("nearest", ())],
        "input": {
            **report["input"],
            "paths": [_INPUT],
            "inputs": [{**each, "path": ""} for each in inputs],
        },
        "rewritings": [f"{edits} edits of the whole program, whose names are neutral"] if edits else [],
        "settings": {
            **settings,
            "keep": [],
            "drop_first": [],
            **{part: given(settings[part]) for part in ("match", "no_match", "failures") if settings.get(part)},
        },
        "final": {
            **final,
            "failures": final.get("shown") or [given(name) for name in final["failures"]],
            "command": _JAR.sub(_INPUT, final["command"]) if len(inputs) < 2 else final["command"],
            "chosen": [],
            "new": [],
            "of_libraries": [],
            "wanted": given(final["wanted"]),
        },
    }


def _neighbour(given: Callable[[str], str], neighbour: dict[str, Any]) -> dict[str, Any]:
    """Return a neighbour of the result, with its failures' names in the neighbour itself."""
    return {**neighbour, "detail": given(neighbour["detail"]), "failures": list(map(given, neighbour["failures"]))}
