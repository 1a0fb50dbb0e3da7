"""What a session takes for the same input and the same predicate."""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.archive.jar import read_jar
from core.errors import InputError
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition, Reference
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import CommandPredicate
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.store.fingerprint import Fingerprint, fingerprint, mark_of
from core.store.session import Session
from tests.support.sessions import jar


def test_the_input_may_move_but_not_change(tmp_path: Path) -> None:
    home = tmp_path / "a"
    home.mkdir()
    source = jar(home / "in.jar", "A.class", "B.class")
    Session.create(home / "s", source, {"x": 1}).close()
    home.rename(tmp_path / "b")
    moved = tmp_path / "b" / "s.jarlet"
    with Session.open(moved) as session:
        assert session.inputs() == [str(tmp_path / "b" / "in.jar")]
        session.same_input(replace(source, paths=(tmp_path / "b" / "in.jar",)))
    assert str(tmp_path / "b" / "in.jar") in (moved / "settings.json").read_text()
    (tmp_path / "b" / "in.jar").unlink()
    with Session.open(moved) as session:
        with pytest.raises(InputError, match=r"in\.jar: the input of the session .* Bring it back"):
            session.inputs()
        session.same_input(jar(tmp_path / "elsewhere.jar", "A.class", "B.class"))
        assert session.inputs() == [str(tmp_path / "elsewhere.jar")]
        for other in (
            jar(tmp_path / "elsewhere.jar", "A.class"),
            jar(tmp_path / "elsewhere.jar", "A.class", "B.class", salt="x"),
        ):
            with pytest.raises(InputError, match="has changed since"):
                session.same_input(other)
        session.save_settings({"x": 2})
    with Session.open(moved) as session:
        assert session.inputs() == [str(tmp_path / "elsewhere.jar")]
        assert session.manifest.settings == {"x": 2}


def test_how_the_input_is_packed_does_not_matter(tmp_path: Path, sample_jar: Path) -> None:
    again = tmp_path / "stored.jar"
    with zipfile.ZipFile(sample_jar) as old, zipfile.ZipFile(again, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    with Session.create(tmp_path / "s", read_jar([sample_jar]), {}) as session:
        session.same_input(read_jar([again]))


OUT = Reference(0, "out", "err", ("f",))


def print_of(text: str, reference: Reference = OUT, **condition: Any) -> Fingerprint:
    wanted = Condition(**condition)
    predicate = CommandPredicate(
        PredicateCommand.parse(text), condition=wanted, reference=reference, timeout=time.monotonic()
    )
    return fingerprint(predicate, wanted, limits=ProbeLimits(), template=text)


def test_the_fingerprint_sees_what_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, log, data = tmp_path / "check.sh", tmp_path / "log.zip", tmp_path / "data.txt"
    script.write_text("#!/bin/sh\nexit 0\n")
    script.chmod(0o755)
    data.write_text("1")
    text = f"{script} {{jar}} --log={log} {{file:{data}}}"
    first = print_of(text)
    assert print_of(text) == first
    assert len(first.digest) == 20
    other = Reference(1, "o", "e", ("g",))
    assert print_of(text, other) == first  # nothing of it is compared
    names = {"reading": FailureNaming(("javac",)), "wanted": Wanted()}
    different = [
        first,
        print_of(text + " -x"),
        print_of(text, match="x"),
        *(print_of(text, reference, preserve=frozenset({"out"})) for reference in (OUT, other)),
        *(print_of(text, reference, **names) for reference in (OUT, other)),
    ]
    assert len({found.digest for found in different}) == 7
    log.write_text("written by the command itself")
    assert print_of(text) != first
    assert first.steady(print_of(text)) == first
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dx=y")
    assert first.steady(print_of(text)) != first
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")
    log.unlink()
    for path in (script, data):
        before = path.read_text()
        path.write_text(before + "#")
        assert {name for name in first.parts if first.parts[name] != print_of(text).parts[name]} == {f"file {path}"}
        path.write_text(before)
    assert print_of(text) == first
    java = print_of("sh -c 'java -cp {jar} x.Main | grep y'")
    assert {Path(name).name for name in java.parts if name.startswith("file ")} >= {"java", "grep", "release"}


@pytest.mark.parametrize(
    ("settings", "failures"),
    [
        ({"predicate": "true", "failures_as": "javac"}, "same"),
        ({"preset": "procyon"}, "same"),
        ({"preset": "test"}, None),
        ({"preset": "differ"}, None),
        ({"preset": "procyon", "failures": "any"}, "any"),
        ({"preset": "no longer there"}, None),
        ({"predicate": "true"}, None),
    ],
)
def test_an_old_session_reads_its_failures_strictly(tmp_path: Path, settings: dict[str, str], failures: str) -> None:
    Session.create(tmp_path / "s", jar(tmp_path / "in.jar", "A.class"), Settings(**settings).to_json()).close()
    file = tmp_path / "s.jarlet" / "settings.json"
    with Session.open(tmp_path / "s") as session:
        assert session.settings.failures == settings.get("failures"), "a new one leaves it to the preset"
    written = json.loads(file.read_text())
    file.write_text(json.dumps(written | {"schema": 1}))
    with Session.open(tmp_path / "s") as session:
        assert session.settings.failures == failures
        session.work_here()
        session.take({"validity": "src"})
    with Session.open(tmp_path / "s") as session:
        assert session.settings.failures == failures, "also once this version has written the file"


def test_verdicts_under_another_demand_on_failures_do_not_count() -> None:
    def digest(**settings: str) -> bytes:
        chosen = Settings(preset="verify", **settings)
        predicate = aim_of(chosen).predicate(None)
        try:
            return mark_of(predicate, aim_of(chosen)).digest
        finally:
            predicate.close()

    demands = ("kinds", "same", "any", "chosen x", "kinds but x", "chosen x, no new kinds")
    assert len({digest(failures=demand) for demand in demands}) == len(demands)
    assert digest() == digest(failures="kinds")
    strict = Settings(preset="verify", failures="same")
    predicate = aim_of(strict).predicate(None)
    try:
        before = fingerprint(predicate, aim_of(strict).condition, limits=aim_of(strict).limits, template="")
        assert digest(failures="same") == before.digest, "earlier versions had no other demand, and noted none"
    finally:
        predicate.close()
