"""Values that methods take as arguments, in a program that the virtual machine verifies."""

from __future__ import annotations

import pytest

from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.rows import rows
from tests.support.whole_programs import output_of, whole_program

INPUTS = KINDS["inputs"]
SOURCE = """import java.util.*;
public class Main<T> {
    void call(List<T> l) { l.iterator().next(); }
    long loop(int k) { for (; k > 0; k--) k -= Long.parseLong("1"); return k; }
    Object cast(Object o) { return (java.util.concurrent.Semaphore[]) o; }
    void lambda(boolean b) { Runnable r = b ? () -> { } : null; r.run(); }
    Object creation(long l) { return new java.util.concurrent.Semaphore((int) l); }
    Object unfinished(boolean b) { return new java.util.concurrent.Phaser(b ? 1 : 2); }
    char field() { return java.io.File.separatorChar; }
    Main(Object o) { this(Objects.hash(o)); }
    Main(int i) { }
    void calling() { called(); }
    Object called() { return String.valueOf(1).trim(); }
    Object overload() { return String.valueOf(2).trim(); }
    void overload(int i) { }
    void generic() { Queue<T> q = null; if (q != null) q.add((T) q.poll()); }
    int wide(long l) { double d = 0; while (l > d) l += d; return (int) d; }
    Object stored() { Object o = null; o = this; return o; }
    Object either(int k) { Object o; if (k > 1) o = null; else o = this; return o; }
    void local() { class Local { int i; } Local l = null; if (l != null) l.i = 1; }
    public static void main(String[] a) { System.out.print(a.length); }
}
"""


@pytest.fixture(scope="module")
def before(compile_java) -> WholeProgram:
    return whole_program(compile_java({"Main.java": SOURCE}, "-g"))


@pytest.fixture(scope="module")
def after(before) -> dict[str, str]:
    """Descriptor and signature of each method after all edits."""
    tree = INPUTS.make(before, INPUTS.find(before)).by_name["Main"]
    signatures = {method.name: method.attribute("Signature") for method in tree.methods}
    told = {name: f" {next(each.symbols).content[0]}" if each else "" for name, each in signatures.items()}
    return {method.name: method.descriptor + told[method.name] for method in tree.methods}


@rows(
    ("method", "descriptor"),
    [
        ("call", "(Ljava/util/List;Ljava/util/Iterator;)V (Ljava/util/List<TT;>;Ljava/util/Iterator;)V"),
        ("loop", "(IJ)J"),
        ("cast", "(Ljava/lang/Object;[Ljava/util/concurrent/Semaphore;)Ljava/lang/Object;"),
        ("lambda", "(ZLjava/lang/Runnable;)V"),
        ("field", "(C)C"),
        ("creation", "(JLjava/util/concurrent/Semaphore;)Ljava/lang/Object;"),
        ("generic", "(Ljava/util/Queue;Ljava/lang/Object;)V (Ljava/util/Queue<TT;>;Ljava/lang/Object;)V"),
        ("wide", "(JD)I"),
    ],
)
def test_methods_that_nobody_calls_take_their_values_as_arguments(after, method, descriptor):
    assert after[method] == descriptor


@pytest.mark.parametrize("method", ["calling", "called", "overload", "stored", "either", "local", "unfinished"])
def test_other_methods_and_other_variables_stay(before, after, method):
    kept = {each.name: each.descriptor for each in before.by_name["Main"].methods}
    assert after[method] == kept[method]


def test_each_edit_can_be_made_alone(before, tmp_path):
    edits = INPUTS.find(before)
    for number, some in enumerate([edits, *[[edit] for edit in edits]]):
        assert output_of(INPUTS.make(before, some), tmp_path / str(number)) == "0"


def test_an_edit_is_about_all_methods_that_compute_a_value_alike(program):
    pair = "class Pair {{ void f({0}) {{ String s = {1}; s.trim(); }} void g() {{ String s = {1}; s.trim(); }} }}"
    found = INPUTS.find(program(Pair=pair.format("", "String.valueOf(1)")))
    assert [[each.method[0] for each in edit.what] for edit in found] == [["f", "g"]]
