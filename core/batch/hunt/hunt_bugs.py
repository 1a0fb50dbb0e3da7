"""The bugs that looks show: one for each kind of failure of a tool."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from core.batch.hunt.hunted_jars import HuntedJar
from core.batch.hunt.looks import KindSeen, Look
from core.outside_names import file_name_like

_LONGEST_NAME = 40
_UNKNOWN = 1 << 60
"""Bytes around a failure that names no class, for the order of jars."""


@dataclass(frozen=True)
class HuntedBug:
    """A bug: a kind of failure of a tool, the jar and the failure that it is reduced for, and all jars that show it."""

    key: str
    tool: str
    version: str
    kind: str
    failure: str
    jar: HuntedJar
    seen: tuple[tuple[str, int], ...]
    """Names of the jars that show it, each with the number of failures."""


def bug_key(tool: str, kind: str) -> str:
    """Return the name of a bug, which is also that of its folder: two failures are one bug if they have one key."""
    digest = hashlib.sha256(f"{tool}\0{kind}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{file_name_like(tool, _LONGEST_NAME)}-{digest[:12]}"


def bugs_in(looks: Iterable[tuple[HuntedJar, Look]]) -> list[HuntedBug]:
    """Return the bugs, those of most jars first. Each is reduced in the jar with the fewest bytes around a failure."""
    found: dict[str, list[tuple[HuntedJar, Look, KindSeen]]] = {}
    for jar, look in looks:
        for kind in look.kinds:
            found.setdefault(bug_key(look.tool, kind.kind), []).append((jar, look, kind))
    costs = {key: min(kind.bytes or _UNKNOWN for _, _, kind in places) for key, places in found.items()}
    order = sorted(found, key=lambda key: (-len(found[key]), costs[key], key))
    return [_bug(key, found[key]) for key in order]


def _bug(key: str, places: list[tuple[HuntedJar, Look, KindSeen]]) -> HuntedBug:
    jar, look, kind = min(places, key=lambda place: place[2].bytes or _UNKNOWN)
    seen = tuple((one.name, seen.failures) for one, _, seen in places)
    return HuntedBug(key, look.tool, look.version, kind.kind, kind.failure, jar, seen)
