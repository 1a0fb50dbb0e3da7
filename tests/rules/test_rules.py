"""Each rule: a program in which just what it protects breaks something, and the model forbids it."""

from __future__ import annotations

import re

import pytest
import rules_classes
import rules_code
import rules_code_generics
import rules_gaps
import rules_generics
import rules_inference
import rules_members
import rules_sources
import rules_statements
from rules_case import Client, Machine, NotShown, Probe
from rules_trials import FINE, Trial, trials

from core.model import solver
from core.model.rules.base import RULES
from tests.support.rows import rows

MODULES = (
    rules_classes,
    rules_members,
    rules_code,
    rules_gaps,
    rules_generics,
    rules_code_generics,
    rules_inference,
    rules_sources,
    rules_statements,
)
CASES = tuple(case for module in MODULES for case in module.CASES)
NAMES = [case.name for case in CASES]


@pytest.fixture(scope="session")
def judged(compile_java, tmp_path_factory) -> dict[str, Trial]:
    return trials(CASES, compile_java, tmp_path_factory.mktemp("rules"))


def test_every_rule_has_a_case_that_breaks():
    assert {case.rule for case in CASES if not isinstance(case.breaks, NotShown)} == RULES.keys()
    assert len(set(NAMES)) == len(NAMES)


def test_a_case_asks_for_the_validity_of_its_rule():
    shown = (case for case in CASES if not isinstance(case.breaks, NotShown))
    assert {case.name for case in shown if case.validity != RULES[case.rule].validity} == set()


@rows("name", NAMES)
def test_with_all_rules_the_need_is_kept(judged, name):
    trial = judged[name]
    needs = {trial.case.item(need) for need in trial.case.needs}
    assert needs <= trial.names(trial.least(free=False))
    keep, avoid = trial.numbers(trial.case.keep), trial.numbers(trial.case.avoid)
    for need in trial.numbers(trial.case.needs):
        assert solver.conflict(trial.ruled.formula, keep, [need, *avoid]) is not None


@rows("name", NAMES)
def test_without_the_rule_the_need_is_not_kept(judged, name):
    trial = judged[name]
    needs = {trial.case.item(need) for need in trial.case.needs}
    assert needs.isdisjoint(trial.names(trial.least(free=True)))


@rows("name", NAMES)
def test_with_all_rules_nothing_breaks(judged, name):
    trial = judged[name]
    levels = ("jvm",) if trial.case.validity == "jvm" else ("jvm", "src")
    found = [problem for problem in trial.problems[0] if problem.level in levels]
    assert [problem for problem in found if not trial.case.shows or trial.case.shows not in problem.message] == []
    assert trial.results[0] == FINE


@rows("name", [case.name for case in CASES if not isinstance(case.breaks, NotShown)])
def test_without_the_rule_it_breaks(judged, name):
    trial = judged[name]
    match trial.case.breaks:
        case Machine(expected):
            assert any(expected in problem.message for problem in trial.problems[1]), trial.problems[1]
        case Probe(_, expected):
            assert re.search(expected, trial.results[1])
        case Client(_, expected):
            assert expected in trial.results[1]
