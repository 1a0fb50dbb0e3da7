"""What the simulator compares: algorithms with their spaces, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.plan.catalogue import find
from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search
from core.search.questions import Algorithm, Candidate
from core.search.reducers.generalized import gbr
from core.search.reducers.valid_minimal import monotone_minimal, valid_minimal
from core.search.spaces.class_spaces import Space
from core.search.spaces.item_spaces import Items
from core.sets import ItemSet
from tests.bench.simulator_inputs import Input
from tests.support.asking import Findings, recorded


@dataclass(frozen=True)
class Start:
    """An algorithm about to run: its space, what a candidate keeps of the items, and the generator."""

    space: Space
    kept: Callable[[Candidate], ItemSet]
    algorithm: Algorithm
    works: Callable[[ItemSet], bool] = lambda kept: True
    """Whether a candidate is valid, where the algorithm asks about others too: they never show the failure."""


Trial = Callable[[Input], Start]


def gbr_in(order: Callable[[Input], list[int]]) -> Trial:
    """GBR in an order of items."""

    def start(inp: Input) -> Start:
        space = Items(inp.sizes)
        return Start(space, space.items, gbr(inp.logic, order(inp)))

    return start


def plain(inp: Input) -> list[int]:
    return inp.order(weighted=False)


def weighted(inp: Input) -> list[int]:
    return inp.order(weighted=True)


def listed(inp: Input) -> list[int]:
    return list(range(inp.count))


def with_pass(*, every: bool) -> Trial:
    """GBR and the one-minimal pass: of every drop, or only of those that no answer so far implies."""

    def start(inp: Input) -> Start:
        space = Items(inp.sizes)

        def both() -> Algorithm:
            findings = Findings()
            found = yield from recorded(gbr(inp.logic, weighted(inp)), findings, inp.logic.count)
            if every:
                return (yield from valid_minimal(inp.logic, found, inp.sizes))
            return (yield from monotone_minimal(inp.logic, found, inp.sizes, findings.not_interesting))

        return Start(space, space.items, both())

    return start


def entry(name: str) -> Trial:
    """The first phase of an algorithm of the catalogue."""

    def start(inp: Input) -> Start:
        phase = find(name).phases[0]
        if phase.level is Level.CLASSES:
            search = phase.start(inp.classes, Knowledge(), PhaseEffort(), Pointers())
            assert isinstance(search, Search)
            space = search.space
            return Start(space, lambda candidate: inp.whole(space.items(candidate)), search.algorithm, inp.linked)
        search = phase.start(inp.items, Knowledge(), PhaseEffort(), Pointers())
        assert isinstance(search, Search)
        return Start(search.space, search.space.items, search.algorithm)

    return start


ORDERS: dict[str, Trial] = {
    "as listed": gbr_in(listed),
    "dependencies first": gbr_in(plain),
    "dependencies first, heavy late": gbr_in(weighted),
}

PASSES: dict[str, Trial] = {
    "gbr, pass by implication": with_pass(every=False),
    "gbr, pass over every drop": with_pass(every=True),
}

VALID = ("binary", "closure", "verify", "lossy-first", "lossy-last", "gbr")
"""Algorithms of the catalogue that ask about valid sub-inputs only, by few probes."""

CLASSES = (
    *("binary", "ddmin", "verify", "closure", "naive"),
    *(
        f"{space}/{minimiser}"
        for space in ("closures", "verified")
        for minimiser in ("wddmin", "probdd", "wprobdd", "cdd")
    ),
)
"""Algorithms of the catalogue that keep classes whole."""

LISTS = tuple(
    f"{space}{minimiser}"
    for space in ("items/", "hdd-", "perses-")
    for minimiser in ("ddmin", "wddmin", "probdd", "wprobdd", "cdd")
)
"""List minimisers below the class."""
