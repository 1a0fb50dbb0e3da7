"""The kind of a failure: its name without the details of one place of the input.

Six nested classes with the same complaint have six failures of one kind. Left out are the input's classes, members,
variables and type variables, source files, and all numbers. Names of the JDK stay: a missing cast to ``String`` is not
one to ``int``. Of a complaint with a code, only the code stays. What else counts for errors of javac and for stack
traces stands with these, in ``output``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from core.archive.entry_names import class_path
from core.entries import Entries
from core.predicate.output.kinds import KINDS
from core.predicate.output.messages import replacing

KindOf = Callable[[str], str]
"""Function from the name of a failure to its kind."""

_SUFFIX = ".class"
_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*(?:[./](?:[\w$]+|<init>|<clinit>))*")
_SEPARATORS = re.compile(r"[./$]")
_TYPE_VARIABLE = re.compile(r"[A-Z]\d?")

_CODE = re.compile(r"(?:\w+ )?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?=: )")
"""The code of a complaint before its text, as SpotBugs' ``DLS DLS_DEAD_LOCAL_STORE``: the tool's own name of a kind."""

_shortened = replacing(
    # type arguments of a class of the input, three levels deep
    (r"#<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>", "#"),
    # the member, parameters and descriptor behind a class of the input
    (r"#(?:(?:::|\.)[\w$<>]+|\([^()]*\)[\w/;\[$#]*)+", "#"),
    (r"\d+", "#"),
    (r"#[#]+", "#"),
)


@dataclass(frozen=True)
class FailureKinds:
    """The kinds of failures of an input with the ``classes`` of these internal names."""

    classes: frozenset[str] = frozenset()

    @classmethod
    def of(cls, entries: Entries) -> FailureKinds:
        """Return the kinds of failures of an input with these entries."""
        named = (name.removesuffix(_SUFFIX) for name, _ in entries if name.endswith(_SUFFIX))
        return cls(frozenset(map(class_path, named)))

    def including(self, classes: Iterable[str]) -> FailureKinds:
        """Return the kinds where classes of more names count as the input's."""
        more = frozenset(classes) - self.classes
        return FailureKinds(self.classes | more) if more else self

    def of_name(self, failure: str) -> str:
        """Return the kind of the failure of that name."""
        kind = self._known.get(failure)
        if kind is None:
            kind = self._known[failure] = self._kind(failure)
        return kind

    def _kind(self, failure: str) -> str:
        found = (kind.kind(failure, self._without_names) for kind in KINDS.values())
        code = _CODE.match(failure)
        return next(filter(None, found), "") or (code[0] if code is not None else self._without_names(failure))

    def _without_names(self, text: str) -> str:
        return _shortened(_NAME.sub(lambda match: self._abstract(match[0]), text))

    def _abstract(self, name: str) -> str:
        """Return a name in a text as it is, or ``#`` in place of a class of the input and its member."""
        if _TYPE_VARIABLE.fullmatch(name):
            return "#"
        for text in (name, name[1:]) if name.startswith("L") and "/" in name else (name,):
            parts = _SEPARATORS.split(text)
            if any(".".join(parts[:end]) in self._spellings for end in range(len(parts), 0, -1)):
                return "#"
        return name

    @cached_property
    def _spellings(self) -> frozenset[str]:
        """The names of classes and their packages as texts have them, with dots: qualified, nested, and simple."""
        found: set[str] = set()
        for name in self.classes:
            package, _, simple = name.replace("/", ".").rpartition(".")
            nested = [part for part in simple.split("$") if part]
            chain = ".".join(nested)
            found.add(f"{package}.{chain}" if package else chain)
            found |= {".".join(nested[start:]) for start in range(len(nested)) if not nested[start][0].isdigit()}
            found |= {package} if "." in package else set()
        return frozenset(found)

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}


@dataclass(frozen=True)
class LibraryFailures:
    """The failures of an input related to missing libraries, each with its missing package, or with the missing class
    if that is in no package."""

    certain: Mapping[str, str] = field(default_factory=dict)
    """Failures that come from a missing library for certain."""
    possible: Mapping[str, str] = field(default_factory=dict)
    """Possible consequences of a missing class: failures with its name, and those in the source of a class that
    inherits from it."""

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
