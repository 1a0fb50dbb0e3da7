"""Each kind of rewriting, on a program that the virtual machine verifies and runs before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.classfile.symbolic.symbolic_class import read
from core.edits.programs.kinds import KINDS
from core.edits.programs.nesting import is_nested
from core.library.library import open_library
from core.model.class_model import build
from core.reduction.elements import entry_numbers
from core.reduction.elements import jar_of as jar_in_memory
from core.reduction.rewrite_elements import RewriteElements
from tests.support.files import jar_of
from tests.support.java import compiler
from tests.support.rows import rows

SOURCE = """import java.util.*;
public class Main<T extends Comparable<T>> {
    private int secret = 3;
    private static Object last;
    void spare(long a) { last = this; }
    void spare() { last = null; }
    private static int twice(int a) { return 2 * a; }
    class Inner { private int own = secret + 1; int all() { return own + twice(secret); } }
    interface Mark { }
    static Mark mark;
    interface Sign { }
    static class Note implements Sign { }
    static Sign sign = new Note();
    static class Key implements Comparable<Key>, Mark {
        private final String name;
        Key(String name) { this.name = name; }
        public int compareTo(Key other) { return other == null ? 1 : name.compareTo(other.name); }
    }
    static int idle() throws CloneNotSupportedException { return 0; }
    static boolean never() { return Boolean.getBoolean("flag"); }
    T most(List<T> all) {
        T best = null;
        last = all;
        for (T each : all) if (best == null || each.compareTo(best) > 0) best = each;
        return best;
    }
    public static void main(String[] arguments) {
        Main<Key> main = new Main<>();
        Key most = main.most(Arrays.asList(new Key("a"), new Key("c"), new Key("b")));
        mark = most;
        Comparator<Key> alike = (one, other) -> 0;
        try { Integer.parseInt("a"); } catch (NumberFormatException error) { mark = most; }
        Object any = new Object() { public String toString() { return most.name + main.secret; } };
        System.out.println(any + " " + main.new Inner().all() + " " + main.new Inner().own + " " + (mark == most));
    }
}
"""


EARLIER = {
    "versions": ("nesting",),  # the lambda and the nest of a new class keep it new
    "merging": ("nesting",),
    "regrouping": ("nesting",),
    "supertypes": ("nesting",),
}
"""Kinds without which another kind finds nothing in the program."""

OTHER_VALUES = ("arguments", "results")
"""Kinds after which methods get and return other values; tests of their own run such programs."""

NOTHING_HERE = ("abstract", "constants")
"""Kinds that find nothing in the program, and have tests of their own: it makes objects of all classes, and javac makes
an array of all constants of an enum."""


def source(kind: str, jar) -> RewriteElements:
    return RewriteElements(KINDS[kind], jar, entry_numbers(build(jar)), open_library().get)


def output(entries, folder: Path) -> str:
    for name, data in entries:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return compiler().run("run", str(folder), "Main")


@pytest.fixture
def jar(compile_java, tmp_path):
    return read_jar([str(jar_of(compile_java({"Main.java": SOURCE}), tmp_path / "a.jar"))])


def test_a_class_is_written_with_all_that_was_read(jar, tmp_path):
    trees = [(entry.name, read(entry.data).written()) for entry in jar.entries if entry.name.endswith(".class")]
    assert output(trees, tmp_path / "out") == "c3 10 4 true\n"
    again = [(name, read(data).written()) for name, data in trees]
    assert again == trees


@rows("kind", sorted(KINDS.keys() - {*OTHER_VALUES, *NOTHING_HERE}))
def test_the_program_still_runs_after_all_edits_of_a_kind(kind, jar, tmp_path):
    for earlier in EARLIER.get(kind, ()):
        jar = jar_in_memory(source(earlier, jar).entries(0), jar)
    found = source(kind, jar)
    assert found.count
    assert found.bytes_of(0) < found.bytes_of(found.full)
    assert output(found.entries(0), tmp_path / "out") == "c3 10 4 true\n"


def test_the_program_still_runs_after_all_kinds(jar, tmp_path):
    names = set()
    for kind in [each for each in KINDS if each not in OTHER_VALUES]:
        found = source(kind, jar)
        names |= set(found.renaming_after(0).classes)
        jar = jar_in_memory(found.entries(0), jar)
    assert output(jar.contents, tmp_path / "out") == "c3 10 4 true\n"
    assert names == {"Main$Inner", "Main$Key", "Main$Mark", "Main$Note", "Main$Sign", "Main$1"}
    trees = [read(entry.data) for entry in jar.entries if entry.name.endswith(".class")]
    assert not any(is_nested(tree) for tree in trees)


def test_one_edit_leaves_the_other_classes_alone(jar):
    found = source("nesting", jar)
    number = next(number for number, edit in enumerate(found.edits) if edit.what == "Main$Key")
    entries = dict(found.entries(found.full & ~(1 << number)))
    whole = {entry.name: entry.data for entry in jar.entries}
    assert entries["Main$Inner.class"] != whole["Main$Inner.class"] or entries["Main.class"] != whole["Main.class"]
    assert read(entries["Main$Inner.class"]).attribute("NestHost")
    assert not read(entries["Main$Key.class"]).attribute("NestHost")


def test_a_pinned_class_is_not_rewritten(jar):
    numbers = entry_numbers(build(jar))
    found = RewriteElements(KINDS["nesting"], jar, numbers, open_library().get, lambda name: name == "Main$Key")
    assert {edit.what for edit in found.edits} == {"Main$Inner", "Main$Mark", "Main$Note", "Main$Sign", "Main$1"}
