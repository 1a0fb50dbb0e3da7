"""The bugs of a hunt: each is a kind of failure of a tool, reduced where the failure is likely to need least."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.batch.hunt_results import bug_key, bugs_in, told_apart
from core.batch.looks import HuntedJar, KindSeen, Look
from core.known.known_bugs import KnownBugs

A, B, C = (HuntedJar(f"{name}.jar", Path(f"{name}.jar"), digest=name) for name in "abc")


def test_equal_kinds_of_one_tool_are_one_bug_in_the_jar_that_needs_least() -> None:
    looks = [
        (A, Look("cfr", "1", (KindSeen("k", 2, "in a", 500), KindSeen("rare", 1, "r", 10)))),
        (B, Look("cfr", "1", (KindSeen("k", 3, "in b", 100),))),
        (C, Look("cfr", "1", (KindSeen("k", 1, "in c", 0),))),
        (C, Look("procyon", "2", (KindSeen("k", 1, "of procyon", 20),))),
    ]
    first, second, third = bugs_in(looks)
    assert (first.kind, first.jar, first.failure) == ("k", B, "in b")  # 0 bytes: nothing is known
    assert first.seen == (("a.jar", 2), ("b.jar", 3), ("c.jar", 1))
    assert (second.tool, second.kind) == ("cfr", "rare")
    assert (third.tool, third.version) == ("procyon", "2")
    assert [bug.key for bug in bugs_in(reversed(looks))] == [bug.key for bug in (first, second, third)]


def test_a_key_is_a_plain_file_name() -> None:
    key = bug_key("../\u202e<b>" + "x" * 300, "kind\ud800")
    assert "/" not in key
    assert key.isprintable()
    assert len(key) < 60
    assert bug_key("a", "k") != bug_key("b", "k") != bug_key("b", "l")


def test_kinds_with_equal_results_are_one_bug_and_with_other_strings_in_them_two() -> None:
    kinds = [KindSeen(kind, 1, kind, 9) for kind in "klm"]
    strings = {"k": "1", "l": "1", "m": "2"}
    bugs = [replace(bug, form="f", texts=strings[bug.kind]) for bug in bugs_in([(A, Look("cfr", "1", tuple(kinds)))])]
    found = told_apart(bugs, KnownBugs())
    assert sorted(sorted([bug.kind, *(one.kind for one in bug.also)]) for bug in found) == [["k", "l"], ["m"]]
