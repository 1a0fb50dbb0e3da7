"""Frames after edits say only what matters: nothing of variables that nobody reads, null where nothing else comes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.classfile.class_file import parse
from core.code.edit import EditKind
from core.edits.bodies.editor import Editor
from tests.conftest import CompileJava
from tests.support.patience import patience
from tests.support.rewriting import javap

SOURCE = {
    "p/User.java": """package p;
    class Dead { static void m() { } }
    class Null { static Null make() { return new Null(); } }
    class Other {
        static int n = 3;
        static int caught() { Null x = new Null(); try { x = null; n++; x = new Null(); return n; }
            catch (RuntimeException e) { User.use(x); return 0; } }
    }
    public class User {
        static int n = 3;
        static Dead dead() { return null; }
        static void use(Object o) { }
        public static void main(String[] a) { System.out.println(dropped() + " " + unread() + " " + Other.caught()); }
        static int dropped() { Null x = new Null(); int i = 0; while (i < n) { i++; use(x); } return i; }
        static int told(Object first, String second) {
            dead(); int i = 0; while (i < n) { use(null); i++; } if (n > 2) { use(null); } return i;
        }
        static int unread() { Dead d = dead(); int i = 0; while (i < n) i++; return i; }
    }"""
}


@pytest.fixture(scope="module")
def classes(compile_java: CompileJava) -> Path:
    return compile_java(SOURCE)


def edited(classes: Path, owner: str, method: str, chosen: set[EditKind], folder: Path) -> tuple[set[str], str]:
    """The classes that the owner names after all edits of the kinds in one method, and what it prints."""
    cf = parse((classes / f"p/{owner}.class").read_bytes())
    number = [each.name_text for each in cf.methods].index(method)
    editor = Editor(cf.data)
    edits = [n for n, edit in enumerate(editor.edits) if edit.method == number and edit.kind in chosen]
    data = editor.write(edits)
    (folder / "p").mkdir()
    for name in ("Dead", "Null", "Other", "User"):
        whole = (classes / f"p/{name}.class").read_bytes()
        (folder / f"p/{name}.class").write_bytes(data if name == owner else whole)
    done = subprocess.run(
        ["java", "-Xverify:all", "-XX:TieredStopAtLevel=1", "-cp", folder, "p.User"],
        capture_output=True, text=True, check=False, timeout=patience(),
    )  # fmt: skip
    pool = parse(data).constants
    named = {pool.text(one[1]) for one in pool.tuples() if one is not None and one[0] == 7}
    return named, done.stdout + done.stderr


def test_a_variable_that_only_holds_null_is_of_no_class(classes, tmp_path):
    named, said = edited(classes, "User", "dropped", {EditKind.NEW}, tmp_path)
    assert said == "3 3 4\n"
    assert "p/Null" not in named


def test_a_frame_names_no_class_of_a_variable_that_nobody_reads(classes, tmp_path):
    before = parse((classes / "p/User.class").read_bytes()).constants
    assert any(one is not None and one[0] == 7 and before.text(one[1]) == "p/Dead" for one in before.tuples())
    named, said = edited(classes, "User", "unread", {EditKind.CALL}, tmp_path)
    assert said == "3 3 4\n"
    assert "p/Dead" not in named


def test_what_a_handler_reads_keeps_its_class(classes, tmp_path):
    named, said = edited(classes, "Other", "caught", {EditKind.STORE}, tmp_path)
    assert said == "3 3 3\n"
    assert "p/Null" in named


def test_parameters_are_told_of_where_that_is_shorter(classes, tmp_path):
    """A frame that says the same as the one before is one byte; nothing reads or writes the parameters."""
    edited(classes, "User", "told", {EditKind.CALL}, tmp_path)
    text = javap([tmp_path / "p/User.class"])
    method = text[text.index("int told(") : text.index("int unread(")]
    assert method.count("frame_type") == 2
    assert "full_frame" not in method
