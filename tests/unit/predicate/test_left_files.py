"""Files that a command leaves in the folder of its run."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from core.predicate.output import decompiler_comments, traces
from core.predicate.output.declarations import SourceDeclaration, places, source_in
from core.predicate.output.left_files import left_files, recognised
from core.predicate.output.no_source import said

TRACE = 'Exception in thread "main" java.lang.IllegalStateException: x\n\tat p.A.f(A.java:3)\n'


def test_a_stack_trace_in_a_file_is_found(tmp_path):
    (tmp_path / "log.txt").write_text(TRACE)
    (tmp_path / "other.txt").write_text("nothing")
    (tmp_path / "red.txt").write_text("".join(f"\x1b[31m{line}\x1b[m\r\n" for line in TRACE.splitlines()))
    found = left_files(tmp_path)
    assert [file.name for file in found] == ["log.txt", "red.txt"]
    assert found[0].text == found[1].text


def test_neither_links_nor_pipes_are_read(tmp_path):
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "log.txt").write_text(TRACE)
    (folder / "link").symlink_to(elsewhere / "log.txt")
    (folder / "links").symlink_to(elsewhere)
    os.mkfifo(folder / "pipe")
    assert left_files(folder) == []


def test_a_folder_that_became_a_link_is_not_read(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "log.txt").write_text(TRACE)
    (tmp_path / "folder").symlink_to(elsewhere)
    assert left_files(tmp_path / "folder") == []


CFR = """package p.q;

public class A {
    static class B {
        /*
         * Exception decompiling
         */
        public int f(int n) {
            /*
             * This method has failed to decompile.  When submitting a bug report, please provide this stack trace.
             *
             * org.benf.cfr.reader.util.ConfusedCFRException: x
             *     at org.benf.cfr.reader.C.f(C.java:3)
             */
            throw new IllegalStateException("Decompilation failed");
        }
    }
}
"""
PROCYON = """package p.q;

public class A
{
    public A() {
        //
        // This method could not be decompiled.
        //
        // Original Bytecode:
        //     0: return
        //
        // The error that occurred was:
        //
        // java.lang.IndexOutOfBoundsException: Index 7
        //     at java.base/java.util.ArrayList.get(ArrayList.java:3)
        //     at com.strobel.D.f(D.java:3)
        //
        throw new IllegalStateException("An error occurred while decompiling this method.");
    }
}
"""
VINEFLOWER = """package p.q;

public class A {
   static {
      // $VF: Couldn't be decompiled
      // Please report this
      // java.lang.RuntimeException: x
      //   at org.V.f(V.java:3)
      // Caused by: java.lang.Error
      //   at org.V.g(V.java:3)
      //   ... 1 more
      //
      // Bytecode:
      // 000: return
   }

   void g() {
      // $VF: Couldn't be decompiled
   }
}
"""


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (CFR, ("p.q.A.B.f",)),
        (PROCYON, ("p.q.A.<init>",)),
        (VINEFLOWER, ("p.q.A.<clinit>", "p.q.A.g")),
        (CFR + PROCYON.replace("p.q", "r"), ("p.q.A.B.f", "r.A.<init>")),
        ("out/p/A.java:7:      // $FF: Couldn't be decompiled\n", ("out/p/A.java",)),
        ("      // $VF: Couldn't be decompiled\n", ("",)),
        ('String s = "This method could not be decompiled";\n', ()),
    ],
)
def test_a_comment_of_a_decompiler_names_its_method(source, names):
    assert decompiler_comments.names(source) == names


def test_the_stack_trace_in_a_comment_is_a_failure(tmp_path):
    for name, text in {"CFR": CFR, "Procyon": PROCYON, "Vineflower": VINEFLOWER}.items():
        (tmp_path / f"{name}.java").write_text(text)
    (tmp_path / "Whole.java").write_text("// $VF: Couldn't be decompiled\n// a.Odd\n//   at v.W.f(W.java:3)\n")
    (tmp_path / "Own.java").write_text("class Own {} // a.Odd\n//   at v.W.f(W.java:3)\n")
    text = said([], tmp_path)
    assert traces.names(text) == (
        "a.Odd at v.W.f",
        "java.lang.IndexOutOfBoundsException: Index # at java.util.ArrayList.get < com.strobel.D.f",
        "java.lang.RuntimeException: x at org.V.f; caused by java.lang.Error at org.V.g",
        "org.benf.cfr.reader.util.ConfusedCFRException: x at org.benf.cfr.reader.C.f",
    )
    shown = {place.failure: place for place in places(text, partial(source_in, tmp_path.parent))}
    found = [(Path(shown[name].path).stem, shown[name].declaration) for name in traces.names(text)]
    inner, made, begun = (("A", "B"), "f"), (("A",), "<init>"), (("A",), "<clinit>")
    declarations = [("Whole", ((), "")), ("Procyon", made), ("Vineflower", begun), ("CFR", inner)]
    assert found == [(file, SourceDeclaration(*declared)) for file, declared in declarations]


def test_a_comment_in_a_source_is_found_but_no_stack_trace(tmp_path):
    (tmp_path / "A.java").write_text(CFR)
    (tmp_path / "B.java").write_text(TRACE)
    (found,) = left_files(tmp_path)
    assert found.name == "A.java"
    assert recognised(found.text) == "1 comment of a decompiler that failed (p.q.A.B.f)"


def test_a_comment_outside_any_class_tells_of_its_file(tmp_path):
    (tmp_path / "out" / "p").mkdir(parents=True)
    (tmp_path / "out" / "p" / "A.java").write_text("// $VF: Unable to decompile class\n")
    (found,) = left_files(tmp_path)
    assert decompiler_comments.names(found.text) == ("out/p/A.java",)
