"""A setting is declared once: all else is derived from the declaration, and nothing names settings on the way."""

from __future__ import annotations

import argparse
import ast
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

from app.commands.options import add_options, declared
from app.commands.predicate_options import settings_of
from core.edits.programs.kinds import KINDS
from core.parts import parts
from core.plan.catalogue import CATALOGUE
from core.protocol.run_words import GRANULARITIES, VALIDITIES
from core.protocol.setting_marks import ActsOn, Decides, NoField, NoOption, Number, Option, Switch, Words
from core.protocol.settings import Settings, deciding, declarations
from core.service.meaning import search_of, understood
from core.service.queries.export import GRAPH_FORMATS
from core.service.reproducers.projects import PROJECTS

ROOT = Path(__file__).resolve().parents[3]
CARRIERS = ("app/engine", "app/window", "core/service/engine.py", "core/protocol", "core/store", "core/batch")
"""Rooms that hand settings on: client, engine, wire, sessions, batch files."""

DECLARED = ("core/protocol/check_settings.py", "core/protocol/search_settings.py")

NAMES = [part.name for part in fields(Settings)]


def files(place: str) -> list[Path]:
    path = ROOT / place
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


@pytest.mark.parametrize("name", ["algorithm", "validity", "thorough", "classic", "max_probes", "no_match", "memory"])
def test_a_setting_is_declared_in_one_place_and_carried_without_being_named(name: str) -> None:
    """What names a setting: its declaration, its option, its field on the screen, and who acts on it."""
    declared = rf"^    {name}: "
    lines = [line for place in DECLARED for line in (ROOT / place).read_text().splitlines()]
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


def test_every_setting_says_what_it_decides_and_what_it_means() -> None:
    classes = [
        node
        for place in DECLARED
        for node in ast.parse((ROOT / place).read_text()).body
        if isinstance(node, ast.ClassDef)
    ]
    documented = {
        one.target.id
        for declared in classes
        for one, after in pairwise(declared.body)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and isinstance(after, ast.Expr)
    }
    for name, setting in declarations().items():
        assert setting.decides, name
        assert name in documented or (setting.option is not None and setting.option.help), name


def test_every_setting_has_an_option_or_a_reason_for_none() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, declared("reduce"))
    there = {action.dest: action for action in parser._actions}
    for name, setting in declarations().items():
        option, reason = setting.option, setting.mark(NoOption)
        assert (option is None) == (reason is not None) == (name not in there), name
        assert option is None or (there[name].option_strings == [option.flag] and there[name].help), name


def test_the_check_takes_the_options_that_decide_it_and_no_others() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, declared("check"))
    there = {action.dest for action in parser._actions}
    assert there & set(NAMES) == set(deciding(Decides.CHECK))


def test_what_decides_what() -> None:
    """A change here changes when a check is repeated, and which runs of older sessions go on."""
    search = {name for name in NAMES if name in search_of(Settings(predicate="x").to_json())}
    assert search == {"algorithm", "granularity", "validity", "classpath", "keep", "classic", "thorough"}
    later = {"begin_with", "drop_first", "evidence", "rename", "rewrite", "rewritings", "trust"}
    assert set(deciding(Decides.SEARCH)) - search == later
    assert set(deciding(Decides.RUN)) == {"allow_missing", "jobs", "cluster", "time_limit", "max_probes", "source_time"}
    assert set(deciding(Decides.CHECK)) == set(NAMES) - set(deciding(Decides.RUN)) - ((search | later) - {"classpath"})


def test_the_option_lists_every_kind_of_rewriting() -> None:
    told = re.findall(r"[a-z]+", declarations()["rewritings"].mark(Option).help.partition("(")[2])
    assert told == ["all", *KINDS]


def test_a_setting_acts_on_algorithms_that_there_are() -> None:
    marked = {name: among for name, setting in declarations().items() if (among := setting.mark(ActsOn)) is not None}
    acting = {name: [one for one in CATALOGUE if one in among] for name, among in marked.items()}
    assert acting["thorough"] == ["auto"]
    assert acting["evidence"] == ["auto", "gbr"]
    assert acting["rewrite"] == ["auto"]
    assert acting["rewritings"] == ["auto", "simplify"]
    families = [name for name in CATALOGUE if name.endswith("ddmin")]
    assert set(acting["classic"]) == {"gbr", "verify", "closure", *families}
    assert len(families) > 3
    assert declarations()["classic"].acts_on("items/wddmin")
    assert not declarations()["classic"].acts_on("items/probdd")


def test_options_become_the_settings_of_their_names() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, declared("reduce"))
    words = ". --predicate x --preserve exit,out --classpath a.jar:b.jar --jobs 3 --thorough --keep a.* --keep b"
    found = settings_of(parser.parse_args(words.split()))
    assert found == Settings(
        predicate="x", preserve=frozenset({"exit", "out"}), classpath=("a.jar", "b.jar"), jobs=3, thorough=True,
        keep=("a.*", "b"),
    )  # fmt: skip


def test_an_option_of_a_list_may_be_repeated() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, declared("reduce"))
    words = ". --predicate x --preserve exit --classpath a.jar:b.jar --preserve out --classpath c.jar"
    found = settings_of(parser.parse_args(words.split()))
    assert (found.preserve, found.classpath) == (frozenset({"exit", "out"}), ("a.jar", "b.jar", "c.jar"))


def test_every_setting_has_a_field_on_the_screen_or_a_reason_for_none() -> None:
    form = "".join(path.read_text() for path in files("app/panels/form"))
    for name, setting in declarations().items():
        made = setting.mark(Switch) or setting.mark(Number) or setting.mark(Words)
        there = bool(re.search(rf'"{name}":|\b{name}=', form)) or made is not None
        assert there == (setting.mark(NoField) is None), name
        assert not setting.mark(Number) or getattr(Settings, name) is None, "a box for a number can be unset"


def test_the_defaults_name_what_there_is() -> None:
    assert Settings.algorithm in CATALOGUE
    assert parts.GRANULARITIES is GRANULARITIES
    understood(Settings(predicate="x"))


def test_lists_of_json_and_of_options_are_the_same_settings() -> None:
    assert Settings(predicate="x", keep=["a"], preserve=["out"]) == Settings(  # type: ignore[arg-type]
        predicate="x", keep=("a",), preserve=frozenset({"out"})
    )


def test_the_choices_of_the_commands_are_those_of_the_code() -> None:
    rows = [row for group in declared("shared")["groups"].values() for row in group]
    rows += declared("graph")["options"]
    choices = {row["name"]: row["choices"] for row in rows if "choices" in row and "name" in row}
    assert choices["--format"] == [*GRAPH_FORMATS]
    assert choices["--validity"] == [*VALIDITIES]
    assert f"--as {', '.join(PROJECTS)}:" in " ".join(declared("source")["epilog"][0].split())
