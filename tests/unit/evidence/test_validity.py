"""The validity that a reduction is for: chosen, or told by preset and failures; a session keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.validity import choose, departure, expected, of_program
from core.predicate import presets
from core.predicate.failures import FailureNaming
from core.predicate.output.javac import is_of_parser
from core.predicate.verdict import Outcome, Verdict
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.meaning import validity_for
from core.store.session import Session
from core.store.session_folder import SETTINGS
from tests.support.rows import rows

SYNTAX = """\
sources/a/B.java:5: error: illegal start of expression
        return (int)~;
                     ^
sources/a/B.java:9: error: ';' expected
        x y z
           ^
2 errors
"""
NAMES = """\
sources/a/B.java:5: error: cannot find symbol
        q();
        ^
  symbol:   method q()
  location: class B
1 error
"""


def shown(text: str) -> Outcome:
    return Outcome(Verdict.INTERESTING, 1.0, 1, "", failures=FailureNaming(("javac",)).names(text))


def test_each_error_of_the_parser_is_known_by_its_name():
    assert [is_of_parser(name) for name in shown(SYNTAX).failures] == [True, True]
    assert [is_of_parser(name) for name in shown(NAMES).failures] == [False]


@rows(
    ("settings", "text", "taken"),
    [
        (Settings(preset="cfr"), SYNTAX, "jvm"),
        (Settings(preset="cfr"), NAMES, "src"),
        (Settings(preset="cfr"), SYNTAX + NAMES, "src"),
        (Settings(preset="cfr", validity="src"), SYNTAX, "src"),
        (Settings(preset="cfr", validity="linked"), SYNTAX, "linked"),
        (Settings(preset="proguard"), NAMES, "linked"),
        (Settings(preset="verify"), "", "linked"),
        (Settings(predicate="x"), SYNTAX, "src"),
        (Settings(predicate="x", failures_as="javac"), SYNTAX, "jvm"),
    ],
)
def test_what_is_taken(settings, text, taken):
    assert choose(aim_of(settings), shown(text)).taken == taken
    assert bool(departure(aim_of(settings), shown(text))) is (taken != expected(aim_of(settings)).taken)


@pytest.mark.parametrize(
    ("settings", "taken"),
    [
        (Settings(predicate="x"), "linked"),
        (Settings(predicate="x", failures_as="traces"), "linked"),
        (Settings(predicate="x", failures_as="javac"), "src"),  # it runs the input, and compiles it too
        (Settings(predicate="x", validity="src"), "src"),
        (Settings(predicate="x", validity="jvm"), "jvm"),
        (Settings(preset="cfr"), "src"),
    ],
)
def test_a_program_that_runs_need_not_compile(settings, taken):
    assert of_program(aim_of(settings), expected(aim_of(settings))).taken == taken


def test_a_session_keeps_what_was_taken(tmp_path: Path, sample_jar: Path):
    settings, jar = Settings(preset="cfr"), read_jar([sample_jar])
    with Session.create(tmp_path / "s", jar, settings.to_json()) as session:
        assert validity_for(aim_of(settings), shown(SYNTAX), session).taken == "jvm"
    with Session.open(tmp_path / "s") as session:
        assert session.settings == settings
        assert validity_for(aim_of(settings), shown(NAMES), session).taken == "jvm"
        assert validity_for(aim_of(Settings(preset="cfr", validity="src")), shown(NAMES), session).taken == "src"


def test_a_session_of_an_earlier_version_keeps_its_own(tmp_path: Path, sample_jar: Path):
    values = {**Settings(preset="cfr").to_json(), "validity": "src"}
    with Session.create(tmp_path / "s", read_jar([sample_jar]), values) as session:
        manifest = session.path / SETTINGS
    text = manifest.read_text(encoding="utf-8")
    assert '"taken": {}' in text
    manifest.write_text(text.replace(',\n  "taken": {}', ""), encoding="utf-8")
    with Session.open(tmp_path / "s") as session:
        assert validity_for(aim_of(session.settings), shown(SYNTAX), session).taken == "src"


def test_a_preset_of_the_users_may_name_its_validity(tmp_path: Path):
    text = 'name = "x"\ntitle = "X"\nabout = "X."\nvalidity = "{}"\n[[steps]]\nrun = ["true", "{{jar}}"]\n'
    (tmp_path / "x.toml").write_text(text.format("jvm"), encoding="utf-8")
    assert presets.load(tmp_path / "x.toml").validity == "jvm"
    (tmp_path / "x.toml").write_text(text.format("java"), encoding="utf-8")
    with pytest.raises(presets.InputError, match="one of jvm, linked, src"):
        presets.load(tmp_path / "x.toml")
