"""What goes with an instruction: the classes and members that nothing else leads to."""

from __future__ import annotations

from core.archive.jar import read_jar
from core.model.freed import freed
from core.reduction.sources.edit_source import EditSource
from core.rewrite.bodies import EditKind

SOURCE = """package p;
class Only { static void m() { Behind.m(); } }
class Behind { static void m() { } }
class Shared { static void m() { } }
public class User {
    static void one() { Only.m(); Shared.m(); }
    static void two() { Shared.m(); }
}"""


def test_a_call_that_alone_leads_to_classes_weighs_what_they_do(compile_java):
    jar = read_jar([compile_java({"p/User.java": SOURCE})])
    source = EditSource(jar, {})
    calls = {
        edit.description: source.problem.sizes[number]
        for number, edit in enumerate(source._edits)
        if edit.kind is EditKind.CALL
    }
    sizes = {entry.name: len(entry.data) for entry in jar.entries}
    only, shared = calls["drop the call of p.Only.m"], calls["drop the call of p.Shared.m"]
    assert only > 0.8 * (sizes["p/Only.class"] + sizes["p/Behind.class"])
    assert shared < 10  # the other method calls it too
    behind = calls["drop the call of p.Behind.m"]
    assert 0.8 * sizes["p/Behind.class"] < behind < only


def test_without_classes_there_is_nothing():
    assert freed([]) == {}
