"""The order of the phases of ``auto`` and ``gbr``, as text: whoever changes it changes this page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from types import SimpleNamespace

import pytest

from core.edits.programs.kinds import KINDS
from core.evidence.clues import Ran
from core.plan.catalogue import find
from core.plan.rewritings import LAST_REWRITINGS, REWRITINGS
from core.protocol.run_words import REWRITINGS as DECLARED
from core.protocol.run_words import phase_title
from core.protocol.settings import Settings
from core.search.phases import Knowledge
from core.service.aims import aim_of

SIZE = 1_000_000

GAINS_ALWAYS = """
1: jars 0.040 %, classes alone 0.040 %, classes 0.040 %, class by class 0.040 %, items 0.040 %, \
items again 0.040 %, bodies 0.040 %, parameters 0.040 %
2: items again 0.020 %, bodies 0.020 %, parameters 0.020 %
3: items again 0.010 %, bodies 0.010 %, parameters 0.010 %
4: items again 0.005 %, bodies 0.005 %, parameters 0.005 %
5: items again 0.002 %, bodies 0.002 %, parameters 0.002 %
6: items again 0.002 %, bodies 0.002 %, parameters 0.002 %, rewritings 0.002 %
7: items again 0.500 %, rewritings 0.002 %
8: items again 0.500 %, rewritings 0.002 %
9: items again 0.500 %, rewritings 0.002 %
10: items again 0.500 %, rewritings 0.002 %
11: items again 0.500 %, rewritings 0.002 %
12: items again 0.500 %, rewritings 0.002 %, last 0.002 %, bodies 0.500 %, parameters 0.500 %, one by one 0.002 %
"""

GAINS_NOTHING = """
1: jars 0.040 %, classes alone 0.040 %, classes 0.040 %, class by class 0.040 %, items 0.040 %, \
items again 0.040 %, bodies 0.040 %, parameters 0.040 %
2: items again 0.020 %, bodies 0.020 %, parameters 0.020 %
3: items again 0.010 %, bodies 0.010 %, parameters 0.010 %
4: items again 0.005 %, bodies 0.005 %, parameters 0.005 %
5: items again 0.002 %, bodies 0.002 %, parameters 0.002 %, rewritings 0.002 %, last 0.002 %, one by one 0.002 %
"""

FEW_BYTES_LEFT = """
1: jars 0.040 %, classes alone 0.040 %, classes 0.040 %, items 0.040 %, items again 0.040 %, bodies 0.040 %, \
parameters 0.040 %
2: items again 0.020 %, bodies 0.020 %, parameters 0.020 %, rewritings 0.020 %, last 0.020 %, one by one 0.020 %
"""

OF_A_PROGRAM = """
1: jars 0.040 %, classes alone 0.040 %, classes 0.040 %, calls 0.040 %, items 0.040 %, items again 0.040 %, \
bodies 0.040 %, parameters 0.040 %
2: calls 0.020 %, items again 0.020 %, bodies 0.020 %, parameters 0.020 %, rewritings 0.020 %, last 0.020 %, \
one by one 0.020 %
"""

REWRITES_ONCE = (
    GAINS_NOTHING.rpartition("5:")[0]
    + """5: items again 0.002 %, bodies 0.002 %, parameters 0.002 %, rewritings 0.002 %
6: items again 0.500 %, rewritings 0.002 %, last 0.002 %, bodies 0.500 %, parameters 0.500 %, one by one 0.002 %
"""
)

GBR = """
1: jars, needed items, body ends, no longer needed
"""

LATER_KINDS = tuple(phase.name for phase in (*REWRITINGS[1:], *LAST_REWRITINGS[1:]))


WHOLE = SimpleNamespace(full=0, bytes_of=lambda items: SIZE)


class Script:
    """A run in which each phase gains as much as a test says."""

    evidence: SimpleNamespace | None = None
    aim = aim_of(Settings())
    elements = SimpleNamespace(input_runs=False, whole=WHOLE, dead=None)
    thorough = False
    stopped = False

    def __init__(self, gain: int = 0, size: int = SIZE, *, once: str = "") -> None:
        self.bytes, self.round, self.granularity = size, 1, "full"
        self.knowledge = Knowledge()
        self._gain, self._once = gain, once
        self._phases: list[tuple[int, str]] = []

    def phase(self, phase, share: float = 0.0, *, end=None) -> None:
        price = f" {share:.3%}".replace("%", " %") if share else ""
        self._phases.append((self.round, phase.name + price))
        if not phase.name.startswith(LATER_KINDS):  # so that no text depends on the number of kinds
            self.bytes -= min(self._gain, self.bytes - 1)
        if phase.name == self._once:
            self.bytes, self._once = self.bytes - 1, ""

    @property
    def text(self) -> str:
        phases = [(number, name) for number, name in self._phases if not name.startswith(LATER_KINDS)]
        phases = [(number, name.replace(REWRITINGS[0].name, "rewritings")) for number, name in phases]
        phases = [(number, name.replace(LAST_REWRITINGS[0].name, "last")) for number, name in phases]
        rounds = groupby(phases, key=lambda each: each[0])
        return "".join(f"\n{number}: {', '.join(name for _, name in phases)}" for number, phases in rounds) + "\n"


@pytest.mark.parametrize(
    ("algorithm", "script", "text"),
    [
        ("auto", lambda: Script(gain=30_000), GAINS_ALWAYS),
        ("auto", lambda: Script(), GAINS_NOTHING),
        ("auto", lambda: Script(size=2_000), FEW_BYTES_LEFT),
        ("auto", lambda: Script(once=REWRITINGS[0].name), REWRITES_ONCE),
        ("gbr", lambda: Script(), GBR),
    ],
    ids=["gains always", "gains nothing", "few bytes left", "rewrites once", "gbr"],
)
def test_the_order_of_phases(algorithm: str, script: Callable[[], Script], text: str) -> None:
    run = script()
    find(algorithm).plan(run)  # type: ignore[arg-type]
    assert run.text == text, f"The order is now:\n{run.text}"


def test_at_a_level_of_trust_a_round_without_a_gain_is_the_last() -> None:
    run = Script()
    run.elements = SimpleNamespace(input_runs=True, whole=WHOLE, dead=object())
    find("auto").plan(run)  # type: ignore[arg-type]
    assert "\n2:" not in run.text
    assert "one by one" not in run.text


def test_calls_of_a_program_come_before_its_items() -> None:
    run = Script(size=2_000)
    run.evidence = SimpleNamespace(
        used=Ran(covered=frozenset({"a/C"})), watched_bytes=0, commanded=()
    )  # not watched again
    run.knowledge.mostly_used = True
    find("auto").plan(run)  # type: ignore[arg-type]
    assert run.text == OF_A_PROGRAM, f"The order is now:\n{run.text}"


@pytest.mark.parametrize("algorithm", ["auto", "gbr"])
def test_an_algorithm_names_all_phases_that_it_may_run(algorithm: str) -> None:
    named = {phase.name for phase in find(algorithm).phases}
    runs: Mapping[str, Script] = {"nothing": Script(), "always": Script(gain=30_000)}
    for run in runs.values():
        find(algorithm).plan(run)  # type: ignore[arg-type]
        ran = {name.split(" 0.")[0].split(" 1.")[0] for _, name in run._phases}
        assert ran <= named


def test_each_kind_of_rewriting_has_its_phase_in_the_order_of_the_declarations() -> None:
    assert list(KINDS) == list(DECLARED)
    assert sorted(DECLARED) == sorted(phase.name for phase in (*REWRITINGS, *LAST_REWRITINGS))
    assert all(phase_title(name) == declared.title for name, declared in DECLARED.items())


@pytest.mark.parametrize("rewritings", [(), (REWRITINGS[0].name, LAST_REWRITINGS[0].name)])
def test_a_program_that_must_run_is_only_rewritten_on_request(rewritings: tuple[str, ...]) -> None:
    run = Script()
    run.aim, run.elements = (
        aim_of(Settings(rewritings=rewritings)),
        SimpleNamespace(input_runs=True, whole=WHOLE, dead=None),
    )
    find("auto").plan(run)  # type: ignore[arg-type]
    assert ("rewritings" in run.text) == ("last" in run.text) == bool(rewritings)
