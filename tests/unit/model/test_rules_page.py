"""The page of the dependency model against the registry of rules."""

from __future__ import annotations

import re
from pathlib import Path

import core.model.building  # noqa: F401  (registers the rules)
from core.model.rules.base import RULES

PAGE = Path(__file__).resolve().parents[3] / "core" / "model" / "rules" / "README.md"
ROW = re.compile(r"^\| ([A-Z]\d+[a-z]?) \| (\w+) \| (.*?) \| (.*?) \| (.*?) \|$", re.MULTILINE)


def test_every_rule_stands_on_the_page_once_as_it_is_registered() -> None:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert sorted((identifier, validity, words) for identifier, validity, words, _, _ in rows) == sorted(
        (rule.id, rule.validity, rule.words) for rule in RULES.values()
    )


def test_every_rule_has_a_reason_and_cases_that_exist() -> None:
    cases = Path(__file__).resolve().parents[2] / "rules"
    known = set(re.findall(r'Case\(\s*"(\w+)",\s*"(\w+)"', "".join(p.read_text() for p in cases.glob("rules_*.py"))))
    for identifier, _, _, reason, tests in ROW.findall(PAGE.read_text(encoding="utf-8")):
        named = re.findall(r"`(\w+)`", tests)
        assert reason.strip(), identifier
        assert named, identifier
        assert {(identifier, name) for name in named} <= known


def test_every_module_of_the_rules_stands_on_the_page() -> None:
    named = set(re.findall(r"`(\w+\.py)`", PAGE.read_text(encoding="utf-8")))
    assert {path.name for path in PAGE.parent.rglob("*.py")} - {"__init__.py"} <= named
