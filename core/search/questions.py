"""The questions of algorithms, and the lists of candidates in them.

An algorithm is a generator that yields questions, receives the answers, and returns the reduced candidate. A
*candidate* is a tuple of element numbers; only the space knows the meaning of an element (a class, a closure, an item).

``then(answer)`` of a question returns the most likely next question of the algorithm after the answer, so that
candidates can be tried ahead. None: the algorithm ends or cannot tell. A call changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

Candidate = tuple[int, ...]

Then = Callable[[Any], Any]
"""Function that returns the :data:`Question` after an answer, or None."""


Distances = tuple[int, ...]
"""Numbers of prefixes behind the answers of earlier rounds of a search. The next answer is likely to be as far from the
end."""


def unknown(answer: object) -> None:
    """Return None: the next question is not known."""


@dataclass(frozen=True, slots=True)
class Test:
    """The question whether a candidate is interesting. Answer: bool."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    candidate: Candidate
    then: Then = field(default=unknown, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class First:
    """The question for the first interesting one of several candidates, in order. Answer: its index, or None."""

    candidates: Sequence[Candidate]
    then: Then = field(default=unknown, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Least:
    """The question for the least interesting one of growing candidates, of which the last is interesting.

    Answer: its index. The candidate at that index was tested interesting, even if the predicate is not monotone.
    """

    prefixes: Sequence[Candidate]
    then: Then = field(default=unknown, compare=False, repr=False)
    late: Distances | None = None
    """Not None if the answer is likely to be among the last prefixes, because late prefixes add much. Then the search
    does not halve the number of prefixes.
    """
    first: float | None = None
    """Prior chance that the answer is the first prefix, if another answer is likely to be late. None: the first prefix
    has no chance of its own.
    """


@dataclass(frozen=True, slots=True)
class Enough:
    """The question whether a candidate is interesting, and if not, for the least interesting one of the prefixes that
    grow from the candidate.

    Answer: None if the candidate is interesting or there are no prefixes, else an index as for :class:`Least`. The loop
    of binary reduction (JR19, GBR21) asks this question and ends at None.
    """

    candidate: Candidate
    prefixes: Sequence[Candidate]
    then: Then = field(default=unknown, compare=False, repr=False)
    late: Distances | None = None
    """Not None if the answer is likely to be among the last prefixes, as in :class:`Least`."""


@dataclass(frozen=True, slots=True)
class HungUp:
    """The question whether the probe of an uninteresting candidate was killed for its time. Answer: bool. The candidate
    was asked about before.
    """

    candidate: Candidate


Question = Test | First | Least | Enough | HungUp
Algorithm = Generator[Question, Any, Candidate]

Weight = Callable[[int], int]
"""Function that returns the size of an element, usually in bytes."""
Minimiser = Callable[[Candidate, Weight], Algorithm]
"""Function that returns an algorithm for a list of elements and their weights. Minimisers without weights ignore the
second argument."""


class Lazy(Sequence[Candidate]):
    """A sequence whose members are made on access: a list of *n* complements of *n* elements would take quadratic
    memory.
    """

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


class Prefixes(Lazy):
    """The prefixes of ``elements`` behind a ``base``: candidate *i* is ``base`` and the first *i* elements, 0 <= i
    <= n.
    """

    def __init__(self, base: Candidate, elements: Candidate) -> None:
        self._base = base
        self._elements = elements

    @property
    def elements(self) -> Candidate:
        """The elements that are added to the base, one after the other."""
        return self._elements

    def __len__(self) -> int:
        return len(self.elements) + 1

    def _at(self, index: int) -> Candidate:
        return self._base + self.elements[:index]


@dataclass(eq=False)
class Without(Lazy):
    """The complements of ``parts`` in ``elements``. The parts need not cover the elements."""

    elements: Candidate
    parts: Sequence[Candidate]

    def __len__(self) -> int:
        return len(self.parts)

    def _at(self, index: int) -> Candidate:
        part = self.parts[index]
        if len(part) == 1:
            position = self.elements.index(part[0])
            return self.elements[:position] + self.elements[position + 1 :]
        gone = frozenset(part)
        return tuple(e for e in self.elements if e not in gone)


@dataclass(eq=False)
class Mapped(Lazy):
    """The candidates of one space, translated to another space."""

    candidates: Sequence[Candidate]
    into: Callable[[Candidate], Candidate]

    def __len__(self) -> int:
        return len(self.candidates)

    def _at(self, index: int) -> Candidate:
        return self.into(self.candidates[index])


def translated(algorithm: Algorithm, into: Callable[[Candidate], Candidate]) -> Algorithm:
    """Run ``algorithm`` inside another: ask about ``into(candidate)``, and return the result of ``algorithm``
    unchanged."""
    answer = None
    while True:
        try:
            question = algorithm.send(answer)
        except StopIteration as end:
            result: Candidate = end.value
            return result
        match question:
            case Test(candidate):
                answer = yield Test(into(candidate))
            case First(candidates):
                answer = yield First(Mapped(candidates, into))
            case Least(prefixes):
                answer = yield Least(Mapped(prefixes, into), late=question.late, first=question.first)
            case Enough(candidate, prefixes):
                answer = yield Enough(into(candidate), Mapped(prefixes, into), late=question.late)
            case HungUp(candidate):
                answer = yield HungUp(into(candidate))
