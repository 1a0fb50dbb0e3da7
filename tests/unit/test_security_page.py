"""The threat model: each row names tests, and the tests are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    line.strip("|").split("|")
    for line in (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| who may be hostile", "| ---"))
]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_each_row_of_the_threat_model_names_a_test() -> None:
    assert len(ROWS) > 10
    assert [row[0] for row in ROWS if not TEST.search(row[-1])] == []


def test_the_tests_that_the_threat_model_names_exist() -> None:
    named = [found for row in ROWS for cell in row for found in TEST.findall(cell)]
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not (ROOT / path).is_file() or f"\ndef {name}(" not in (ROOT / path).read_text(encoding="utf-8")
    ]
    assert missing == []
