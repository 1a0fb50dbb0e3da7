"""What an algorithm may ask, and the lists it asks about.

An algorithm is a generator: it yields a question, is sent the answer, and returns the
reduced candidate. A *candidate* is a tuple of element numbers; what an element is
(a class, a closure, an item) only the space knows.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, overload

Candidate = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """Is this candidate interesting? Answer: bool."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class First:
    """Which is the first interesting one of these, in order? Answer: its index, or None."""

    candidates: Sequence[Candidate]


@dataclass(frozen=True, slots=True)
class Least:
    """These candidates grow and the last is interesting: which is the least interesting one?

    Answer: its index. Where the predicate is not monotone the answer is still the index
    of a candidate that was tested interesting.
    """

    prefixes: Sequence[Candidate]


Question = Test | First | Least
Algorithm = Generator[Question, Any, Candidate]


class _Lazy(Sequence[Candidate]):
    """A sequence whose members are made when they are asked for: a list of *n* complements
    of *n* elements would take quadratic memory."""

    def _at(self, index: int) -> Candidate:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | Sequence[Candidate]:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._at(index % len(self))


class Complements(_Lazy):
    """All parts but one: candidate *i* leaves out part ``(start + i) % len(parts)``."""

    def __init__(self, parts: Sequence[Candidate], start: int = 0) -> None:
        self._parts = parts
        self._start = start

    def __len__(self) -> int:
        return len(self._parts)

    def part(self, index: int) -> int:
        """Number of the part that candidate ``index`` leaves out."""
        return (self._start + index) % len(self._parts)

    def _at(self, index: int) -> Candidate:
        out = self.part(index)
        return tuple(e for number, part in enumerate(self._parts) if number != out for e in part)


class Prefixes(_Lazy):
    """``base`` and the first *i* of ``elements``, for *i* from 0 to ``len(elements)``."""

    def __init__(self, base: Candidate, elements: Candidate) -> None:
        self._base = base
        self._elements = elements

    def __len__(self) -> int:
        return len(self._elements) + 1

    def _at(self, index: int) -> Candidate:
        return self._base + self._elements[:index]
