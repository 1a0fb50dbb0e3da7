"""The tree of calls between the methods that ran."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.evidence.clues import Ran
from core.evidence.executed_calls import call_tree
from core.library.library import open_library
from core.model.building import build
from core.model.item_model import ItemModel

SOURCE = """package demo;
public class Calls {
    public static void main(String[] words) { log(); shared(); Runnable r = () -> late(); r.run(); once(); never(); }
    static void log() { format(); shared(); }
    static void format() { format(); }
    static void shared() { }
    static void late() { }
    static void once() { new Table().size(); }
    static void never() { }
    static class Base { int size() { return 0; } }
    static class Table extends Base { static int made = count(); static int count() { return 7; } }
    static class Handler { public int hashCode() { return helper(); } static int helper() { return 1; } }
}
"""


@pytest.fixture(scope="module")
def model(compile_java: Callable[..., Path]) -> ItemModel:
    return build(read_jar([compile_java({"demo/Calls.java": SOURCE})]), open_library([]), "full")


def tree_of(model: ItemModel, missed: tuple[tuple[str, str, str], ...] = ()) -> dict[str, set[str]]:
    """Return the names of the methods that each method dominates, by its name with the simple name of its class."""

    def short(name: str, method: str) -> str:
        return f"{name.rpartition('$')[2].rpartition('/')[2]}.{method}" if name else "start"

    names = frozenset(model.facts)
    tree = call_tree(model.facts, Ran(names, names, frozenset(missed)))
    return {short(*method[:2]): {short(*each[:2]) for each in below} for method, below in tree.items()}


def test_a_method_dominates_what_runs_for_it_alone(model: ItemModel) -> None:
    tree = tree_of(model)
    assert tree["Calls.log"] == {"Calls.format"}
    assert {"Calls.log", "Calls.shared", "Calls.once"} <= tree["Calls.main"]  # log calls shared too
    assert tree["Calls.lambda$main$0"] == {"Calls.late"}


def test_an_object_brings_its_constructors_and_its_class_initialiser(model: ItemModel) -> None:
    tree = tree_of(model)
    assert tree["Calls.once"] == {"Table.<init>", "Table.<clinit>", "Base.size"}
    assert tree["Table.<init>"] == {"Base.<init>"}
    assert tree["Table.<clinit>"] == {"Table.count"}


def test_what_only_the_jvm_calls_stands_at_the_top(model: ItemModel) -> None:
    tree = tree_of(model)
    assert {"Calls.main", "Handler.hashCode"} <= tree["start"]
    assert tree["Handler.hashCode"] == {"Handler.helper"}


def test_a_method_that_did_not_run_is_not_in_the_tree(model: ItemModel) -> None:
    tree = tree_of(model, (("demo/Calls", "log", "()V"),))
    assert "Calls.log" not in tree
    assert "Calls.format" in tree["start"]  # it calls itself: no executed method leads to it


def test_a_class_may_be_its_own_superclass_in_the_end(model: ItemModel) -> None:
    base = replace(model.facts["demo/Calls$Base"], superclass="demo/Calls$Table")
    facts = {**model.facts, "demo/Calls$Base": base}
    called = call_tree(facts, Ran(frozenset(facts), frozenset(facts), frozenset()))
    assert ("demo/Calls$Base", "size", "()I") in called[("demo/Calls", "once", "()V")]
