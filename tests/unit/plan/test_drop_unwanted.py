"""What the user wants gone goes first: the questions, the plan, what stands in the way."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.library.library import open_library
from core.model.building import build
from core.model.model_logic import ModelLogic
from core.protocol import events
from core.protocol.java_names import item_title
from core.protocol.settings import Settings
from core.search.reducers.by_halves import by_closures, by_logic, drop_first
from core.search.spaces import Classes, SearchProblem
from core.service.aims import aim_of
from core.service.meaning import search_of
from core.service.searching.conflicts import class_conflicts, conflicts
from core.service.workspace import Workspace
from core.sets import mask_of, members
from tests.support.asking import ItemAsker
from tests.support.driving import unpacked
from tests.support.formulas import formulas, valid_sets

NEEDS = "sh -c 'test -f {classes}/sample/Main.class'"


def closed(edges: list[tuple[int, int]], count: int) -> list[int]:
    """For each item, itself and all that it needs."""
    found = [1 << item for item in range(count)]
    for _ in range(count):
        for a, b in edges:
            found[a] |= found[b]
    return found


def test_an_item_goes_with_what_needs_it_and_what_it_alone_holds() -> None:
    # 0 needs 1, 1 needs 2 and 3, 4 needs 3: without 1 there is no 0, and nobody is left who needs 2
    problem = SearchProblem(5, [1] * 5, closed([(0, 1), (1, 2), (1, 3), (4, 3)], 5))
    ways = by_closures(problem)(0b11111, [1])
    assert [members(way) for way in ways] == [(3, 4), (2, 3, 4)]
    fixed = SearchProblem(5, [1] * 5, problem.closures, required=mask_of((3,), 5))
    assert by_closures(fixed)(0b11111, [3]) == []
    assert Classes(fixed).elements == (0, 1, 2, 4)


def test_all_are_left_out_at_once_and_only_then_one_by_one() -> None:
    problem = SearchProblem(4, [1] * 4, closed([], 4))
    asker = ItemAsker(lambda kept: 2 in kept)
    assert asker.run(drop_first((0, 1, 2, 3), [1, 2, 3], by_closures(problem))) == (0, 2)
    assert asker.trace == [[1, "F"], [3, "T"], [2, "F"], [2, "T"]]
    fine = ItemAsker(lambda kept: 0 in kept)
    assert fine.run(drop_first((0, 1, 2, 3), [1, 2, 3], by_closures(problem))) == (0,)
    assert fine.trace == [[1, "T"]], "one question for all of them"


@given(formulas(), st.data())
def test_every_way_is_valid_and_lacks_the_item(formula, data) -> None:
    logic = ModelLogic(formula)
    valid = set(valid_sets(formula))
    start = logic.largest((1 << formula.items) - 1)
    if start is None or not start:
        return
    item = data.draw(st.sampled_from(members(start)))
    possible = [one for one in valid if item not in one and one <= frozenset(members(start))]
    ways = by_logic(logic)(start, [item])
    assert bool(ways) == bool(possible)
    for way in ways:
        assert frozenset(members(way)) in valid
        assert item not in members(way)
        assert not way & ~start


@pytest.fixture(scope="module")
def probes(sample_jar: Path, tmp_path_factory: pytest.TempPathFactory):
    """Runs a reduction of the sample: its result's names, its events."""

    def run(predicate: str, **more: object) -> tuple[set[str], list[events.Event], Workspace]:
        told: list[events.Event] = []
        workspace = Workspace(told.append, tmp_path_factory.mktemp("work"))
        workspace.open([str(sample_jar)])
        workspace.reduce(Settings(predicate=predicate, check_runs=1, **more))  # type: ignore[arg-type]
        workspace.close()
        return {name for name, _ in workspace.entries}, told, workspace

    return run


@pytest.mark.parametrize(("algorithm", "granularity"), [("binary", "class"), ("gbr", "member"), ("ddmin", "class")])
def test_the_first_probe_is_without_it(probes, algorithm: str, granularity: str) -> None:
    left, told, _ = probes(NEEDS, algorithm=algorithm, granularity=granularity, drop_first=("sample.unit.Unit",))
    assert "sample/Main.class" in left
    assert "sample/unit/Unit.class" not in left
    phases = [event for event in told if isinstance(event, events.Searching)]
    assert (phases[0].phase, phases[0].level) == ("first", "classes")
    trial = next(event for event in told if isinstance(event, events.Trying))
    unit = next(e for e in told if isinstance(e, events.Opened)).names.index("sample/unit/Unit")
    assert not unpacked(trial.kept) >> unit & 1, "the first probe lacks it"


def test_a_member_goes_first_and_only_it(probes) -> None:
    method = "sample/number/Rational.reciprocal:()Lsample/number/Rational;"
    stays = "sh -c 'test -f {classes}/sample/number/Rational.class && test -f {classes}/sample/Main.class'"
    _, told, workspace = probes(stays, algorithm="gbr", granularity="member", drop_first=(method,), max_probes=2)
    assert next(e for e in told if isinstance(e, events.Searching)).phase == "first"
    from core.service.queries.member_lists import MemberLister

    record = next(MemberLister(workspace).of(["sample/number/Rational"]))
    kept = dict(zip(record["names"], record["kept"], strict=True))
    assert not kept[method]
    assert any(kept.values()), "what does not need it is still there: the limit ended the run at once"


def test_what_is_needed_stays_and_the_run_goes_on(probes) -> None:
    left, told, workspace = probes(NEEDS, algorithm="gbr", granularity="member", drop_first=("sample.Main",))
    assert "sample/Main.class" in left
    assert len(left) < 10
    assert sum(isinstance(event, events.Searching) for event in told) == 3
    main = next(event for event in told if isinstance(event, events.Opened)).names.index("sample/Main")
    proved = [unpacked(event.kept) for event in told if isinstance(event, events.Needed)]
    assert any(items >> main & 1 for items in proved), "the probe without it has shown that it is needed"
    assert workspace.needed == set(), "of what is left nothing was proved since"
    warned = [event.message for event in told if isinstance(event, events.Warned)]
    assert warned == ["sample.Main was to be dropped first, but without it the failure is gone: it stays."]


def test_what_is_kept_stands_in_the_way_and_that_is_said(probes) -> None:
    method = "sample/Main.main:([Ljava/lang/String;)V"
    more = {"algorithm": "gbr", "granularity": "member", "max_probes": 3}
    left, told, _ = probes(NEEDS, keep=("sample.Main.main:*",), drop_first=("sample.Main",), **more)
    assert "sample/Main.class" in left
    warned = [event.message for event in told if isinstance(event, events.Warned)]
    assert warned[0].startswith("sample.Main cannot be dropped: sample.Main.main(")
    assert item_title(method) in warned[0]
    assert len(warned) == 1


def test_what_is_kept_is_not_unwanted() -> None:
    both = Settings(predicate="x", keep=("a.B",), drop_first=("a.*",))
    assert not aim_of(both).unwanted("a/B")
    assert aim_of(both).unwanted("a/C")
    assert Settings.from_json(both.to_json()) == both
    assert "drop_first" not in search_of(Settings(predicate="x").to_json()), (
        "sessions from before are still the same run"
    )
    with pytest.raises(UsageError):
        Settings.from_json({"predicate": "x", "drop_first": 3})


def test_a_conflict_is_explained_by_rules(sample_jar: Path) -> None:
    workspace = Workspace(lambda event: None)
    model = workspace.open([str(sample_jar)])
    workspace.close()
    detailed = build(model.jar, open_library([]), "member")
    kept, gone = "sample/Main.main:([Ljava/lang/String;)V", "sample/Main"
    (found,) = conflicts(detailed, kept.__eq__, gone.__eq__)
    assert found.text() == (
        "sample.Main cannot be dropped: sample.Main.main(String[]) is kept; it needs sample.Main "
        "(a part needs the class or member that holds it)."
    )
    assert conflicts(detailed, gone.__eq__, "sample/unit/Unit".__eq__) == []
    (found,) = class_conflicts(model, gone.__eq__, "sample/number/Rational".__eq__)
    assert found.text() == (
        "sample.number.Rational cannot be dropped: sample.Main is kept; it needs sample.SelfCheck (a mention); "
        "that needs sample.number.Rational (a mention)."
    )
    (found,) = conflicts(detailed, gone.__eq__, gone.__eq__)
    assert found.text() == "sample.Main cannot be dropped: sample.Main is kept."


def test_the_command_line_takes_it(sample_jar: Path, tmp_path: Path) -> None:
    from app.cli import main

    out = tmp_path / "out.jar"
    words = ["reduce", str(sample_jar), "-o", str(out), "--predicate", NEEDS, "--algorithm", "binary", "-q"]
    assert main([*words, "--granularity", "class", "--drop-first", "sample.unit.*", "--max-probes", "1"]) == 3
    with zipfile.ZipFile(out) as jar:
        assert not [name for name in jar.namelist() if name.startswith("sample/unit/")]
