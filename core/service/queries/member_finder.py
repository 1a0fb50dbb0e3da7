"""Finds fields and methods of the input by their names."""

from __future__ import annotations

import re

from core.protocol.events import MembersFound
from core.service.queries.member_lists import MemberLister

MOST = 60
"""Members that are told."""

_KINDS = ("method", "field")
_HUMP = re.compile(r"[A-Z]?[^A-Z]+|[A-Z]")


class MemberFinder:
    """Knows the members of one input by their simple names, once they were asked for."""

    def __init__(self, lister: MemberLister) -> None:
        self.lister = lister
        self._known: list[tuple[str, str, str]] = []
        """Simple name, name as in ``members``, class."""

    def found(self, text: str, request: int = 0) -> MembersFound:
        """Members by a part of their name (``reciprocal``, ``Rational.rec``), the best first: the name equal, its
        beginning, its camel humps, inside; among equals short names first, then as in the input."""
        owner, _, wanted = text.strip().replace("#", ".").removesuffix("()").rpartition(".")
        lowered, above = wanted.lower(), owner.lower()
        if len(lowered) < 2:
            return MembersFound(text, [], [], 0, request)
        humps = _humps(wanted)
        ranked = []
        for number, (simple, name, place) in enumerate(self._all()):
            small = simple.lower()
            if above and not place.lower().replace("/", ".").replace("$", ".").endswith(above):
                continue
            if small == lowered:
                rank = 0
            elif small.startswith(lowered):
                rank = 1
            elif humps is not None and humps.search(simple):
                rank = 2
            elif lowered in small:
                rank = 3
            else:
                continue
            ranked.append((rank, len(simple), number, name, place))
        ranked.sort()
        best = ranked[:MOST]
        return MembersFound(text, [one[3] for one in best], [one[4] for one in best], len(ranked) - len(best), request)

    def _all(self) -> list[tuple[str, str, str]]:
        if not self._known:
            for place in self.lister.classes:
                for part in self.lister.parts_of(place):
                    if part.kind.value in _KINDS:
                        simple = part.name.removeprefix(place).lstrip(".").partition(":")[0]
                        if not simple.startswith("<"):
                            self._known.append((simple, part.name, place))
        return self._known


def _humps(wanted: str) -> re.Pattern[str] | None:
    """Matches names with these camel humps, each maybe shortened; None if there are not two of them."""
    parts = _HUMP.findall(wanted)
    if len(parts) < 2 or not wanted.isalnum():
        return None
    return re.compile("^" + "[a-z0-9_]*".join(map(re.escape, parts)))
