"""A setting is one line: what carries settings from here to there names none of them."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from pathlib import Path

import pytest

from app.commands.predicate_options import settings_of
from app.commands.reduce import add_reduce
from core.protocol.settings import GRANULARITIES, Settings
from core.reduction import bisection
from core.rewrite import parts
from core.search.catalogue import CATALOGUE
from core.service.meaning import understood

ROOT = Path(__file__).resolve().parents[3]
CARRIERS = ("app/engine", "app/window", "core/service/engine.py", "core/protocol", "core/store", "core/batch")
"""Rooms that hand settings on: client, engine, wire, sessions, batch files."""

OTHERWISE = {"options": "--set", "warm": "--cold", "check_runs": "--runs"}
"""Settings whose option has another name; the last one belongs to ``jarlet check``."""

NAMES = [part.name for part in fields(Settings)]


def files(place: str) -> list[Path]:
    path = ROOT / place
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


@pytest.mark.parametrize("name", ["algorithm", "validity", "thorough", "classic", "max_probes", "no_match", "memory"])
def test_a_setting_is_declared_in_one_place_and_carried_without_being_named(name: str) -> None:
    """What names a setting: its declaration, its option, its field on the screen, and who acts on it."""
    declared = rf"^    {name}: "
    lines = (ROOT / "core/protocol/settings.py").read_text().splitlines()
    assert len([line for line in lines if re.match(declared, line)]) == 1
    named = rf"settings\.{name}\b|settings\[.{name}.\]|^\s+{name}=|\.get\(.{name}."
    carriers = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for place in CARRIERS
        for path in files(place)
        for line in path.read_text().splitlines()
        if re.search(named, line) and "import" not in line
    ]
    assert not carriers


def test_every_setting_has_an_option() -> None:
    parser = argparse.ArgumentParser()
    add_reduce(parser)
    there = {action.dest for action in parser._actions}
    assert set(NAMES) - set(OTHERWISE) <= there


def test_options_become_the_settings_of_their_names() -> None:
    parser = argparse.ArgumentParser()
    add_reduce(parser)
    words = "in.jar --predicate x --preserve exit,out --classpath a.jar:b.jar --jobs 3 --thorough --keep a.* --keep b"
    found = settings_of(parser.parse_args(words.split()))
    assert found == Settings(
        predicate="x", preserve=frozenset({"exit", "out"}), classpath=("a.jar", "b.jar"), jobs=3, thorough=True,
        keep=("a.*", "b"),
    )  # fmt: skip


def test_every_setting_has_a_field_on_the_screen() -> None:
    """``warm``, ``least``, ``check_runs`` and ``cluster`` are for the command line alone; pins stand in the tree."""
    form = "".join(path.read_text() for path in files("app/panels/form"))
    missing = {name for name in NAMES if not re.search(rf'"{name}":|\b{name}=', form)}
    assert missing == {"keep", "drop_first", "warm", "check_runs", "cluster", "least"}


def test_the_defaults_name_what_there_is() -> None:
    assert Settings.algorithm in CATALOGUE
    assert Settings.least == bisection.DEFAULT
    assert parts.GRANULARITIES is GRANULARITIES
    understood(Settings(predicate="x"))


def test_lists_of_json_and_of_options_are_the_same_settings() -> None:
    assert Settings(predicate="x", keep=["a"], preserve=["out"]) == Settings(  # type: ignore[arg-type]
        predicate="x", keep=("a",), preserve=frozenset({"out"})
    )
