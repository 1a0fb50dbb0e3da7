"""Halving finds the ends of the failing versions with few runs, and runs all where one stretch is not enough."""

import random

import pytest

from core.protocol.questions.background import VersionAnswer, VersionRan
from core.service.versions.version_trials import next_versions, summary
from tests.support.rows import rows

ANSWERS = {"x": True, ".": False, "?": None}


def asked(history: str, failing: int, width: int = 2) -> dict[int, bool | None]:
    """Answers by halving; ``history`` has a sign for each version."""
    known = {failing: True}
    while places := next_versions(len(history), failing, known, width):
        assert not set(places) & set(known)
        known |= {place: ANSWERS[history[place]] for place in places}
    return known


def ends(known: dict[int, bool | None]) -> tuple[int, int]:
    bad = [place for place, answer in known.items() if answer]
    return min(bad), max(bad)


@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_ends_of_one_stretch_are_found(width):
    for count in range(1, 24):
        for first in range(count):
            last = random.Random(count * 100 + first).randrange(first, count)
            history = "." * first + "x" * (last - first + 1) + "." * (count - last - 1)
            for failing in (first, last, (first + last) // 2):
                assert ends(asked(history, failing, width)) == (first, last), (history, failing)


def test_few_versions_are_run():
    history = "." * 60 + "x" * 60
    assert len(asked(history, 119)) <= 12


def test_versions_without_an_answer_are_passed_over():
    known = asked("?..?x?xx??..?", 6, 1)
    assert ends(known) == (4, 7)
    assert known[2] is False
    assert known[10] is False


def test_a_second_stretch_that_shows_makes_all_versions_run():
    history = "..xx..xxxx"
    known = asked(history, 9, 4)
    assert {place: known[place] for place in sorted(known)} == {
        place: ANSWERS[sign] for place, sign in enumerate(history)
    }


def ran(history: str) -> list[VersionRan]:
    answers = {
        "x": VersionAnswer.FAILS, ".": VersionAnswer.FINE, "o": VersionAnswer.OTHER, "?": VersionAnswer.NONE,
        "-": VersionAnswer.NOT_RUN,
    }  # fmt: skip
    return [VersionRan(f"1.{place}", place, "", answers[sign], "") for place, sign in enumerate(history)]


@rows(
    ("history", "sentence", "names"),
    [
        ("..xxx.", "T fails from 1.2 on (1.1, before it, does not) to 1.4; it does not in 1.5, behind it.",
         ("1.2", "1.1", "1.4", "1.5")),
        ("..xx", "T fails from 1.2 on (1.1, before it, does not), up to 1.3, the newest.", ("1.2", "1.1", "1.3", "")),
        ("xx.", "T fails up to 1.1; it does not in 1.2, behind it.", ("1.0", "", "1.1", "1.2")),
        (".x.", "T fails in 1.1 (1.0, before it, does not); it does not in 1.2, behind it.",
         ("1.1", "1.0", "1.1", "1.2")),
        ("x.", "T fails in 1.0; it does not in 1.1, behind it.", ("1.0", "", "1.0", "1.1")),
        ("xxx", "T fails in every version that was run, 1.0 to 1.2.", ("1.0", "", "1.2", "")),
        ("x-x", "T fails in every version that was run, 1.0 to 1.2 (2 of 3 versions were run, chosen by halving).",
         ("1.0", "", "1.2", "")),
        (".x?", "T fails in 1.1, as far as is known; 1.0, before it, does not (1 version gave no answer).",
         ("1.1", "1.0", "1.1", "")),
        ("ox", "T fails in 1.1, the newest; 1.0, before it, does not (another failure in 1.0).",
         ("1.1", "1.0", "1.1", "")),
        ("ooooxx", "T fails from 1.4 on (1.3, before it, does not), up to 1.5, the newest "
         "(another failure in 1.0, 1.1, 1.2 and others).", ("1.4", "1.3", "1.5", "")),
        ("x..x", "T fails in 1.0 and 1.3, and not in 1.1 to 1.2.", ("1.0", "", "1.3", "")),
        ("..?", "None of 2 versions of T that ran fails (1 version gave no answer).", ("", "", "", "")),
    ],
)  # fmt: skip
def test_the_sentence_names_first_bad_and_last_good(history, sentence, names):
    found = summary("T", ran(history))
    assert found.sentence == sentence
    assert (found.first_bad, found.last_good, found.last_bad, found.first_fixed) == names
