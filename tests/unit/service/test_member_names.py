"""Members known again by the names that they had before a reduction."""

from core.classfile.class_file import parse
from core.parts.parts import parts
from core.service.queries.member_lists import names_before
from tests.support.rows import rows


@rows(
    ("before", "after", "known"),
    [
        ("int of(String a, int b, long c) { return b; }", "int of(int b) { return b; }", True),
        ("void of(String a) { }", "void of(Object a) { }", True),
        ("String[] of(String[][] a) { return null; }", "Object[] of(Object[][] a) { return null; }", True),
        ("String of;", "Object of;", True),
        ("void of(int a, long b) { }", "void of(long b, int a) { }", False),
        ("void of(Object a) { }", "void of(String a) { }", False),
        ("void of(int a) { }", "void of(int a, int b) { }", False),
        ("void of(int a) { }", "void other(int a) { }", False),
        ("int of(int a) { return a; }", "long of(int a) { return a; }", False),
    ],
)
def test_a_member_of_another_descriptor(compile_java, before, after, known):
    listed = [
        parts(parse((compile_java({"A.java": f"class A {{ {text} }}"}) / "A.class").read_bytes()), "full")
        for text in (before, after)
    ]
    names = names_before(*listed)
    members = {part.name for part in listed[0] if part.name.startswith("A.of") and part.parent < 0}
    assert (members <= names) is known
    if known:
        assert names <= {part.name for part in listed[0]}


def test_what_is_called_as_before_is_that(compile_java):
    before, after = (
        parts(parse((compile_java({"A.java": f"class A {{ {text} }}"}) / "A.class").read_bytes()), "full")
        for text in ("void of(String a, int b) { } void of(int b) { }", "void of(int b) { }")
    )
    assert {name for name in names_before(before, after) if "of" in name and "!" not in name} == {"A.of:(I)V"}
