"""Files of known bugs."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.cli import _parser, main
from core.errors import InputError, UsageError
from core.known.canonical_form import VERSION
from core.known.known_bugs import KnownBug, KnownBugs
from tests.support.files import jar_of

HASH, OTHER = "a1" * 32, "b2" * 32


def test_a_file_keeps_its_bugs(tmp_path):
    path = tmp_path / "known.json"
    bugs = KnownBugs().add(KnownBug(HASH, "#412", "cfr", ("0.152",))).add(KnownBug(OTHER, "#1", "procyon"))
    bugs.save(path)
    assert KnownBugs.load(path) == bugs
    assert KnownBugs.load(path).find(OTHER) == KnownBug(OTHER, "#1", "procyon")
    assert KnownBugs.load(path).find(OTHER, "cfr") is None, "the bug of another tool is another one"
    assert KnownBugs((KnownBug(OTHER, "#1"),)).find(OTHER, "cfr") == KnownBug(OTHER, "#1"), "noted for any tool"
    assert KnownBugs.load(path).find("c3" * 32) is None


def test_a_file_that_is_written_again_keeps_fields_of_its_own_and_any_text(tmp_path):
    path = tmp_path / "known.json"
    row, own = {"hash": HASH, "issue": "#412", "note": "naïve"}, {"team": "Zürich", "sign": "\ud800"}
    path.write_text(json.dumps({"owner": own, "schema": 1, "bugs": [row]}), encoding="utf-8")
    KnownBugs.load(path).add(KnownBug(OTHER, "#1")).save(path)
    assert json.loads(path.read_text("utf-8"))["owner"] == own
    assert [bug.issue for bug in KnownBugs.load(path).bugs] == ["#412", "#1"]
    assert "naïve" in path.read_text("utf-8")


@pytest.mark.parametrize("option", ["issue", "tool", "version", "note"])
def test_a_text_that_no_file_can_hold_is_refused_before_anything_is_written(tmp_path, capsys, option):
    given = {"issue": "#1", option: "\ud800"}
    words = [word for name, value in given.items() for word in (f"--{name}", value)]
    assert main(["known", "add", str(tmp_path / "known.json"), str(tmp_path / "none.jar"), *words]) == 2
    told = capsys.readouterr().err
    assert f"option --{option}" in told
    assert len(told.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_bugs_that_are_added_at_once_are_all_kept(compile_java, tmp_path):
    texts = [f"class A {{ int{'[]' * number} a; }}" for number in range(6)]
    jars = [jar_of(compile_java({"A.java": text}), tmp_path / f"{number}.jar") for number, text in enumerate(texts)]
    words = [["known", "add", str(tmp_path / "known.json"), str(jar), "--issue", jar.stem] for jar in jars]
    with ThreadPoolExecutor(len(jars)) as pool:  # a lock keeps threads apart as it does processes
        options = [_parser("known").parse_args(each[1:]) for each in words]
        assert list(pool.map(lambda each: each.run(each), options)) == [0] * len(jars)
    assert sorted(bug.issue for bug in KnownBugs.load(tmp_path / "known.json").bugs) == list("012345")


def test_a_bug_that_is_added_again_gets_more_versions():
    bugs = KnownBugs().add(KnownBug(HASH, "#4", "cfr", ("0.151",))).add(KnownBug(HASH, "#5", "cfr", ("0.152", "0.151")))
    assert bugs.bugs == (KnownBug(HASH, "#5", "cfr", ("0.151", "0.152")),)


def test_a_form_of_an_older_version_is_neither_known_nor_unknown(tmp_path):
    path = tmp_path / "known.json"
    row = {"hash": HASH, "issue": "#412", "tool": "cfr", "versions": ["0.151"]}
    path.write_text(json.dumps({"schema": 1, "bugs": [row]}), encoding="utf-8")
    old = KnownBugs.load(path)
    assert "1 known bug cannot be compared" in old.untold
    assert "#412" in old.untold
    new = old.add(KnownBug(OTHER, "#412", "cfr", ("0.152",), form=VERSION))
    assert new.bugs == (KnownBug(OTHER, "#412", "cfr", ("0.151", "0.152"), form=VERSION),)
    assert not new.untold
    assert len(old.add(KnownBug(OTHER, "#413", "cfr", form=VERSION)).bugs) == 2


def test_a_file_that_is_not_there(tmp_path):
    assert KnownBugs.load(tmp_path / "none.json", missing=True).bugs == ()
    with pytest.raises(InputError, match="no such file of known bugs"):
        KnownBugs.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "It is not JSON"),
        ("[]", "does not hold a JSON object"),
        ('{"schema": 9, "bugs": []}', "schema is 9"),
        ('{"schema": 1, "bugs": 3}', "bugs"),
        ('{"schema": 1, "bugs": [{"hash": "xyz", "issue": "#1"}]}', "64 hexadecimal digits"),
        (json.dumps({"schema": 1, "bugs": [{"hash": HASH, "issue": ""}]}), "issue"),
        (json.dumps({"schema": 1, "bugs": [{"hash": HASH, "issue": "#1", "colour": "red"}]}), "colour"),
    ],
)
def test_a_damaged_file_is_told_in_one_sentence(tmp_path, text, why):
    path = tmp_path / "known.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as told:
        KnownBugs.load(path)
    assert str(path) in str(told.value)
    assert why in str(told.value)


def test_a_bug_needs_a_whole_hash():
    with pytest.raises(UsageError, match="64 hexadecimal digits"):
        KnownBug("a1b2", "#1")
