"""Sources that compile, made of decompiled ones: the repairs of all errors at once, round after round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.recompile.call_repairs import Broken, Edits, apart, applied
from core.recompile.compiler import Compiled, Complaint
from core.recompile.known_names import KnownNames
from core.recompile.repairs import repairs

ROUNDS = 12
"""Largest number of rounds of repairs of one draft."""

_HEAD = re.compile(r"\A\s*(?:/\*.*?\*/|//[^\n]*\n|\s+)+", re.DOTALL)
_TWO_NULLS = re.compile(r"(?<![\w$)])null(\s*[=!]=\s*null)\b")

Compile = Callable[[Mapping[str, str]], Compiled]


@dataclass(frozen=True)
class Draft:
    """Sources that javac takes, and the way to them."""

    origin: str
    """The decompiler, with its version."""
    texts: Mapping[str, str]
    repaired: int
    """Number of errors that were repaired."""


@dataclass(frozen=True)
class Refused:
    """Sources that javac does not take, with the remaining errors, and the sources before the repairs."""

    origin: str
    texts: Mapping[str, str]
    complaints: tuple[Complaint, ...]

    @property
    def files(self) -> set[str]:
        """The files with errors."""
        return {said.path for said in self.complaints}


def bare(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the sources without the decompiler's comment at their heads, and without descriptors of modules. Of two
    nulls that are compared one is cast: javac drops a comparison of plain nulls, with one of its branches.
    """
    return {
        path: _TWO_NULLS.sub(r"(Object) null\1", _HEAD.sub("", text))
        for path, text in texts.items()
        if not path.endswith(("module-info.java", "package-info.java"))
    }


def repaired(origin: str, texts: Mapping[str, str], known: KnownNames, compile_: Compile) -> Draft | Refused:
    """Return the sources after repairs: each round repairs every error, with its next repair if the last did not end
    it."""
    now, count = dict(texts), 0
    tried: Counter[tuple[str, str, str]] = Counter()
    for _ in range(ROUNDS):
        complaints = compile_(now).complaints
        if not complaints:
            return Draft(origin, now, count)
        chosen = _chosen([Broken(**vars(said), texts=now, known=known) for said in complaints], tried)
        after = applied(now, chosen)
        if after == now:
            break
        now, count = after, count + len(chosen)
    return Refused(origin, dict(texts), complaints)


def _chosen(complaints: Sequence[Broken], tried: Counter[tuple[str, str, str]]) -> list[Edits]:
    """Return a repair of each error, without those that overlap. Errors of one message get the same repair, which
    counts as tried once. An omitted repair does not count."""
    found: list[tuple[Edits, tuple[str, str, str]]] = []
    for said in complaints:
        offered = [edits for edits in repairs(said) if edits]
        key = (said.path, said.code, said.message)
        if offered and tried[key] < len(offered):
            found.append((offered[tried[key]], key))
    taken = apart(edits for edits, _ in found)
    tried.update({key for edits, key in found if edits in taken})
    return taken
