"""Classes without generic types: what else loses its types with them, as reflection reads it."""

from __future__ import annotations

from core.edits.programs.kinds import KINDS
from tests.support.whole_programs import output_of, whole_program

SOURCES = {
    "Box.java": "public class Box<T> { T in; }",
    "Main.java": """import java.util.*;
public class Main {
    static <T> Object get(Box<T> box) { return new Object() { List<T> all; }; }
    static <T> int size(Box<T> box) { return 0; }
    List<String> names;
    public static void main(String[] arguments) throws Exception {
        System.out.println(get(null).getClass().getDeclaredField("all").getGenericType());
        System.out.println(Main.class.getDeclaredField("names").getGenericType());
    }
}""",
}


def test_a_class_in_a_method_that_loses_its_type_parameters_loses_its_types_too(compile_java, tmp_path):
    program = whole_program(compile_java(SOURCES))
    assert output_of(program, tmp_path).splitlines() == ["java.util.List<T>", "java.util.List<java.lang.String>"]
    signatures = KINDS["signatures"]
    (box,) = [edit for edit in signatures.find(program) if edit.what == "Box"]
    after = output_of(signatures.make(program, [box]), tmp_path)
    assert after.splitlines() == ["interface java.util.List"] * 2


def test_a_method_without_a_class_in_it_loses_its_types_alone(compile_java, tmp_path):
    main = """import java.util.*;
public class Main {
    static <T> int size(Box<T> box) { return 0; }
    List<String> names;
    public static void main(String[] arguments) throws Exception {
        System.out.println(Main.class.getDeclaredMethod("size", Box.class).toGenericString());
        System.out.println(Main.class.getDeclaredField("names").getGenericType());
    }
}"""
    program = whole_program(compile_java({**SOURCES, "Main.java": main}))
    (box,) = [edit for edit in KINDS["signatures"].find(program) if edit.what == "Box"]
    after = output_of(KINDS["signatures"].make(program, [box]), tmp_path)
    assert after.splitlines() == ["static int Main.size(Box)", "java.util.List<java.lang.String>"]
