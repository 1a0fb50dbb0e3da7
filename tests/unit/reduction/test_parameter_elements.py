"""Parameters as what may go from a jar."""

from dataclasses import replace
from pathlib import Path

from core.archive.jar import read_jar
from core.edits.programs.shapes.method_shapes import UNREAD
from core.library.library import open_library
from core.model.class_model import build
from core.reduction.elements import entry_numbers
from core.reduction.rewrite_elements import RewriteElements
from tests.support.files import jar_of

SOURCE = """class A {
    static int of(int a, String b, int c) { return c; }
    static int other(long a) { return of(1, null, 2); }
}
"""


def elements_of(compile_java, folder: Path, pinned=lambda name: False) -> RewriteElements:
    jar = read_jar([str(jar_of(compile_java({"A.java": SOURCE}), folder / "a.jar"))])
    return RewriteElements(UNREAD, jar, entry_numbers(build(jar)), open_library().get, pinned)


def test_what_is_kept_is_there_and_the_rest_goes(compile_java, tmp_path):
    elements = elements_of(compile_java, tmp_path)
    assert elements.count == 3
    assert elements.bytes_of(elements.full) > elements.bytes_of(0b110) > elements.bytes_of(0)
    assert (
        dict(elements.entries(elements.full))["A.class"] == (compile_java({"A.java": SOURCE}) / "A.class").read_bytes()
    )
    assert elements.named(0b001)[0] == "A.of:(ILjava/lang/String;I)I"


def test_pinned_methods_keep_all(compile_java, tmp_path):
    elements = elements_of(compile_java, tmp_path, lambda name: name.startswith("A.of:"))
    assert elements.named(elements.full)[0] == "A.other:(J)I"


def test_of_much_that_is_left_nothing_is_looked_for(compile_java, tmp_path):
    jar = read_jar([str(jar_of(compile_java({"A.java": SOURCE}), tmp_path / "a.jar"))])
    assert RewriteElements(replace(UNREAD, most=100), jar, {}, open_library().get).count == 0
