"""Shares of the kinds of rewriting in the tables of a bench."""

from __future__ import annotations

from tests.bench.suite.kind_shares import KindShare, kind_shares, kinds_table, mean_shares


def phase(name: str, probes: int, gained: int, left: int) -> dict[str, object]:
    return {"name": name, "probes": probes, "gained": gained, "bytes": left}


REPORT = {
    "phases": [
        phase("items", 30, 900, 100),
        phase("bodies", 10, 0, 100),
        phase("merging", 2, 20, 80),
        phase("items again", 5, 30, 50),
        phase("merging", 2, 5, 45),
        phase("inputs", 4, 0, 45),
    ]
}


def test_shares_are_of_what_there_was_before_the_first_rewriting():
    assert kind_shares(REPORT) == {"merging": KindShare(0.25, 0.1), "inputs": KindShare(0.0, 0.1)}
    assert kind_shares({"phases": REPORT["phases"][:2]}) == {}


def test_the_table_has_the_means_of_all_kinds_the_largest_first():
    means = mean_shares([kind_shares(REPORT), {}])
    assert next(iter(means.items())) == ("merging", KindShare(0.125, 0.05))
    assert "| merging | 12.5% | 5.0% |" in kinds_table(means)
    assert kinds_table(mean_shares([{}])) == []
