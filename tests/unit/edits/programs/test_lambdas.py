"""Lambdas that take less, in a program that the virtual machine verifies and links."""

from __future__ import annotations

import pytest

from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from core.edits.programs.shapes.lambdas import lambdas
from tests.support.whole_programs import output_of, whole_program

LAMBDAS = KINDS["lambdas"]
SOURCE = """import java.util.*;
import java.util.function.*;
public class Main {
    static String log = "";
    interface Three<A> { A three(A a, long l, String s); }
    interface Own { default Runnable own(long l, Object o) { return () -> { if (false) use(this, l); use(o); }; } }
    static void use(Object... all) { log += all.length; }
    int field;
    BiConsumer<String, Integer> unread(Map<String, Integer> map, double wide) {
        return (key, value) -> { if (false) use(map, wide, this); Main.use(value); };
    }
    Function<String, Main> looping(long wide, Main main) {
        return text -> { if (false) use(wide, this); Main m = null; for (int i = 0; i < 2; i++) m = main; return m; };
    }
    Three<Integer> mixed(int i) { return (a, l, s) -> { Main.use(l); return i; }; }
    Runnable outer(Object o) {
        return () -> { Runnable inner = () -> { if (false) use(o, this); Main.use(); }; inner.run(); };
    }
    Comparator<String> pushed(String[] a) {
        return a.length > 0 ? null : taken(a[a.length > 5 ? 0 : 1].trim(), a);
    }
    Comparator<String> taken(String s, Object o) { return (x, y) -> { if (false) use(s, o); return 0; }; }
    ToIntFunction<String> length() { return text -> text.length(); }
    private void called() { use(1, 2); }
    private void named() { }
    Runnable reference() { Runnable r = this::named; String reflected = "named"; return this::called; }
    Supplier<Object> serial() { return (Supplier<Object> & java.io.Serializable) () -> field; }
    Runnable shared() { Runnable r = () -> { if (false) use(this); }; return r; }
    public static void main(String[] a) {
        Main m = new Main();
        m.unread(null, 3).accept("", 1);
        use(m.looping(1, m).apply(""), m.mixed(2).three(1, 2, "s"), m.length().applyAsInt("abc"));
        use(m.taken("", m).compare("", ""), m.serial().get());
        m.outer(m).run();
        m.reference().run();
        new Own() { }.own(1, m).run();
        System.out.print(log);
    }
}
"""
PRINTED = "1132021"


@pytest.fixture(scope="module")
def before(compile_java) -> WholeProgram:
    return whole_program(compile_java({"Main.java": SOURCE}, "-g"))


@pytest.fixture(scope="module")
def after(before) -> dict[str, str]:
    """Return what makes the lambda of each method, and the descriptor of the lambda's own method, after all edits."""
    program = LAMBDAS.make(before, LAMBDAS.find(before))
    access = {method.key: method.access for tree in program.classes for method in tree.methods}
    found = {each.method[1].split("$")[-2:][0]: each for each in lambdas(program)}
    static = {name: access[each.method[1:]] & 8 and "static " for name, each in found.items()}
    return {name: f"{each.site.content[2]} {static[name] or ''}{each.method[2]}" for name, each in found.items()}


@pytest.mark.parametrize(
    ("method", "shape"),
    [
        ("unread", "()Ljava/util/function/BiConsumer; static (Ljava/lang/Object;Ljava/lang/Integer;)V"),
        ("looping", "(LMain;)Ljava/util/function/Function; static (LMain;Ljava/lang/Object;)Ljava/lang/Object;"),
        ("mixed", "(I)LMain$Three; static (ILjava/lang/Object;JLjava/lang/String;)Ljava/lang/Object;"),
        ("taken", "()Ljava/util/Comparator; static (Ljava/lang/Object;Ljava/lang/Object;)I"),
        ("length", "()Ljava/util/function/ToIntFunction; static (Ljava/lang/String;)I"),
        ("called", "()Ljava/lang/Runnable; static ()V"),
        ("own", "(Ljava/lang/Object;)Ljava/lang/Runnable; static (Ljava/lang/Object;)V"),
    ],
)
def test_lambdas_take_what_they_read(after, method, shape):
    assert after[method] == shape


@pytest.mark.parametrize("method", ["named", "serial"])
def test_methods_that_strings_name_and_other_factories_stay(after, method):
    assert method not in after


def test_each_edit_can_be_made_alone(before, tmp_path):
    edits = LAMBDAS.find(before)
    for number, some in enumerate([[], edits, *[[edit] for edit in edits]]):
        assert output_of(LAMBDAS.make(before, some), tmp_path / str(number)) == PRINTED
