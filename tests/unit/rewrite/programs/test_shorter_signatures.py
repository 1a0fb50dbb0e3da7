"""Shorter generic signatures: which parts can go, and classes that reflection still reads."""

from __future__ import annotations

import pytest

from core.classfile.format_error import ClassFormatError
from core.classfile.generics.spans import open_parameters, shorter_bounds, shorter_types, variables, with_spans
from core.rewrite.programs.kinds import KINDS
from core.rewrite.programs.program import WholeProgram
from tests.support.whole_programs import output_of, whole_program

SOURCE = """import java.util.*;
public class Main<T extends Comparable<T>, U extends List<String>> {
    Map<String, List<? extends Number>> field = new HashMap<>();
    T typed;
    class Inner<V> { V v; }
    Main<T, U>.Inner<List<T>> inner;
    private <A extends Number, B extends Map<String, A>> int own(B b, List<A> a) { return a.size() + b.size(); }
    static <A, B extends Number> List<? super B> open(Class<A> a) { return null; }
    public int compareTo(List<String> other) { return 0; }
    public static void main(String[] arguments) throws Exception {
        Main<String, List<String>> main = new Main<>();
        for (var field : Main.class.getDeclaredFields()) System.out.println(field.toGenericString());
        for (var method : Main.class.getDeclaredMethods()) System.out.println(method.toGenericString());
        String bounds = Arrays.toString(Main.class.getTypeParameters()[1].getBounds());
        System.out.println(bounds + main.own(Map.of(), List.of()));
    }
}
class Lower extends Main<String, List<String>> { public int compareTo(List<String> other) { return 1; } }
"""


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("Ljava/util/Map<TK;[TV;>;", ["Ljava/util/Map<*[TV;>;", "Ljava/util/Map<TK;*>;", "Ljava/util/Map;"]),
        ("[La<[I>;", ["[La<*>;", "[La;"]),
        ("La/B<TK;>.C<-La/D;>;", ["La/B<*>.C<-La/D;>;", "La/B<TK;>.C<*>;", "La/B$C;"]),
        ("La<Lb<*>;>;", ["La<Lb;>;", "La<*>;", "La;"]),
        ("(ITT;)La<*>;", ["(ITT;)La;"]),
        ("Ljava/lang/String;", []),
    ],
)
def test_types_without_arguments_and_arguments_that_may_be_anything(signature, expected):
    assert [with_spans(signature, [each]) for each in shorter_types(signature)] == expected


def test_types_within_bounds():
    signature = "<T:La<TT;>;U::Lb;:Lc<Ld;>;>Ljava/lang/Object;"
    assert [with_spans(signature, [each]) for each in shorter_bounds(signature)] == [
        "<T:La<*>;U::Lb;:Lc<Ld;>;>Ljava/lang/Object;",
        "<T:La;U::Lb;:Lc<Ld;>;>Ljava/lang/Object;",
        "<T:La<TT;>;U::Lb;:Lc<*>;>Ljava/lang/Object;",
        "<T:La<TT;>;U::Lb;:Lc;>Ljava/lang/Object;",
    ]


def test_type_parameters_that_go_and_bounds_that_go():
    signature = "<T:La/Long$Name$Of$A$Class;U::Lb/Another$Long$Name;V:La/Long$Name$Of$A$Class;>(TV;La<TU;>;)V"
    found = list(open_parameters(signature, {"U", "V"}, {"V"}))
    assert with_spans(signature, found) == "<U:Ljava/lang/Object;V:La/Long$Name$Of$A$Class;>(TV;La<TU;>;)V"
    assert with_spans("<T:La;>(I)V", open_parameters("<T:La;>(I)V", (), ())) == "(I)V"


def test_type_variables():
    signature = "<T:TU;>(La<TV;>;[TW;)TX;"
    assert variables(signature, bare=True) == {"U", "W", "X"}
    assert variables(signature, bare=False) == {"U", "V", "W", "X"}


def test_a_change_within_another_one_is_not_made():
    signature = "La<Lb<Lc;>;Ld;>;"
    assert with_spans(signature, shorter_types(signature)) == "La;"
    inner = [each for each in shorter_types(signature) if each.stop < len(signature)]
    assert with_spans(signature, inner) == "La<**>;"


def test_a_signature_that_breaks_its_grammar():
    with pytest.raises(ClassFormatError):
        list(shorter_types("La<;"))


@pytest.fixture
def program(compile_java):
    return whole_program(compile_java({"Main.java": SOURCE}))


def output(program: WholeProgram, folder) -> list[str]:
    return sorted(output_of(program, folder).splitlines())


def test_reflection_reads_shorter_signatures(program, tmp_path):
    edits = KINDS["generics"].find(program)
    before, after = output(program, tmp_path), output(KINDS["generics"].make(program, edits), tmp_path)
    assert "java.util.Map<java.lang.String, java.util.List<? extends java.lang.Number>> Main.field" in before
    assert after == [
        "Main$Inner Main.inner",
        "T Main.typed",
        "[class java.lang.Object]0",
        "java.util.Map Main.field",
        "private <A extends java.lang.Number,B extends java.util.Map> int Main.own(B,java.util.List)",
        "public int Main.compareTo(java.util.List<java.lang.String>)",
        "public static void Main.main(java.lang.String[]) throws java.lang.Exception",
        "static <A,B extends java.lang.Number> java.util.List Main.open(java.lang.Class)",
    ]


def test_each_edit_alone_leaves_signatures_that_reflection_reads(program, tmp_path):
    edits = KINDS["generics"].find(program)
    assert len(edits) > 15
    for edit in edits[::3]:
        after = KINDS["generics"].make(program, [edit])
        assert len(output(after, tmp_path)) == 8
        assert sum(map(len, after.files)) < sum(map(len, program.files)) + 30


LOCAL = """import java.util.*;
class Local {
    static <J> Object make(List<J> all) { return new Object() { J first; }; }
    static <J> Object none(List<J> all) { return all; }
    static <K> Object free(Set<K> all) { return all; }
}
"""


def test_a_type_parameter_stays_that_a_class_inside_a_method_uses(compile_java):
    after = whole_program(compile_java({"Local.java": LOCAL}))
    for _ in range(2):  # the first edits leave the parameters unused
        after = KINDS["generics"].make(after, KINDS["generics"].find(after))
    found = {
        method.name: str(next(signature.symbols).content[0])
        for method in after.by_name["Local"].methods
        if (signature := method.attribute("Signature"))
    }
    kept = "<J:Ljava/lang/Object;>(Ljava/util/List;)Ljava/lang/Object;"  # for both: they have one signature
    assert found == {"make": kept, "none": kept}
