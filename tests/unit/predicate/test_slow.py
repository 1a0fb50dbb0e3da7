"""Slow runs: how long one may stand at a place is known by runs on classes of about the median size."""

import sys
from dataclasses import replace

import pytest

from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.limits import ProbeLimits, median_classes
from core.predicate.predicate import CommandPredicate
from core.predicate.tool_chain import StepsPredicate, ToolStep
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.system.processes import process_table


def test_the_median_classes_are_of_about_the_median_size():
    sizes = {"a/Huge": 9000, "a/One": 40, "a/Two": 90, "a/Two$In": 91, "a/Three": 130, "a/Tiny": 1}
    entries = [(f"{name}.class", bytes(size)) for name, size in sizes.items()] + [("a/note.txt", bytes(100))]
    found = [[name for name, _ in classes] for classes in median_classes(entries)]
    assert found == [["a/One.class"], ["a/Two.class"], ["a/Three.class"]]
    assert median_classes([("note.txt", b"")]) == []


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_slow_run_may_stand_for_a_multiple_of_the_time_of_the_median_class(tmp_path):
    command = PredicateCommand.parse(f"{sys.executable} -c 'sum(range(2_000_000))'")
    condition = Condition(reading=FailureNaming(("hangs",)), wanted=Wanted())
    limits = ProbeLimits(slower=20)
    made, outcome = CommandPredicate(command, condition=condition, limits=limits).calibrated(
        [("a/A.class", b"")], tmp_path / "first"
    )
    assert not outcome.interesting, "it ends"
    assert made.limits.stands
    assert not made.limits.tells
    told = replace(made, limits=limits, command=PredicateCommand.parse("echo Reading a/A"))
    assert told.paced([("a/A.class", b"")], tmp_path / "told", None).limits.tells


@pytest.mark.parametrize(
    ("preset", "told"),
    [("cfr", {"silent": "false"}), ("cfr-ecj", {"silent": "false"}), ("fernflower", {"log": "INFO"})],
)
def test_a_decompiler_tells_the_class_that_it_works_on_where_a_run_may_be_slow(preset, told):
    assert aim_of(Settings(preset=preset, slower_than=5)).options == told
    assert not aim_of(Settings(preset=preset)).options


def test_a_decompiler_without_a_command_line_has_ours_where_a_run_may_be_slow():
    preset = aim_of(Settings(preset="procyon", slower_than=5)).preset
    assert preset is not None
    assert preset.adapter == "Procyon", "warm.Cold calls it"


def test_the_time_of_a_run_of_several_steps_is_that_of_all(tmp_path):
    works = ToolStep((sys.executable, "-c", "sum(range(5_000_000))"))
    steps = StepsPredicate("two steps", (works, ToolStep(("true",))), condition=Condition())
    assert steps.probe([("a/A.class", b"")], tmp_path / "run").processor > 0.02
