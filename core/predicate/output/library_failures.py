"""Failures of an input that have to do with missing libraries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.predicate.failure_kinds import KindOf


@dataclass(frozen=True)
class LibraryFailures:
    """The failures of an input that have to do with missing libraries, each with the package that it misses, or with
    the class where that is in no package."""

    certain: Mapping[str, str] = field(default_factory=dict)
    """Failures that come from a missing library for certain."""
    possible: Mapping[str, str] = field(default_factory=dict)
    """Failures that may follow from one: those in the source of a class that inherits from a missing one, and those
    that name such a class."""

    def packages(self, failures: Iterable[str]) -> dict[str, int]:
        """Return the missing packages, with the number of ``failures`` that come from each for certain, most first."""
        return dict(Counter(self.certain[name] for name in failures if name in self.certain).most_common())

    def whole_kinds(self, failures: Iterable[str], kind_of: KindOf) -> tuple[str, ...]:
        """Return those of the failures, sorted, whose kinds come from missing libraries: one failure of the kind does
        for certain, and all others do or may. Empty where no kind would be left.
        """
        of_kinds: dict[str, set[str]] = {}
        for name in failures:
            of_kinds.setdefault(kind_of(name), set()).add(name)
        theirs = self.certain.keys() | self.possible.keys()
        found = [names for names in of_kinds.values() if names <= theirs and names & self.certain.keys()]
        return tuple(sorted(set().union(*found))) if len(found) < len(of_kinds) else ()
