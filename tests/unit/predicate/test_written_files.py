"""The files that a command writes in its folder, compared with those of the full input."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from core.predicate import predicate as module
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from tests.support.files import script
from tests.support.rows import rows

FULL = [("a/A.class", b"\xca\xfe\xba\xbe"), ("notes.txt", b"hello")]


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """``judged(body)``: the detail of a candidate, empty if it is interesting. ``$WHICH`` is ``full``, or ``less``."""
    monkeypatch.setattr(module, "_STAMP", 0.0)

    places = map(str, count())

    def judge(body: str) -> str:
        home = tmp_path / next(places)
        path = script(tmp_path, f"grep -aq notes.txt $1 && WHICH=full || WHICH=less\n{body}")
        command = PredicateCommand.parse(f"{path} {{jar}}", tmp_path)
        predicate, outcome = CommandPredicate(
            command, condition=Condition(frozenset({"files"})), timeout=20.0
        ).calibrated(FULL, home / "full")
        assert outcome.interesting
        found = predicate.probe(FULL[:1], home / "less")
        return "" if found.interesting else found.detail

    return judge


@rows(
    ("body", "detail"),
    [
        ("mkdir out; echo same >out/a.txt", ""),
        ("mkdir out; echo $WHICH >out/a.txt", "other content of the file out/a.txt"),
        ("[ $WHICH = less ] || echo same >a.txt", "no file a.txt"),
        ("echo same >a.txt; [ $WHICH = full ] || echo more >b.txt", "a further file b.txt"),
        ("echo $PWD/x >a.txt", ""),
        ("date +%N >a.txt; echo same >>a.txt", ""),
        ("date +%N >a.txt; echo $WHICH >>a.txt", "other content of the file a.txt"),
        ("date >$(date +%N).log; echo same >a.txt", ""),
        ("date >$(date +%N).log; echo $WHICH >a.txt", "other content of the file a.txt"),
        ("seq $(date +%N | head -c 3) >a.txt; [ $WHICH = full ] || rm a.txt", "no file a.txt"),
        ("printf 'a\\0b' >a.bin; [ $WHICH = full ] || printf c >>a.bin", "other content of the file a.bin"),
    ],
)
def test_what_differs_from_run_to_run_is_not_compared(judged, body: str, detail: str) -> None:
    assert judged(body) == detail
