"""The search for fields and methods of the input by their names."""

from __future__ import annotations

import re

from core.protocol.events import MembersFound
from core.protocol.questions.items import FindMembers
from core.service.queries.desk import Desk, once_per_input
from core.service.queries.member_lists import MemberLister, lister

MOST = 60
"""Number of members that are told."""

_KINDS = ("method", "field")
_HUMP = re.compile(r"[A-Z]?[^A-Z]+|[A-Z]")


class MemberFinder:
    """The members of one input by their simple names. They are read at the first question."""

    def __init__(self, lister: MemberLister) -> None:
        self._lister = lister
        self._known: list[tuple[str, str, str]] = []
        """The simple name, the name as in ``members``, and the class of each member."""

    def found(self, text: str) -> MembersFound:
        """Return the members with a text in their names (``reciprocal``, ``Rational.rec``), the best first.

        The order: equal names; names that begin with the text; names with its camel humps; other names with the text in
        them. Among these short names come first, and then the order of the input counts.
        """
        owner, _, wanted = text.strip().replace("#", ".").removesuffix("()").rpartition(".")
        lowered, above = wanted.lower(), owner.lower()
        if len(lowered) < 2:
            return MembersFound(text, [], [])
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
        return MembersFound(text, [one[3] for one in best], [one[4] for one in best], len(ranked) - len(best))

    def _all(self) -> list[tuple[str, str, str]]:
        if not self._known:
            for place in self._lister.classes:
                for part in self._lister.parts_of(place):
                    if part.kind.value in _KINDS:
                        simple = part.name.removeprefix(place).lstrip(".").partition(":")[0]
                        if not simple.startswith("<"):
                            self._known.append((simple, part.name, place))
        return self._known


@once_per_input
def _finder(desk: Desk) -> MemberFinder:
    return MemberFinder(lister(desk))


def find_members(desk: Desk, wish: FindMembers) -> MembersFound:
    """Return the members with a text in their names."""
    return _finder(desk).found(wish.text)


def _humps(wanted: str) -> re.Pattern[str] | None:
    """Return a pattern of names with these camel humps, each perhaps shortened; None for fewer than two humps."""
    parts = _HUMP.findall(wanted)
    if len(parts) < 2 or not wanted.isalnum():
        return None
    return re.compile("^" + "[a-z0-9_]*".join(map(re.escape, parts)))
