"""Two versions of a class as text: only what differs is told, whatever offsets and frames became of it."""

from core.service.reproducers.nearest_pairs import annotated, difference, listing

SOURCE = "class Old { static int one(int a) { %sif (a > 0) return 1; return a; } static int two() { return 2; } }"


def listings(compile_java, *texts):
    return [
        listing([("Old.class", (compile_java({"Old.java": text}, "-g:none") / "Old.class").read_bytes())])
        for text in texts
    ]


def test_an_instruction_that_is_gone_is_one_line(compile_java):
    before, after = listings(compile_java, SOURCE % "a++; ", SOURCE % "")
    assert [line for line in difference(before, after) if line[0] in "+-"] == ["-\t\tiinc 0, 1;"]
    assert [line for line in annotated(before, {"1": after}) if "//" in line] == ["\t\tiinc 0, 1;  // 1"]
    assert not any("stack_frame_type" in line for line in before)


def test_equal_versions_have_no_difference(compile_java):
    before, after = listings(compile_java, SOURCE % "", SOURCE % "")
    assert difference(before, after) == []
    assert annotated(before, {"1": after}) == before


def test_lines_that_are_new_are_told_at_the_line_before(compile_java):
    before, after = listings(compile_java, SOURCE % "", SOURCE % "a++; ")
    assert [line for line in difference(before, after) if line[0] in "+-"] == ["+\t\tiinc 0, 1;"]
    assert [line for line in annotated(before, {"a": after, "b": after}) if "//" in line] == ["\t{  // a, b"]


def test_a_damaged_class_has_one_line():
    assert listing([("Bad.class", b"no class"), ("text", b"")])[0].startswith("// a damaged class file: ")
